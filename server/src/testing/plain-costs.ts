import { plainMonths } from './plain-months.ts';

// A reference implementation of bills that tests compare statements with: slow and obvious, event by event, day by day,
// and cent by cent.

export type AssetEvent =
  | { at: Date; kind: 'share' | 'allocate'; member: string; hours: number }
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
  /** From a month on, by default from that of the event. */
  | { at: Date; kind: 'price'; cents: number; month?: string }
  | { at: Date; kind: 'zone'; zone: string }
  | ({ at: Date; kind: 'terms' } & PlainTerms);

interface PlainTerms {
  method: 'usage' | 'allocation' | 'equal';
  basePercent: number;
  ownerHours: number;
}

export interface PlainLine {
  username: string;
  cents: number;
  seconds: number;
  days: number;
  hourDays: number;
}

interface Fraction {
  username: string;
  numerator: bigint;
  denominator: bigint;
}

interface PlainMember {
  /** When they had access, when they used the asset, and since when they had which allowance. */
  spans: [number, number][];
  uses: [number, number][];
  held: { from: number; hours: number }[];
  /** Nothing from before this instant becomes anyone else's. */
  objectedAt?: number;
}

const LIMIT_MS = 24 * 3_600_000;

/** People without an account, for whom the owner decides, have the name of the owner in parentheses. */
const hasAccount = (username: string) => !username.endsWith(')');

/** Returns the parts of spans outside of others. */
function subtract(spans: [number, number][], others: [number, number][]): [number, number][] {
  let rest = spans;
  for (const [since, until] of others)
    rest = rest
      .flatMap(([from, to]): [number, number][] => [
        [from, Math.min(to, since)],
        [Math.max(from, until), to],
      ])
      .filter(([from, to]) => from < to);
  return rest;
}

/**
 * Returns the bill of a past month. `order` has all users by rising id with the owner first; `zone` is the initial one.
 */
export function plainBill(
  events: AssetEvent[],
  { owner, zone, month, order }: { owner: string; zone: string; month: string; order: string[] },
): PlainLine[] {
  const changes = events.filter((each) => each.kind === 'zone');
  const months = plainMonths(zone, changes, { first: '2025-01', last: month });
  const billed = months.at(-1);
  if (!billed) throw new Error('The reference bill covers months from January 2025.');
  const { begins, ends, days } = billed;

  const monthAt = (instant: number) => months.find(({ begins: from, ends: to }) => from <= instant && instant < to);
  const prices = new Map<string, number>();
  let terms: PlainTerms = { method: 'usage', basePercent: 0, ownerHours: 0 };
  const archived: [number, number][] = [];
  const members = new Map<string, PlainMember>();
  const hasMembers = () =>
    [...members].some(
      ([username, { spans }]) => hasAccount(username) && spans.some(([from, to]) => from < ends && to > begins),
    );
  // A month that has ended can still get another price, and its sessions other times and another member.
  const pastEvents = events.filter(
    (each) =>
      each.at.getTime() < ends ||
      ['edit', 'record', 'object', 'claim'].includes(each.kind) ||
      (each.kind === 'price' && each.month !== undefined),
  );
  for (const each of pastEvents) {
    const instant = each.at.getTime();
    if (each.kind === 'price') prices.set(each.month ?? monthAt(instant)?.month ?? '', each.cents);
    else if (each.kind === 'terms') {
      // With members this month, terms apply from the next one.
      if (monthAt(instant) !== billed || !hasMembers()) terms = each;
    } else if (each.kind === 'edit') {
      const use = members.get(each.member)?.uses.find(([from]) => from === each.use);
      if (use) [use[0], use[1]] = [each.from, each.to];
    } else if (each.kind === 'record') {
      const uses = members.get(each.member)?.uses;
      uses?.push([each.from, each.to]);
      // The last one may still run.
      uses?.sort(([one], [other]) => one - other);
    } else if (each.kind === 'object') {
      const person = members.get(each.member);
      if (person) person.objectedAt = instant;
    } else if (each.kind === 'claim') {
      const person = members.get(each.person);
      if (!person || each.closed.includes(month)) continue;
      const member = members.get(each.member) ?? { spans: [], uses: [], held: [] };
      const { objectedAt = 0 } = person;
      const isTheirs = ([from]: [number, number]) => from >= objectedAt;
      members.set(each.member, {
        spans: [...member.spans, ...person.spans.filter(isTheirs)].toSorted(([one], [other]) => one - other),
        uses: [...member.uses, ...person.uses.filter(isTheirs)].toSorted(([one], [other]) => one - other),
        held: [...member.held, ...person.held.filter(({ from }) => from >= objectedAt)].toSorted(
          (one, other) => one.from - other.from,
        ),
      });
      person.spans = person.spans.filter((span) => !isTheirs(span));
      person.uses = person.uses.filter((use) => !isTheirs(use));
    } else if (each.kind === 'archive') {
      archived.push([instant, Infinity]);
      for (const { uses } of members.values()) {
        const use = uses.at(-1);
        if (use) use[1] = Math.min(use[1], instant);
      }
    } else if (each.kind === 'restore') {
      const last = archived.at(-1);
      if (last) last[1] = instant;
    } else if (each.kind === 'delete') {
      for (const { spans, uses } of members.values())
        for (const last of [spans.at(-1), uses.at(-1)]) if (last) last[1] = Math.min(last[1], instant);
    } else if (each.kind !== 'zone') {
      const member = members.get(each.member) ?? { spans: [], uses: [], held: [] };
      members.set(each.member, member);
      const span = member.spans.at(-1);
      const use = member.uses.at(-1);
      if (each.kind === 'share') member.spans.push([instant, Infinity]);
      if (each.kind === 'share' || each.kind === 'allocate') member.held.push({ from: instant, hours: each.hours });
      if (each.kind === 'start') member.uses.push([instant, instant + LIMIT_MS]);
      if (use && (each.kind === 'end' || each.kind === 'end share')) use[1] = Math.min(use[1], instant);
      if (span && each.kind === 'end share') span[1] = instant;
    }
  }

  const participants = [...members].flatMap(([username, { spans, uses, held }]) => {
    if (!spans.some(([from, to]) => to > begins && from < ends)) return [];
    let seconds = 0;
    for (const [from, to] of uses)
      for (let start = Math.max(from, begins), end = Math.min(to, ends); start < end; start = end)
        seconds += Math.floor(end / 1000) - Math.floor(start / 1000);
    const access = subtract(spans, archived);
    let shared = 0;
    let hourDays = 0;
    for (const day of days) {
      const last = access.findLast(([from, to]) => from < day.to && to > day.from);
      if (!last) continue;
      const until = Math.min(last[1], day.to);
      shared += 1;
      hourDays += held.findLast(({ from }) => from < until)?.hours ?? 0;
    }
    return [{ username, seconds, days: shared, hourDays }];
  });

  const priced = [...prices.keys()].filter((from) => from <= month).toSorted();
  const price = prices.get(priced.at(-1) ?? '') ?? 0;
  // In seconds times the days of the month, which are whole.
  const used = participants.reduce((sum, { seconds }) => sum + seconds, 0) * days.length;
  const ownHourDays = terms.ownerHours * days.length;
  const allotted = participants.reduce((sum, { hourDays }) => sum + hourDays, ownHourDays) * 3600;
  const weightsBy = (method: string): [string, number][] => {
    if (method === 'usage')
      return [
        [owner, Math.max(allotted, used) - used],
        ...participants.map((each): [string, number] => [each.username, each.seconds * days.length]),
      ];
    if (method === 'equal')
      return [[owner, days.length], ...participants.map((each): [string, number] => [each.username, each.days])];
    return [[owner, ownHourDays], ...participants.map((each): [string, number] => [each.username, each.hourDays])];
  };
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const turn = (year - 2000) * 12 + number - 1;
  // Rounds half a cent up, in whole numbers.
  const base = terms.method === 'usage' ? Number((BigInt(price) * BigInt(terms.basePercent) * 2n + 100n) / 200n) : 0;
  const parts = [
    splitCentByCent(base, weightsBy('allocation'), { owner, order, turn }),
    splitCentByCent(price - base, weightsBy(terms.method), { owner, order, turn }),
  ];
  return [{ username: owner, seconds: 0, days: 0, hourDays: ownHourDays }, ...participants].map((each) => ({
    ...each,
    cents: parts.reduce((sum, part) => sum + (part.get(each.username) ?? 0), 0),
  }));
}

function splitCentByCent(
  price: number,
  weights: [string, number][],
  { owner, order, turn }: { owner: string; order: string[]; turn: number },
): Map<string, number> {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const cents = new Map<string, number>();
  if (total === 0) return cents.set(owner, price);
  let remaining = price;
  const fractions = new Map<string, Fraction>();
  for (const [username, weight] of weights) {
    const numerator = BigInt(price) * BigInt(weight);
    cents.set(username, Number(numerator / BigInt(total)));
    fractions.set(username, { username, numerator: numerator % BigInt(total), denominator: BigInt(total) });
    remaining -= cents.get(username) ?? 0;
  }
  const byId = order.filter((username) => fractions.has(username));
  const fromTurn = byId.map((_, index) => byId[(index + turn) % byId.length] ?? '');
  for (; remaining > 0; remaining -= 1) {
    let best: Fraction | undefined;
    for (const username of fromTurn) {
      const each = fractions.get(username);
      if (each && (!best || each.numerator > best.numerator)) best = each;
    }
    if (!best) break;
    fractions.delete(best.username);
    cents.set(best.username, (cents.get(best.username) ?? 0) + 1);
  }
  return cents;
}
