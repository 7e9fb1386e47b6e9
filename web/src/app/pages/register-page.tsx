import type { RegisterRequest } from '@hourshare/contract/sign-ins';
import { Link, Navigate, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { RegisterForm } from '../../features/accounts/register-form.tsx';
import { Contact } from '../../features/marketing/contact.tsx';
import { useClaim, useInvitation } from '../../features/shares/links-api.ts';
import { offerText, startsText } from '../../features/shares/offer-text.ts';
import { invitedSplitText } from '../../features/shares/rules.ts';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import {
  claimPage,
  claimPath,
  claimTokenIn,
  invitePage,
  invitePath,
  paths,
  registerTokenIn,
  tokenIn,
  type RegisterSearch,
} from '../../platform/paths.ts';
import { laterTexts } from '../../features/periods/terms-text.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { textLink } from '../../ui/text-link.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';

const loginLink = (from: string | undefined) => (text: ReactNode) => (
  <Link to={paths.login} search={from === undefined ? {} : { from }} className={textLink}>
    {text}
  </Link>
);

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What someone answered on the page of a claim, and the version they have read. */
    claim?: Omit<NonNullable<RegisterRequest['claim']>, 'token'>;
  }
}

export function RegisterPage() {
  usePageTitle(t('Sign up'));
  const navigate = useNavigate();
  const registration = useRegistration();
  const { invitation, claim: token }: RegisterSearch = useSearch({ strict: false });
  const answer = useLocation({ select: ({ state }) => state.claim });
  // Of a link from the administrator, and not that of the link that skips to the content.
  const link = useLocation({ select: ({ hash }) => registerTokenIn(`${paths.register}#${hash}`) });
  const claim = token !== undefined && answer ? { ...answer, token } : undefined;
  // An address alone never takes anything over.
  if (token !== undefined && !claim) return <Navigate {...claimPage(token)} replace />;
  const from = claim ? claimPath(claim.token) : invitation === undefined ? undefined : invitePath(invitation);
  const asksForLink = registration === 'invited' && from === undefined && link === undefined;
  const done = () => {
    if (from !== undefined) announce(t('Welcome. You have access now: see Shared With Me.'));
    void navigate({ to: paths.dashboard, replace: true });
  };
  const canRegister = registration !== 'closed' && !asksForLink;
  return (
    <AuthShell
      title={t('Create your account')}
      below={
        <>
          <p>{rich('Already have an account? <link>Sign in</link>', { link: loginLink(from) })}</p>
          {canRegister && <LegalLinks action="register" />}
        </>
      }
    >
      {registration === 'closed' ? (
        <Closed />
      ) : asksForLink ? (
        <LinkForm />
      ) : (
        <>
          {claim ? (
            <Claiming claim={claim} onDone={done} />
          ) : invitation === undefined ? (
            <RegisterForm invitation={link} onDone={done} />
          ) : (
            <Invited token={invitation} onDone={done} />
          )}
          {from === undefined && <ProviderButtons {...(link !== undefined && { joining: { invitation: link } })} />}
        </>
      )}
    </AuthShell>
  );
}

const Closed = () => (
  <div className="grid gap-2 text-muted">
    <p>{t("This server doesn't accept new accounts. Ask its administrator if you need one.")}</p>
    <Contact />
  </div>
);

/** What the new account is for, and its form. */
function Invited({ token, onDone }: { token: string; onDone: () => void }) {
  const { data, error, refetch } = useInvitation(token);
  return (
    <>
      {error ? (
        <Banner className="mb-4">{errorText(error) || t("Couldn't load the invitation. Please try again.")}</Banner>
      ) : (
        data && (
          <Banner tone="note" className="mb-4">
            <p>
              {t('{owner} invites you to {asset}. Creating an account accepts the invitation.', {
                owner: data.owner,
                asset: data.asset_name,
              })}
            </p>
            <p className="figures mt-1 font-semibold">
              {offerText(data)} {data.starts_on !== null && startsText(data.starts_on)}
            </p>
            {[invitedSplitText(data), ...laterTexts(data)].map((text) => (
              <p key={text} className="mt-1">
                {text}
              </p>
            ))}
          </Banner>
        )
      )}
      <RegisterForm
        invitation={token}
        seen={data ? { terms: data.terms } : undefined}
        onChanged={() => void refetch()}
        onDone={onDone}
      />
      <ProviderButtons
        from={invitePath(token)}
        joining={{ invitation: token, ...(data && { seen: { terms: data.terms } }) }}
      />
    </>
  );
}

function Claiming({ claim, onDone }: { claim: NonNullable<RegisterRequest['claim']>; onDone: () => void }) {
  const router = useRouter();
  const { data, error } = useClaim(claim.token);
  return (
    <>
      {error ? (
        <Banner className="mb-4">{errorText(error) || t("Couldn't load this. Please try again.")}</Banner>
      ) : (
        data && (
          <Banner tone="note" className="mb-4">
            <p>
              {t('With the account, you get access to {assets}, shared by {owner}.', {
                assets: listFormat().format(data.assets.map(({ asset_name: asset }) => asset)),
                owner: data.owner,
              })}
            </p>
            <p className="mt-1">
              {claim.charges === 'accept'
                ? t('You take over what {owner} recorded for {name}.', { owner: data.owner, name: data.name })
                : t('What {owner} recorded for {name} stays with {owner}.', { owner: data.owner, name: data.name })}
            </p>
          </Banner>
        )
      )}
      <RegisterForm claim={claim} onChanged={() => void router.navigate(claimPage(claim.token))} onDone={onDone} />
      <ProviderButtons from={claimPath(claim.token)} joining={{ claim }} />
    </>
  );
}

/** Leads from a pasted link to its invitation, or to what can be claimed. */
function LinkForm() {
  const router = useRouter();
  const [link, setLink] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [token, claim, hash] = [tokenIn(link), claimTokenIn(link), registerTokenIn(link)];
    if (token !== undefined) void router.navigate(invitePage(token));
    else if (claim !== undefined) void router.navigate(claimPage(claim));
    else if (hash !== undefined) void router.navigate({ to: paths.register, hash });
    else setError(t('Paste the whole link that you were sent'));
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-muted">
        {t(
          'You need an invitation link to create an account on this server. Ask someone who shares an asset with you.',
        )}
      </p>
      <TextField
        label={t('Invitation link')}
        type="url"
        autoComplete="off"
        dir="ltr"
        value={link}
        error={error}
        onChange={(event) => {
          setLink(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit">{t('Continue')}</Button>
    </form>
  );
}
