import type { Deps } from '../../../deps.ts';
import { appendMessage, wakeAfterCommit } from '../../outbox/service.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import * as presses from '../presses/store.ts';
import * as store from './store.ts';

export { prolongMetered, readMetered, readOtherUse } from './store.ts';

interface Writer extends store.Metered {
  assetId: number;
  memberId: number;
}

type Written = store.MeteredTimes & store.MeteredLimits;

const endOf = ({ endedAt }: { endedAt: Date | null }) => endedAt?.getTime() ?? Infinity;

const isSameTimes = (one: store.MeteredTimes, other: store.MeteredTimes) =>
  one.startedAt.getTime() === other.startedAt.getTime() && endOf(one) === endOf(other) && one.silent === other.silent;

const overlaps = (one: store.MeteredTimes, other: store.MeteredTimes) =>
  one.startedAt.getTime() === other.startedAt.getTime() ||
  (one.startedAt.getTime() < endOf(other) && other.startedAt.getTime() < endOf(one));

/**
 * Makes the sessions of a meter in a locked share, as far as it may change them and they reach beyond an instant, those that it has
 * now. Returns which of them are new. What stays is not touched, so that nothing happens if a meter repeats itself.
 */
export async function writeMetered(deps: Deps, writer: Writer, sessions: readonly Written[]): Promise<boolean[]> {
  const { db } = deps;
  const { shareId, assetId, memberId } = writer;
  const known = await store.readMetered(db, writer);
  const pairs = sessions.map((times) => {
    const index = known.findIndex((each) => overlaps(each, times));
    return { times, before: index < 0 ? undefined : known.splice(index, 1)[0] };
  });
  const tell = (kind: 'session.started' | 'session.recorded', id: number) =>
    appendMessage(deps, kind, { assetId, shareId }, { session_id: id });
  const tellEnd = (id: number) =>
    appendMessage(deps, 'session.ended', { assetId, shareId }, { session_id: id, cause: 'meter' });
  const unconfirm = async ({ startedAt, endedAt }: store.MeteredTimes) =>
    endedAt && unconfirmPeriods(db, { assetId, memberId, startedAt, endedAt });
  for (const gone of known) {
    await store.deleteMetered(db, gone.id);
    await unconfirm(gone);
    await (gone.endedAt ? tell('session.recorded', gone.id) : tellEnd(gone.id));
  }
  // Ended ones first, because one session of a share can be active.
  for (const { times, before } of pairs.toSorted((one, other) => endOf(one.times) - endOf(other.times))) {
    if (!before) {
      const id = await store.insertMetered(db, writer, times);
      await unconfirm(times);
      await tell(times.endedAt ? 'session.recorded' : 'session.started', id);
    } else if (times.endedAt === null && isSameTimes(before, times)) {
      await store.changeMetered(db, before.id, times);
    } else if (!isSameTimes(before, times)) {
      await store.changeMetered(db, before.id, times);
      await unconfirm(before);
      await unconfirm(times);
      if (!before.endedAt && times.endedAt) await tellEnd(before.id);
      else await tell(before.endedAt && !times.endedAt ? 'session.started' : 'session.recorded', before.id);
    }
  }
  return pairs.map(({ before }) => !before);
}

/** Returns the times of a locked share that others than a meter may decide about. What has ended by itself is ended first. */
export async function readOthers(deps: Deps, metered: store.Metered): Promise<store.TakenTimes[]> {
  if (await store.endOthers(deps.db, metered, deps.clock())) wakeAfterCommit(deps);
  return store.readOthers(deps.db, metered);
}

/** Ends what a meter records just now, of one share or of all. */
export async function endMetered(deps: Deps, meter: { meterId: number; shareId?: number }): Promise<void> {
  await presses.endSessionsOfMeter(deps.db, meter, deps.clock());
  wakeAfterCommit(deps);
}
