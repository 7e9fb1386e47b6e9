import { describe, expect, it } from 'vitest';
import {
  fullestMoments,
  plainStatement,
  type PlainAgreement,
  type PlainBilledMonth,
  type PlainShare,
} from '../../testing/plain-costs.ts';
import { plainParts, type PlainPlan } from '../../testing/plain-cycles.ts';
import { everyCase } from '../../testing/every-case.ts';
import { toPeriod } from '../../testing/plain-periods.ts';
import { partsOfMonth } from '../assets/plans/service.ts';
import { explainLines } from './explaining/rules.ts';
import { splitPeriod, type SplitLine } from './rules.ts';
import { plainMonths } from '../../testing/plain-months.ts';

// The examples of docs/how-costs-are-split.md, and tricks that once moved money, against the reference bills and the rules.

function monthOf(name: string) {
  const [month] = plainMonths('UTC', [], { first: name, last: name });
  if (!month) throw new Error(`There is no month ${name}.`);
  return month;
}
const april = monthOf('2026-04');

const HOUR = 3_600_000;
const OWNER = 1;
const [A, B] = [2, 3];

/** Returns an instant of April. */
const on = (day: number, hour = 0) => Date.UTC(2026, 3, day, hour);

interface Member {
  userId?: number;
  /** Allowances by the instant since which they are held and agreed to, or one from the start. */
  hours?: number | [since: number, hours: number][];
  uses?: number;
  from?: number;
  to?: number | null;
  /** Null on a server that asks for no consent. */
  agreed?: Partial<PlainAgreement> | null;
  counted?: number;
}

/** Returns a month of an asset whose members agreed to the terms in it, at the price with which it began. */
function aMonth({
  members = [],
  ...changes
}: Partial<Omit<PlainBilledMonth, 'shares'>> & { priceCents: number; members?: Member[] }): PlainBilledMonth {
  const billed: PlainBilledMonth = {
    month: april,
    archived: [],
    reservedHours: 0,
    priceChanges: [],
    method: 'usage',
    basePercent: 0,
    maxHourCents: null,
    owner: { userId: OWNER, takesPart: false, uses: [] },
    shares: members.map(({ userId = A, hours = 20, uses = 0, from = on(1), to = null, counted }, index): PlainShare => {
      const allowances = typeof hours === 'number' ? [[from, hours] as const] : hours;
      return {
        userId,
        shareId: index + 1,
        acceptedAt: from,
        endedAt: to,
        allowances: allowances.map(([since, each]) => ({
          since,
          monthlyHours: each,
          agreedHours: each,
          countedHours: counted ?? each,
        })),
        uses: [{ from, to: from + uses * HOUR }],
        agreements: [],
      };
    }),
    ...changes,
  };
  const { method, basePercent, maxHourCents, priceCents, priceChanges } = billed;
  for (const [index, { from = on(1), agreed }] of members.entries()) {
    if (agreed === null) continue;
    billed.shares[index]?.agreements.push({
      at: from,
      method,
      basePercent,
      maxHourCents,
      priceCents: priceChanges[0]?.fromCents ?? priceCents,
      ...fullestMoments(billed),
      monthlyHours: 0,
      ...agreed,
    });
  }
  return billed;
}

/** Returns the amounts in dollars, with the owner's last. */
function amountsOf(billed: PlainBilledMonth): number[] {
  const { lines } = plainStatement(billed);
  expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(billed.priceCents);
  const toParts = ({ userId, amountCents, coveredCents }: (typeof lines)[number] | SplitLine) => ({
    userId,
    amountCents,
    coveredCents,
  });
  expect(splitPeriod(toPeriod(billed)).map(toParts)).toEqual(lines.map(toParts));
  return [...lines.slice(1), ...lines.slice(0, 1)].map(({ amountCents }) => amountCents / 100);
}

const raisedAtTheEnd = (priceCents: number, toCents: number) => ({
  priceCents: toCents,
  priceChanges: [{ at: on(30, 24) - 1000, fromCents: priceCents, toCents }],
});

const examples: [string, PlainBilledMonth, number[]][] = [
  [
    'with unused hours',
    aMonth({
      priceCents: 2000,
      members: [
        { hours: 60, uses: 30 },
        { userId: B, hours: 40, uses: 0.1 },
      ],
    }),
    [6, 0.02, 13.98],
  ],
  [
    'with reserved hours',
    aMonth({
      priceCents: 1599,
      reservedHours: 25,
      members: [
        { hours: 30, uses: 10 },
        { userId: B, hours: 30, uses: 35 },
      ],
    }),
    [1.88, 6.58, 7.53],
  ],
  [
    'with more use than available hours',
    aMonth({
      priceCents: 1000,
      members: [
        { hours: 5, uses: 8 },
        { userId: B, hours: 5, uses: 4 },
      ],
    }),
    [6.67, 3.33, 0],
  ],
  ['whose member is removed', aMonth({ priceCents: 2000, members: [{ uses: 5, to: on(3, 12) }] }), [5, 15]],
  ['that a member joins late', aMonth({ priceCents: 2000, members: [{ uses: 1, from: on(28) }] }), [1, 19]],
  [
    'that a member joins late and uses more',
    aMonth({ priceCents: 2000, members: [{ uses: 3, from: on(28) }] }),
    [3, 17],
  ],
  [
    'that another member leaves early',
    aMonth({ priceCents: 2000, members: [{ uses: 10 }, { userId: B, to: on(1, 12) }] }),
    [5, 0, 15],
  ],
  [
    'with fewer available hours than a member agreed to',
    aMonth({ priceCents: 2000, members: [{ uses: 10, agreed: { at: on(1) - HOUR, totalHours: 40 } }] }),
    [5, 15],
  ],
  [
    'whose price rises in its last second',
    aMonth({ ...raisedAtTheEnd(2000, 200_000), members: [{ uses: 10 }] }),
    [10, 1990],
  ],
  [
    'with one member after another',
    aMonth({
      priceCents: 2000,
      members: [
        { hours: 60, uses: 1, to: on(2, 12) },
        { userId: B, hours: 60, uses: 10, from: on(2, 12) },
      ],
    }),
    [0.33, 3.33, 16.34],
  ],
  [
    'by allowance, with reserved hours',
    aMonth({
      priceCents: 1000,
      method: 'allocation',
      reservedHours: 10,
      members: [{ hours: 20 }, { userId: B, hours: 30 }],
    }),
    [3.33, 5, 1.67],
  ],
  [
    'by allowance, that a member joins late',
    aMonth({ priceCents: 2000, method: 'allocation', members: [{ from: on(28) }] }),
    [2, 18],
  ],
  [
    'by allowance, whose other member is removed early',
    aMonth({ priceCents: 3000, method: 'allocation', members: [{}, { userId: B, to: on(1, 12) }] }),
    [15, 0.5, 14.5],
  ],
  [
    'by allowance, with hours raised by a yes',
    aMonth({
      priceCents: 1000,
      method: 'allocation',
      members: [
        {},
        {
          userId: B,
          hours: [
            [on(1), 10],
            [on(10), 25],
          ],
        },
      ],
    }),
    [4.44, 4.56, 1],
  ],
  [
    'split evenly',
    aMonth({ priceCents: 1000, method: 'equal', members: [{}, { userId: B, to: on(16) }] }),
    [3.33, 1.67, 5],
  ],
  [
    'with a base share',
    aMonth({
      priceCents: 1200,
      basePercent: 25,
      reservedHours: 10,
      members: [{ uses: 16 }, { userId: B, hours: 10 }],
    }),
    [5.1, 0.75, 6.15],
  ],
  [
    'by share of use, with an owner who takes part',
    aMonth({
      priceCents: 1599,
      method: 'share_of_use',
      maxHourCents: 100,
      owner: { userId: OWNER, takesPart: true, uses: [{ from: on(5), to: on(5, 20) }] },
      members: [{ uses: 12.5 }, { userId: B, uses: 17.5 }],
    }),
    [4, 5.6, 6.39],
  ],
  [
    'by share of use, with one hour of use',
    aMonth({ priceCents: 1599, method: 'share_of_use', maxHourCents: 100, members: [{ uses: 1 }, { userId: B }] }),
    [1, 0, 14.99],
  ],
];

describe('a month', () => {
  it('costs what its terms say', () =>
    everyCase(
      examples,
      ([name]) => name,
      ([, billed, expected]) => expect(amountsOf(billed)).toEqual(expected),
    ));

  it('costs the owner everything without members, use, or hours', () => {
    expect(amountsOf(aMonth({ priceCents: 999, members: [{ uses: 2, counted: 0 }] }))).toEqual([0, 9.99]);
    expect(amountsOf(aMonth({ priceCents: 999 }))).toEqual([9.99]);
    expect(amountsOf(aMonth({ priceCents: 999, members: [{}] }))).toEqual([0, 9.99]);
    expect(amountsOf(aMonth({ priceCents: 999, method: 'share_of_use', maxHourCents: 50, members: [{}] }))).toEqual([
      0, 9.99,
    ]);
  });

  it('gives the cents that are left to the next person each month', () => {
    const thirds = (month: string) =>
      amountsOf({
        ...aMonth({ priceCents: 1000, method: 'equal', members: [{}, { userId: B }] }),
        month: monthOf(month),
      });
    expect(thirds('2026-10')).toEqual([3.33, 3.33, 3.34]);
    expect(thirds('2026-11')).toEqual([3.34, 3.33, 3.33]);
    expect(thirds('2026-12')).toEqual([3.33, 3.34, 3.33]);
  });
});

describe('a member pays no more', () => {
  it('if the asset is archived', () => {
    const archived = [{ from: on(5), to: Infinity }];
    expect(amountsOf(aMonth({ priceCents: 2000, archived, members: [{ hours: 60, uses: 8 }] }))).toEqual([2.67, 17.33]);
  });

  it('if allowances are cut for the last second of each day', () => {
    const cut = Array.from({ length: 30 }, (_, day) => [
      [on(day + 1), 20] as [number, number],
      [on(day + 2) - 1000, 1] as [number, number],
    ]).flat();
    for (const method of ['usage', 'allocation'] as const) {
      const members = [{ uses: 10 }, { userId: B, hours: cut }];
      const others = aMonth({ priceCents: 2000, method, members });
      expect(amountsOf(others)[0]).toBe(method === 'usage' ? 5 : 10);
    }
  });

  it('if the price rises a second after the yes, to any amount', () => {
    const members = [{ hours: 20, uses: 1, from: on(5), to: on(5, 2) }];
    for (const method of ['usage', 'allocation', 'equal'] as const) {
      const priceChanges = [{ at: on(5) + 1000, fromCents: 100, toCents: 999_999_999 }];
      const [amount] = amountsOf(aMonth({ priceCents: 999_999_999, priceChanges, method, members }));
      // $1.00 × 1 ÷ 20, × 1 ÷ 30, and × 1 ÷ 60, rounded up.
      expect(amount).toBe({ usage: 0.05, allocation: 0.04, equal: 0.02 }[method]);
    }
  });

  it('if the price was lower for a while, also if they had left before', () => {
    const priceChanges = [
      { at: on(10), fromCents: 2000, toCents: 1000 },
      { at: on(20), fromCents: 1000, toCents: 2000 },
    ];
    const members = [{ uses: 4 }, { userId: B, uses: 4, to: on(9) }];
    expect(amountsOf(aMonth({ priceCents: 2000, priceChanges, members }))).toEqual([1, 1, 18]);
  });

  it('than the last yes for own days, whatever the method of the month', () => {
    const agreed = { method: 'equal', priceCents: 900, places: 3 } as const;
    const member = { from: on(16), uses: 15, agreed };
    // $9.00 ÷ 3 places × 15 ÷ 30 days.
    expect(amountsOf(aMonth({ priceCents: 2000, members: [member] }))).toEqual([1.5, 18.5]);
    const { lines } = plainStatement(aMonth({ priceCents: 2000, members: [member] }));
    expect(lines[1]).toMatchObject({ maximumCents: 150, coveredCents: 1350, days: 15, summedHours: 300 });
  });

  it('of a price that was raised within the month or lower for a while, and the owner sees what they cover', () => {
    const coveredOf = (changes: [number, number, number][]) => {
      const priceChanges = changes.map(([day, fromCents, toCents]) => ({ at: on(day), fromCents, toCents }));
      const billed = aMonth({ priceCents: 3000, priceChanges, members: [{ uses: 10 }] });
      const period = toPeriod(billed);
      const lines = splitPeriod(period);
      expect(lines).toMatchObject(plainStatement(billed).lines.map(({ coveredCents }) => ({ coveredCents })));
      return [lines[1]?.amountCents, lines[1]?.coveredCents, explainLines(period, lines)[1]?.[0]?.kind];
    };
    expect(coveredOf([[10, 2000, 3000]])).toEqual([1000, 500, 'agreed']);
    const lowerForAWhile: [number, number, number][] = [
      [10, 3000, 2000],
      [20, 2000, 3000],
    ];
    expect(coveredOf(lowerForAWhile)).toEqual([1000, 500, 'lowest']);
  });

  it('unless the server asks for no consent', () => {
    expect(amountsOf(aMonth({ ...raisedAtTheEnd(2000, 200_000), members: [{ uses: 10, agreed: null }] }))).toEqual([
      1000, 1000,
    ]);
  });

  it('for use that is cheaper than agreed', () => {
    const { lines } = plainStatement(
      aMonth({ priceCents: 1000, members: [{ uses: 10, agreed: { priceCents: 2000 } }] }),
    );
    expect(lines[1]).toMatchObject({ amountCents: 500, maximumCents: 1000, coveredCents: 0 });
  });
});

describe('available hours', () => {
  it('do not include what a co-manager added until it is confirmed', () => {
    const members = [{ uses: 10 }, { userId: B, hours: 200, counted: 20 }];
    expect(amountsOf(aMonth({ priceCents: 2000, members }))).toEqual([5, 0, 15]);
    const added = aMonth({ priceCents: 2000, members: [{ uses: 10 }, { userId: B, counted: 0 }] });
    expect(plainStatement(added)).toMatchObject({ totalHours: 20, places: 2, lines: [{}, {}, { days: 30 }] });
  });

  it('include neither access that lasts no time, nor any while the asset is archived', () => {
    const members = [{}, { userId: B, from: on(5), to: on(5) }, { userId: 4, from: on(7), to: on(8) }];
    const statement = plainStatement(aMonth({ priceCents: 2000, archived: [{ from: on(6), to: on(9) }], members }));
    expect(statement).toMatchObject({ totalHours: 20, places: 2 });
    // Days archived from beginning to end don't count.
    expect(statement.lines.map(({ userId, days }) => [userId, days])).toEqual([
      [OWNER, 0],
      [A, 27],
    ]);
  });

  it('count who is in at the first instant of the month after everything that happens at it', () => {
    const before = on(1) - HOUR;
    const members = [
      { from: before, to: on(1) },
      { userId: B, from: before },
      { userId: 4, hours: 5, from: on(1) },
    ];
    const statement = plainStatement(aMonth({ priceCents: 2000, members }));
    expect(statement).toMatchObject({ totalHours: 25, places: 3 });
    expect(statement.lines.map(({ userId }) => userId)).toEqual([OWNER, B, 4]);
  });

  it('of a day are the most that were held and agreed to', () => {
    const members = [
      {
        hours: [
          [on(1), 20],
          [on(10, 12), 5],
          [on(20, 12), 20],
        ] as [number, number][],
      },
    ];
    expect(plainStatement(aMonth({ priceCents: 2000, members })).lines[1]).toMatchObject({
      summedHours: 10 * 20 + 9 * 5 + 11 * 20,
    });
    const asked = aMonth({ priceCents: 2000, members: [{ hours: 50 }] });
    for (const allowance of asked.shares[0]?.allowances ?? []) allowance.agreedHours = 20;
    expect(plainStatement(asked)).toMatchObject({ totalHours: 50, lines: [{}, { summedHours: 600 }] });
  });
});

describe('a price that is paid by the year, with a trial, or until a day', () => {
  const plan = (change: Partial<PlainPlan> = {}): PlainPlan => {
    const cycle = { every: 1, unit: 'year', anchor: '2026-03-14' } as const;
    return { cycle, spread: true, spreadFrom: null, trialUntil: null, startedOn: cycle.anchor, ...change };
  };
  const trial = plan({ cycle: null, trialUntil: '2026-04-20', startedOn: null });
  const lastDays = plan({ cycle: { every: 1, unit: 'month', anchor: '2026-01-31' }, startedOn: null });
  it.each<[string, PlainPlan, month: string, dollars: number, endsOn: string | null, parts: number[]]>([
    ['a month', plan(), '2026-11', 120, null, [9.86]],
    ['the first month', plan(), '2026-03', 120, null, [5.91]],
    ['a month with a renewal', plan(), '2027-03', 120, null, [4.28, 5.9]],
    ['a month in which it ends', plan(), '2027-03', 120, '2027-03-14', [4.28]],
    ['a month with a trial', trial, '2026-04', 30, null, [10]],
    ['a month with a trial that it ends with', trial, '2026-04', 30, '2026-04-21', []],
    ['the month of a renewal, not spread', plan({ spread: false }), '2027-03', 120, null, [0, 120]],
    ['a month between, not spread', plan({ spread: false }), '2026-11', 120, null, [0]],
    [
      'the month of the first renewal that is not spread',
      plan({ spread: false, spreadFrom: '2027-03-14' }),
      '2027-03',
      120,
      null,
      [4.28, 120],
    ],
    ['February, of cycles from its last day', lastDays, '2026-02', 28, null, [27, 0.9]],
    ['March, of the same', lastDays, '2026-03', 31, null, [30, 1.03]],
  ])('adds to %s', (_, paid, month, dollars, endsOn, expected) => {
    const priceOf = () => dollars * 100;
    const parts = plainParts(paid, month, { priceOf, endsOn });
    expect(parts.map(({ cents }) => cents / 100)).toEqual(expected);
    expect(partsOfMonth(paid, month, { priceOf, endsOn })).toMatchObject(
      parts.map(({ cycleFrom, cycleDays, days, cents, soFarCents }) => ({
        cycle_from: cycleFrom,
        cycle_days: cycleDays,
        days,
        cents,
        so_far_cents: soFarCents,
      })),
    );
  });
});
