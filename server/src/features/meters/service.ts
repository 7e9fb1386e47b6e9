import { toHours } from '@hourshare/contract/fields';
import {
  METER_EVENTS_AHEAD_SECONDS,
  METER_EVENTS_HOURS,
  METER_REPLAY_DAYS,
  METERS_MAX,
} from '@hourshare/contract/limits';
import type {
  AgreeToMeterRequest,
  CreateMeterRequest,
  EventReason,
  EventResult,
  EventResults,
  MatchNamesRequest,
  MemberMeter,
  MemberMeterWithToken,
  Meter,
  MeterEvent,
  MeterWithToken,
  UpdateMeterRequest,
} from '@hourshare/contract/meters';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
import { ok, type Result } from '../../platform/result.ts';
import { runEach } from '../../platform/run-each.ts';
import { hashToken } from '../../platform/tokens.ts';
import { assetNotFound } from '../assets/errors.ts';
import {
  endMetered,
  prolongMetered,
  readMetered,
  readOthers,
  readOtherUse,
  writeMetered,
} from '../sessions/metered/service.ts';
import { readUncovered, yieldDays } from '../sessions/totals/service.ts';
import { appendMessage } from '../outbox/service.ts';
import { shareNotFound } from '../shares/errors.ts';
import { countLate, knowNames, makeToken, takeFromMeter } from './senders/service.ts';
import { meterNotFound, notAgreed, notPerMember, perMember, tooManyMeters } from './errors.ts';
import { deleteRows, deleteSettledRows, readWaitingRows, recordRows } from './imports/service.ts';
import {
  keepWithin,
  mergeUses,
  openSinceOf,
  sessionsOf,
  uncountedOf,
  usesOf,
  type Budget,
  type Conditions,
  type Sign,
  type Span,
  type Use,
} from './rules.ts';
import * as store from './store.ts';
import {
  deleteOldReadings,
  MICROS,
  replayTotals,
  secondsOfTotals,
  takeTotals,
  uncoverDays,
  type StoredTotal,
  type Total,
} from './totals/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A computer may sleep for so long, and then go on counting. */
const READING_DAYS = 60;
/** Longer than any month, in which what doesn't count is shown. */
const UNCOUNTED_DAYS = 33;

// A sender that repeats itself every second is told when to go on.
const EVENTS_BY_TOKEN: Limit = { name: 'calls by meter', max: 60, windowSeconds: 60 };

interface MeterKey {
  userId: number;
  assetId: number;
  meterId: number;
}

/** Returns the meters of an asset that a user manages. */
export async function listMeters(
  deps: Deps,
  { userId, assetId }: Omit<MeterKey, 'meterId'>,
): Promise<Result<{ results: Meter[] }>> {
  if (!(await store.managesAsset(deps.db, { userId, assetId }))) return assetNotFound();
  return ok({ results: await readAll(deps, assetId) });
}

async function readAll({ db, clock }: Deps, assetId: number, meterId?: number): Promise<Meter[]> {
  const meters = await store.readMeters(db, assetId, meterId);
  if (meters.length === 0) return [];
  const names = await store.readNames(
    db,
    meters.map(({ id }) => id),
  );
  const members = await store.readMembers(db, assetId);
  const now = clock().getTime();
  const months = await store.readMonth(db, { assetId, now: clock() });
  const silences = await store.readSilences(db, assetId, clock());
  return Promise.all(
    meters.map(async ({ asset_id: _asset, ...meter }) => {
      const waiting = await store.readWaiting(db, meter.id);
      const imported = await readWaitingRows(db, meter.id);
      return {
        ...meter,
        created_at: meter.created_at.toISOString(),
        last_event_at: meter.last_event_at?.toISOString() ?? null,
        silences: (silences.get(meter.id) ?? []).map(({ since, until }) => ({
          since: new Date(since).toISOString(),
          until: until && new Date(until).toISOString(),
        })),
        names: names
          .filter(({ meter_id: id }) => id === meter.id)
          .map(({ external_name, share_id, last_event_at: last }) => {
            const isOfName = (each: { external_name: string }) => each.external_name === external_name;
            const [events, rows] = [waiting.filter(isOfName), imported.filter(isOfName)];
            return {
              external_name,
              share_id,
              waiting_events: events.length + rows.length,
              waiting_hours: toHours(
                meter.kind === 'totals'
                  ? secondsOfTotals(events.filter(isTotal))
                  : secondsOf([...events.filter(isSign), ...rows], meter, now),
              ),
              last_event_at: last.toISOString(),
            };
          }),
        members: members.flatMap(({ meter_id: id, share_id, username, agreed }) =>
          id === meter.id ? [{ share_id, username, agreed, ...toMonth(months, { meter_id: id, share_id }) }] : [],
        ),
      };
    }),
  );
}

const isTotal = (event: store.WaitingEvent): event is store.WaitingEvent & StoredTotal => event.day !== null;
const isSign = (event: store.WaitingEvent): event is store.WaitingEvent & store.StoredEvent => event.day === null;

/** What a meter counted of a share in the current month. */
function toMonth(months: readonly store.MonthOfMeter[], key: Pick<store.MonthOfMeter, 'meter_id' | 'share_id'>) {
  const month = months.find((each) => each.meter_id === key.meter_id && each.share_id === key.share_id);
  const cost = month?.cost_micros ?? null;
  return {
    told_hours: toHours(month?.told_seconds ?? 0),
    counted_hours: toHours(month?.counted_seconds ?? 0),
    list_price: cost === null ? null : Math.round(cost / (MICROS / 100)) / 100,
  };
}

type Settings = Pick<store.StoredMeter, 'grace_minutes' | 'merge_minutes' | 'min_seconds'>;

const conditionsOf = (meter: Settings, now: number, limitAt: Conditions['limitAt']): Conditions => ({
  now,
  graceMs: meter.grace_minutes * MINUTE_MS,
  mergeMs: meter.merge_minutes * MINUTE_MS,
  minMs: meter.min_seconds * 1000,
  limitAt,
});

const toSign = ({ type, at, until }: Pick<store.StoredEvent, 'type' | 'at' | 'until'>): Sign =>
  type === 'session' ? { type, at: at.getTime(), until: until?.getTime() ?? at.getTime() } : { type, at: at.getTime() };

/** Returns how long the use is that some events of one name tell of. */
function secondsOf(
  events: readonly Pick<store.StoredEvent, 'type' | 'at' | 'until'>[],
  meter: Settings,
  now: number,
): number {
  const conditions = conditionsOf(meter, now, () => DAY_MS);
  const uses = mergeUses(usesOf(events.map(toSign), conditions), conditions);
  return Math.round(uses.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0) / 1000);
}

/** Adds a meter to an asset that a user manages. Only the hash of its token is stored, so it can't be shown again. */
export function createMeter(
  deps: Deps,
  { userId, assetId }: Omit<MeterKey, 'meterId'>,
  { name, kind, per_member, ...settings }: CreateMeterRequest,
): Promise<Result<MeterWithToken>> {
  const token = per_member ? null : makeToken(deps);
  return transaction(deps, async (deps) => {
    if (!(await store.lockAsset(deps.db, { userId, assetId }))) return assetNotFound();
    if ((await store.countMeters(deps.db, assetId)) >= METERS_MAX) return tooManyMeters();
    const meterId = await store.insertMeter(deps.db, {
      asset_id: assetId,
      name,
      kind,
      per_member,
      ...settings,
      token_hash: token && hashToken(token),
      created_at: deps.clock(),
    });
    await noteChange(deps, { userId, assetId });
    return withToken(deps, { assetId, meterId }, token);
  });
}

const noteChange = (deps: Deps, { userId: actorId, assetId }: Pick<MeterKey, 'userId' | 'assetId'>) =>
  appendMessage(deps, 'meter.changed', { assetId, actorId }, {});

async function withToken(
  deps: Deps,
  { assetId, meterId }: Pick<MeterKey, 'assetId' | 'meterId'>,
  token: string | null,
): Promise<Result<MeterWithToken>> {
  const [meter] = await readAll(deps, assetId, meterId);
  return meter ? ok({ meter, token }) : meterNotFound();
}

/** Replaces the token of a meter. */
export function replaceToken(deps: Deps, key: MeterKey): Promise<Result<MeterWithToken>> {
  const token = makeToken(deps);
  return transaction(deps, async (deps) => {
    if (!(await store.lockAsset(deps.db, key))) return meterNotFound();
    const [meter] = await store.readMeters(deps.db, key.assetId, key.meterId);
    if (!meter) return meterNotFound();
    if (meter.per_member) return perMember();
    await store.updateMeter(deps.db, key, { token_hash: hashToken(token) });
    return withToken(deps, key, token);
  });
}

/** Changes a meter. What it has recorded stays, until sessions of the last days are made again. */
export function updateMeter(deps: Deps, key: MeterKey, changes: UpdateMeterRequest): Promise<Result<Meter>> {
  return transaction(deps, async (deps) => {
    if (!(await store.lockAsset(deps.db, key))) return meterNotFound();
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (!(await store.updateMeter(deps.db, key, given))) return meterNotFound();
    await noteChange(deps, key);
    const [meter] = await readAll(deps, key.assetId, key.meterId);
    return meter ? ok(meter) : meterNotFound();
  });
}

/** Deletes a meter. What it has recorded stays, and what it records ends now. */
export function deleteMeter(deps: Deps, key: MeterKey): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    if (!(await store.lockAsset(deps.db, key))) return meterNotFound();
    const [meter] = await store.readMeters(deps.db, key.assetId, key.meterId);
    if (!meter) return meterNotFound();
    await endMetered(deps, { meterId: meter.id });
    await store.deleteMeter(deps.db, { ...key, now: deps.clock() });
    await noteChange(deps, key);
    return ok(undefined);
  });
}

/** Says whom names mean. What they told in the last days then counts for those, if they agreed. */
export function matchNames(deps: Deps, key: MeterKey, { names }: MatchNamesRequest): Promise<Result<Meter>> {
  return transaction(deps, async (deps) => {
    const { db, clock } = deps;
    const { assetId, meterId } = key;
    if (!(await store.lockAsset(db, key))) return meterNotFound();
    const [meter] = await store.readMeters(db, assetId, meterId);
    if (!meter) return meterNotFound();
    await store.lockMeter(db, meterId);
    const before = new Map(
      (await store.readNames(db, [meterId])).map(({ external_name: name, share_id: id }) => [name, id]),
    );
    const changed = names.filter(
      ({ external_name: name, share_id: id }) => (before.get(name) ?? null) !== id || !before.has(name),
    );
    const wanted = names.flatMap(({ share_id: id }) => id ?? []);
    const concerned = changed.flatMap(({ external_name: name, share_id: id }) =>
      [before.get(name) ?? [], id ?? []].flat(),
    );
    // First, because a share may be gone after that.
    await store.lockShares(db, [...wanted, ...concerned]);
    const allowed = await store.sharesOfAsset(db, assetId, wanted);
    if (wanted.some((id) => !allowed.has(id))) return shareNotFound();
    await store.matchNames(db, { meterId, names: changed, now: clock() });
    // Nothing that waits for a yes is kept of those who said no.
    const answers = await store.readAnswers(db, meterId);
    const refused = changed.flatMap(({ external_name: name, share_id: id }) =>
      id !== null && answers.get(id) === false ? name : [],
    );
    await store.deleteEvents(db, { meterId, names: refused });
    await deleteRows(db, { meterId, names: refused });
    await replay(deps, meter, concerned);
    await noteChange(deps, key);
    const [updated] = await readAll(deps, assetId, meterId);
    return updated ? ok(updated) : meterNotFound();
  });
}

/** Makes the sessions of locked shares from what a meter told in the last days, and from files. */
async function replay(deps: Deps, meter: store.StoredMeter, shareIds: number[]): Promise<void> {
  const ids = [...new Set(shareIds)].toSorted((one, other) => one - other);
  if (meter.kind === 'totals') return replayTotals(deps, meter, ids);
  const since = deps.clock().getTime() - METER_REPLAY_DAYS * DAY_MS;
  for (const shareId of ids) {
    await record(deps, meter, { shareId, since, notBefore: since });
    await recordRows(deps, meter, shareId);
  }
}

/** Returns the meters that may record a member. */
export async function listMemberMeters(
  deps: Deps,
  key: { shareId: number; memberId: number },
): Promise<Result<{ results: MemberMeter[] }>> {
  const results = await readOwn(deps, key);
  return results ? ok({ results }) : shareNotFound();
}

/** Returns the meters that may record a member, or one of them, with what they counted; undefined without such access. */
async function readOwn(
  { db, clock }: Deps,
  key: { shareId: number; memberId: number; meterId?: number },
): Promise<MemberMeter[] | undefined> {
  const meters = await store.readMemberMeters(db, key);
  const [first] = meters ?? [];
  if (!meters || !first) return meters && [];
  const { shareId } = key;
  const months = await store.readMonth(db, { assetId: first.asset_id, shareId, now: clock() });
  return meters.map(({ asset_id: _asset, ...meter }) => ({
    ...meter,
    ...toMonth(months, { meter_id: meter.id, share_id: shareId }),
  }));
}

interface MemberKey {
  memberId: number;
  shareId: number;
  meterId: number;
}

/** Lets a meter record a member, from what it told in the last days on, or stops it at once. */
export function answerMeter(
  deps: Deps,
  key: MemberKey,
  { agreed, beyond_allowance: beyondAllowance }: AgreeToMeterRequest,
): Promise<Result<MemberMeter>> {
  return transaction(deps, async (deps) => {
    const { db, clock } = deps;
    const { shareId, meterId } = key;
    if (!(await store.lockMember(db, key))) return meterNotFound();
    const meter = await store.lockMeter(db, meterId);
    if (!meter) return meterNotFound();
    const wasAgreed = (await store.readAnswer(db, key))?.agreed;
    if (!agreed && wasAgreed === true) {
      await endMetered(deps, { meterId, shareId });
      if (meter.kind === 'sessions') await store.stopUse(db, { meterId, shareId, now: clock() });
    }
    await store.storeAnswer(db, { meterId, shareId, agreed, beyondAllowance, wasAgreed, now: clock() });
    if (!agreed && wasAgreed === undefined) {
      const { names } = (await store.readMemberMeters(db, key))?.[0] ?? { names: [] };
      await deleteRows(db, { meterId, names });
    }
    if (agreed) await replay(deps, meter, [shareId]);
    await appendMessage(deps, 'meter.answered', { shareId, actorId: key.memberId }, {});
    return readOne(deps, key);
  });
}

/** Lets meters record a member who has just accepted an offer that showed these. */
export async function agreeToMeters(
  { db, clock }: Deps,
  { shareId, meterIds }: Causes['offerAccepted'],
): Promise<void> {
  await store.storeYes(db, { shareId, meterIds, now: clock() });
}

/** Makes a user's own tokens of meters stop working. */
export const forgetTokens = ({ db }: Deps, { userId }: { userId: number }): Promise<void> =>
  store.forgetTokens(db, userId);

/** Forgets whom meters meant by a user whose account is being deleted. What they recorded stays. */
export const forgetMember = ({ db }: Deps, { userId }: Causes['accountDeleting']): Promise<void> =>
  store.forgetMember(db, userId);

async function readOne(deps: Deps, key: MemberKey): Promise<Result<MemberMeter>> {
  const [meter] = (await readOwn(deps, key)) ?? [];
  return meter ? ok(meter) : meterNotFound();
}

/** Makes a member's own token of a meter with one for each, which records no one else. */
export function createMemberToken(deps: Deps, key: MemberKey): Promise<Result<MemberMeterWithToken>> {
  const token = makeToken(deps);
  return transaction(deps, async (deps) => {
    if (!(await store.lockMember(deps.db, key))) return meterNotFound();
    const [meter] = (await store.readMemberMeters(deps.db, key)) ?? [];
    if (!meter) return meterNotFound();
    if (!meter.per_member) return notPerMember();
    if (meter.agreed !== true) return notAgreed();
    await store.setMemberToken(deps.db, { ...key, hash: hashToken(token) });
    const answered = await readOne(deps, key);
    return answered.ok ? ok({ meter: answered.value, token }) : answered;
  });
}

/** Takes what a meter has seen, and makes the sessions of those who agreed from all that it told. */
export async function takeEvents(
  deps: Deps,
  bearer: string | undefined,
  events: readonly MeterEvent[],
): Promise<Result<EventResults>> {
  return takeFromMeter(deps, { bearer, limit: EVENTS_BY_TOKEN }, async (deps, meter, senderId) => {
    const isOfKind = ({ type }: MeterEvent) => (type === undefined || type === 'total') === (meter.kind === 'totals');
    const ofKind = events.filter(isOfKind);
    const taken =
      meter.kind === 'totals'
        ? await takeTotals(deps, meter, { senderId, totals: ofKind.flatMap((event) => toTotal(event, senderId)) })
        : await takeLocked(deps, meter, { senderId, events: ofKind.flatMap(toSessionEvent) });
    const results = events.map((event): Answer => {
      const result = isOfKind(event) ? taken.shift() : undefined;
      return result ?? { id: event.id, result: 'ignored', reason: 'wrong_kind' };
    });
    await countLate(deps, meter.id, results);
    return { results };
  });
}

type SessionEvent = Exclude<MeterEvent, { seconds: number }>;

const toSessionEvent = (event: MeterEvent): SessionEvent[] => ('seconds' in event ? [] : [event]);

function toTotal(event: MeterEvent, senderId: number | null): Total[] {
  if (!('seconds' in event)) return [];
  const { id, name, day, at, seconds, replace } = event;
  return [
    {
      name: senderId === null ? (name ?? '') : '',
      id,
      type: replace ? 'replace' : 'add',
      micros: Math.round(seconds * MICROS),
      day,
      at: at === undefined ? undefined : Date.parse(at),
    },
  ];
}

type Answer = { id: string; result: EventResult; reason: EventReason | null };

async function takeLocked(
  deps: Deps,
  meter: store.StoredMeter,
  { senderId, events }: { senderId: number | null; events: readonly SessionEvent[] },
): Promise<Answer[]> {
  const { db, clock } = deps;
  const now = clock();
  const nameOf = ({ name }: SessionEvent) => (senderId === null ? (name ?? '') : '');
  const meantBy = await knowNames(deps, {
    meterId: meter.id,
    assetId: meter.asset_id,
    senderId,
    names: events.map(nameOf),
  });
  const taken = events.map((event) => {
    const row = toRow(event, { name: nameOf(event), senderId, now });
    return { row, ...meantBy(row.external_name), problem: problemOf(row, now) };
  });
  const kept = taken.filter(({ isKept, problem }) => problem === null && isKept);
  const unique = onePerId(kept.map(({ row }) => row));
  // A longer session with the same id may begin at another time. What the shorter one made is then made again.
  const replaced = await store.readKept(db, meter.id, {
    senderId,
    sessions: unique.filter(({ until }) => until !== null),
  });
  await store.keepEvents(db, meter.id, unique);
  const counting = kept.filter(({ agreed }) => agreed === true);
  const shareIds = [...new Set(counting.flatMap(({ shareId }) => shareId ?? []))].toSorted((one, other) => one - other);
  await store.lockShares(db, shareIds);
  const byShare = new Map(
    shareIds.map((shareId) => [shareId, counting.flatMap((each) => (each.shareId === shareId ? each.row : []))]),
  );
  const alive = await prolong(deps, meter, byShare);
  const outcomes = new Map<number, (row: store.StoredEvent) => Omit<Answer, 'id'>>();
  for (const [shareId, rows] of byShare) {
    const isReplaced = (each: Pick<store.StoredEvent, 'external_name' | 'event_id'>) =>
      rows.some((row) => row.external_name === each.external_name && row.event_id === each.event_id);
    const since = Math.min(...[...rows, ...replaced.filter(isReplaced)].map(({ at }) => at.getTime()));
    const isAlive = alive.has(shareId);
    outcomes.set(
      shareId,
      isAlive ? () => ({ result: 'extended', reason: null }) : await record(deps, meter, { shareId, since }),
    );
  }
  return taken.map(({ row, shareId, agreed, isKept, problem }): Answer => {
    const id = row.event_id;
    if (problem) return { id, result: 'ignored', reason: problem };
    if (agreed === false) return { id, result: 'ignored', reason: 'refused' };
    if (shareId === null) return { id, result: isKept ? 'waiting' : 'ignored', reason: 'unknown_name' };
    const outcome = outcomes.get(shareId);
    return outcome ? { id, ...outcome(row) } : { id, result: 'waiting', reason: 'not_agreed' };
  });
}

/** Prolongs sessions of which only beats came that say no more than that they go on. Returns the shares of these. */
async function prolong(
  { db }: Deps,
  { id: meterId, grace_minutes: graceMinutes, merge_minutes: mergeMinutes }: store.StoredMeter,
  byShare: ReadonlyMap<number, store.StoredEvent[]>,
): Promise<Set<number>> {
  const beats = [...byShare].flatMap(([shareId, rows]) => {
    const instants = rows.map(({ at }) => at.getTime()).toSorted((one, other) => one - other);
    const [first = 0, last = 0] = [instants[0], instants.at(-1)];
    const follow = instants.every((at, index) => at - (instants[index - 1] ?? at) <= graceMinutes * MINUTE_MS);
    const name = rows[0]?.external_name ?? '';
    const onlyBeats = follow && rows.every((row) => row.type === 'beat' && row.external_name === name);
    const senderId = rows[0]?.sender_id ?? null;
    return onlyBeats ? { shareId, name, senderId, first: new Date(first), last: new Date(last) } : [];
  });
  return new Set(await prolongMetered(db, { meterId, graceMinutes, mergeMinutes }, beats));
}

function toRow(
  event: SessionEvent,
  { name, senderId, now }: { name: string; senderId: number | null; now: Date },
): store.StoredEvent {
  // Clocks differ a little: what happens now doesn't happen later.
  const notLater = (instant: string) => {
    const at = new Date(instant);
    return at > now && at.getTime() <= now.getTime() + METER_EVENTS_AHEAD_SECONDS * 1000 ? now : at;
  };
  const own = { external_name: name, sender_id: senderId, event_id: event.id, type: event.type };
  if (event.type === 'session') return { ...own, at: notLater(event.start), until: notLater(event.end), told_at: null };
  const [at, told] = [notLater(event.at), new Date(event.at)];
  return { ...own, at, until: null, told_at: told > at ? told : null };
}

function problemOf({ at, until }: store.StoredEvent, now: Date): EventReason | null {
  if (until !== null && until <= at) return 'end_before_start';
  if ((until ?? at) > now) return 'in_future';
  return at.getTime() < now.getTime() - METER_EVENTS_HOURS * HOUR_MS ? 'too_old' : null;
}

/** Of sessions with the same id, the longest stays, as in the store. */
function onePerId(rows: store.StoredEvent[]): store.StoredEvent[] {
  const byId = new Map<string, store.StoredEvent>();
  for (const row of rows) {
    const sign = row.until ? [] : [row.type, row.told_at ?? row.at];
    const key = JSON.stringify([row.sender_id, row.external_name, row.event_id, ...sign]);
    const known = byId.get(key);
    if (!known || goesBefore(row, known)) byId.set(key, row);
  }
  return [...byId.values()];
}

const goesBefore = (row: store.StoredEvent, known: store.StoredEvent): boolean =>
  row.until !== null &&
  known.until !== null &&
  (row.until > known.until || (row.until.getTime() === known.until.getTime() && row.at < known.at));

type Barred = Span & { reason: EventReason };

const contains = ({ from, to }: { from: number; to: number | null }, row: store.StoredEvent) =>
  row.until
    ? from < row.until.getTime() && (to ?? Infinity) > row.at.getTime()
    : from <= row.at.getTime() && (to ?? Infinity) >= row.at.getTime();

/**
 * Makes the sessions of a locked share what all that a meter told about it says now, from the use on to which an instant belongs.
 * Returns what became of each event.
 */
async function record(
  deps: Deps,
  meter: store.StoredMeter,
  { shareId, since, notBefore }: { shareId: number; since: number; notBefore?: number },
): Promise<(row: store.StoredEvent) => Omit<Answer, 'id'>> {
  const { db, clock } = deps;
  const now = clock();
  const meterId = meter.id;
  const share = await store.readShare(db, { meterId, shareId });
  if (!share) return () => ({ result: 'ignored', reason: 'no_access' });
  const limits = await store.readLimits(db, share.asset_id);
  const limitAt = (at: number) =>
    (limits.findLast(({ starts_at: start }) => start.getTime() <= at) ?? limits[0])?.hours ?? 24;
  const conditions = conditionsOf(meter, now.getTime(), (at) => limitAt(at) * HOUR_MS);
  const told = mergeUses(usesByName(await store.readEvents(db, { meterId, shareId }), conditions), conditions);
  const times = await store.readBarredTimes(db, { meterId, shareId, assetId: share.asset_id, now });
  const openSince = openSinceOf(times);
  const knownSince = (at: number) =>
    readMetered(db, { shareId, meterId, since: new Date(at), openSince, imported: false });
  const startOf = (at: number) => told.findLast((use) => use.from <= at)?.from ?? at;
  let from = startOf(since);
  let known = await knownSince(from);
  const earliest = () => startOf(Math.min(from, ...known.map(({ startedAt }) => startedAt.getTime())));
  // A session that is changed may have begun earlier, in a use that has made others, too.
  while (earliest() < from) {
    from = earliest();
    known = await knownSince(from);
  }
  const uses = continueOldest(told, known, now);
  const barred: Barred[] = [
    { from: -Infinity, to: share.accepted_at.getTime(), reason: 'no_access' },
    { from: share.ended_at?.getTime() ?? Infinity, to: Infinity, reason: 'no_access' },
    // What was recorded before stays.
    ...(notBefore === undefined
      ? []
      : [
          {
            from: -Infinity,
            to: Math.min(notBefore, ...known.map(({ startedAt }) => startedAt.getTime())),
            reason: 'too_old' as const,
          },
        ]),
    ...times.map(({ reason, since, until }) => ({
      reason,
      from: since.getTime(),
      to: until?.getTime() ?? Infinity,
    })),
  ];
  const metered = { shareId, meterId, since: new Date(from), openSince, imported: false };
  const others = (await readOthers(deps, metered)).map((each): Barred => ({
    from: each.startedAt.getTime(),
    to: each.endedAt?.getTime() ?? Infinity,
    reason: 'other_session',
  }));
  const budgets = share.own || share.beyond_allowance ? null : await budgetsOf(deps, metered, share.hours);
  const recent = uses.filter(({ to }) => to === null || to > from);
  const taken = [...barred, ...others];
  const { counted: countable, spentAt } = sessionsOf(recent, { ...conditions, taken, budgets });
  const whole = budgets ? sessionsOf(recent, { ...conditions, taken, budgets: null }).counted : countable;
  const uncounted = uncountedOf(whole, countable, now.getTime());
  if (share.has_uncounted || uncounted.length > 0) await store.writeUncounted(db, metered, uncounted);
  const counted = share.agreed ? countable : keepWithin(countable, await readMetered(db, metered));
  const isNew = await writeMetered(
    deps,
    { ...metered, assetId: share.asset_id, memberId: share.member_id },
    counted.map((use) => {
      const limit = use.from + limitAt(use.from) * HOUR_MS;
      return {
        ...toTimes(use),
        limit: new Date(limit),
        steadyUntil: new Date(Math.min(limit, spentAt)),
      };
    }),
  );
  if (counted.length > 0) await yieldDays(deps, { assetId: share.asset_id, shareId, since: new Date(from) });
  const begun = new Set<number>();
  return (row) => {
    const indexes = counted.flatMap((use, index) => (contains(use, row) ? index : []));
    if (indexes.length > 0) {
      const begins = indexes.filter((index) => isNew[index] === true && !begun.has(index));
      for (const index of begins) begun.add(index);
      return { result: begins.length > 0 ? 'recorded' : 'extended', reason: null };
    }
    if (others.some((span) => contains(span, row))) return { result: 'absorbed', reason: 'other_session' };
    const bar = barred.find((span) => contains(span, row));
    if (bar) return { result: 'ignored', reason: bar.reason };
    return { result: 'ignored', reason: whole.some((use) => contains(use, row)) ? 'allowance_used' : 'not_counted' };
  };
}

/** Starts the oldest use where its session started: its earlier events are deleted, and the session limit counts from its start. */
function continueOldest(uses: Use[], known: readonly { startedAt: Date; endedAt: Date | null }[], now: Date): Use[] {
  const [oldest, ...rest] = uses;
  if (!oldest || oldest.from >= now.getTime() - (METER_REPLAY_DAYS + 1) * DAY_MS) return uses;
  const begun = known.find(
    ({ startedAt, endedAt }) => startedAt.getTime() < oldest.from && (endedAt ?? now).getTime() >= oldest.from,
  );
  return begun ? [{ ...oldest, from: begun.startedAt.getTime() }, ...rest] : uses;
}

function usesByName(events: readonly store.StoredEvent[], conditions: Conditions): Use[] {
  const byName = new Map<string, Sign[]>();
  for (const event of events) {
    const key = `${event.sender_id ?? ''} ${event.external_name}`;
    const known = byName.get(key);
    if (known) known.push(toSign(event));
    else byName.set(key, [toSign(event)]);
  }
  return [...byName.values()].flatMap((each) => usesOf(each, conditions));
}

async function budgetsOf(
  { db, clock }: Deps,
  metered: Parameters<typeof readOtherUse>[1],
  hours: number,
): Promise<Budget[]> {
  return (await readOtherUse(db, metered, clock())).map(({ startsAt, endsAt, seconds }) => ({
    from: startsAt.getTime(),
    to: endsAt.getTime(),
    leftMs: Math.max(0, hours * HOUR_MS - seconds * 1000),
  }));
}

const toTimes = (use: Use) => ({
  startedAt: new Date(use.from),
  endedAt: use.to === null ? null : new Date(use.to),
  until: use.to === null ? new Date(use.until) : null,
  aliveAt: use.to === null && use.last !== null ? new Date(use.last) : null,
  silent: use.to !== null && use.silent,
});

/** A member whom a meter records. */
interface Recorded {
  meter_id: number;
  share_id: number;
}

/** Runs work with a locked meter and share, unless the meter is gone. */
function withMeter(
  deps: Deps,
  { meter_id: meterId, share_id: shareId }: Recorded,
  work: (deps: Deps, meter: store.StoredMeter) => Promise<unknown>,
): Promise<void> {
  return transaction(deps, async (deps) => {
    const meter = await store.lockMeter(deps.db, meterId);
    await store.lockShares(deps.db, [shareId]);
    if (meter) await work(deps, meter);
  });
}

/**
 * Keeps sessions to what is left of the allowance by now, removes those that turned out too short, counts again what ended sessions
 * no longer cover, and deletes events that can't change anything.
 */
export async function tidyUp(deps: Deps): Promise<void> {
  const now = (await deps.confirmedTime(deps.db)).getTime();
  const factsOf = ({ meter_id: meterId, share_id: shareId }: Recorded) => ({ meterId, shareId });
  const recordAgain = (each: Recorded & { started_at: Date }) =>
    withMeter(deps, each, (deps, meter) =>
      record(deps, meter, { shareId: each.share_id, since: each.started_at.getTime() }),
    );
  await runEach(deps, await store.readOverdrawn(deps.db, new Date(now)), {
    work: recordAgain,
    factsOf,
    failure: 'a session could not be kept to the allowance',
  });
  await runEach(deps, await store.readShort(deps.db, new Date(now - DAY_MS)), {
    work: recordAgain,
    factsOf,
    failure: 'a session that is too short could not be removed',
  });
  const replayed = { since: new Date(now - (METER_REPLAY_DAYS + 2) * DAY_MS), now: new Date(now) };
  await runEach(deps, await readUncovered(deps.db, replayed), {
    work: (each) => withMeter(deps, each, (deps, meter) => uncoverDays(deps, meter, each.share_id)),
    factsOf,
    failure: 'days of a meter could not be counted again',
  });
  // A day that can still change may be an hour longer, and began up to a day before its last events.
  await store.deleteOldEvents(deps.db, new Date(now - (METER_REPLAY_DAYS + 2) * DAY_MS));
  await deleteOldReadings(deps.db, new Date(now - READING_DAYS * DAY_MS));
  await store.deleteOldUncounted(deps.db, new Date(now - UNCOUNTED_DAYS * DAY_MS));
  await deleteSettledRows(deps.db, new Date(now));
}
