import { DAY_SECONDS, METER_EVENTS_AHEAD_SECONDS, METER_REPLAY_DAYS } from '@hourshare/contract/limits';
import type { EventReason, EventResults } from '@hourshare/contract/meters';
import type { Deps } from '../../../deps.ts';
import { readDays, writeDays, type DayTotal, type LocalDay } from '../../sessions/totals/service.ts';
import { knowNames } from '../senders/service.ts';
import { lockShares, readBarredTimes, readShare, type ShareToMeter } from '../store.ts';
import { addedSince, keepOne, keyOf, sumOf, type Told } from './rules.ts';
import * as store from './store.ts';

export { deleteOldReadings, type StoredTotal } from './store.ts';

type Answer = EventResults['results'][number];

/** What a meter tells of a day, or of an instant in it. Instants are milliseconds since 1970. */
export interface Total {
  /** Whom it means; empty with the token of a member. */
  name: string;
  id: string;
  type: store.StoredTotal['type'];
  micros: number;
  /** `YYYY-MM-DD`; undefined if it has an instant. */
  day?: string | undefined;
  at?: number | undefined;
  /** From when on it may have happened; otherwise at its instant, or on its day. */
  since?: number | undefined;
  /** Where a cumulative counter stands: only what it has added counts. */
  reading?: { series: string; at: number; startedAt: number | null } | undefined;
}

export const MICROS = 1_000_000;

const toTold = (row: store.StoredTotal): Told => ({
  from: `${row.sender_id ?? ''} ${row.external_name}`,
  id: row.event_id,
  type: row.type,
  micros: row.micros,
  day: row.day,
  at: row.at.getTime(),
  place: row.place,
});

/** Returns the seconds that some totals come to, of which each has an id of its own. */
export function secondsOfTotals(rows: readonly store.StoredTotal[]): number {
  return [...byDay(rows).values()].reduce((sum, each) => sum + secondsOf(sumOf(each.map(toTold)).micros), 0);
}

function byDay(rows: readonly store.StoredTotal[]): Map<string, store.StoredTotal[]> {
  const days = new Map<string, store.StoredTotal[]>();
  for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row]);
  return days;
}

/** A day has so many seconds at most, however many counters run at once. */
const secondsOf = (micros: number) => Math.min(DAY_SECONDS, Math.floor(micros / MICROS));

interface Meter {
  id: number;
  asset_id: number;
}

const readWindow = ({ db, clock }: Deps, assetId: number) =>
  readDays(db, { assetId, count: METER_REPLAY_DAYS, now: clock() });

/** Takes what a locked meter has counted, and makes the days of those who agreed from all that it told of them. */
export async function takeTotals(
  deps: Deps,
  meter: Meter,
  { senderId, totals }: { senderId: number | null; totals: readonly Total[] },
): Promise<Answer[]> {
  const { db, clock } = deps;
  const now = clock();
  const window = await readWindow(deps, meter.asset_id);
  const meantBy = await knowNames(deps, {
    meterId: meter.id,
    assetId: meter.asset_id,
    senderId,
    names: totals.map(({ name }) => name),
  });
  const first = totals.some(({ at }) => at === undefined) ? await store.nextPlace(db, meter.id, now) : 0;
  const taken = totals.map((total, index) => {
    const placed = placeOf(total, window, now);
    const meant = meantBy(total.name);
    const problem = 'problem' in placed ? placed.problem : null;
    const row: store.StoredTotal | null =
      'problem' in placed
        ? null
        : {
            external_name: total.name,
            sender_id: senderId,
            event_id: total.id,
            type: total.type,
            at: new Date(placed.at),
            day: placed.local.day,
            micros: total.micros,
            since: new Date(placed.since),
            place: total.at === undefined ? first + index : null,
          };
    return { total, ...meant, problem, row, kept: meant.isKept ? row : null };
  });
  const readings = taken.flatMap(({ total, kept }) =>
    total.reading && kept ? { row: kept, reading: total.reading } : [],
  );
  const silent = await addReadings(deps, meter, { readings, tooEarly: window[0]?.from.getTime() ?? 0 });
  const telling = taken.flatMap(({ kept }) => (kept && !silent.has(kept) ? kept : []));
  const moved = await keep(deps, meter.id, telling);
  const daysOf = new Map<number, Set<string>>();
  for (const { shareId, agreed, kept } of taken) {
    if (shareId === null || agreed !== true || !kept) continue;
    const days = daysOf.get(shareId) ?? new Set();
    daysOf.set(shareId, days);
    days.add(kept.day);
    const before = moved.get(kept);
    if (before !== undefined) days.add(before);
  }
  const shareIds = [...daysOf.keys()].toSorted((one, other) => one - other);
  await lockShares(db, shareIds);
  const outcomes = new Map<number, Outcome>();
  for (const shareId of shareIds)
    outcomes.set(shareId, await record(deps, meter, { shareId, window, days: daysOf.get(shareId) ?? new Set() }));
  return taken.map(({ total: { id }, shareId, agreed, isKept, problem, row, kept }): Answer => {
    if (problem || !row) return { id, result: 'ignored', reason: problem };
    if (agreed === false) return { id, result: 'ignored', reason: 'refused' };
    if (shareId === null) return { id, result: isKept ? 'waiting' : 'ignored', reason: 'unknown_name' };
    const outcome = outcomes.get(shareId);
    if (!outcome) return { id, result: 'waiting', reason: 'not_agreed' };
    return { id, ...(kept && silent.has(kept) ? { result: 'extended', reason: null } : outcome(row)) };
  });
}

/** Returns on which local day a total is, and when; or why it can't count. */
function placeOf(
  { day, at, since }: Total,
  window: readonly LocalDay[],
  now: Date,
): { local: LocalDay; at: number; since: number } | { problem: EventReason } {
  const ms = now.getTime();
  // Clocks differ a little: what happens now doesn't happen later.
  const instant = at !== undefined && at > ms && at <= ms + METER_EVENTS_AHEAD_SECONDS * 1000 ? ms : at;
  const local =
    instant === undefined
      ? window.find((each) => each.day === day)
      : window.find(({ from, to }) => from.getTime() <= instant && to.getTime() > instant);
  const isLater = instant === undefined ? (day ?? '') > (window.at(-1)?.day ?? '') : instant > ms;
  if (isLater) return { problem: 'in_future' };
  if (!local) return { problem: 'too_old' };
  if (local.closed) return { problem: 'month_closed' };
  if (!local.measured) return { problem: 'not_measured' };
  if (instant === undefined) return { local, at: ms, since: local.from.getTime() };
  return { local, at: instant, since: Math.min(since ?? instant, instant) };
}

interface NewReading {
  row: store.StoredTotal;
  reading: NonNullable<Total['reading']>;
}

/** Leaves in rows what cumulative counters have added. Returns the rows that add nothing. */
async function addReadings(
  { db }: Deps,
  meter: Meter,
  { readings, tooEarly }: { readings: readonly NewReading[]; tooEarly: number },
): Promise<Set<store.StoredTotal>> {
  const keyOfReading = (each: Pick<store.StoredReading, 'external_name' | 'sender_id' | 'series'>) =>
    JSON.stringify([each.sender_id, each.external_name, each.series]);
  const series = [...new Set(readings.map(({ reading }) => reading.series))];
  const known = new Map((await store.readReadings(db, meter.id, series)).map((each) => [keyOfReading(each), each]));
  const changed = new Map<string, store.StoredReading>();
  const silent = new Set<store.StoredTotal>();
  for (const { row, reading } of readings.toSorted((one, other) => one.reading.at - other.reading.at)) {
    const { external_name: name, sender_id: senderId, micros } = row;
    const next = { external_name: name, sender_id: senderId, series: reading.series, at: new Date(reading.at), micros };
    const key = keyOfReading(next);
    const before = changed.get(key) ?? known.get(key);
    const at = before && { at: before.at.getTime(), micros: before.micros };
    const added = addedSince(at, { at: reading.at, micros, startedAt: reading.startedAt }, tooEarly);
    if (added) changed.set(key, next);
    if (!added || added.micros === 0) silent.add(row);
    row.micros = added?.micros ?? 0;
    if (added) row.since = new Date(Math.min(added.since, row.at.getTime()));
  }
  await store.keepReadings(db, meter.id, [...changed.values()]);
  return silent;
}

/** Keeps totals, of those with the same id one. Returns the days that some of them had before. */
async function keep(
  { db }: Deps,
  meterId: number,
  rows: readonly store.StoredTotal[],
): Promise<Map<store.StoredTotal, string>> {
  const known = new Map((await store.readSame(db, meterId, rows)).map((row) => [keyOf(toTold(row)), row]));
  const before = new Map(known);
  const changed = new Map<string, store.StoredTotal>();
  for (const row of rows) {
    const key = keyOf(toTold(row));
    const one = known.get(key);
    const kept = one && keepOne({ ...toTold(one), row: one }, { ...toTold(row), row }).row;
    if (kept === one && one) continue;
    known.set(key, row);
    changed.set(key, row);
  }
  await store.keepTotals(db, meterId, [...changed.values()]);
  return new Map(
    rows.flatMap((row) => {
      const day = before.get(keyOf(toTold(row)))?.day;
      return day === undefined ? [] : [[row, day] as const];
    }),
  );
}

type Outcome = (row: store.StoredTotal) => Omit<Answer, 'id'>;

/** Makes days of shares from all that a meter told of them in the last days. */
export async function replayTotals(deps: Deps, meter: Meter, shareIds: readonly number[]): Promise<void> {
  const window = await readWindow(deps, meter.asset_id);
  const days = new Set(window.map(({ day }) => day));
  for (const shareId of shareIds) await record(deps, meter, { shareId, window, days });
}

const writerOf = ({ id: meterId }: Meter, share: ShareToMeter): Parameters<typeof writeDays>[1] => ({
  shareId: share.id,
  meterId,
  assetId: share.asset_id,
  memberId: share.member_id,
  allowanceSeconds: share.own || share.beyond_allowance ? null : share.hours * 3600,
  agreed: share.agreed,
});

/** Counts on days of a locked share what sessions have left to them since, such as one that ended. */
export async function uncoverDays(deps: Deps, meter: Meter, shareId: number): Promise<void> {
  const share = await readShare(deps.db, { meterId: meter.id, shareId });
  const window = await readWindow(deps, meter.asset_id);
  if (share) await writeDays(deps, writerOf(meter, share), { window, totals: new Map() });
}

/** Makes days of a locked share what all that a meter told of them says now. Returns what became of each total. */
async function record(
  deps: Deps,
  meter: Meter,
  { shareId, window, days }: { shareId: number; window: readonly LocalDay[]; days: ReadonlySet<string> },
): Promise<Outcome> {
  const { db, clock } = deps;
  const meterId = meter.id;
  const share = await readShare(db, { meterId, shareId });
  if (!share) return () => ({ result: 'ignored', reason: 'no_access' });
  const barOf = await readBars(deps, { meterId, share });
  const locals = new Map(window.map((each) => [each.day, each]));
  const told = byDay(await store.readTotals(db, { meterId, shareId, days: [...days] }));
  const replaced = new Set<string>();
  const totals = new Map<string, DayTotal | null>();
  for (const day of days) {
    const local = locals.get(day);
    if (!local) continue;
    const counted = (told.get(day) ?? []).filter((row) => barOf(row, local) === null);
    const sum = sumOf(counted.map(toTold));
    for (const key of sum.replaced) replaced.add(key);
    totals.set(
      day,
      counted.length === 0
        ? null
        : {
            told: secondsOf(sum.micros),
            costMicros: sum.costMicros,
            lastAt: new Date(Math.min(sum.lastAt, local.to.getTime(), clock().getTime())),
          },
    );
  }
  const written = await writeDays(deps, writerOf(meter, share), { window, totals });
  const begun = new Set<string>();
  return (row) => {
    const local = locals.get(row.day);
    const bar = local ? barOf(row, local) : 'too_old';
    if (bar) return { result: 'ignored', reason: bar };
    const day = written.get(row.day);
    if (!day || day.isRefused) return { result: 'ignored', reason: 'refused' };
    if (replaced.has(keyOf(toTold(row)))) return { result: 'absorbed', reason: 'replaced' };
    const toldSeconds = totals.get(row.day)?.told ?? 0;
    if (day.seconds === 0 && toldSeconds > 0)
      return day.covered >= toldSeconds
        ? { result: 'absorbed', reason: 'other_session' }
        : { result: 'ignored', reason: 'allowance_used' };
    const begins = day.isNew && !begun.has(row.day);
    begun.add(row.day);
    return { result: begins ? 'recorded' : 'extended', reason: null };
  };
}

/**
 * Returns why a total of a share can't count; null if it can. What may have happened while they refused it never counts, and otherwise
 * what can't have happened at any other time.
 */
async function readBars(
  { db, clock }: Deps,
  { meterId, share }: { meterId: number; share: ShareToMeter },
): Promise<(row: store.StoredTotal, local: LocalDay) => EventReason | null> {
  const { asset_id: assetId, accepted_at: acceptedAt, ended_at: endedAt } = share;
  const bars = [
    { reason: 'no_access' as const, from: -Infinity, to: acceptedAt.getTime() },
    { reason: 'no_access' as const, from: endedAt?.getTime() ?? Infinity, to: Infinity },
    ...(await readBarredTimes(db, { meterId, shareId: share.id, assetId, now: clock() })).map(
      ({ reason, since, until }) => ({ reason, from: since.getTime(), to: until?.getTime() ?? Infinity }),
    ),
  ];
  return (row, local) => {
    const from = row.since.getTime();
    const to = Math.max(from, Math.min(row.at.getTime(), local.to.getTime()));
    const bar = bars.find((each) =>
      each.reason === 'refused'
        ? each.from < to && each.to > from
        : each.from <= from && (each.to > to || (each.to === to && to > from)),
    );
    return bar?.reason ?? null;
  };
}
