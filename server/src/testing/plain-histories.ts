import { Temporal } from 'temporal-polyfill';
import {
  allowancesOn,
  fullestMoments,
  isDearer,
  lastAgreementOf,
  plainStatement,
  type PlainAgreement,
  type PlainBilledMonth,
  type PlainInterval,
  type PlainLine,
  type PlainMethod,
  type PlainShare,
} from './plain-costs.ts';
import { plainCostLines, type PlainCost } from './plain-extra-costs.ts';
import { plainParts, startIn, unrenewedEnd, type PlainCycle, type PlainPart, type PlainPlan } from './plain-cycles.ts';
import { midnightOf, plainMonths, remember, type PlainMonth } from './plain-months.ts';

// Turns what was done with an asset into what the reference bills depend on, event by event.

export type AssetEvent =
  /** By a co-manager, hours count in the available ones only once the owner confirms them. */
  | { at: Date; kind: 'share' | 'allocate'; member: string; hours: number; isUnconfirmed?: boolean }
  | { at: Date; kind: 'confirm'; member: string }
  /** A yes to the terms and hours of the moment. */
  | { at: Date; kind: 'agree'; member: string }
  | { at: Date; kind: 'end share'; member: string }
  | { at: Date; kind: 'start' | 'end'; member: string }
  /** What the owner notes down for someone without an account, and what a member started offline. */
  | { at: Date; kind: 'record'; member: string; from: number; to: number }
  /** What was recorded for a person so far stays with them for good. */
  | { at: Date; kind: 'object'; member: string }
  /** What was recorded for a person becomes a member's, but for months that were closed before. */
  | { at: Date; kind: 'claim'; person: string; member: string; closed: string[] }
  /** Gives the use that lasted from an instant other times; the same one twice removes it. */
  | { at: Date; kind: 'edit'; member: string; use: number; from: number; to: number }
  | { at: Date; kind: 'archive' }
  | { at: Date; kind: 'delete' }
  | { at: Date; kind: 'restore' }
  /** From a month on, by default from that of the event; with cycles, from the first one that starts then. */
  | { at: Date; kind: 'price'; cents: number; month?: string }
  /** How it is paid from the month of the event on, with a new price or the same; what isn't named stays. */
  | ({ at: Date; kind: 'plan'; cents?: number; isAdded?: boolean } & PlainPlanChange)
  /** From this day on it is archived, and no further cycle costs anything. */
  | { at: Date; kind: 'ends on'; date: string | null }
  /** It goes on after the day on which it was to end or, if it doesn't renew by itself, to the next renewal. */
  | { at: Date; kind: 'renew' }
  /** Someone enters what someone paid today, or on the date on which it comes again. What is proposed may count later. */
  | {
      at: Date;
      kind: 'cost';
      id: number;
      cents: number;
      split: PlainCost['split'];
      paidBy: string;
      person: string | null;
      date?: string;
      isProposed?: boolean;
    }
  | { at: Date; kind: 'count cost' | 'remove cost'; id: number }
  | { at: Date; kind: 'change cost'; id: number; cents: number; isCounted: boolean }
  | { at: Date; kind: 'answer'; cost: number; member: string; answer: number | 'no' }
  | { at: Date; kind: 'zone'; zone: string }
  | ({ at: Date; kind: 'terms' } & PlainTerms);

interface PlainTerms {
  method: PlainMethod;
  basePercent: number;
  ownerHours: number;
  maxHourCents?: number | null;
  extraCents?: number;
  ownerTakesPart?: boolean;
}

interface PlainPlanChange {
  /** Whether it goes on at renewals; otherwise, it ends with the next one, unless another day was chosen. */
  renews?: boolean;
  cycle?: PlainCycle | null;
  spread?: boolean;
  trialUntil?: string | null;
}

/** The people of an asset: `order` has all of them by rising id with the owner first; `zone` is the initial one. */
interface PlainAsset {
  owner: string;
  zone: string;
  order: string[];
}

export interface PlainBillLine {
  username: string;
  cents: number;
  seconds: number;
  days: number;
  summedHours: number;
  maximumCents: number | null;
  coveredCents: number;
  /** Their parts of extra costs, and what they paid of them. */
  costCents: number;
  paidCents: number;
}

const LIMIT_MS = 24 * 3_600_000;
/** After a longer time, restoring makes an offer to each member. */
const ARCHIVED_MS = 24 * 3_600_000;

/** The names of people without an account contain the owner's in parentheses, because the owner decides for them. */
const hasAccount = (username: string) => !username.endsWith(')');

/** Returns whether allowances cost something by terms. */
const paysForHours = ({ method, basePercent }: { method: PlainMethod; basePercent: number }) =>
  method === 'allocation' || (method !== 'equal' && basePercent > 0);

/** What changes the prices of a month and of later ones. */
const isOfPrice = (each: AssetEvent) => each.kind === 'price' || each.kind === 'plan';

/** What can change after a month has ended. */
const isLate = (each: AssetEvent) =>
  ['edit', 'record', 'object', 'claim', 'answer', 'count cost', 'change cost', 'remove cost'].includes(each.kind) ||
  isOfPrice(each);

const monthAt = (months: PlainMonth[], instant: number) =>
  months.find(({ begins, ends }) => begins <= instant && instant < ends);

/** What an asset costs in a month. */
interface Priced {
  /** Of a cycle that starts in the month, or of the month itself without a plan. */
  cents: number;
  plan: PlainPlan | null;
  parts: PlainPart[];
}

/** With what its price consists of, and the extra costs and their limit by its terms. */
type BilledMonth = PlainBilledMonth & {
  priced: Priced;
  endsOn: string | null;
  extraCents: number;
  costs: Map<number, Omit<PlainCost, 'hoursOnDate'> & { at: number; date?: string | undefined; isCounted: boolean }>;
};

const NO_PLAN: PlainPlan = { cycle: null, spread: true, spreadFrom: null, trialUntil: null, startedOn: null };
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
/** Returns the date on the clocks of a zone. */
const dateIn = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate().toString();

/** Returns the month after one, `YYYY-MM`. */
const nextMonth = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)))).toISOString().slice(0, 7);

const monthsOf = (cycle: PlainCycle | null) => (cycle?.every ?? 1) * (cycle?.unit === 'year' ? 12 : 1);

/** Returns whether the renewals of a cycle that follow its anchor, until leap days have met them in every way, are also another's. */
const areRenewalsOf = remember((one, other) => {
  const [cycle, others]: [PlainCycle, PlainCycle] = [JSON.parse(one), JSON.parse(other)];
  const renewals = Array.from({ length: 48 }, (_, k) =>
    Temporal.PlainDate.from(cycle.anchor)
      .add({ months: k * monthsOf(cycle) })
      .toString(),
  );
  return renewals.every((date) => startIn(others, date.slice(0, 7)) === date);
});

/** The prices of an asset's months and how they are paid, each from a month on until a later one has its own. */
function openPrices(names: string[]) {
  const prices = new Map<string, number>();
  const plans = new Map<string, PlainPlan | null>();
  const last = <T>(since: Map<string, T>, month: string): T | undefined =>
    since.get(
      [...since.keys()]
        .filter((each) => each <= month)
        .toSorted()
        .at(-1) ?? '',
    );
  const planOf = (month: string) => last(plans, month) ?? null;
  const priceOf = (month: string) => last(prices, month) ?? 0;
  /** Returns the months up to one that have the same cycles. */
  const paidLike = (month: string) =>
    names.filter(
      (each) =>
        each <= month &&
        [...prices.keys()].some((known) => known <= each) &&
        planOf(each) !== null &&
        isSame(planOf(each)?.cycle, planOf(month)?.cycle),
    );
  /** Switching applies from the first cycle of which no month has ended; those before are paid as they were. */
  const spreadFromOf = (before: PlainPlan, { cycle, spread }: PlainPlanChange, running: string) => {
    const [first = running] = paidLike(running);
    if (!cycle || !isSame(cycle, before.cycle) || first === running) return null;
    if (spread === before.spread) return before.spreadFrom;
    let month = running;
    while (startIn(cycle, month) === undefined) month = nextMonth(month);
    const start = startIn(cycle, month) ?? null;
    return start === before.spreadFrom ? null : start;
  };
  /** A price starts with a cycle, or with the plan. Months from before the plan have prices of their own. */
  const setPrice = (cents: number, asked: string, running: string) => {
    const [first = running] = paidLike(running);
    const cycle = planOf(running)?.cycle;
    let month = asked;
    if (cycle && asked >= first)
      while (month !== first && startIn(cycle, month) === undefined) month = nextMonth(month);
    prices.set(month, cents);
  };
  return {
    planOf,
    setPrice,
    setPlan: (
      { cents, isAdded, ...change }: PlainPlanChange & { cents?: number; isAdded?: boolean },
      { running, today }: { running: string; today: string },
    ) => {
      const before = planOf(running) ?? NO_PLAN;
      const { cycle: asked, spread, trialUntil } = { ...before, ...change };
      // Of the same renewals, only how they are written would change.
      const isKept =
        asked &&
        before.cycle &&
        monthsOf(asked) === monthsOf(before.cycle) &&
        areRenewalsOf(JSON.stringify(asked), JSON.stringify(before.cycle));
      const isLonger = asked && before.startedOn !== null && asked.anchor < before.startedOn;
      const cycle = isKept && !isLonger ? before.cycle : asked;
      // A plan that began with its asset began on its anchor, even if that is corrected.
      const isFirst = isAdded ?? (before.cycle !== null && before.startedOn === before.cycle.anchor);
      const startedOn = cycle && isFirst && cycle.anchor <= today ? cycle.anchor : null;
      const spreadFrom = spreadFromOf(before, { cycle, spread }, running);
      const plan = { cycle, spread: cycle === null || spread, spreadFrom, trialUntil, startedOn };
      const isOther = !isSame(plan, before);
      if (isOther) plans.set(running, isSame(plan, NO_PLAN) ? null : plan);
      if (cents === undefined) return;
      // Prices for later months were of cycles of the old length.
      if (monthsOf(cycle) !== monthsOf(before.cycle))
        for (const month of prices.keys()) if (month > running) prices.delete(month);
      if (isOther && (cycle === null || !isSame(cycle, before.cycle))) prices.set(running, cents);
      else setPrice(cents, running, running);
    },
    of: (month: string, endsOn: string | null): Priced => {
      const plan = planOf(month);
      const alike = paidLike(month);
      const ofCycle = (from: string) => priceOf(alike.find((each) => each >= from.slice(0, 7)) ?? month);
      const parts = plan ? plainParts(plan, month, { priceOf: ofCycle, endsOn }) : [];
      return { cents: priceOf(month), plan, parts };
    },
  };
}

/** Returns the terms of a month as they are shown to a member. */
function termsShown(billed: BilledMonth, { allowances }: PlainShare, at: number): PlainAgreement {
  const { method, priced, basePercent, maxHourCents, extraCents } = billed;
  return {
    at,
    method,
    priceCents: priced.cents,
    plan: priced.plan,
    basePercent,
    maxHourCents,
    extraCents,
    monthlyHours: allowances.at(-1)?.monthlyHours ?? 0,
    ...fullestMoments(billed),
  };
}

/** Returns what the bill of a month depends on. Without agreements, the fullest moments are the same. */
function billedMonth(
  events: AssetEvent[],
  { owner, zone, order }: PlainAsset,
  { month: name, hasAgreements }: { month: string; hasAgreements: boolean },
): BilledMonth {
  const zones = events.filter((each) => each.kind === 'zone');
  // Its price may change in the next one.
  const months = plainMonths(zone, zones, { first: '2025-01', last: nextMonth(name) });
  const month = months.at(-2);
  if (!month) throw new Error('The reference bills cover months from January 2025.');

  const idOf = (username: string) => order.indexOf(username);
  const billed: BilledMonth = {
    month,
    priced: { cents: 0, plan: null, parts: [] },
    endsOn: null,
    extraCents: 0,
    costs: new Map(),
    archived: [],
    reservedHours: 0,
    priceCents: 0,
    priceChanges: [],
    method: 'usage',
    basePercent: 0,
    maxHourCents: null,
    owner: { userId: idOf(owner), takesPart: false, uses: [] },
    shares: [],
  };
  const { shares, archived } = billed;
  const prices = openPrices(months.map((each) => each.month));
  let renews = true;
  const objectedAt = new Map<number, number>();
  /** From when on the owner takes part or doesn't; of those up to an instant, the last one counts. */
  const takings: { at: number; takesPart: boolean }[] = [];

  const lastShareOf = (username: string) => {
    const all = shares.filter(({ userId }) => userId === idOf(username));
    return all.findLast(({ endedAt }) => endedAt === null) ?? all.at(-1);
  };
  const usesOf = (username: string): PlainInterval[] =>
    username === owner ? billed.owner.uses : (lastShareOf(username)?.uses ?? []);
  const endUses = (uses: PlainInterval[], instant: number) => {
    for (const use of uses) use.to = Math.min(use.to, instant);
  };
  /** Returns whether more hours would cost more, by the terms of the month or those agreed to. */
  const hoursCost = ({ agreements }: PlainShare, at: number, index: number) => {
    const running = monthAt(months, at);
    if (!running || !hasAgreements) return false;
    const now = billedMonth(
      events.slice(0, index),
      { owner, zone, order },
      { month: running.month, hasAgreements: false },
    );
    return [now, ...agreements.slice(-1)].some(paysForHours);
  };
  const agree = (share: PlainShare, index: number, at: number) => {
    const shownMonth = monthAt(months, at);
    if (!hasAgreements || !shownMonth) return;
    const past = events.slice(0, index + 1);
    const shown = billedMonth(past, { owner, zone, order }, { month: shownMonth.month, hasAgreements: false });
    share.agreements.push(termsShown(shown, share, at));
  };

  const reprice = (at: number) => {
    billed.priced = prices.of(name, billed.endsOn);
    const { cents, plan, parts } = billed.priced;
    const toCents = plan ? parts.reduce((sum, part) => sum + part.cents, 0) : cents;
    billed.priceChanges.push({ at, fromCents: billed.priceCents, toCents });
    billed.priceCents = toCents;
  };

  const goOn = (after: string, plan: PlainPlan | null) => {
    billed.endsOn = renews ? null : unrenewedEnd(plan, after);
  };
  const startsOn = (plan: PlainPlan | null, date: string) =>
    plan !== null && plan.cycle !== null && startIn(plan.cycle, date.slice(0, 7)) === date;
  /** A change of what decides about the end. One that was chosen stays, and one at a later renewal that it still is. */
  const changeEnd = (
    change: PlainPlanChange,
    { before, after, today }: Record<'before' | 'after', PlainPlan | null> & { today: string },
  ) => {
    const { cycle, trialUntil, renews: willRenew = renews } = change;
    if (cycle === undefined && trialUntil === undefined && willRenew === renews) return;
    const { endsOn } = billed;
    const isChosen = endsOn !== null && (renews || !startsOn(before, endsOn));
    renews = willRenew;
    if (isChosen) return;
    const isKept = endsOn !== null && !renews && startsOn(after, endsOn) && (after?.trialUntil ?? '') < endsOn;
    if (!isKept) goOn(today, after);
  };

  for (const [index, each] of events.entries()) {
    const instant = each.at.getTime();
    if (instant >= month.ends && !isLate(each)) continue;
    const running: PlainMonth = monthAt(months, instant) ?? month;
    if (isOfPrice(each) && instant >= (months.at(-1)?.ends ?? 0)) {
      // What changes even later is no longer the month's.
    } else if (each.kind === 'price') {
      prices.setPrice(each.cents, each.month ?? running.month, running.month);
      reprice(instant);
    } else if (each.kind === 'plan') {
      const [before, today] = [prices.planOf(running.month), dateIn(running.zone, instant)];
      prices.setPlan(each, { running: running.month, today });
      if (instant < month.ends) changeEnd(each, { before, after: prices.planOf(running.month), today });
      reprice(instant);
    } else if (each.kind === 'ends on') {
      billed.endsOn = each.date;
      if (each.date === null) goOn(dateIn(running.zone, instant), prices.planOf(running.month));
      reprice(instant);
    } else if (each.kind === 'renew') {
      goOn(billed.endsOn ?? '', prices.planOf(running.month));
      reprice(instant);
    } else if (each.kind === 'terms') {
      // From the next month on, or from now on if no one else has had access who could be asked.
      const isPlanned = shares.some(
        ({ userId, endedAt }) => hasAccount(order[userId] ?? '') && (endedAt ?? Infinity) > running.begins,
      );
      takings.push({ at: isPlanned ? running.ends : instant, takesPart: each.ownerTakesPart ?? false });
      if (running === month && isPlanned) continue;
      billed.reservedHours = each.ownerHours;
      billed.method = each.method;
      billed.basePercent = each.basePercent;
      billed.maxHourCents = each.method === 'share_of_use' ? (each.maxHourCents ?? null) : null;
      billed.owner.takesPart = each.ownerTakesPart ?? false;
      billed.extraCents = each.extraCents ?? 0;
    } else if (each.kind === 'cost') {
      const { id, cents, split, paidBy, person, date, isProposed = false } = each;
      const payerId = idOf(paidBy);
      const people = {
        authorId: isProposed ? payerId : null,
        payerId,
        personId: person === null ? null : idOf(person),
      };
      const cost = { at: instant, date, cents, split, ...people, answers: new Map(), isCounted: !isProposed };
      if (running === month) billed.costs.set(id, cost);
    } else if (each.kind === 'remove cost') {
      billed.costs.delete(each.id);
    } else if (each.kind === 'count cost') {
      const cost = billed.costs.get(each.id);
      if (cost) cost.isCounted = true;
    } else if (each.kind === 'change cost') {
      const cost = billed.costs.get(each.id);
      if (!cost) continue;
      // Who said yes or no to less is asked again.
      if (each.cents > cost.cents) cost.answers.clear();
      [cost.cents, cost.isCounted] = [each.cents, each.isCounted];
    } else if (each.kind === 'answer') {
      billed.costs.get(each.cost)?.answers.set(idOf(each.member), each.answer);
    } else if (each.kind === 'archive') {
      archived.push({ from: instant, to: Infinity });
      for (const { uses } of [billed.owner, ...shares]) endUses(uses, instant);
    } else if (each.kind === 'restore') {
      // Restored after its end, it goes on.
      const today = dateIn(running.zone, instant);
      if (billed.endsOn !== null && billed.endsOn <= today) goOn(today, prices.planOf(running.month));
      reprice(instant);
      const last = archived.at(-1);
      if (!last) continue;
      last.to = instant;
      if (last.to - last.from <= ARCHIVED_MS) continue;
      for (const share of shares)
        if (hasAccount(order[share.userId] ?? '')) share.endedAt = Math.min(share.endedAt ?? Infinity, last.from);
    } else if (each.kind === 'delete') {
      endUses(billed.owner.uses, instant);
      for (const share of shares) {
        share.endedAt = Math.min(share.endedAt ?? Infinity, instant);
        endUses(share.uses, instant);
      }
    } else if (each.kind === 'share') {
      const { member: username, hours, isUnconfirmed = false } = each;
      const share: PlainShare = {
        userId: idOf(username),
        shareId: index,
        acceptedAt: instant,
        endedAt: null,
        allowances: [
          { since: instant, monthlyHours: hours, agreedHours: hours, countedHours: isUnconfirmed ? 0 : hours },
        ],
        uses: [],
        agreements: [],
      };
      shares.push(share);
      agree(share, index, instant);
    } else if (each.kind === 'allocate') {
      const { member: username, hours, isUnconfirmed = false } = each;
      const share = lastShareOf(username);
      const last = share?.allowances.at(-1);
      if (!share || !last) continue;
      share.allowances.push({
        since: instant,
        monthlyHours: hours,
        // More than a member agreed to needs a yes, also after less for a while, unless hours cost nothing.
        agreedHours: hoursCost(share, instant, index) ? Math.min(hours, last.agreedHours) : hours,
        countedHours: isUnconfirmed ? Math.min(hours, last.countedHours) : hours,
      });
    } else if (each.kind === 'confirm') {
      const { allowances } = lastShareOf(each.member) ?? {};
      const last = allowances?.at(-1);
      if (last) allowances?.push({ ...last, since: instant, countedHours: last.monthlyHours });
    } else if (each.kind === 'agree') {
      const share = lastShareOf(each.member);
      const last = share?.allowances.at(-1);
      if (!share || !last) continue;
      share.allowances.push({ ...last, since: instant, agreedHours: last.monthlyHours });
      agree(share, index, instant);
    } else if (each.kind === 'end share') {
      const share = lastShareOf(each.member);
      if (!share) continue;
      share.endedAt = instant;
      endUses(share.uses, instant);
    } else if (each.kind === 'start') {
      usesOf(each.member).push({ from: instant, to: instant + LIMIT_MS });
    } else if (each.kind === 'end') {
      endUses(usesOf(each.member), instant);
    } else if (each.kind === 'record') {
      usesOf(each.member).push({ from: each.from, to: each.to });
    } else if (each.kind === 'edit') {
      const all = shares.filter(({ userId }) => userId === idOf(each.member)).flatMap(({ uses }) => uses);
      const use = [...all, ...usesOf(each.member)].find(({ from }) => from === each.use);
      if (use) [use.from, use.to] = [each.from, each.to];
    } else if (each.kind === 'object') {
      objectedAt.set(idOf(each.member), instant);
    } else if (each.kind === 'claim' && !each.closed.includes(name)) {
      const person = idOf(each.person);
      for (const share of shares) {
        if (share.userId !== person || share.acceptedAt < (objectedAt.get(person) ?? 0)) continue;
        share.userId = idOf(each.member);
        if (share.endedAt === null) agree(share, index, instant);
      }
    }
  }
  const takesPartAt = (instant: number) => takings.findLast(({ at }) => at <= instant)?.takesPart ?? false;
  for (const use of billed.owner.uses) {
    const ends = takings.map(({ at }) => at).filter((at) => at >= use.from && !takesPartAt(at));
    use.to = Math.min(use.to, ...ends);
  }
  return billed;
}

export interface PlainBill {
  priceCents: number;
  parts: PlainPart[];
  totalHours: number;
  places: number;
  lines: PlainBillLine[];
}

/** Returns what everyone bears of the extra costs of a month, and has paid of them. */
function costLinesOf(billed: BilledMonth, lines: PlainLine[]): { costCents: number; paidCents: number }[] {
  const { month, method, basePercent, reservedHours, owner, costs } = billed;
  const people = lines.map(({ userId, usedSeconds: seconds, summedHours, days }) => {
    const agreed = lastAgreementOf(billed, userId)?.extraCents;
    const limit = agreed === undefined ? null : Math.min(agreed, billed.extraCents);
    return { userId, seconds, summedHours, days, limit };
  });
  const turn = (Number(month.month.slice(0, 4)) - 2000) * 12 + Number(month.month.slice(5)) - 1;
  const terms = { method, basePercent, reservedHours, ownerTakesPart: owner.takesPart, monthDays: month.days.length };
  return plainCostLines(
    { ...terms, ...fullestMoments(billed), turn, people },
    [...costs.values()]
      .filter(({ isCounted }) => isCounted)
      .map(({ at, date, ...cost }) => {
        const day = month.days.find((each) =>
          date === undefined ? each.from <= at && at < each.to : each.date === date,
        );
        return { ...cost, hoursOnDate: day ? allowancesOn(billed, day) : new Map<number, number>() };
      }),
  );
}

/** Returns the bill of a past month. */
export function plainBill(events: AssetEvent[], { month, ...asset }: PlainAsset & { month: string }): PlainBill {
  const billed = billedMonth(events, asset, { month, hasAgreements: true });
  const { totalHours, places, lines } = plainStatement(billed);
  const extra = costLinesOf(billed, lines);
  const billLines = lines.map(
    ({ userId, amountCents, usedSeconds, days, summedHours, maximumCents, coveredCents }, index) => ({
      costCents: extra[index]?.costCents ?? 0,
      paidCents: extra[index]?.paidCents ?? 0,
      username: asset.order[userId] ?? '',
      cents: amountCents,
      seconds: usedSeconds,
      days,
      summedHours,
      maximumCents,
      coveredCents,
    }),
  );
  const { priceCents, priced } = billed;
  return { priceCents, parts: priced.parts, totalHours, places, lines: billLines };
}

/** Returns whether a member with access is asked to agree to terms that got dearer. */
export function plainAsked(
  events: AssetEvent[],
  { member, at, ...asset }: PlainAsset & { member: string; at: Date },
): boolean {
  const running = monthAround(events, asset, at);
  const billed = billedMonth(events, asset, { month: running.month, hasAgreements: true });
  const userId = asset.order.indexOf(member);
  const share = billed.shares.findLast((each) => each.userId === userId && each.endedAt === null);
  const agreed = share?.agreements.at(-1);
  return share !== undefined && agreed !== undefined && isDearer(termsShown(billed, share, at.getTime()), agreed);
}

/** Returns when an asset ends, as of an instant. */
export function plainEnd(events: AssetEvent[], { at, ...asset }: PlainAsset & { at: Date }): string | null {
  const { month } = monthAround(events, asset, at);
  return billedMonth(events, asset, { month, hasAgreements: false }).endsOn;
}

/** Returns the month of an asset at an instant. */
function monthAround(events: AssetEvent[], { zone }: PlainAsset, at: Date): PlainMonth {
  const zones = events.filter((each) => each.kind === 'zone');
  const months = plainMonths(zone, zones, { first: '2025-01', last: nextMonth(at.toISOString().slice(0, 7)) });
  const running = monthAt(months, at.getTime());
  if (!running) throw new Error('The reference bills cover months from January 2025.');
  return running;
}

/**
 * Returns since when an asset is archived once a server notices at an instant that its plan has ended: since the start of that day or
 * else the last instant at which anything happened in it. Undefined before that day.
 */
export function archivedSince(
  events: AssetEvent[],
  { endsOn, at, closed, ...asset }: PlainAsset & { endsOn: string; at: Date; closed: string[] },
): number | undefined {
  const now = at.getTime();
  const zones = events.filter((each) => each.kind === 'zone');
  const months = plainMonths(asset.zone, zones, { first: '2025-01', last: nextMonth(at.toISOString().slice(0, 7)) });
  const running = monthAround(events, asset, at);
  if (now < midnightOf(endsOn, running.zone)) return undefined;
  const { shares, archived, owner } = billedMonth(events, asset, {
    month: running.month,
    hasAgreements: false,
  });
  const entered = events.filter((each) => each.kind === 'cost').map((each) => each.at.getTime());
  const uses = [owner, ...shares].flatMap((each) => each.uses).filter(({ from, to }) => from < to);
  return Math.min(
    now,
    Math.max(
      midnightOf(endsOn, running.zone),
      ...archived.map(({ to }) => to),
      ...shares.map(({ acceptedAt }) => acceptedAt).filter((each) => each <= now),
      ...uses.map(({ to }) => to),
      ...entered,
      ...months.filter(({ month }) => closed.includes(month)).map(({ ends }) => ends),
    ),
  );
}
