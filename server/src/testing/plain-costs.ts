import { plainMonthCents, type PlainPlan } from './plain-cycles.ts';
import type { PlainDay, PlainMonth } from './plain-months.ts';

// A reference implementation of bills that tests compare statements with, written from docs/how-costs-are-split.md: slow and
// obvious, instant by instant, day by day, and cent by cent. Instants are in milliseconds, and intervals half open.

export type PlainMethod = 'usage' | 'allocation' | 'equal' | 'share_of_use';

export interface PlainInterval {
  from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** What a member said yes to, as it was shown. */
export interface PlainAgreement {
  at: number;
  method: PlainMethod;
  /** Of a cycle, with a plan; otherwise of a month. */
  priceCents: number;
  plan?: PlainPlan | null;
  basePercent: number;
  /** Available hours, and places. */
  totalHours: number;
  places: number;
  monthlyHours: number;
  maxHourCents: number | null;
  /** How much of extra costs they bear a month without another yes. */
  extraCents?: number;
}

export interface PlainAllowance {
  since: number;
  monthlyHours: number;
  /** What the member agreed to, and what counts in the available hours: not what a co-manager added until it's confirmed. */
  agreedHours: number;
  countedHours: number;
}

export interface PlainShare {
  userId: number;
  shareId: number;
  acceptedAt: number;
  endedAt: number | null;
  /** In order; the last one at an instant counts. */
  allowances: PlainAllowance[];
  uses: PlainInterval[];
  agreements: PlainAgreement[];
}

/** Everything that the statement of a month depends on. */
export interface PlainBilledMonth {
  month: PlainMonth;
  archived: PlainInterval[];
  reservedHours: number;
  priceCents: number;
  /** In order, with those after the month's end. */
  priceChanges: { at: number; fromCents: number; toCents: number }[];
  method: PlainMethod;
  basePercent: number;
  /** Null unless split by share of use. */
  maxHourCents: number | null;
  owner: { userId: number; takesPart: boolean; uses: PlainInterval[] };
  shares: PlainShare[];
}

export interface PlainLine {
  userId: number;
  usedSeconds: number;
  days: number;
  /** The sum of the allowances of all days. */
  summedHours: number;
  amountCents: number;
  /** What the base share gives before what was agreed to. */
  baseCents: number;
  /** Null without an agreement. */
  maximumCents: number | null;
  /** What the owner pays of what the terms of the month give. */
  coveredCents: number;
}

export interface PlainStatement {
  /** H and N. */
  totalHours: number;
  places: number;
  /** The owner's first, then by user id. */
  lines: PlainLine[];
}

type Fraction = readonly [numerator: bigint, denominator: bigint];

const fraction = (numerator: number | bigint, denominator: number | bigint = 1): Fraction => [
  BigInt(numerator),
  BigInt(denominator),
];
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const multiply = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const roundUp = ([numerator, denominator]: Fraction) => Number((numerator + denominator - 1n) / denominator);

const contains = ({ from, to }: PlainInterval, instant: number) => from <= instant && instant < to;
const accessOf = ({ acceptedAt, endedAt }: PlainShare): PlainInterval => ({
  from: acceptedAt,
  to: endedAt ?? Infinity,
});
const hasAccess = (share: PlainShare, instant: number) => contains(accessOf(share), instant);
const allowanceAt = ({ allowances }: PlainShare, instant: number) =>
  allowances.findLast(({ since }) => since <= instant);

/** Returns the instants of a month at which anything begins or ends. In between, nothing changes. */
function instantsOf({ month, archived, priceChanges, shares }: PlainBilledMonth): number[] {
  const all = [
    ...month.days.map(({ from }) => from),
    ...archived.flatMap(({ from, to }) => [from, to]),
    ...priceChanges.map(({ at }) => at),
    ...shares.flatMap(({ acceptedAt, endedAt, allowances, agreements }) => [
      acceptedAt,
      endedAt ?? Infinity,
      ...allowances.map(({ since }) => since),
      ...agreements.map(({ at }) => at),
    ]),
  ];
  return [...new Set([month.begins, ...all])]
    .filter((instant) => month.begins <= instant && instant < month.ends)
    .toSorted((one, other) => one - other);
}

/** Returns those of these instants at which the asset isn't archived. */
const openMomentsOf = (billed: PlainBilledMonth) =>
  instantsOf(billed).filter((instant) => !billed.archived.some((interval) => contains(interval, instant)));

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the available hours and the places of a month: those of its fullest moments. */
export function fullestMoments(billed: PlainBilledMonth): { totalHours: number; places: number } {
  let hours = 0;
  let members = 0;
  for (const instant of openMomentsOf(billed)) {
    const counted = billed.shares
      .filter((share) => hasAccess(share, instant))
      .map((share) => ({ userId: share.userId, hours: allowanceAt(share, instant)?.countedHours ?? 0 }))
      .filter((each) => each.hours > 0);
    hours = Math.max(hours, sum(counted.map((each) => each.hours)));
    members = Math.max(members, new Set(counted.map(({ userId }) => userId)).size);
  }
  return { totalHours: billed.reservedHours + hours, places: 1 + members };
}

function secondsIn({ begins, ends }: PlainMonth, uses: PlainInterval[]): number {
  let seconds = 0;
  for (const { from, to } of uses) {
    const [start, end] = [Math.max(from, begins), Math.min(to, ends)];
    if (start < end) seconds += Math.floor(end / 1000) - Math.floor(start / 1000);
  }
  return seconds;
}

/** Returns the largest allowance of a day, or undefined without access at any of the moments. */
function hoursOn(day: PlainDay, shares: PlainShare[], moments: number[]): number | undefined {
  let largest: number | undefined;
  for (const instant of moments) {
    // The first day counts at the month's first instant, also if a move to a zone further east leaves no time of it.
    if (instant !== day.from && !contains(day, instant)) continue;
    for (const share of shares) {
      if (!hasAccess(share, instant)) continue;
      const allowance = allowanceAt(share, instant);
      largest = Math.max(largest ?? 0, Math.min(allowance?.monthlyHours ?? 0, allowance?.agreedHours ?? 0));
    }
  }
  return largest;
}

/** Returns the allowances of everyone with access on a day of a month, by user id. */
export function allowancesOn(billed: PlainBilledMonth, day: PlainDay): Map<number, number> {
  const moments = openMomentsOf(billed);
  const allowances = new Map<number, number>();
  for (const { userId } of billed.shares) {
    const hours = hoursOn(
      day,
      billed.shares.filter((each) => each.userId === userId),
      moments,
    );
    if (hours !== undefined) allowances.set(userId, hours);
  }
  return allowances;
}

interface Participant {
  userId: number;
  shares: PlainShare[];
  usedSeconds: number;
  days: number;
  summedHours: number;
}

/** Returns everyone with access at any unarchived moment of a month, by user id. */
function membersOf(billed: PlainBilledMonth): Participant[] {
  const moments = openMomentsOf(billed);
  const userIds = [...new Set(billed.shares.map(({ userId }) => userId))].toSorted((one, other) => one - other);
  return userIds
    .map((userId) => {
      const shares = billed.shares.filter((share) => share.userId === userId);
      const hoursByDay = billed.month.days
        .map((day) => hoursOn(day, shares, moments))
        .filter((hours) => hours !== undefined);
      const uses = shares.flatMap((share) => share.uses);
      return {
        userId,
        shares,
        usedSeconds: secondsIn(billed.month, uses),
        days: hoursByDay.length,
        summedHours: sum(hoursByDay),
      };
    })
    .filter(({ days }) => days > 0);
}

/** Returns the cents that are split by allowance, rounded half up. */
export function baseOf({
  method,
  priceCents,
  basePercent,
}: Pick<PlainBilledMonth, 'method' | 'priceCents' | 'basePercent'>): number {
  if (method === 'allocation' || method === 'equal') return 0;
  return Number((BigInt(priceCents) * BigInt(basePercent) * 2n + 100n) / 200n);
}

type Weights = Map<number, number>;

function weightsBy(
  method: PlainMethod,
  { billed, members, owner }: { billed: PlainBilledMonth; members: Participant[]; owner: Participant },
): Weights {
  const { totalHours, places } = fullestMoments(billed);
  const days = billed.month.days.length;
  // Without available hours, an hour has no price, and the owner pays.
  const isFree = totalHours === 0 && (method === 'usage' || method === 'allocation');
  const weightOf = (each: Participant) => {
    if (isFree) return 0;
    return method === 'allocation' ? each.summedHours : method === 'equal' ? each.days : each.usedSeconds;
  };
  const whole = { usage: totalHours * 3600, allocation: totalHours * days, equal: places * days, share_of_use: 0 };
  const ofMembers = sum(members.map(weightOf));
  const ofOwner = method === 'share_of_use' ? owner.usedSeconds : Math.max(whole[method], ofMembers) - ofMembers;
  return new Map([[owner.userId, ofOwner], ...members.map((each): [number, number] => [each.userId, weightOf(each)])]);
}

/** Splits cents by weights. What is left after rounding down goes to the largest fractions, from `turn` on if they are equal. */
function splitCentByCent(
  cents: number,
  weights: Weights,
  { ownerId, turn }: { ownerId: number; turn: number },
): Map<number, number> {
  const whole = BigInt(sum([...weights.values()]));
  const amounts = new Map([...weights.keys()].map((userId) => [userId, 0]));
  if (whole === 0n) return amounts.set(ownerId, cents);
  const fractions = new Map<number, bigint>();
  let remaining = cents;
  for (const [userId, weight] of weights) {
    const product = BigInt(cents) * BigInt(weight);
    amounts.set(userId, Number(product / whole));
    fractions.set(userId, product % whole);
    remaining -= Number(product / whole);
  }
  const byId = [...weights.keys()].toSorted((one, other) => one - other);
  const fromTurn = byId.map((_, index) => byId[(index + turn) % byId.length] ?? ownerId);
  for (; remaining > 0; remaining -= 1) {
    let best = ownerId;
    let largest = -1n;
    for (const userId of fromTurn) {
      const each = fractions.get(userId) ?? -1n;
      if (each > largest) [best, largest] = [userId, each];
    }
    fractions.delete(best);
    amounts.set(best, (amounts.get(best) ?? 0) + 1);
  }
  return amounts;
}

/** Returns what a member last said yes to before the end of a month. */
export const lastAgreementOf = ({ month, shares }: PlainBilledMonth, member: number): PlainAgreement | undefined =>
  shares
    .filter(({ userId }) => userId === member)
    .flatMap(({ agreements }) => agreements)
    .filter(({ at }) => at < month.ends)
    .toSorted((one, other) => one.at - other.at)
    .at(-1);

/** Returns what a yes gives for a member's own use and days of a month. */
function maximumOf(member: Participant, agreement: PlainAgreement, month: PlainMonth): number {
  const { method, plan, totalHours, places, maxHourCents } = agreement;
  // What this month would have cost by that price.
  const priceCents = plan ? plainMonthCents(agreement.priceCents, plan, month.month) : agreement.priceCents;
  const base = baseOf({ ...agreement, priceCents });
  const usedHours = fraction(member.usedSeconds, 3600);
  const heldHours = fraction(member.summedHours, month.days.length);
  const perHour = (cents: number) => (totalHours === 0 ? fraction(0) : fraction(cents, totalHours));
  const exact = {
    usage: () => add(multiply(usedHours, perHour(priceCents - base)), multiply(heldHours, perHour(base))),
    allocation: () => multiply(heldHours, perHour(priceCents)),
    equal: () => multiply(fraction(member.days, month.days.length), fraction(priceCents, places)),
    share_of_use: () => add(multiply(usedHours, fraction(maxHourCents ?? 0)), multiply(heldHours, perHour(base))),
  }[method]();
  return roundUp(exact);
}

/** Returns whether terms cost a member more than what they agreed to, per cycle if there are cycles, so that they are asked. */
export function isDearer(shown: PlainAgreement, agreed: PlainAgreement): boolean {
  if ((shown.extraCents ?? 0) > (agreed.extraCents ?? 0)) return true;
  if (shown.priceCents === 0) return false;
  const timesOf = ({ plan }: PlainAgreement) => JSON.stringify(plan?.cycle ? [plan.cycle, plan.spread] : null);
  const spreadFrom = ({ plan }: PlainAgreement) => plan?.spreadFrom ?? '';
  const freeUntil = ({ plan }: PlainAgreement) => plan?.trialUntil ?? '';
  // On the last clocks on earth.
  const today = new Date(shown.at - 12 * 3_600_000).toISOString().slice(0, 10);
  const isLessFree = freeUntil(agreed) >= today && freeUntil(shown) < freeUntil(agreed);
  if (shown.method !== agreed.method || timesOf(shown) !== timesOf(agreed)) return true;
  if (spreadFrom(shown) > spreadFrom(agreed) || isLessFree) return true;
  const isMore = (unitPrice: (terms: PlainAgreement) => Fraction) => {
    const [[one, by], [other, otherBy]] = [unitPrice(shown), unitPrice(agreed)];
    return one * otherBy > other * by;
  };
  const perHour = (cents: number, { totalHours }: PlainAgreement) =>
    totalHours === 0 ? fraction(0) : fraction(cents, totalHours);
  const unitPrices = {
    usage: (terms: PlainAgreement) => perHour(terms.priceCents - baseOf(terms), terms),
    allocation: (terms: PlainAgreement) => perHour(terms.priceCents, terms),
    equal: ({ priceCents, places }: PlainAgreement) => fraction(priceCents, places),
    share_of_use: ({ maxHourCents }: PlainAgreement) => fraction(maxHourCents ?? 0),
  };
  const ofBase = (terms: PlainAgreement) => perHour(baseOf(terms), terms);
  const hoursCost = shown.totalHours > 0 && (shown.method === 'allocation' || baseOf(shown) > 0);
  return isMore(unitPrices[shown.method]) || isMore(ofBase) || (hoursCost && shown.monthlyHours > agreed.monthlyHours);
}

/** Returns the lowest price of a month since an instant. */
export function lowestPrice(billed: PlainBilledMonth, since: number): number {
  const { priceChanges, priceCents } = billed;
  const priceAt = (instant: number) =>
    priceChanges.findLast(({ at }) => at <= instant)?.toCents ?? priceChanges[0]?.fromCents ?? priceCents;
  const instants = instantsOf(billed).filter((instant) => instant >= since);
  return Math.min(priceCents, ...instants.map(priceAt));
}

/** Returns the statement of a month. */
export function plainStatement(billed: PlainBilledMonth): PlainStatement {
  const { month, priceCents, method, maxHourCents } = billed;
  const members = membersOf(billed);
  const owner: Participant = {
    userId: billed.owner.userId,
    shares: [],
    usedSeconds: billed.owner.takesPart ? secondsIn(month, billed.owner.uses) : 0,
    days: 0,
    summedHours: 0,
  };
  const baseWeights = weightsBy('allocation', { billed, members, owner });
  const weights = weightsBy(method, { billed, members, owner });
  const base = baseOf(billed);
  const turn = (Number(month.month.slice(0, 4)) - 2000) * 12 + Number(month.month.slice(5)) - 1;
  const baseAmounts = splitCentByCent(base, baseWeights, { ownerId: owner.userId, turn });
  const restAmounts = splitCentByCent(priceCents - base, weights, { ownerId: owner.userId, turn });

  /** Returns the parts of a member's amount of a price, each rounded up. */
  const partsAt = (price: number, { userId }: Participant) => {
    const part = (cents: number, by: Weights) => {
      const whole = sum([...by.values()]);
      return whole === 0 ? 0 : roundUp(fraction(BigInt(cents) * BigInt(by.get(userId) ?? 0), whole));
    };
    const baseAtPrice = baseOf({ ...billed, priceCents: price });
    return [part(baseAtPrice, baseWeights), part(price - baseAtPrice, weights)] as const;
  };

  const lines = members.map((member): PlainLine => {
    const { userId, usedSeconds, days, summedHours } = member;
    const limitCents =
      maxHourCents === null ? Infinity : roundUp(multiply(fraction(usedSeconds, 3600), fraction(maxHourCents)));
    const agreement = lastAgreementOf(billed, userId);
    const maximumCents = agreement ? maximumOf(member, agreement, month) : null;
    const lowest = agreement ? lowestPrice(billed, agreement.at) : priceCents;
    const [baseAtLowest, restAtLowest] = lowest < priceCents ? partsAt(lowest, member) : [Infinity, Infinity];
    const base = baseAmounts.get(userId) ?? 0;
    const rest = Math.min(restAmounts.get(userId) ?? 0, limitCents);
    const baseCents = Math.min(base, baseAtLowest);
    const amountCents = Math.min(baseCents + Math.min(rest, restAtLowest), maximumCents ?? Infinity);
    const coveredCents = base + rest - amountCents;
    return { userId, usedSeconds, days, summedHours, amountCents, baseCents, maximumCents, coveredCents };
  });
  const ofOwner: PlainLine = {
    userId: owner.userId,
    usedSeconds: owner.usedSeconds,
    days: 0,
    summedHours: 0,
    amountCents: priceCents - sum(lines.map(({ amountCents }) => amountCents)),
    baseCents: baseAmounts.get(owner.userId) ?? 0,
    maximumCents: null,
    coveredCents: 0,
  };
  return { ...fullestMoments(billed), lines: [ofOwner, ...lines] };
}
