import type { Deps } from '../../../deps.ts';
import { appendMessage } from '../../outbox/service.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { readMetered, type Metered } from '../metered/store.ts';
import * as store from './store.ts';

interface Imported {
  startedAt: Date;
  endedAt: Date;
  limit: Date;
}

const keyOf = ({ startedAt, endedAt }: { startedAt: Date; endedAt: Date | null }) =>
  `${startedAt.getTime()} ${endedAt?.getTime() ?? ''}`;

/**
 * Makes what came with files for a locked share, as far as it may change, some sessions. What stays is not touched, so that nothing
 * happens if the same is imported again.
 */
export async function writeImported(
  deps: Deps,
  writer: Metered & { assetId: number; memberId: number },
  sessions: readonly Imported[],
): Promise<void> {
  const { db } = deps;
  const { assetId, shareId, memberId } = writer;
  const known = await readMetered(db, writer);
  const before = new Set(known.map(keyOf));
  const after = new Set(sessions.map(keyOf));
  const gone = known.filter((each) => !after.has(keyOf(each)));
  const added = sessions.filter((each) => !before.has(keyOf(each)));
  if (gone.length > 0)
    await store.deleteImported(
      db,
      writer,
      gone.map(({ id }) => id),
    );
  const ids = added.length > 0 ? await store.insertImported(db, writer, added) : [];
  const changed = [...gone, ...added];
  if (changed.length === 0) return;
  const instants = changed.flatMap(({ startedAt, endedAt }) => [startedAt.getTime(), (endedAt ?? startedAt).getTime()]);
  const ends = instants.reduce(([from, to], at) => [Math.min(from, at), Math.max(to, at)] as const, [
    Infinity,
    -Infinity,
  ] as const);
  await unconfirmPeriods(db, { assetId, memberId, startedAt: new Date(ends[0]), endedAt: new Date(ends[1]) });
  // One for all, because a file may have thousands.
  const last = ids.at(-1) ?? gone.at(-1)?.id;
  if (last !== undefined) await appendMessage(deps, 'session.recorded', { assetId, shareId }, { session_id: last });
}
