import {
  fullestMoments,
  plainStatement,
  type PlainBilledMonth,
  type PlainInterval,
  type PlainMethod,
  type PlainShare,
} from './plain-costs.ts';
import { plainMonths, type PlainMonth } from './plain-months.ts';

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
  /** From a month on, by default from that of the event. */
  | { at: Date; kind: 'price'; cents: number; month?: string }
  | { at: Date; kind: 'zone'; zone: string }
  | ({ at: Date; kind: 'terms' } & PlainTerms);

interface PlainTerms {
  method: PlainMethod;
  basePercent: number;
  ownerHours: number;
  maxHourCents?: number | null;
  ownerTakesPart?: boolean;
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
}

const LIMIT_MS = 24 * 3_600_000;
/** After a longer time, restoring makes an offer to each member. */
const ARCHIVED_MS = 24 * 3_600_000;

/** The names of people without an account contain the owner's in parentheses, because the owner decides for them. */
const hasAccount = (username: string) => !username.endsWith(')');

/** Returns whether allowances cost something by terms. */
const paysForHours = ({ method, basePercent }: { method: PlainMethod; basePercent: number }) =>
  method === 'allocation' || (method !== 'equal' && basePercent > 0);

/** What can change after a month has ended. */
const isLate = (each: AssetEvent) =>
  ['edit', 'record', 'object', 'claim'].includes(each.kind) || (each.kind === 'price' && each.month !== undefined);

const monthAt = (months: PlainMonth[], instant: number) =>
  months.find(({ begins, ends }) => begins <= instant && instant < ends);

/** Returns what the bill of a month depends on. Without agreements, the fullest moments are the same. */
function billedMonth(
  events: AssetEvent[],
  { owner, zone, order }: PlainAsset,
  { month: name, hasAgreements }: { month: string; hasAgreements: boolean },
): PlainBilledMonth {
  const zones = events.filter((each) => each.kind === 'zone');
  const months = plainMonths(zone, zones, { first: '2025-01', last: name });
  const month = months.at(-1);
  if (!month) throw new Error('The reference bills cover months from January 2025.');

  const idOf = (username: string) => order.indexOf(username);
  const billed: PlainBilledMonth = {
    month,
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
  const prices = new Map<string, number>();
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
    const { method, priceCents, basePercent, maxHourCents } = shown;
    const monthlyHours = share.allowances.at(-1)?.monthlyHours ?? 0;
    share.agreements.push({
      at,
      method,
      priceCents,
      basePercent,
      maxHourCents,
      monthlyHours,
      ...fullestMoments(shown),
    });
  };

  for (const [index, each] of events.entries()) {
    const instant = each.at.getTime();
    if (instant >= month.ends && !isLate(each)) continue;
    if (each.kind === 'price') {
      prices.set(each.month ?? monthAt(months, instant)?.month ?? '', each.cents);
      const from = [...prices.keys()].filter((known) => known <= name).toSorted();
      const cents = prices.get(from.at(-1) ?? '') ?? 0;
      billed.priceChanges.push({ at: instant, fromCents: billed.priceCents, toCents: cents });
      billed.priceCents = cents;
    } else if (each.kind === 'terms') {
      // From the next month on, or from now on if no one else has had access who could be asked.
      const running: PlainMonth = monthAt(months, instant) ?? month;
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
    } else if (each.kind === 'archive') {
      archived.push({ from: instant, to: Infinity });
      for (const { uses } of [billed.owner, ...shares]) endUses(uses, instant);
    } else if (each.kind === 'restore') {
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
  totalHours: number;
  places: number;
  lines: PlainBillLine[];
}

/** Returns the bill of a past month. */
export function plainBill(events: AssetEvent[], { month, ...asset }: PlainAsset & { month: string }): PlainBill {
  const { totalHours, places, lines } = plainStatement(billedMonth(events, asset, { month, hasAgreements: true }));
  const billLines = lines.map(
    ({ userId, amountCents, usedSeconds, days, summedHours, maximumCents, coveredCents }) => ({
      username: asset.order[userId] ?? '',
      cents: amountCents,
      seconds: usedSeconds,
      days,
      summedHours,
      maximumCents,
      coveredCents,
    }),
  );
  return { totalHours, places, lines: billLines };
}
