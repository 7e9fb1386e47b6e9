import type { Claim } from '@hourshare/contract/shares';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useAcceptClaim, useClaim } from '../../features/shares/api.ts';
import { announce } from '../../lib/announcements.ts';
import { errorText } from '../../lib/error-texts.ts';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { listFormat, numberFormat } from '../../lib/language.ts';
import { rich, t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { claimPath, paths } from '../../lib/paths.ts';
import { momentText } from '../../lib/time.ts';
import { useRegistration } from '../../lib/use-registration.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AuthShell } from './auth-shell.tsx';

const strong = (text: ReactNode) => (
  <b className="font-semibold text-ink [overflow-wrap:anywhere]" dir="auto">
    {text}
  </b>
);

type Charges = 'accept' | 'object';

/** What an owner recorded for someone without an account, who can take it over here. */
export function ClaimPage() {
  usePageTitle(t('Recorded for you'));
  const { token = '' } = useParams({ strict: false });
  const user = useUser();
  const { data: claim, error, refetch, isFetching } = useClaim(token);
  if (claim) return <Recorded token={token} claim={claim} onChanged={() => void refetch()} />;
  const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
  return (
    <AuthShell title={t('Recorded for you')} below={null}>
      {error ? (
        <>
          <Banner>{errorText(error) || t("Couldn't load this. Please try again.")}</Banner>
          {isRefused ? (
            <Link to={user ? paths.dashboard : paths.landing} className={buttonClasses('outline', 'medium', 'mt-5')}>
              {user ? t('Go to Dashboard') : t('Go to home page')}
            </Link>
          ) : (
            <Button className="mt-5" busy={isFetching} onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          )}
        </>
      ) : (
        <Spinner label={t('Loading what was recorded')} size={28} className="w-full justify-center py-10" />
      )}
    </AuthShell>
  );
}

interface RecordedProps {
  token: string;
  claim: Claim;
  onChanged: () => void;
}

function Recorded({ token, claim, onChanged }: RecordedProps) {
  const user = useUser();
  const { name, owner } = claim;
  const [chosen, setChosen] = useState<Charges | null>(null);
  const [isAsking, setAsking] = useState(false);
  const hasCharges = claim.charges > 0;
  const charges = hasCharges ? chosen : 'accept';
  const choose = (next: Charges) => {
    setChosen(next);
    setAsking(false);
  };
  return (
    <AuthShell title={t('{owner} recorded this for {name}', { owner, name })} below={null}>
      <dl className="grid gap-3 text-[15px]">
        <Row term={t('Assets')}>{listFormat().format(claim.assets)}</Row>
        <Row term={t('Sessions')}>
          {claim.sessions === 0 ? t('none [[claim]]') : numberFormat().format(claim.sessions)}
        </Row>
        <Row term={t('Hours used')}>{formatHours(claim.hours)}</Row>
        <Row term={t('Unpaid charges')}>
          {hasCharges
            ? listFormat().format(claim.open_charges.map(({ amount, currency }) => formatMoney(amount, currency)))
            : t('none [[claim]]')}
        </Row>
        <Row term={t('Open until')}>{momentText(claim.expires_at)}</Row>
      </dl>
      {user?.username === owner ? (
        <div className="mt-6">
          <Banner tone="note">{t('You recorded this yourself. Pass the link on to the person it is about.')}</Banner>
          <Link to={paths.dashboard} className={buttonClasses('outline', 'medium', 'mt-4')}>
            {t('Go to Dashboard')}
          </Link>
        </div>
      ) : (
        <>
          {hasCharges && <ChargesChoice owner={owner} chosen={chosen} isAsking={isAsking} onChoose={choose} />}
          <div className="mt-6">
            {user ? (
              <Acceptance
                token={token}
                claim={claim}
                charges={charges}
                username={user.username}
                onMissing={() => setAsking(true)}
                onChanged={onChanged}
              />
            ) : (
              <WaysIn token={token} charges={charges} onMissing={() => setAsking(true)} />
            )}
          </div>
        </>
      )}
    </AuthShell>
  );
}

const Row = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="grid gap-x-4 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
    <dt className="text-muted">{term}</dt>
    <dd className="figures font-medium [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

interface ChargesChoiceProps {
  owner: string;
  chosen: Charges | null;
  /** Whether to say that a choice is needed. */
  isAsking: boolean;
  onChoose: (charges: Charges) => void;
}

const ChargesChoice = ({ owner, chosen, isAsking, onChoose }: ChargesChoiceProps) => (
  <div className="mt-6">
    <RadioCards<Charges | ''>
      legend={t('What about the unpaid charges?')}
      value={chosen ?? ''}
      options={[
        { value: 'accept', text: t('These are mine'), hint: t('You owe them to {owner} from now on.', { owner }) },
        {
          value: 'object',
          text: t('I object'),
          hint: t('{owner} covers them. You owe nothing for closed months.', { owner }),
        },
      ]}
      onChange={(value) => {
        if (value !== '') onChoose(value);
      }}
      error={isAsking ? t('Choose one of the two') : undefined}
    />
    {isAsking && (
      <p role="alert" className="sr-only">
        {t('Choose one of the two')}
      </p>
    )}
  </div>
);

interface WaysInProps {
  token: string;
  charges: Charges | null;
  onMissing: () => void;
}

/** For visitors who aren't signed in. */
function WaysIn({ token, charges, onMissing }: WaysInProps) {
  const isClosed = useRegistration() === 'closed';
  return (
    <>
      <p className="text-[14px] text-muted">
        {isClosed
          ? t("This server doesn't accept new accounts. Sign in if you have one.")
          : t('With an account, you see each session, and can edit or remove those of months that are still open.')}
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:[&>*]:flex-1">
        {!isClosed &&
          (charges === null ? (
            <Button onClick={onMissing}>{t('Create an account')}</Button>
          ) : (
            <Link to={paths.register} search={{ claim: token, charges }} className={buttonClasses('primary')}>
              {t('Create an account')}
            </Link>
          ))}
        <Link
          to={paths.login}
          search={{ from: claimPath(token) }}
          className={buttonClasses(isClosed ? 'primary' : 'outline')}
        >
          {t('Sign in')}
        </Link>
      </div>
    </>
  );
}

interface AcceptanceProps extends RecordedProps {
  charges: Charges | null;
  username: string;
  onMissing: () => void;
}

function Acceptance({ token, claim, charges, username, onMissing, onChanged }: AcceptanceProps) {
  const navigate = useNavigate();
  const accept = useAcceptClaim(token);
  const press = () => {
    if (charges === null) return onMissing();
    const seen = { sessions: claim.sessions, hours: claim.hours, charges: claim.charges };
    accept.mutate(
      { charges, seen },
      {
        onSuccess: () => {
          announce(t('Welcome. You have access now: see Shared With Me.'));
          void navigate({ to: paths.shared, replace: true });
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'claim_changed') onChanged();
        },
      },
    );
  };
  return (
    <>
      {accept.error && (
        <Banner className="mb-4">{errorText(accept.error) || t("Couldn't join. Please try again.")}</Banner>
      )}
      <p className="text-[14px] text-muted">
        {rich('You join as <b>{username}</b>. From then on you are an ordinary member, and can leave anytime.', {
          username,
          b: strong,
        })}
      </p>
      <Button busy={accept.isPending} busyText={t('Accepting...')} onClick={press} className="mt-4 max-sm:w-full">
        {t('Join')}
      </Button>
    </>
  );
}
