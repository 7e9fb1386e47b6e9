import type { OwnedAsset } from '@hourshare/contract/assets';
import { formatCount } from '../../lib/formatting.ts';
import { useFirstSessions } from '../sessions/api.ts';

/** Says what a deletion removes. */
export function DeletionSummary({ asset }: { asset: OwnedAsset }) {
  const sessions = useFirstSessions(asset.id);
  const members = asset.shared_with.length;
  return (
    <>
      <p>
        {members === 0 ? 'It goes with ' : `It goes for ${formatCount(members, 'member')} too, with `}
        {sessionCount(sessions.data)} and the hours they count.
      </p>
      <p>What months gone by have cost stays with everybody; this month will not be billed to anybody.</p>
      <p>This cannot be undone. Archiving keeps everything.</p>
    </>
  );
}

/** Returns "14 sessions" or "more than 200 sessions"; "all sessions" until they have loaded. */
function sessionCount(page: { results: unknown[]; next: string | null } | null | undefined): string {
  if (!page) return 'all sessions';
  const count = formatCount(page.results.length, 'session');
  return page.next === null ? count : `more than ${count}`;
}
