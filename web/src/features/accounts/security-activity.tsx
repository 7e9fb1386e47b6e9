import type { SecurityEvent } from '@hourshare/contract/security-events';
import { SECURITY_EVENT_DAYS } from '@hourshare/contract/limits';
import { readResults } from '../../platform/http/lists.ts';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { deviceText } from './device-text.ts';
import { securityEventText } from './security-event-text.ts';
import { useSecurityEvents } from './security-events-api.ts';
import { useSignIns } from './sign-ins-api.ts';

/** What happened to the security of the user's account, newest first, page by page. */
export function SecurityActivity({ labelledBy }: { labelledBy: string }) {
  const activity = useSecurityEvents();
  const signIns = useSignIns();
  const events = activity.data?.pages.flatMap((page) => readResults(page));
  const current = signIns.data?.find((signIn) => signIn.current)?.id;
  return (
    <>
      <p className="text-[14px] text-muted">
        {t(
          "What happened to your account's security in the last {days} days. If you don't recognize something, change your password.",
          { days: SECURITY_EVENT_DAYS },
        )}
      </p>
      {activity.isPending && <Spinner label={t('Loading security activity')} className="py-3" />}
      {activity.isError && !activity.isFetchNextPageError && (
        <Banner className="mt-3" onRetry={() => void activity.refetch()}>
          {t("Couldn't load your security activity.")}
        </Banner>
      )}
      {events?.length === 0 && <p className="mt-3 text-[14px]">{t('No activity yet.')}</p>}
      {events && events.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-y border-line">
          {events.map((event) => (
            <Event key={event.id} event={event} isHere={current !== undefined && event.sign_in_id === current} />
          ))}
        </ul>
      )}
      <LoadMore query={activity} failure={t("Couldn't load earlier activity.")} />
    </>
  );
}

/** On narrow screens, the time is next to the device, so that the text above gets the whole width. */
function Event({ event, isHere }: { event: SecurityEvent; isHere: boolean }) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 py-2.5 text-[13px] text-muted [overflow-wrap:anywhere]">
      <span className="col-span-2 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[15px] font-medium text-ink sm:col-span-1">
        {securityEventText(event)}
        {isHere && <Badge tone="accent">{t('This device')}</Badge>}
      </span>
      <span className="sm:col-start-1">{sourceText(event)}</span>
      <time dateTime={event.last_at} className="figures first-letter:uppercase sm:col-start-2 sm:row-start-1">
        {momentText(event.last_at)}
      </time>
    </li>
  );
}

/** Returns who did it, if not the user, or else on which device. */
function sourceText({ actor, actor_name: name, ...device }: SecurityEvent): string {
  if (actor === 'administrator') return t("By this server's administrator");
  if (actor === 'other') return t('By {name}', { name: name ?? t('Deleted user') });
  return deviceText(device);
}
