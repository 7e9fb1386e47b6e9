import type { Invitation } from '@hourshare/contract/shares';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAcceptInvitation, useInvitation } from '../../features/shares/links-api.ts';
import { offerText } from '../../features/shares/offer-text.ts';
import { invitedSplitText } from '../../features/shares/rules.ts';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { dateText } from '../../platform/format/months.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { invitePath, paths, shareDialog } from '../../platform/paths.ts';
import { offeredPriceText } from '../../features/periods/cycle-text.ts';
import { laterTexts } from '../../features/periods/terms-text.ts';
import { momentText } from '../../platform/format/time.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AuthShell } from './auth-shell.tsx';

const strong = (text: ReactNode) => (
  <b className="font-semibold text-ink [overflow-wrap:anywhere]" dir="auto">
    {text}
  </b>
);

/** What a link offers, to anyone who has it. Accepting takes one press, once signed in. */
export function InvitePage() {
  usePageTitle(t('Invitation'));
  const { token = '' } = useParams({ strict: false });
  const { data: invitation, error, refetch, isFetching } = useInvitation(token);
  if (invitation) return <Offered token={token} invitation={invitation} onChanged={() => void refetch()} />;
  return (
    <AuthShell title={t('Invitation')} below={null}>
      {error ? (
        <Unavailable error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Spinner label={t('Loading invitation')} size={28} className="w-full justify-center py-10" />
      )}
    </AuthShell>
  );
}

interface UnavailableProps {
  error: Error;
  onRetry: () => void;
  isRetrying: boolean;
}

function Unavailable({ error, onRetry, isRetrying }: UnavailableProps) {
  const user = useUser();
  const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
  return (
    <>
      <Banner>{errorText(error) || t("Couldn't load the invitation. Please try again.")}</Banner>
      {isRefused ? (
        <Link to={user ? paths.dashboard : paths.landing} className={buttonClasses('outline', 'medium', 'mt-5')}>
          {user ? t('Go to Dashboard') : t('Go to home page')}
        </Link>
      ) : (
        <Button className="mt-5" busy={isRetrying} onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </>
  );
}

interface OfferedProps {
  token: string;
  invitation: Invitation;
  onChanged: () => void;
}

function Offered({ token, invitation, onChanged }: OfferedProps) {
  const user = useUser();
  const { asset_name: asset, owner, starts_on: startsOn } = invitation;
  const isOwn = user?.username === owner;
  const later = laterTexts(invitation);
  return (
    <AuthShell title={t('{owner} invites you to {asset}', { owner, asset })} below={null}>
      <p className="figures mb-5 text-[17px] font-semibold">{offerText(invitation)}</p>
      <dl className="grid gap-3 text-[15px]">
        {startsOn !== null && <Row term={t('Starts')}>{dateText(startsOn)}</Row>}
        <Row term={t('Price')}>{offeredPriceText(invitation)}</Row>
        <Row term={t('What you pay')}>{invitedSplitText(invitation)}</Row>
        {later.length > 0 && (
          <Row term={t('What changes')}>
            {later.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </Row>
        )}
        <Row term={t('Shared with')}>
          {t('{count, plural, =0 {no one else yet} one {# other person} other {# other people}}', {
            count: invitation.members,
          })}
        </Row>
        <Row term={t('Open until')}>{momentText(invitation.expires_at)}</Row>
      </dl>
      <div className="mt-6">
        {isOwn ? (
          <>
            <Banner tone="note">{t('This is your own asset. Pass the link on to someone else.')}</Banner>
            <Link to={paths.dashboard} className={buttonClasses('outline', 'medium', 'mt-4')}>
              {t('Go to Dashboard')}
            </Link>
          </>
        ) : user ? (
          <Acceptance token={token} invitation={invitation} username={user.username} onChanged={onChanged} />
        ) : (
          <WaysIn token={token} />
        )}
      </div>
    </AuthShell>
  );
}

const Row = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="grid gap-x-4 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
    <dt className="text-muted">{term}</dt>
    <dd className="font-medium [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

/** For visitors who aren't signed in; both ways come back to the invitation. */
function WaysIn({ token }: { token: string }) {
  const isClosed = useRegistration() === 'closed';
  return (
    <>
      <p className="text-[14px] text-muted">
        {isClosed
          ? t("This server doesn't accept new accounts. Sign in if you have one.")
          : t('An account is free. You can leave anytime; you pay only for the time until then.')}
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:[&>a]:flex-1">
        {!isClosed && (
          <Link to={paths.register} search={{ invitation: token }} className={buttonClasses('primary')}>
            {t('Create an account')}
          </Link>
        )}
        <Link
          to={paths.login}
          search={{ from: invitePath(token) }}
          className={buttonClasses(isClosed ? 'primary' : 'outline')}
        >
          {t('Sign in')}
        </Link>
      </div>
    </>
  );
}

interface AcceptanceProps {
  token: string;
  invitation: Invitation;
  username: string;
  onChanged: () => void;
}

function Acceptance({ token, invitation, username, onChanged }: AcceptanceProps) {
  const navigate = useNavigate();
  const accept = useAcceptInvitation(token);
  const code = accept.error instanceof ApiError ? accept.error.code : undefined;
  const press = () =>
    accept.mutate(
      { terms: invitation.terms },
      {
        onSuccess: ({ id, asset_name: asset, starts_on: startsOn }) => {
          announce(
            startsOn === null
              ? t('You now have access to {asset}.', { asset })
              : t('Your access to {asset} starts on {day}.', { asset, day: dateText(startsOn) }),
          );
          void navigate({ to: paths.shared, search: shareDialog(id, 'usage'), replace: true });
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'offer_changed') onChanged();
        },
      },
    );
  if (code === 'already_shared')
    return (
      <>
        <Banner tone="note">{t('You already have access to this asset.')}</Banner>
        <Link to={paths.shared} className={buttonClasses('outline', 'medium', 'mt-4')}>
          {t('Shared With Me')}
        </Link>
      </>
    );
  return (
    <>
      {accept.error && (
        <Banner className="mb-4">
          {errorText(accept.error) || t("Couldn't accept the invitation. Please try again.")}
        </Banner>
      )}
      <p className="text-[14px] text-muted">
        {rich('You accept as <b>{username}</b>. Your costs count from then on. You can leave anytime.', {
          username,
          b: strong,
        })}
      </p>
      <Button busy={accept.isPending} busyText={t('Accepting...')} onClick={press} className="mt-4 max-sm:w-full">
        {t('Accept invitation')}
      </Button>
    </>
  );
}
