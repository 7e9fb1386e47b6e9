import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { recordedBy } from '../errors.ts';
import type { Interval } from '../rules.ts';
import { capDays, coveredSeconds, monthOf, takenSeconds } from './rules.ts';
import * as store from './store.ts';

export { readDays, readUncovered, type LocalDay } from './store.ts';

/** What a meter told of a day. */
export interface DayTotal {
  /** Whole seconds. */
  told: number;
  costMicros: number | null;
  lastAt: Date;
}

interface Writer {
  shareId: number;
  meterId: number;
  assetId: number;
  memberId: number;
  /** What a month has; null if more of it counts, too. */
  allowanceSeconds: number | null;
  agreed: boolean;
}

/** What became of a day. */
export interface WrittenDay {
  isNew: boolean;
  isRefused: boolean;
  seconds: number;
  /** What sessions and other meters may have of it. */
  covered: number;
}

/**
 * Makes days of a meter in a locked share what it told of them; null if it told nothing. What is beyond the allowance doesn't count,
 * of the last days first, nor what sessions of the day may have, nor more of a day than it has beside other meters; `window` has the
 * days that can change. Without a yes, nothing counts that didn't.
 */
export async function writeDays(
  deps: Deps,
  writer: Writer,
  { window, totals }: { window: readonly store.LocalDay[]; totals: ReadonlyMap<string, DayTotal | null> },
): Promise<Map<string, WrittenDay>> {
  const { db } = deps;
  const { shareId, meterId, assetId, memberId, allowanceSeconds, agreed } = writer;
  const from = window[0]?.day;
  if (from === undefined) return new Map();
  const covered = await coveredOf(deps, shareId, window);
  const open = new Map(window.filter(({ closed }) => !closed).map((each) => [each.day, each]));
  const key = { shareId, meterId, from };
  const known = new Map((await store.readMeteredDays(db, key)).map((each) => [each.day, each]));
  const others = await store.readOtherMeters(db, key);
  const days = [...open].flatMap(([day, bounds]) => {
    const before = known.get(day);
    const total = totals.get(day);
    const told = total === undefined ? before?.told_seconds : (total?.told ?? 0);
    if (told === undefined) return [];
    const span = { from: bounds.from.getTime(), to: bounds.to.getTime() };
    const taken = takenSeconds(span, { told, covered: covered(day), others: others.get(day) ?? 0 });
    return { day, told, covered: taken, refused: (before?.refused_at ?? null) !== null };
  });
  const left = allowanceSeconds === null ? null : await leftOf(deps, key, { allowanceSeconds, closed: window, known });
  const counted = capDays(days, left);
  const written = new Map<string, WrittenDay>();
  for (const { day, told, covered: taken, refused } of days) {
    const before = known.get(day);
    const total = totals.get(day);
    if (!before && (!total || !agreed)) continue;
    const seconds = Math.min(counted.get(day) ?? 0, agreed ? Infinity : (before?.seconds ?? 0));
    written.set(day, { isNew: !before, isRefused: refused, seconds, covered: taken });
    const cost = total === undefined ? (before?.cost_micros ?? null) : (total?.costMicros ?? null);
    const isSame = before?.told_seconds === told && before.seconds === seconds && before.cost_micros === cost;
    if (isSame || refused) continue;
    const lastAt = total?.lastAt ?? before?.last_at ?? deps.clock();
    const id = await store.writeDay(db, key, {
      day,
      told_seconds: told,
      seconds,
      cost_micros: cost,
      last_at: lastAt,
      before: before?.seconds ?? 0,
    });
    const bounds = open.get(day);
    if (bounds && before?.seconds !== seconds)
      await unconfirmPeriods(db, { assetId, memberId, startedAt: bounds.from, endedAt: bounds.to });
    await appendMessage(deps, 'session.recorded', { assetId, shareId }, { session_id: id });
  }
  return written;
}

/** Returns how many seconds of each of some days sessions of a share have, also those that may count again. */
async function coveredOf(
  { db }: Deps,
  shareId: number,
  days: readonly Pick<store.LocalDay, 'day' | 'from' | 'to'>[],
): Promise<(day: string) => number> {
  const [first] = days;
  const spans = first ? await store.readSpans(db, shareId, first.from) : [];
  const seconds = new Map(
    days.map(({ day, from, to }) => [day, coveredSeconds(spans, { from: from.getTime(), to: to.getTime() })]),
  );
  return (day) => seconds.get(day) ?? 0;
}

/**
 * Takes from days of a locked share what sessions may have that were recorded since, so that no second counts twice, and no day has
 * more of them than there are.
 */
export async function yieldDays(deps: Deps, key: { assetId: number; shareId: number; since: Date }): Promise<void> {
  const { assetId, shareId } = key;
  const days = await store.readCounting(deps.db, key);
  const covered = await coveredOf(deps, shareId, days);
  const sums = new Map<string, number>();
  for (const { id, day, told_seconds: told, seconds, from, to } of days) {
    const others = sums.get(day) ?? 0;
    const taken = takenSeconds({ from: from.getTime(), to: to.getTime() }, { told, covered: covered(day), others });
    const after = Math.min(seconds, Math.max(0, told - taken));
    sums.set(day, others + after);
    if (after >= seconds) continue;
    await store.lowerDay(deps.db, { id, shareId, day, before: seconds, after });
    await appendMessage(deps, 'session.recorded', { assetId, shareId }, { session_id: id });
  }
}

/** Returns why a person can't record times of a locked share: a meter counts that use, or has counted it. */
export async function refuseCounted({ db }: Deps, shareId: number, times: Interval): Promise<Failure | undefined> {
  const counting = await store.findCounting(db, shareId, times);
  return counting && recordedBy(counting.meter);
}

/** Returns what is left of each month for the days that can change. */
async function leftOf(
  { db, clock }: Deps,
  key: { shareId: number; meterId: number; from: string },
  {
    allowanceSeconds,
    closed,
    known,
  }: { allowanceSeconds: number; closed: readonly store.LocalDay[]; known: ReadonlyMap<string, store.StoredDay> },
): Promise<Map<string, number>> {
  const left = new Map<string, number>();
  for (const [month, seconds] of await store.readOtherSeconds(db, key, clock()))
    left.set(month, allowanceSeconds - seconds);
  // Days of a closed month count as they are.
  for (const { day } of closed.filter((each) => each.closed))
    left.set(monthOf(day), (left.get(monthOf(day)) ?? 0) - (known.get(day)?.seconds ?? 0));
  return left;
}

/**
 * Removes a day that a meter counted of a member's own share, so that nothing of it counts any more; undefined if there is no such
 * day. Nobody can object to that, because nobody but the member said that it was use.
 */
export function refuseDay(
  deps: Deps,
  key: { memberId: number; shareId: number; sessionId: number },
): Promise<Result<undefined> | undefined> {
  return transaction(deps, async (deps) => {
    const { db } = deps;
    const now = deps.clock();
    const day = await store.lockMeteredDay(db, key, now);
    if (!day) return undefined;
    if (day.closed) return periodClosed();
    if (day.refused_at) return ok(undefined);
    const { asset_id: assetId, from: startedAt, to: endedAt } = day;
    const { shareId, memberId, sessionId } = key;
    await store.refuseDay(db, { id: sessionId, shareId, day: day.day, seconds: day.seconds, now });
    await unconfirmPeriods(db, { assetId, memberId, startedAt, endedAt });
    await appendMessage(deps, 'session.recorded', { assetId, shareId }, { session_id: sessionId });
    return ok(undefined);
  });
}
