import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { toHours } from '@hourshare/contract/fields';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Cost, CostList } from '@hourshare/contract/costs';
import type { Cycle } from '@hourshare/contract/cycles';
import type { Renewal } from '@hourshare/contract/periods';
import type { AssetHistory } from '@hourshare/contract/insights';
import type { MemberSession, Session, SessionOrRequest } from '@hourshare/contract/sessions';
import type { AssetToClaim, Claim, SharedAsset } from '@hourshare/contract/shares';
import type { ReplayedYear, Statement } from '@hourshare/contract/statements';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { HANG_MILLISECONDS, randomRuns } from '../../testing/thorough.ts';
import { billingCalls } from '../../testing/bills.ts';
import { archivedSince, plainAsked, plainBill, plainEnd, type AssetEvent } from '../../testing/plain-histories.ts';
import { archiveEndedAssets } from '../assets/service.ts';
import { repeatCosts } from '../costs/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const { setClock, get, send, statementsOf } = billingCalls(() => api);

const HOUR = 3_600_000;

/** Returns when the next month begins in UTC. */
const nextMonthStart = (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);

/** Returns all ended months of all assets, deleted ones as well, and closed or not. */
async function endedStatements(owner: SignedIn): Promise<Statement[]> {
  const ended: Statement[] = [];
  for (let month = 0; month < 30; month++) {
    const name = new Date(Date.UTC(2025, 8 + month)).toISOString().slice(0, 7);
    const { results } = await get<{ results: Statement[] }>(`/api/statements/?month=${name}`, owner);
    ended.push(...results.filter((statement) => statement.ended));
  }
  return ended;
}

const compareOwnerFirst = (a: { username: string }, b: { username: string }) => {
  const [one, other] = [a.username.toLowerCase(), b.username.toLowerCase()];
  return one === OWNER ? -1 : other === OWNER ? 1 : one < other ? -1 : 1;
};

/** An edit that counts once the owner accepts it. */
interface Request {
  session: number;
  edit: Omit<AssetEvent & { kind: 'edit' }, 'at'>;
}

/** Someone without an account. */
const PERSON = 'Gran (mira)';

/** The account that takes over what is recorded for them. */
const JOINER = 'dan';

/** A member who also manages the asset. */
const MANAGER = 'eve';

const OWNER = 'mira';

const MEMBERS = ['ana', 'ben', 'cem', JOINER] as const;

/** By the ids of their accounts. */
const ORDER = [OWNER, ...MEMBERS, MANAGER, PERSON];

interface PlainShare {
  id: number;
  hours: number;
  /** Until it is accepted. */
  offeredAt: number | undefined;
  /** Whether an offer counts in the available hours once it is accepted: not if a co-manager made or raised it. */
  counted: boolean;
  ended: boolean;
}

/** A cost that comes again, counted from a day. Of one that is over, `next` is null. */
interface Repeated {
  from: string;
  every: number;
  until: string | null;
  next: string | null;
  cents: number;
  split: Cost['split'];
}

/** Returns the first day after one on which a cost comes again. */
function dayAfter({ from, every, until }: Pick<Repeated, 'from' | 'every' | 'until'>, day: string): string | null {
  let months = every;
  const dayOf = () => Temporal.PlainDate.from(from).add({ months }).toString();
  while (dayOf() <= day) months += every;
  return until !== null && dayOf() > until ? null : dayOf();
}

/** What a member entered for an asset. */
interface Proposal {
  id: number;
  member: string;
  cents: number;
}

describe('statements of consecutive months', () => {
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'UTC',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ];
  const cycle: fc.Arbitrary<Cycle> = fc.record({
    every: fc.constantFrom(1, 1, 1, 2, 3, 5),
    unit: fc.constantFrom(...(['month', 'month', 'year'] as const)),
    anchor: fc.constantFrom('2024-02-29', '2025-08-31', '2025-10-31', '2025-09-20', '2025-11-01', '2026-01-30'),
  });
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 24 * 4 }),
    // Often puts a step near the turn of a month somewhere on earth.
    hoursFromMonthStart: fc.option(fc.integer({ min: -15, max: 13 }), { nil: undefined, freq: 3 }),
    minutes: fc.integer({ min: 0, max: 3599 }),
    member: fc.constantFrom(...(['ana', 'ana', 'ben', 'ben', 'cem', JOINER, OWNER] as const)),
    kind: fc.constantFrom(
      ...(['offer', 'accept', 'accept', 'decline', 'leave', 'end share', 'allocate', 'allocate'] as const),
      ...(['agree', 'agree', 'confirm hours'] as const),
      ...(['start', 'start', 'start', 'end', 'edit', 'remove', 'confirm', 'confirm', 'close'] as const),
      ...(['late-start', 'late-start', 'late-end', 'accept request', 'accept request', 'add', 'add'] as const),
      ...([
        'price',
        'past price',
        'later price',
        'later price',
        'terms',
        'zone',
        'archive',
        'restore',
        'restore',
      ] as const),
      ...(['plan', 'plan', 'spread', 'trial', 'renews', 'renews', 'end', 'vote', 'decide', 'decide'] as const),
      ...(['cost', 'cost', 'cost', 'answer cost', 'answer cost'] as const),
      ...(['propose', 'propose', 'propose', 'change cost', 'change cost', 'remove cost'] as const),
      ...([
        'add person',
        'add person',
        'record',
        'record',
        'record',
        'unrecord',
        'end person',
        'claim',
        'claim',
        'claim',
      ] as const),
    ),
    number: fc.integer({ min: 1, max: 200 }),
    byManager: fc.constantFrom(false, false, true),
    method: fc.constantFrom(...(['usage', 'usage', 'allocation', 'equal', 'share_of_use'] as const)),
    percent: fc.constantFrom(0, 0, 0, 25, 33, 100),
    takesPart: fc.constantFrom(true, true, false),
    zone: fc.constantFrom(...zones),
    cycle: fc.option(cycle, { nil: null, freq: 4 }),
    days: fc.integer({ min: -20, max: 70 }),
    split: fc.constantFrom(...(['month', 'month', 'usage', 'equal', 'allocation', 'person'] as const)),
    isNoticed: fc.constantFrom(true, true, false),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** An asset of Mira's, what was done with it, and what its statements said when they were closed early. */
  async function openHistory(zone: string, cycle: Cycle | null) {
    await api.reset();
    setClock('2025-09-20T09:00:00Z');
    const owner = await api.register(OWNER);
    const users = new Map([[OWNER, owner]]);
    for (const name of MEMBERS) users.set(name, await api.register(name));
    const asset = await api.addAsset(owner, {
      subscription_cost: 11.11,
      time_zone: zone,
      cycle,
      extra_cost_limit: 40,
    });
    const manager = await api.register(MANAGER);
    const { id } = await api.share(owner, asset, manager, 9);
    await send('PATCH', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body: { manager: true } });
    const events: AssetEvent[] = [
      { at: api.clock.now, kind: 'price', cents: 1111 },
      { at: api.clock.now, kind: 'plan', cycle, isAdded: true },
      { at: api.clock.now, kind: 'terms', method: 'usage', basePercent: 0, ownerHours: 0, extraCents: 4000 },
      { at: api.clock.now, kind: 'share', member: MANAGER, hours: 9 },
    ];
    const closedEarly = new Map<string, Statement>();
    const shares = new Map<string, PlainShare>();
    const recorded: { path: string; from: number }[] = [];
    const requests: Request[] = [];
    const costs: number[] = [];
    const proposals: Proposal[] = [];
    const state = { archived: false, endsOn: null, repeated: undefined };
    return {
      owner,
      manager,
      users,
      zone,
      asset,
      events,
      closedEarly,
      shares,
      recorded,
      requests,
      costs,
      proposals,
      ...state,
    };
  }
  type History = Omit<Awaited<ReturnType<typeof openHistory>>, 'endsOn' | 'repeated'> & {
    guestId?: number | undefined;
    repeated: Repeated | undefined;
    endsOn: string | null;
  };

  const laterMonth = (now: Date, months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
  const previousMonth = (now: Date) => laterMonth(now, -1);

  /** Does what owners do with an asset. */
  async function actAsOwner(history: History, step: Step): Promise<void> {
    const { kind, number, method, percent, takesPart, zone } = step;
    const { owner: as, asset, events, closedEarly, archived } = history;
    const at = api.clock.now;
    const path = `/api/assets/${asset.id}/`;
    const patch = (body: object) => send<OwnedAsset>('PATCH', path, { as, body });
    const month = previousMonth(at);
    if (kind === 'price') {
      await patch({ subscription_cost: number / 4 });
      events.push({ at, kind, cents: number * 25 });
    } else if (kind === 'past price' || kind === 'later price') {
      const from = kind === 'past price' ? month : laterMonth(at, 1 + (number % 15));
      const body = { from_month: from, subscription_cost: number / 4 };
      const { status } = await api.call('POST', `${path}prices/`, { as, body });
      if (status >= 300) return;
      events.push({ at, kind: 'price', cents: number * 25, month: from });
    } else if (kind === 'terms') {
      const limit = method === 'share_of_use' && { max_price_per_hour: number / 100 };
      const terms = { split_method: method, base_percent: percent, owner_hours: number, owner_takes_part: takesPart };
      await patch({ ...terms, ...limit, extra_cost_limit: number / 2 });
      events.push({
        at,
        kind,
        method,
        basePercent: percent,
        ownerHours: number,
        maxHourCents: number,
        extraCents: number * 50,
        ownerTakesPart: takesPart,
      });
    } else if (kind === 'zone') {
      await patch({ time_zone: zone });
      events.push({ at, kind, zone });
    } else if (kind === 'archive' || kind === 'restore') {
      // Most of the time, the asset can be used.
      if (archived === (kind === 'archive') || (kind === 'archive' && number > 100)) return;
      history.archived = !archived;
      await patch({ archived: !archived });
      events.push({ at, kind });
      await compareEnd(history);
      if (kind === 'restore') await findOffersAgain(history);
    } else if (kind === 'cost') {
      const [paidBy, person] = [step.byManager ? step.member : OWNER, step.split === 'person' ? step.member : null];
      // Half of them are small enough for the limits of members.
      const cents = number * (number % 2 ? 137 : 17);
      // Only costs that the owner pays repeat, because members leave, and on days that are in the same month in all time zones.
      const isSimple = paidBy === OWNER && person === null && at.getUTCDate() < 27;
      const isRepeated = number % 4 > 1 && isSimple && history.repeated === undefined;
      const repeats = { every: 1 + (number % 3), until: number > 100 ? '2026-06-15' : null };
      const body = {
        text: 'Fuel',
        amount: cents / 100,
        ...(isRepeated && { repeats: { every: repeats.every, ...(repeats.until && { until: repeats.until }) } }),
        split: step.split,
        paid_by: paidBy,
        ...(person && { person }),
      };
      const { status, body: cost } = await api.call<Cost>('POST', `${path}costs/`, { as, body });
      if (status >= 300) return;
      history.costs.push(cost.id);
      events.push({ at, kind, id: cost.id, cents, split: step.split, paidBy, person });
      if (isRepeated) repeat(history, cost, { ...repeats, cents, split: step.split });
    } else if (isOfPlan(kind)) {
      await changePlan(history, step);
    } else if (kind === 'accept request') {
      await acceptRequest(history);
    } else if (kind === 'close') {
      const { status, body } = await api.call<Statement>('POST', `${path}statements/${month}/close/`, { as });
      if (status < 300) closedEarly.set(month, body);
    }
  }

  /** Remembers that a cost comes again. */
  function repeat(history: History, { date, repeats }: Cost, how: Omit<Repeated, 'from' | 'next'>): void {
    const next = dayAfter({ ...how, from: date }, date);
    expect(repeats?.next ?? null).toBe(next);
    history.repeated = { ...how, from: date, next };
  }

  /** Lets a cost come again on its day, unless the asset is in the archive. */
  async function comeAgain(history: History, { next: date, cents, split, ...repeated }: Repeated): Promise<void> {
    const { owner: as, asset, events, costs } = history;
    // What comes again waits for that.
    await noticeEnd(history);
    await repeatCosts(api.deps);
    const next = dayAfter(repeated, date ?? '');
    history.repeated = { ...repeated, cents, split, next };
    const [last] = (await get<CostList>(`/api/assets/${asset.id}/costs/`, as)).results;
    expect(last?.id === costs.at(-1)).toBe(history.archived);
    if (!last || history.archived) return;
    expect([last.date, last.repeats?.next ?? null]).toEqual([date, next]);
    costs.push(last.id);
    events.push({
      at: api.clock.now,
      kind: 'cost',
      id: last.id,
      cents,
      split,
      date: last.date,
      paidBy: OWNER,
      person: null,
    });
  }

  /** Lets time pass until an instant. What comes again does so once its day has begun everywhere. */
  async function passUntil(history: History, instant: number): Promise<void> {
    const dueNext = () => Date.parse(history.repeated?.next ?? '9999-01-01') + 12 * HOUR;
    for (let due = dueNext(); due <= instant && history.repeated; due = dueNext()) {
      api.clock.advance(Math.max(0, due - api.clock.now.getTime()));
      await comeAgain(history, history.repeated);
    }
    if (history.repeated?.next === null) history.repeated = undefined;
    api.clock.advance(instant - api.clock.now.getTime());
  }

  /** The asset ends when its plan says so. */
  async function compareEnd(history: History): Promise<void> {
    const { owner, asset, events, zone } = history;
    const { ends_on: endsOn } = await get<OwnedAsset>(`/api/assets/${asset.id}/`, owner);
    expect(endsOn).toBe(plainEnd(events, { owner: OWNER, zone, order: ORDER, at: api.clock.now }));
    history.endsOn = endsOn;
  }

  const isOfPlan = (kind: Step['kind']) =>
    kind === 'plan' ||
    kind === 'renews' ||
    kind === 'spread' ||
    kind === 'trial' ||
    kind === 'end' ||
    kind === 'decide';

  /** Changes how the asset is paid, or decides about its next renewal. */
  async function changePlan(history: History, { kind, number, cycle, days }: Step): Promise<void> {
    const { owner: as, asset, events } = history;
    const at = api.clock.now;
    const path = `/api/assets/${asset.id}/`;
    const date = new Date(at.getTime() + days * 24 * HOUR).toISOString().slice(0, 10);
    const patch = async (body: object) => (await api.call('PATCH', path, { as, body })).status < 300;
    if (kind === 'plan') {
      const spread = number % 3 > 0;
      const change = { ...(cycle && { spread }), cycle };
      await patch({ ...change, subscription_cost: number * 1.75 });
      events.push({ at, kind, cents: number * 175, ...change });
    } else if (kind === 'spread') {
      if (await patch({ spread: number > 100 })) events.push({ at, kind: 'plan', spread: number > 100 });
    } else if (kind === 'renews') {
      await patch({ auto_renews: number > 140 });
      events.push({ at, kind: 'plan', renews: number > 140 });
    } else if (kind === 'trial') {
      const trialUntil = number > 150 ? null : date;
      await patch({ trial_until: trialUntil });
      events.push({ at, kind: 'plan', trialUntil });
    } else if (kind === 'end') {
      const endsOn = number > 150 ? null : date;
      if (await patch({ ends_on: endsOn })) events.push({ at, kind: 'ends on', date: endsOn });
    } else {
      const { results } = await get<{ results: Renewal[] }>('/api/renewals/', as);
      const on = results.find((each) => each.kind !== 'trial')?.on;
      if (on === undefined) return;
      const decision = number > 100 ? 'renewed' : 'canceled';
      const { status } = await api.call('POST', `${path}renewal/`, { as, body: { renews_on: on, decision } });
      if (status >= 300) return;
      if (decision === 'canceled') events.push({ at, kind: 'ends on', date: on });
      else if (on === history.endsOn) events.push({ at, kind: 'renew' });
    }
    await compareEnd(history);
  }

  /** Lets a server notice that the asset has ended. */
  async function noticeEnd(history: History): Promise<void> {
    const { owner, asset, events, zone, endsOn, archived } = history;
    const at = api.clock.now;
    if (archived || endsOn === null || at.getTime() < Date.parse(endsOn) - 14 * HOUR) return;
    const closed = (await statementsOf(asset, owner)).filter((each) => each.closed).map(({ month }) => month);
    await archiveEndedAssets(api.deps);
    const after = await get<OwnedAsset>(`/api/assets/${asset.id}/`, owner);
    const since = archivedSince(events, { owner: OWNER, zone, order: ORDER, endsOn, at, closed });
    expect(after.archived).toBe(since !== undefined);
    if (since === undefined) return;
    history.archived = true;
    events.push({ at: new Date(since), kind: 'archive' });
  }

  /** Accepts what was requested last as everyone who has to: by share of use, also those whose charges it raises. */
  async function acceptRequest({ users, manager, asset, events, requests }: History): Promise<void> {
    const request = requests.pop();
    if (!request) return;
    const path = `/api/assets/${asset.id}/sessions/${request.session}/request/accept/`;
    for (const as of [...users.values(), manager]) {
      const { status, body } = await api.call<MemberSession>('POST', path, { as });
      if (status >= 300 || body.request?.status !== 'accepted') continue;
      events.push({ at: api.clock.now, ...request.edit });
      return;
    }
  }

  /** Offers access, and returns the id of the offer, unless that isn't allowed. */
  async function offer(
    { asset }: History,
    { as, by, hours }: { as: SignedIn; by: SignedIn; hours: number },
  ): Promise<number | undefined> {
    const body = { username: as.user.username, monthly_hours_allocated: hours };
    const { status } = await api.call('POST', `/api/assets/${asset.id}/share/`, { as: by, body });
    if (status >= 300) return undefined;
    const { results } = await get<{ results: SharedAsset[] }>('/api/shared-assets/', as);
    return results.find((each) => each.asset.id === asset.id)?.id;
  }

  /** Restoring an asset archived for long makes its members offers of what they had. */
  async function findOffersAgain({ users, asset, shares }: History): Promise<void> {
    for (const [member, share] of shares) {
      const as = users.get(member);
      if (!as || share.ended) continue;
      const { results } = await get<{ results: SharedAsset[] }>('/api/shared-assets/', as);
      const open = results.find((each) => each.asset.id === asset.id);
      if (open && open.id !== share.id)
        shares.set(member, { ...share, id: open.id, offeredAt: api.clock.now.getTime() });
    }
  }

  const OFFERED_MS = 14 * 24 * HOUR;

  /** Does what owners and members do with one member's access. Events are recorded where the rules allow it. */
  async function actOnAccess(history: History, step: Step): Promise<void> {
    const { kind, member, number, byManager } = step;
    const { owner, manager, users, asset, events, shares, archived } = history;
    const at = api.clock.now;
    const as = users.get(member);
    if (!as) return;
    const known = shares.get(member);
    const share = known?.offeredAt && at.getTime() - known.offeredAt >= OFFERED_MS ? undefined : known;
    const isOpen = share !== undefined && !share.ended;
    if (!isOpen) {
      if (archived || !['offer', 'accept', 'start'].includes(kind)) return editOrConfirm(history, step);
      const id = await offer(history, { as, by: byManager ? manager : owner, hours: number });
      if (id === undefined) return;
      shares.set(member, { id, hours: number, offeredAt: at.getTime(), ended: false, counted: !byManager });
      return kind === 'offer' ? undefined : actOnAccess(history, step);
    }
    const path = `/api/shared-assets/${share.id}/`;
    const accept = () => {
      events.push({ at, kind: 'share', member, hours: share.hours, isUnconfirmed: !share.counted });
      shares.set(member, { ...share, offeredAt: undefined });
    };
    const end = () => {
      if (share.offeredAt === undefined) events.push({ at, kind: 'end share', member });
      if (share.offeredAt === undefined) shares.set(member, { ...share, ended: true });
      else shares.delete(member);
    };
    if (kind === 'accept' && share.offeredAt !== undefined && !archived) {
      await send('POST', `${path}accept/`, { as, body: { monthly_hours_allocated: share.hours } });
      accept();
    } else if (kind === 'decline' && share.offeredAt !== undefined) {
      await send('POST', `${path}decline/`, { as });
      end();
    } else if (kind === 'leave' && share.offeredAt === undefined) {
      await send('POST', `${path}leave/`, { as });
      end();
    } else if (kind === 'end share') {
      await send('DELETE', `/api/assets/${asset.id}/share/${share.id}/`, { as: owner });
      end();
    } else if (kind === 'allocate') {
      const body = { monthly_hours_allocated: number };
      const by = byManager ? manager : owner;
      const { status } = await api.call('PATCH', `/api/assets/${asset.id}/share/${share.id}/`, { as: by, body });
      if (status >= 300) return;
      const counted = !byManager || (share.counted && number <= share.hours);
      shares.set(member, { ...share, hours: number, counted });
      if (share.offeredAt === undefined) events.push({ at, kind, member, hours: number, isUnconfirmed: byManager });
    } else if (kind === 'confirm hours') {
      await send('POST', `/api/assets/${asset.id}/share/${share.id}/confirm/`, { as: owner });
      shares.set(member, { ...share, counted: true });
      if (share.offeredAt === undefined) events.push({ at, kind: 'confirm', member });
    } else if (kind === 'answer cost' || (kind === 'cost' && number % 2 > 0)) {
      const cost = history.costs.at(-1);
      const [answer, amount] = [number % 3 > 0 ? 'yes' : 'no', number > 100 ? { amount: number / 100 } : {}];
      const body = { answer, ...(answer === 'yes' && amount) };
      const { status } = await api.call('POST', `${path}costs/${cost}/answer/`, { as, body });
      if (status >= 300 || cost === undefined) return;
      const limit = number > 100 ? number : Infinity;
      events.push({ at, kind: 'answer', cost, member, answer: answer === 'no' ? answer : limit });
    } else if (kind === 'propose' || kind === 'change cost' || kind === 'remove cost') {
      await actOnProposals(history, step, { path, as });
    } else if (kind === 'vote') {
      const { results } = await get<{ results: Renewal[] }>('/api/renewals/', as);
      const open = results.find((each) => each.open);
      if (open) await send('POST', `${path}vote/`, { as, body: { renews_on: open.on, choice: 'cancel' } });
    } else if (kind === 'agree' && share.offeredAt === undefined && !archived) {
      await agree(history, { path, as, member });
    } else if (isPress(kind))
      await press(history, { kind, member, number, path, as }, share.offeredAt === undefined ? undefined : accept);
    else await editOrConfirm(history, step);
  }

  /** Enters what a member paid, or changes or removes what they entered last. Often the owner answers at once. */
  async function actOnProposals(
    { owner, asset, events, costs, proposals }: History,
    { kind, member, number, split }: Step,
    { path, as }: { path: string; as: SignedIn },
  ): Promise<void> {
    const at = api.clock.now;
    const decide = async (id: number, answer: 'count' | 'decline') => {
      const answerPath = `/api/assets/${asset.id}/costs/${id}/answer/`;
      const { status } = await send<Cost>('POST', answerPath, { as: owner, body: { answer } });
      expect(status).toBe(answer === 'count' ? 'counted' : 'declined');
      if (answer === 'count') events.push({ at, kind: 'count cost', id });
    };
    if (kind === 'propose') {
      const cents = number * (number % 2 ? 137 : 17);
      const person = split === 'person' ? member : null;
      const body = { text: 'Oil', amount: cents / 100, split, ...(person && { person }) };
      const { status, body: cost } = await api.call<Cost>('POST', `${path}costs/`, { as, body });
      if (status >= 300) return;
      const { id } = cost;
      costs.push(id);
      proposals.push({ id, member, cents });
      events.push({ at, kind: 'cost', id, cents, split, paidBy: member, person, isProposed: true });
      if (number % 5 > 1) await decide(id, 'count');
      else if (number % 5 === 1) await decide(id, 'decline');
      return;
    }
    const proposal = proposals.findLast((each) => each.member === member);
    if (!proposal) return;
    const { id } = proposal;
    if (kind === 'remove cost') {
      const { status } = await api.call('DELETE', `${path}costs/${id}/`, { as });
      if (status >= 300) return;
      proposals.splice(proposals.indexOf(proposal), 1);
      events.push({ at, kind: 'remove cost', id });
      return;
    }
    const cents = number * 29;
    const { status, body: cost } = await api.call<Cost>('PATCH', `${path}costs/${id}/`, {
      as,
      body: { amount: cents / 100 },
    });
    if (status >= 300) return;
    const isRaised = cents > proposal.cents;
    proposal.cents = cents;
    events.push({ at, kind: 'change cost', id, cents, isCounted: cost.status === 'counted' });
    // Only in the current month, so that it counts there.
    if (isRaised && number % 5 > 0 && cost.date.startsWith(cost.month)) await decide(id, 'count');
  }

  /** Agrees to the terms of the moment, of which a member is asked if they are dearer than what they agreed to. */
  async function agree(
    { zone, events }: History,
    { path, as, member }: { path: string; as: SignedIn; member: string },
  ): Promise<void> {
    const at = api.clock.now;
    const { terms, asked } = await get<SharedAsset>(path, as);
    expect(asked).toBe(plainAsked(events, { owner: OWNER, zone, order: ORDER, member, at }));
    await send('POST', `${path}agree/`, { as, body: { terms } });
    events.push({ at, kind: 'agree', member });
  }

  const isPress = (kind: Step['kind']) =>
    kind === 'start' || kind === 'end' || kind === 'late-start' || kind === 'late-end' || kind === 'add';

  /** Presses Start or End, also up to 24 hours ago, or adds a session; a start may accept an offer. */
  async function press(
    { events, requests }: History,
    { kind, member, number, path, as }: Pick<Step, 'kind' | 'member' | 'number'> & { path: string; as: SignedIn },
    accept?: () => void,
  ): Promise<void> {
    const at = api.clock.now;
    if (kind === 'start' || kind === 'end') {
      const { status } = await api.call('POST', `${path}${kind}/`, { as });
      if (status >= 300) return;
      accept?.();
      events.push({ at, kind, member });
    } else if (kind === 'add') {
      const to = at.getTime() - number * 1_000_003;
      const from = to - number * 200_001;
      const body = { start_time: new Date(from).toISOString(), end_time: new Date(to).toISOString() };
      const { status } = await api.call('POST', `${path}logs/`, { as, body });
      if (status < 300) events.push({ at, kind: 'record', member, from, to });
    } else if (kind === 'late-start' || kind === 'late-end') {
      const pressed = at.getTime() - number * 432_001;
      const body = { at: new Date(pressed).toISOString(), client_time: at.toISOString() };
      const answer = await api.call<SessionOrRequest>('POST', `${path}${kind}/`, { as, body });
      const { status, body: session } = answer;
      if (status >= 300) return;
      const from = Date.parse(session.start_time);
      // Until a request is accepted, the session ended when it was made.
      if (kind === 'late-end' && session.request?.status === 'open') {
        const requested = Date.parse(session.request.end_time ?? session.start_time);
        requests.push({ session: session.id, edit: { kind: 'edit', member, use: from, from, to: requested } });
      }
      const to = session.end_time === null ? from + 24 * HOUR : Date.parse(session.end_time);
      if (kind === 'late-start') events.push({ at, kind: 'record', member, from, to });
      else events.push({ at, kind: 'edit', member, use: from, from, to });
    }
  }

  /** Does what an owner who takes part does with their own use, also after they no longer do. */
  async function actOnOwnUse(history: History, step: Step): Promise<void> {
    const { kind, member, number } = step;
    const { owner: as, asset, shares } = history;
    const { own_share_id: id, owner_hours: hours } = await get<OwnedAsset>(`/api/assets/${asset.id}/`, as);
    if (id !== null) shares.set(member, { id, hours, offeredAt: undefined, ended: false, counted: true });
    if (id === null || !isPress(kind)) return editOrConfirm(history, step);
    await press(history, { kind, member, number, path: `/api/shared-assets/${id}/`, as });
  }

  /** Does what owners do for someone without an account, who may join. */
  async function actForPerson(history: History, { kind, number }: Step): Promise<void> {
    const { owner: as, asset, events, recorded, guestId, archived } = history;
    const at = api.clock.now;
    const path = `/api/assets/${asset.id}/`;
    if (kind === 'add person') {
      if (archived || guestId !== undefined) return;
      const body = { name: 'Gran', monthly_hours_allocated: number };
      const { shared_with: entries } = await send<OwnedAsset>('POST', `${path}people/`, { as, body });
      history.guestId = entries.find(({ shared_with_username: name }) => name === PERSON)?.id;
      events.push({ at, kind: 'share', member: PERSON, hours: number });
    } else if (kind === 'unrecord') {
      const last = recorded.pop();
      if (!last) return;
      const { status } = await api.call('DELETE', last.path, { as });
      const { from } = last;
      const { results } = await get<{ results: MemberSession[] }>(`${path}sessions/`, as);
      const isRequest = results.some(
        ({ id, request }) => request?.status === 'open' && last.path.endsWith(`/sessions/${id}/`),
      );
      if (status < 300 && !isRequest) events.push({ at, kind: 'edit', member: PERSON, use: from, from, to: from });
    }
    if (guestId === undefined) return;
    const sharePath = `${path}share/${guestId}/`;
    if (kind === 'record') {
      const to = at.getTime() - number * 1001;
      const from = to - number * 200_001;
      const body = { start_time: new Date(from).toISOString(), end_time: new Date(to).toISOString() };
      const answer = await api.call<Session>('POST', `${sharePath}sessions/`, { as, body });
      if (answer.status >= 300) return;
      recorded.push({ path: `${sharePath}sessions/${answer.body.id}/`, from });
      events.push({ at, kind: 'record', member: PERSON, from, to });
    } else if (kind === 'end person') {
      await send('DELETE', sharePath, { as });
      history.guestId = undefined;
      events.push({ at, kind: 'end share', member: PERSON });
    } else if (kind === 'claim' && !archived) await join(history, { shareId: guestId, accepts: number % 3 > 0 });
  }

  /** Lets the person of a share join. They are refused only if they had access in the same month and accept. */
  async function join(history: History, { shareId, accepts }: { shareId: number; accepts: boolean }): Promise<void> {
    const { owner, users, asset, events, shares, closedEarly } = history;
    const at = api.clock.now;
    const as = users.get(JOINER);
    if (!as) return;
    const closed = (await statementsOf(asset, owner)).filter((each) => each.closed).map(({ month }) => month);
    const made = await send<AssetToClaim>('POST', `/api/assets/${asset.id}/share/${shareId}/claim/`, { as: owner });
    const link = `/api/claims/${made.claim.link.replace(/^.*\//, '')}/`;
    const { version, assets } = await get<Claim>(link, as);
    const body = { charges: accepts ? 'accept' : 'object', version };
    const { status } = await api.call('POST', link, { as, body });
    if (status >= 300) {
      expect(accepts).toBe(true);
      return;
    }
    const hours = assets[0]?.monthly_hours_allocated ?? 0;
    const known = shares.get(JOINER);
    if (accepts) {
      events.push({ at, kind: 'claim', person: PERSON, member: JOINER, closed });
      shares.set(JOINER, { id: shareId, hours, offeredAt: undefined, ended: false, counted: true });
      history.recorded.length = 0;
    } else {
      events.push({ at, kind: 'end share', member: PERSON }, { at, kind: 'object', member: PERSON });
      // What was due is paid by the owner.
      closedEarly.clear();
      if (known === undefined || known.ended || known.offeredAt !== undefined) {
        events.push({ at, kind: 'share', member: JOINER, hours });
        const { shared_with: entries } = await get<OwnedAsset>(`/api/assets/${asset.id}/`, owner);
        const id = entries.find(({ shared_with_username: name }) => name === JOINER)?.id ?? 0;
        shares.set(JOINER, { id, hours, offeredAt: undefined, ended: false, counted: true });
      }
    }
    history.guestId = undefined;
  }

  /** Does what members can also do after their access has ended. */
  async function editOrConfirm(
    { users, asset, events, shares, requests }: History,
    { kind, member, number }: Pick<Step, 'kind' | 'member' | 'number'>,
  ): Promise<void> {
    const at = api.clock.now;
    const as = users.get(member);
    const share = shares.get(member);
    if (!as || !share || share.offeredAt !== undefined) return;
    const path = `/api/shared-assets/${share.id}/`;
    if (kind === 'confirm') {
      await api.call('POST', `/api/assets/${asset.id}/statements/${previousMonth(at)}/confirm/`, { as });
    } else if (kind === 'edit' || kind === 'remove') {
      const { body: log, status } = await api.call<{ results: Session[] }>('GET', `${path}logs/`, { as });
      const session = status < 300 ? log.results.find(({ end_time }) => end_time !== null) : undefined;
      if (!session?.end_time) return;
      const [from, until] = [Date.parse(session.start_time), Date.parse(session.end_time)];
      const to = kind === 'remove' ? from : from + Math.ceil(((until - from) * number) / 200);
      const sessionPath = `${path}logs/${session.id}/`;
      const change =
        kind === 'remove'
          ? await api.call<SessionOrRequest>('DELETE', sessionPath, { as })
          : await api.call<SessionOrRequest>('PATCH', sessionPath, {
              as,
              body: { end_time: new Date(to).toISOString() },
            });
      if (change.status >= 300) return;
      const edit = { kind: 'edit' as const, member, use: from, from, to };
      if (change.status === 200 && change.body.request?.status === 'open') requests.push({ session: session.id, edit });
      else events.push({ at, ...edit });
    }
  }

  /** Replayed without a change, the last closed months cost everyone what they did, as the owner and each member read it. */
  async function compareReplays({ owner, users, asset, shares }: History, closed: Statement[]): Promise<void> {
    const year = closed.slice(0, 12).map(({ month, lines }) => ({
      month,
      people: lines.map(({ username, price_amount: paid }) => ({ username, paid, replayed: paid })),
    }));
    const { months } = await send<ReplayedYear>('POST', `/api/assets/${asset.id}/replay/`, { as: owner, body: {} });
    expect(months).toMatchObject(year);
    for (const [member, { id }] of shares) {
      const as = users.get(member);
      const path = `/api/shared-assets/${id}/replay/`;
      const { status, body } = as
        ? await api.call<ReplayedYear>('POST', path, { as, body: {} })
        : { status: 404, body: null };
      if (status >= 300 || !body) continue;
      for (const { month, people } of body.months) {
        const [own] = people;
        const known = closed.find((each) => each.month === month)?.lines ?? [];
        const paid = known.find(({ username }) => username === own?.username)?.price_amount;
        expect(people).toMatchObject([{ paid, replayed: paid }]);
      }
    }
  }

  it(
    'match the reference bill for random histories, across clock changes and time zones',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          fc.array(step, { minLength: 40, maxLength: 90 }),
          fc.boolean(),
          fc.option(cycle, { nil: null, freq: 2 }),
          async (zone, steps, isDeleted, firstCycle) => {
            const world: History = await openHistory(zone, firstCycle);
            const { owner, asset, events, closedEarly } = world;
            for (const each of steps) {
              const { hours, hoursFromMonthStart, minutes, kind } = each;
              const millisecondsToStart =
                hoursFromMonthStart === undefined
                  ? 0
                  : nextMonthStart(api.clock.now) + hoursFromMonthStart * HOUR - api.clock.now.getTime();
              // Edits and confirmations come within a day.
              const isQuick = [
                'record',
                'unrecord',
                'claim',
                'end',
                'late-start',
                'late-end',
                'accept request',
                'edit',
                'remove',
                'confirm',
                'close',
                'answer cost',
                'change cost',
                'remove cost',
              ].includes(kind);
              const toStart = millisecondsToStart > 0 ? millisecondsToStart : hours * HOUR;
              const wait = isQuick ? (hours * HOUR) / 4 : toStart;
              await passUntil(world, api.clock.now.getTime() + wait + minutes * 1000 + 7);
              if (each.isNoticed) await noticeEnd(world);
              await actAsOwner(world, each);
              await actForPerson(world, each);
              await (each.member === OWNER ? actOnOwnUse : actOnAccess)(world, each);
            }
            if (isDeleted) {
              api.clock.advance(HOUR + 7);
              await send('DELETE', `/api/assets/${asset.id}/`, { as: owner });
              events.push({ at: api.clock.now, kind: 'delete' });
            } else {
              await noticeEnd(world);
              api.clock.advance(35 * 24 * HOUR);
            }
            const closed = isDeleted
              ? await endedStatements(owner)
              : (await statementsOf(asset, owner)).filter((statement) => statement.closed);
            expect(isDeleted || closed.length > 0).toBe(true);
            for (const statement of closed) {
              // Removing a deleted asset takes its id from them, and who joins has a face of their own.
              const stored = ({ lines, ...rest }: Statement) =>
                JSON.stringify({
                  ...rest,
                  asset_id: asset.id,
                  lines: lines.map((line) => (line.username === PERSON ? { ...line, hue: null } : line)),
                });
              expect(stored(statement)).toBe(stored(closedEarly.get(statement.month) ?? statement));
              const bill = plainBill(events, { owner: OWNER, zone, month: statement.month, order: ORDER });
              const expected = bill.lines.map(({ username, cents, costCents, paidCents, seconds, days, ...line }) => ({
                username,
                amount: (cents + costCents - paidCents) / 100,
                price_amount: cents / 100,
                costs_amount: costCents / 100,
                costs_paid: paidCents / 100,
                used_hours: toHours(seconds),
                days,
                // The owner's are those reserved.
                ...(username !== OWNER && { summed_hours: line.summedHours }),
                maximum: line.maximumCents === null ? null : line.maximumCents / 100,
                covered: line.coveredCents / 100,
              }));
              const parts = bill.parts.map(({ cycleFrom, cycleDays, cycleCents, days, cents, soFarCents }) => ({
                cycle_from: cycleFrom,
                cycle_days: cycleDays,
                cycle_price: cycleCents / 100,
                days,
                amount: cents / 100,
                so_far: soFarCents / 100,
              }));
              expect(statement).toMatchObject({
                price: bill.priceCents / 100,
                price_parts: parts,
                total_hours: bill.totalHours,
                places: bill.places,
                used_seconds: bill.lines.reduce((sum, { seconds }) => sum + seconds, 0),
                lines: expected.toSorted(compareOwnerFirst),
              });
            }
            // A deleted asset has no other views.
            if (isDeleted) return;
            await compareReplays(world, closed);
            const history = await get<AssetHistory>(`/api/assets/${asset.id}/history/`, owner);
            for (const statement of closed) {
              // What other views say of the month follows from the same days.
              const available = statement.lines
                .slice(1)
                .map((line) => [line.username, line.used_hours, toHours(line.available_seconds)]);
              const { members: analyzed } = await get<AssetAnalytics>(
                `/api/assets/${asset.id}/analytics/?month=${statement.month}`,
                owner,
              );
              expect(analyzed.map((each) => [each.username, each.total_usage, each.total_allocation])).toEqual(
                available,
              );
              // The last twelve months only.
              const past = history.months.find(({ month }) => month === statement.month);
              if (past === undefined) continue;
              expect(past.members.map((each) => [each.username, each.used_hours, each.available_hours])).toEqual(
                available,
              );
            }
          },
        ),
        { numRuns: randomRuns(15), endOnFailure: true },
      );
    },
    HANG_MILLISECONDS,
  );
});
