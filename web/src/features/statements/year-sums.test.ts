import { expect, it } from 'vitest';
import { aStatement, bensLine } from '../../testing/records.ts';
import { sumYear } from './year-sums.ts';

const line = (username: string, amount: number, seconds: number) =>
  bensLine({ username, price_amount: amount, amount: amount + 7, used_seconds: seconds });
const month = (name: string, lines: ReturnType<typeof line>[], used: number) =>
  aStatement({ month: name, closed: true, ended: true, price: 20, total_hours: 40, used_seconds: used, lines });

it('adds up who paid and used what, oldest month first, and what is left as that of others', () => {
  const statements = [
    month('2026-11', [], 0),
    month('2026-10', [line('ben', 5, 3600)], 7200),
    month('2026-09', [line('ben', 4, 0)], 1800),
  ];
  const [running, ...closed] = statements;
  const year = sumYear([{ ...running!, closed: false }, ...closed], { currency: 'USD', measured: true });
  expect(year).toMatchObject({ price: 40, usedSeconds: 9000, hours: 80 });
  expect(year.people).toMatchObject([
    { name: 'ben', role: 'member', months: 2, amount: 9, seconds: 3600 },
    { name: null, hue: null, amount: 31, seconds: 5400 },
  ]);
  expect(year.months).toEqual([
    {
      month: '2026-09',
      parts: [
        { amount: 4, seconds: 0 },
        { amount: 16, seconds: 1800 },
      ],
    },
    {
      month: '2026-10',
      parts: [
        { amount: 5, seconds: 3600 },
        { amount: 15, seconds: 3600 },
      ],
    },
  ]);
});

it('has no others where all are shown, nor more than twelve months', () => {
  const months = Array.from({ length: 13 }, (_, index) =>
    month(`2025-${String(13 - index).padStart(2, '0')}`, [line('mira', 15, 0), line('ben', 5, 60)], 60),
  );
  const year = sumYear(months, { currency: 'USD', measured: true });
  expect(year.people.map(({ name, months: count }) => [name, count])).toEqual([
    ['mira', 12],
    ['ben', 12],
  ]);
});
