import type { SplitMethod } from '@hourshare/contract/fields';
import { expect, it } from 'vitest';
import type { PeriodToSplit } from '../rules.ts';
import { replayMonth, type Replay } from './rules.ts';

const HOUR = 3600;

/** June, of 10 hours for each of 2 members and 20 for the owner. Ana used 5 hours; the owner and Ben 25. */
function june({ method, bens, benDays = 30 }: { method: SplitMethod; bens: number; benDays?: number }): PeriodToSplit {
  const member = { allocationHours: 10, agreed: null, lowestPriceCents: null };
  return {
    month: '2026-06',
    priceCents: 1_000_000,
    terms: { method, basePercent: 0, ownerHours: 20, maxHourCents: null, ownerTakesPart: true, measured: true },
    ownerId: 1,
    ownerUsedSeconds: (25 - bens) * HOUR,
    totalHours: 40,
    places: 3,
    members: [
      { ...member, userId: 2, usedSeconds: 5 * HOUR, days: 30, summedHours: 300 },
      { ...member, userId: 3, usedSeconds: bens * HOUR, days: benDays, summedHours: 10 * benDays },
    ],
  };
}

const tried: Replay[] = [
  { hours: 1 },
  { hours: 12, basePercent: 100 },
  { hours: 1, method: 'allocation' },
  { method: 'usage' },
  { method: 'usage', basePercent: 50 },
  { method: 'share_of_use', hours: 8 },
  { method: 'equal', hours: 1 },
];

it('tells a member nothing about the use and the days of others that their statement does not', () => {
  const told = (['usage', 'allocation', 'equal', 'share_of_use'] as const).flatMap((method) =>
    tried.flatMap((replay) => {
      const seen = [
        june({ method, bens: 25 }),
        june({ method, bens: 4 }),
        june({ method, bens: 4, benDays: 11 }),
        june({ method, bens: 0, benDays: 2 }),
      ].map((period) => {
        const { cents, unfitSeconds } = replayMonth(period, replay);
        return `${cents[1]} ${unfitSeconds}`;
      });
      return new Set(seen).size > 1 ? [{ method, replay, seen }] : [];
    }),
  );
  expect(told).toEqual([]);
});

it('divides a smaller plan by the use that there was, with that of the owner', () => {
  const small = replayMonth(june({ method: 'usage', bens: 15 }), { hours: 20 });
  expect(small).toEqual({ cents: [333_333, 166_667, 500_000], unfitSeconds: 10 * HOUR });
});
