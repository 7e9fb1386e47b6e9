import type { Session } from '@hourshare/contract/sessions';
import { durationText, momentText } from '../../lib/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSessionLog } from './api.ts';

/** One's own sessions of a share, newest first, more on demand. */
export function SessionLog({ shareId }: { shareId: number }) {
  const log = useSessionLog(shareId);
  if (log.isPending) return <Spinner label="Loading sessions" className="py-8" />;
  if (log.data === undefined) return <Banner onRetry={() => void log.refetch()}>Failed to load sessions</Banner>;

  const sessions = log.data.pages.flatMap((page) => page.results);
  if (sessions.length === 0) {
    return <p className="py-6 text-center text-muted">No sessions yet. Start one on the Usage tab.</p>;
  }
  return (
    <>
      <ul role="list" aria-label="Sessions" className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {log.isFetchNextPageError && <Banner className="mt-3">Failed to load sessions</Banner>}
      {log.hasNextPage && (
        <Button
          look="outline"
          className="mt-4 w-full"
          busy={log.isFetchingNextPage}
          busyText="Loading..."
          onClick={() => void log.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  return (
    <li className="flex min-h-13 items-center justify-between gap-4 py-2">
      <span className="min-w-0">
        <time dateTime={session.start_time} className="block font-medium first-letter:uppercase">
          {momentText(session.start_time)}
        </time>
        <span className="text-[13.5px] text-muted">
          {session.end_time === null ? 'until now' : `until ${momentText(session.end_time)}`}
        </span>
      </span>
      {session.end_time === null ? (
        <span className="flex shrink-0 items-center gap-2.5">
          <Badge tone="live">Active</Badge>
          <Clock since={session.start_time} className="font-semibold text-live-text" />
        </span>
      ) : (
        <span className="figures shrink-0 font-semibold">{durationText(session.duration ?? 0)}</span>
      )}
    </li>
  );
}
