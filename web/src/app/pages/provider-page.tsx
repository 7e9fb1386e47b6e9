import { ProviderName, type ProviderAnswer } from '@hourshare/contract/sign-ins';
import { Link, useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { adoptSignIn, login } from '../../features/accounts/api.ts';
import { LoginForm } from '../../features/accounts/login-form.tsx';
import { NewcomerForm } from '../../features/accounts/newcomer-form.tsx';
import { PasskeySignIn } from '../../features/accounts/passkey-sign-in.tsx';
import {
  adoptProviderSignIn,
  checkWithProvider,
  connectProvider,
  finishProvider,
  hasRegistered,
  readPlan,
  signInWithTicket,
} from '../../features/accounts/providers-api.ts';
import { SecondStep } from '../../features/accounts/second-step.tsx';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { focusOnMount } from '../../ui/focus.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { useAbout, useRegistration } from '../../features/accounts/about-api.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { goTo } from './use-return.ts';

/** The page that providers redirect to. The provider's answer is in the fragment of the address. */
export function ProviderPage() {
  const { provider: name } = useParams({ strict: false });
  const answer = useLocation({ select: ({ hash }) => hash });
  const provider = ProviderName.safeParse(name).data;
  return provider === undefined || answer === '' ? (
    <Ended provider={undefined} error={null} />
  ) : (
    <Returned key={answer} provider={provider} answer={answer} />
  );
}

function useLabel(provider: ProviderName): string {
  const providers = useAbout()?.providers;
  return providers?.find(({ name }) => name === provider)?.label ?? t('the provider');
}

type Unknown = Pick<ProviderAnswer, 'email' | 'username'> & { ticket: string };

function Returned({ provider, answer }: { provider: ProviderName; answer: string }) {
  const label = useLabel(provider);
  usePageTitle(t('Sign in with {provider}', { provider: label }));
  const router = useRouter();
  const navigate = useNavigate();
  const user = useUser();
  const [plan] = useState(() => readPlan(provider));
  const [unknown, setUnknown] = useState<Unknown | null>(null);
  const [coded, setCoded] = useState<string | null>(null);
  /** The ticket of a check that takes a code, too. */
  const [proving, setProving] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    let isLeft = false;
    const goOn = async () => {
      const finished = await finishProvider(provider, answer);
      const { signed_in: signedIn, ticket, email, username } = finished;
      // React renders twice in development; only one render continues.
      if (isLeft) return;
      if (signedIn) {
        adoptProviderSignIn(signedIn);
        goTo(router, plan.from);
      } else if (ticket !== null && plan.purpose === 'link') {
        const { label: connected } = await connectProvider(ticket);
        announce(t('{provider} is connected.', { provider: connected }));
        goTo(router, plan.from ?? paths.profile);
      } else if (ticket !== null && plan.purpose === 'check') {
        try {
          await checkWithProvider(ticket);
        } catch (failure) {
          if (!(failure instanceof ApiError && failure.fields['code'])) throw failure;
          if (!isLeft) setProving(ticket);
          return;
        }
        announce(t('Confirmed. You can continue.'));
        goTo(router, plan.from);
      } else if (finished.code_required) setCoded(ticket);
      else if (ticket !== null) setUnknown({ ticket, email, username });
    };
    goOn().catch((failure: unknown) => {
      if (isLeft) return;
      const isDenied = failure instanceof ApiError && failure.code === 'provider_denied';
      // Someone who declined doesn't need an error.
      if (isDenied && plan.purpose === 'sign-in') void navigate({ to: paths.login, replace: true });
      else if (isDenied) goTo(router, plan.from ?? paths.profile);
      else setError(failure);
    });
    return () => {
      isLeft = true;
    };
  }, [provider, answer, plan, router, navigate]);

  const isConnecting = unknown !== null && agreed === unknown.ticket;
  // Signed in in another tab. A new account's own form leaves the page itself.
  const isSignedInMeanwhile =
    Boolean(user) && (coded !== null || (unknown !== null && !isConnecting && !hasRegistered(unknown.ticket)));
  useEffect(() => {
    if (isSignedInMeanwhile) goTo(router, plan.from);
  }, [isSignedInMeanwhile, router, plan]);

  if (error !== null) return <Ended provider={label} error={error} />;
  if (isConnecting && user) return <Connecting ticket={unknown.ticket} label={label} from={plan.from} />;
  if (unknown && !user) return <Newcomer {...{ unknown, label, plan }} />;
  if (proving !== null && user)
    return (
      <AuthShell title={t("Confirm that it's you")} below={null}>
        <SecondStep
          purpose="check"
          onCode={async (code) => {
            await checkWithProvider(proving, code);
            announce(t('Confirmed. You can continue.'));
            goTo(router, plan.from);
          }}
          onBack={() => goTo(router, plan.from ?? paths.profile)}
        />
      </AuthShell>
    );
  if (coded !== null && !user)
    return (
      <AuthShell title={t('Sign in with {provider}', { provider: label })} below={null}>
        <SecondStep
          onCode={async (code) => {
            await signInWithTicket(coded, code);
            goTo(router, plan.from);
          }}
          onBack={() => void navigate({ to: paths.login, replace: true })}
        />
      </AuthShell>
    );
  return (
    <AuthShell title={t('Sign in with {provider}', { provider: label })} below={null}>
      <Spinner label={t('Signing in...')} size={28} className="w-full justify-center py-10" />
    </AuthShell>
  );
}

/** The sign-in failed; the user has to start over. */
function Ended({ provider, error }: { provider: string | undefined; error: unknown }) {
  const label = provider ?? t('the provider');
  const user = useUser();
  return (
    <AuthShell title={t('Sign in with {provider}', { provider: label })} below={null}>
      <div ref={focusOnMount} tabIndex={-1} className="outline-none">
        <Banner>
          {errorText(error) ||
            (error === null
              ? t('This took too long or was started in another browser. Please start again.')
              : t("Couldn't sign in with {provider}. Please try again.", { provider: label }))}
        </Banner>
      </div>
      <Link to={user ? paths.profile : paths.login} replace className={buttonClasses('primary', 'medium', 'mt-5')}>
        {t('Start again')}
      </Link>
    </AuthShell>
  );
}

/** The ticket for connecting the account that the user is signing in to. Outlives the page, because its frame then changes. */
let agreed: string | null = null;

function Connecting({ ticket, label, from }: { ticket: string; label: string; from: string | undefined }) {
  const router = useRouter();
  useEffect(() => {
    let isLeft = false;
    const connect = async () => {
      const error: unknown = await connectProvider(ticket).then(
        () => null,
        (failure: unknown) => failure,
      );
      if (isLeft) return;
      const detail = errorText(error);
      if (error === null) announce(t('{provider} is connected.', { provider: label }));
      else
        announce(t("You are signed in, but {provider} couldn't be connected.", { provider: label }), {
          failed: true,
          ...(detail !== '' && { detail }),
        });
      goTo(router, from);
    };
    void connect();
    return () => {
      isLeft = true;
    };
  }, [router, ticket, label, from]);
  return (
    <AuthShell title={t('Sign in with {provider}', { provider: label })} below={null}>
      <Spinner label={t('Signing in...')} size={28} className="w-full justify-center py-10" />
    </AuthShell>
  );
}

interface NewcomerProps {
  unknown: Unknown;
  label: string;
  plan: ReturnType<typeof readPlan>;
}

/** For an identity without an account here: the user creates an account, or connects theirs by signing in to it. */
function Newcomer({ unknown: { ticket, email, username }, label, plan }: NewcomerProps) {
  const router = useRouter();
  const registration = useRegistration();
  const [hasAccount, setHasAccount] = useState(username !== null || registration === 'closed');

  const signIn: typeof login = (credentials) => {
    agreed = ticket;
    return login(credentials);
  };
  const adopt: typeof adoptSignIn = (answer) => {
    agreed = ticket;
    return adoptSignIn(answer);
  };
  const createInstead = () => {
    agreed = null;
    setHasAccount(false);
  };

  if (hasAccount)
    return (
      <AuthShell
        title={t('Connect {provider} to your account', { provider: label })}
        below={
          registration !== 'closed' &&
          username === null && (
            <p>
              <Button look="quiet" size="small" onClick={createInstead}>
                {t('Create a new account instead')}
              </Button>
            </p>
          )
        }
      >
        <p ref={focusOnMount} tabIndex={-1} className="mb-5 text-muted [overflow-wrap:anywhere] outline-none">
          {username !== null && email !== null
            ? t(
                'The account {username} has the address {email}. Sign in to it once, and {provider} will be connected.',
                {
                  username,
                  email,
                  provider: label,
                },
              )
            : t('Sign in to your account once, and {provider} will be connected.', { provider: label })}
        </p>
        <LoginForm username={username ?? ''} signIn={signIn} onDone={() => undefined} />
        <PasskeySignIn adopt={adopt} onDone={() => undefined} />
      </AuthShell>
    );
  return (
    <AuthShell
      title={t('Choose a username')}
      below={
        <>
          <p>
            <Button look="quiet" size="small" onClick={() => setHasAccount(true)}>
              {t('I already have an account')}
            </Button>
          </p>
          <LegalLinks action="register" />
        </>
      }
    >
      <p ref={focusOnMount} tabIndex={-1} className="mb-5 text-muted outline-none">
        {t("You'll sign in with {provider}, without a password.", { provider: label })}
      </p>
      <NewcomerForm
        ticket={ticket}
        email={email}
        joining={plan.joining}
        onDone={() => {
          if (plan.joining && plan.from !== undefined) announce(t('Welcome. You have access now: see Shared With Me.'));
          goTo(router, plan.joining ? undefined : plan.from);
        }}
      />
    </AuthShell>
  );
}
