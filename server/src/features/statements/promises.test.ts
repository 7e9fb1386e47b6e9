import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  baseOf,
  fullestMoments,
  plainStatement,
  type PlainAgreement,
  type PlainBilledMonth,
  type PlainInterval,
  type PlainLine,
  type PlainMethod,
  type PlainShare,
  type PlainStatement,
} from '../../testing/plain-costs.ts';
import { plainMonths } from '../../testing/plain-months.ts';
import { toPeriod } from '../../testing/plain-periods.ts';
import { splitPeriod, type SplitLine } from './rules.ts';
import { HANG_MILLISECONDS, randomRuns } from '../../testing/thorough.ts';

// The promises of docs/how-costs-are-split.md as properties of the reference bills and the rules: after each act of anyone in random
// months.

const HOUR = 3_600_000;
/** In the middle, so that equal fractions meet ids on both sides of the owner's. */
const OWNER = 3;
const MEMBERS = [1, 2, 4, 5] as const;
/** Has no account, so nobody asks them again. */
const UNASKED = 5;

const act = fc.record({
  kind: fc.constantFrom(
    ...(['accept', 'accept', 'accept', 'leave', 'agree', 'use', 'use', 'use', 'edit'] as const),
    ...(['remove', 'allow', 'allow', 'price', 'price', 'reserve', 'limit', 'pause', 'archive', 'restore'] as const),
    ...(['confirm', 'raise as co-manager', 'accept from co-manager'] as const),
    ...(['own use', 'own use', 'own edit'] as const),
  ),
  member: fc.constantFrom(...MEMBERS),
  hours: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 200 })),
  cents: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 5000 }), fc.constant(999_999_999)),
  // Often on the same day, and rarely in whole seconds.
  wait: fc.oneof(fc.integer({ min: 1, max: 3 * HOUR }), fc.integer({ min: 1, max: 50 * HOUR })),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

const start = fc.record({
  zone: fc.constantFrom('UTC', 'America/New_York', 'Pacific/Apia'),
  month: fc.constantFrom('2026-02', '2026-03', '2026-04', '2026-11'),
  method: fc.constantFrom<PlainMethod>('usage', 'usage', 'allocation', 'equal', 'share_of_use'),
  priceCents: fc.integer({ min: 1, max: 3000 }),
  basePercent: fc.constantFrom(0, 0, 25, 33, 100),
  reservedHours: fc.constantFrom(0, 0, 7, 90),
  maxHourCents: fc.integer({ min: 0, max: 300 }),
  takesPart: fc.boolean(),
});
type Start = typeof start extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  billed: PlainBilledMonth;
  now: number;
}

function openWorld({ zone, month: name, takesPart, maxHourCents, ...terms }: Start): World {
  const [month] = plainMonths(zone, [], { first: name, last: name });
  if (!month) throw new Error('There is no such month.');
  const billed: PlainBilledMonth = {
    ...terms,
    month,
    archived: [],
    priceChanges: [],
    maxHourCents: terms.method === 'share_of_use' ? maxHourCents : null,
    owner: { userId: OWNER, takesPart, uses: [{ from: month.begins, to: month.begins + 9 * HOUR }] },
    shares: [],
  };
  return { billed, now: month.begins - 10 * HOUR };
}

const openShareOf = ({ billed }: World, member: number) =>
  billed.shares.findLast(({ userId, endedAt }) => userId === member && endedAt === null);
const isArchived = ({ billed }: World) => billed.archived.at(-1)?.to === Infinity;

function agree({ billed, now }: World, share: PlainShare): void {
  const { method, priceCents, basePercent, maxHourCents } = billed;
  const monthlyHours = share.allowances.at(-1)?.monthlyHours ?? 0;
  // Before the month begins, its fullest moment is still to come.
  const shown = fullestMoments(billed);
  share.agreements.push({ at: now, method, priceCents, basePercent, maxHourCents, monthlyHours, ...shown });
}

function allow({ now }: World, share: PlainShare, { hours, counts }: { hours: number; counts: boolean }): void {
  const last = share.allowances.at(-1);
  share.allowances.push({
    since: now,
    monthlyHours: hours,
    // More than a member agreed to needs a yes, also after less for a while.
    agreedHours: Math.min(hours, last?.agreedHours ?? hours),
    countedHours: counts ? hours : Math.min(hours, last?.countedHours ?? 0),
  });
}

/** Does something, and returns whose act it was. Undefined if it couldn't be done. */
function perform(world: World, { kind, member, hours, cents }: Act): number | undefined {
  const { billed, now } = world;
  const share = openShareOf(world, member);
  const last = share?.allowances.at(-1);
  if (kind === 'price') {
    billed.priceChanges.push({ at: now, fromCents: billed.priceCents, toCents: cents });
    billed.priceCents = cents;
    return OWNER;
  }
  if (kind === 'reserve') {
    // A cut would lower the available hours of the running month.
    billed.reservedHours = Math.max(billed.reservedHours, hours);
    return OWNER;
  }
  if (kind === 'limit') {
    if (billed.maxHourCents !== null) billed.maxHourCents = cents;
    return OWNER;
  }
  if (kind === 'restore') {
    const archival = billed.archived.at(-1);
    if (archival) archival.to = Math.min(archival.to, now);
    return OWNER;
  }
  if (kind === 'own edit') return halve(billed.owner.uses.at(-1), OWNER);
  if (isArchived(world)) return undefined;
  if (kind === 'own use') {
    billed.owner.uses.push({ from: now - Math.min(hours, 24) * HOUR, to: now });
    return OWNER;
  }
  if (kind === 'archive' || kind === 'pause') {
    world.now += kind === 'pause' ? hours * HOUR : 0;
    billed.archived.push({ from: now, to: kind === 'pause' ? world.now : Infinity });
    return OWNER;
  }
  if (kind === 'accept' || kind === 'accept from co-manager') {
    if (share) return undefined;
    const made: PlainShare = {
      userId: member,
      shareId: billed.shares.length + 1,
      acceptedAt: now,
      endedAt: null,
      allowances: [],
      uses: [],
      agreements: [],
    };
    billed.shares.push(made);
    allow(world, made, { hours, counts: kind === 'accept' });
    agree(world, made);
    return member;
  }
  if (!share || !last) return undefined;
  if (kind === 'leave' || kind === 'remove') {
    share.endedAt = now;
    return kind === 'leave' ? member : OWNER;
  }
  if (kind === 'allow') {
    allow(world, share, { hours, counts: true });
    return OWNER;
  }
  if (kind === 'raise as co-manager') {
    allow(world, share, { hours: Math.max(hours, last.monthlyHours), counts: false });
    return OWNER;
  }
  if (kind === 'confirm') {
    share.allowances.push({ ...last, since: now, countedHours: last.monthlyHours });
    return OWNER;
  }
  if (kind === 'agree') {
    if (member === UNASKED) return undefined;
    share.allowances.push({ ...last, since: now, agreedHours: last.monthlyHours });
    agree(world, share);
    return member;
  }
  if (kind === 'edit') return halve(share.uses.at(-1), member);
  share.uses.push({ from: now - Math.min(hours, 24) * HOUR, to: now });
  return member;
}

function halve(use: PlainInterval | undefined, actor: number): number {
  if (use) use.to = use.from + (use.to - use.from) / 2;
  return actor;
}

const toAmount = ({ userId, amountCents }: PlainLine | SplitLine) => [userId, amountCents];

const lineOf = ({ lines }: PlainStatement, member: number) => lines.find(({ userId }) => userId === member);

/** Returns what a yes allows, in cents, apart from what floating point can't tell. */
function allowedBy(agreement: PlainAgreement, line: PlainLine, { month }: PlainBilledMonth): number {
  const { method, priceCents, totalHours, places, maxHourCents } = agreement;
  const base = baseOf(agreement);
  const days = month.days.length;
  const used = line.usedSeconds / 3600;
  const perHour = totalHours === 0 ? 0 : 1 / totalHours;
  const baseShare = (line.summedHours / days) * perHour * base;
  if (method === 'usage') return used * (priceCents - base) * perHour + baseShare;
  if (method === 'allocation') return (line.summedHours / days) * perHour * priceCents;
  if (method === 'equal') return (line.days / days / places) * priceCents;
  return used * (maxHourCents ?? 0) + baseShare;
}

/** Returns whether members used or had more than was available, so that the price is divided by that. */
function isBeyond({ month, method, basePercent }: PlainBilledMonth, statement: PlainStatement): boolean {
  const { totalHours, places, lines } = statement;
  const days = month.days.length;
  const total = (of: (line: PlainLine) => number) => lines.slice(1).reduce((sum, line) => sum + of(line), 0);
  const isBeyondHours = total((line) => line.summedHours) > totalHours * days;
  if (method === 'equal') return total((line) => line.days) > places * days;
  if (method === 'allocation') return isBeyondHours;
  return total((line) => line.usedSeconds) > totalHours * 3600 || (basePercent > 0 && isBeyondHours);
}

/** Returns a member's amount if no more is used than is available, with each part rounded up. */
function amountWithin(billed: PlainBilledMonth, { totalHours, places }: PlainStatement, line: PlainLine): number {
  const { method, priceCents, month } = billed;
  const base = baseOf(billed);
  const days = month.days.length;
  if (method === 'equal') return Math.ceil((priceCents * line.days) / (places * days));
  // As long as an hour has no price, any use is beyond it.
  if (totalHours === 0) return Infinity;
  const byHours = line.summedHours / (totalHours * days);
  if (method === 'allocation') return Math.ceil(priceCents * byHours);
  return (
    (base > 0 ? Math.ceil(base * byHours) : 0) +
    Math.ceil(((priceCents - base) * line.usedSeconds) / (totalHours * 3600))
  );
}

describe('the promises', () => {
  it(
    'hold after every act of anyone in random months',
    () => {
      fc.assert(
        fc.property(start, fc.array(act, { minLength: 10, maxLength: 60 }), (beginning, acts) => {
          const world = openWorld(beginning);
          const { billed } = world;
          const { month, method } = billed;
          let before = plainStatement(billed);
          for (const each of acts) {
            const previous = world.now;
            world.now += each.wait;
            if (world.now >= month.ends) break;
            const isRunning = previous >= month.begins;
            const cents = billed.priceCents;
            const wasBeyond = isBeyond(billed, before);
            const actor = perform(world, each);
            if (actor === undefined) continue;
            const after = plainStatement(billed);

            // What an owner uses is in no one's charge, except by share of use.
            const isOwnersAlone =
              each.kind.startsWith('own ') && (method !== 'share_of_use' || !billed.owner.takesPart);
            expect(after.lines.map(toAmount)).toEqual((isOwnersAlone ? before : after).lines.map(toAmount));
            expect(splitPeriod(toPeriod(billed)).map(toAmount)).toEqual(after.lines.map(toAmount));
            expect(after.lines.reduce((sum, line) => sum + line.amountCents, 0)).toBe(billed.priceCents);
            for (const line of after.lines) {
              expect(line.amountCents).toBeGreaterThanOrEqual(0);
              const agreement = billed.shares
                .filter(({ userId }) => userId === line.userId)
                .flatMap(({ agreements }) => agreements)
                .at(-1);
              expect(line.maximumCents === null).toBe(line.userId === OWNER);
              if (!agreement) continue;
              const allowed = allowedBy(agreement, line, billed);
              expect(line.amountCents).toBeLessThan(allowed + 1 + 1e-6 * (1 + allowed));
              expect(line.amountCents).toBeLessThanOrEqual(line.maximumCents ?? 0);

              if (line.userId === actor || !isRunning || method === 'share_of_use') continue;
              // Restoring gives back days.
              if (each.kind === 'restore') continue;
              const earlier = lineOf(before, line.userId);
              if (!earlier) continue;
              const parts = method === 'usage' && billed.basePercent > 0 ? 2 : 1;
              const within = wasBeyond ? amountWithin({ ...billed, priceCents: cents }, before, line) : 0;
              expect(line.amountCents).toBeLessThanOrEqual(Math.max(earlier.amountCents + parts, within));
            }
            before = after;
          }
        }),
        { numRuns: randomRuns(300) },
      );
    },
    HANG_MILLISECONDS,
  );
});
