import type { Claim } from '@hourshare/contract/shares';
import type { ClaimEstimate } from '@hourshare/contract/statements';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useAcceptClaim, useClaim, useClaimEstimate } from '../../features/shares/links-api.ts';
import { offerText, startsText } from '../../features/shares/offer-text.ts';
import { invitedSplitText } from '../../features/shares/rules.ts';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { listFormat, numberFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { claimPath, paths } from '../../platform/paths.ts';
import { laterTexts } from '../../features/periods/terms-text.ts';
import { endText, momentText } from '../../platform/format/time.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AuthShell } from './auth-shell.tsx';

const strong = (text: ReactNode) => (
  <b className="font-semibold text-ink [overflow-wrap:anywhere]" dir="auto">
    {text}
  </b>
);

type Charges = 'accept' | 'object';

/** What an owner recorded for someone without an account, who can take it over here, or leave it to the owner. */
export function ClaimPage() {
  usePageTitle(t('Recorded for you'));
  const { token = '' } = useParams({ strict: false });
  const user = useUser();
  const claim = useClaim(token);
  const estimate = useClaimEstimate(token);
  const reload = () => {
    void claim.refetch();
    void estimate.refetch();
  };
  if (claim.data && estimate.data)
    return <Recorded token={token} claim={claim.data} months={estimate.data.months} onChanged={reload} />;
  const error = claim.error ?? estimate.error;
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
            <Button className="mt-5" busy={claim.isFetching || estimate.isFetching} onClick={reload}>
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

type OpenMonth = ClaimEstimate['months'][number];

interface RecordedProps {
  token: string;
  claim: Claim;
  /** What the months that aren't closed would cost so far. */
  months: OpenMonth[];
  onChanged: () => void;
}

function Recorded({ token, claim, months, onChanged }: RecordedProps) {
  const user = useUser();
  const { name, owner } = claim;
  const [answer, setAnswer] = useState<{ charges: Charges | null; version: string }>({
    charges: null,
    version: claim.version,
  });
  const hasChanged = answer.version !== claim.version;
  const chosen = hasChanged ? null : answer.charges;
  const [isAsking, setAsking] = useState(false);
  const hasRecord = claim.sessions > 0 || claim.charges > 0 || months.some(({ amount }) => amount > 0);
  const charges = hasRecord ? chosen : 'object';
  const choose = (next: Charges) => {
    setAnswer({ charges: next, version: claim.version });
    setAsking(false);
  };
  return (
    <AuthShell title={t('{owner} recorded this for {name}', { owner, name })} below={null}>
      <dl className="grid gap-3 text-[15px]">
        {(claim.sessions > 0 || claim.assets.some(({ measured }) => measured)) && (
          <>
            <Row term={t('Sessions')}>
              {claim.sessions === 0 ? t('none [[claim]]') : numberFormat().format(claim.sessions)}
            </Row>
            <Row term={t('Hours used')}>{formatHours(claim.hours)}</Row>
          </>
        )}
        <Row term={t('Unpaid charges')}>
          {claim.charges > 0
            ? listFormat().format(claim.open_charges.map(({ amount, currency }) => formatMoney(amount, currency)))
            : t('none [[claim]]')}
        </Row>
        {months.length > 0 && (
          <Row term={t('Not billed yet')}>
            {months.map((month, index) => (
              <p key={index}>{openMonthText(month)}</p>
            ))}
          </Row>
        )}
        <Row term={t('Link works until')}>{momentText(claim.expires_at)}</Row>
      </dl>
      <LatestSessions claim={claim} />
      <h2 className="mt-6 font-semibold">{t('What you get when you join')}</h2>
      <ul role="list" className="mt-2 grid gap-3">
        {claim.assets.map((asset, index) => (
          <li key={index} className="rounded-control bg-sunken px-3.5 py-3 text-[14px]">
            <AssetTerms asset={asset} owner={owner} />
          </li>
        ))}
      </ul>
      {user?.username === owner ? (
        <div className="mt-6">
          <Banner tone="note">{t('You recorded this yourself. Pass the link on to the person it is about.')}</Banner>
          <Link to={paths.dashboard} className={buttonClasses('outline', 'medium', 'mt-4')}>
            {t('Go to Dashboard')}
          </Link>
        </div>
      ) : (
        <>
          {hasChanged && (
            <Banner className="mt-6">{t('What this link offers just changed. Review it and try again.')}</Banner>
          )}
          {hasRecord && <ChargesChoice owner={owner} chosen={chosen} isAsking={isAsking} onChoose={choose} />}
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
              <WaysIn token={token} claim={claim} charges={charges} onMissing={() => setAsking(true)} />
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

function openMonthText({ asset_name: asset, month, ended, amount, currency }: OpenMonth): string {
  const values = { asset, month: monthText(month), amount: formatMoney(amount, currency) };
  return ended ? t('{asset}, {month}: about {amount}', values) : t('{asset}, {month} so far: about {amount}', values);
}

function LatestSessions({ claim: { latest_sessions: sessions, sessions: count } }: { claim: Claim }) {
  if (sessions.length === 0) return null;
  return (
    <Disclosure
      className="mt-2"
      summary={
        <span className="text-[15px]">
          {sessions.length < count
            ? t('Show the last {count, plural, one {session} other {# sessions}}', { count: sessions.length })
            : t('Show {count, plural, one {the session} other {all # sessions}}', { count })}
        </span>
      }
    >
      <ul role="list" className="grid gap-1.5 text-[14px]">
        {sessions.map(({ asset_name: asset, start_time: start, end_time: end }, index) => (
          <li key={index} className="figures [overflow-wrap:anywhere]">
            <span dir="auto">{asset}</span>
            <span className="block text-muted">
              {momentText(start)} – {endText(start, end)}
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function AssetTerms({ asset, owner }: { asset: Claim['assets'][number]; owner: string }) {
  const { asset_name: name, members } = asset;
  return (
    <>
      <p className="text-[15px] font-semibold [overflow-wrap:anywhere]" dir="auto">
        {name}
      </p>
      <p className="figures mt-0.5">
        {offerText(asset)}
        {asset.starts_on !== null && ` ${startsText(asset.starts_on)}`}
      </p>
      {[invitedSplitText({ ...asset, owner }), ...laterTexts(asset)].map((text) => (
        <p key={text} className="figures mt-0.5">
          {text}
        </p>
      ))}
      <p className="mt-0.5 text-muted">
        {t('Shared with {count, plural, =0 {no one else yet} one {# other person} other {# other people}}', {
          count: members,
        })}
      </p>
    </>
  );
}

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
      legend={t('What about everything recorded so far?')}
      value={chosen ?? ''}
      options={[
        {
          value: 'accept',
          text: t('These are mine'),
          hint: t('You owe {owner} the unpaid charges, and what the open months cost.', { owner }),
        },
        {
          value: 'object',
          text: t('I object'),
          hint: t('All of it stays with {owner}. You only pay from the day you join.', { owner }),
        },
      ]}
      onChange={(value) => {
        if (value !== '') onChoose(value);
      }}
      error={isAsking ? t('Choose one of the two') : undefined}
    />
  </div>
);

interface WaysInProps {
  token: string;
  claim: Claim;
  charges: Charges | null;
  onMissing: () => void;
}

/** For visitors who aren't signed in. */
function WaysIn({ token, claim: { version }, charges, onMissing }: WaysInProps) {
  const isClosed = useRegistration() === 'closed';
  return (
    <>
      <p className="text-[14px] text-muted">
        {isClosed
          ? t("This server doesn't accept new accounts. Sign in if you have one.")
          : t('An account is free. You can leave anytime; you pay only for the time until then.')}
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:[&>*]:flex-1">
        {!isClosed &&
          (charges === null ? (
            <Button onClick={onMissing}>{t('Create an account')}</Button>
          ) : (
            <Link
              to={paths.register}
              search={{ claim: token }}
              state={{ claim: { charges, version } }}
              className={buttonClasses('primary')}
            >
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

interface AcceptanceProps extends Omit<RecordedProps, 'months'> {
  charges: Charges | null;
  username: string;
  onMissing: () => void;
}

function Acceptance({ token, claim, charges, username, onMissing, onChanged }: AcceptanceProps) {
  const navigate = useNavigate();
  const accept = useAcceptClaim(token);
  const press = () => {
    if (charges === null) return onMissing();
    accept.mutate(
      { charges, version: claim.version },
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
      {/* What has changed since is said above. */}
      {accept.error && accept.variables.version === claim.version && (
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
