import type { SignedIn } from '@hourshare/contract/accounts';
import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { toHours } from '@hourshare/contract/fields';
import type { AssetHistory } from '@hourshare/contract/insights';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { HISTORY_MILLISECONDS, historyRuns } from '../../testing/history-runs.ts';
import { billingCalls } from '../../testing/bills.ts';
import { plainBill, type AssetEvent } from '../../testing/plain-costs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const { setClock, get, send, statementsOf } = billingCalls(() => api);

const HOUR = 3_600_000;

/** Returns when the next month begins in UTC. */
const nextMonthStart = (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);

const compareOwnerFirst = (a: { username: string }, b: { username: string }) =>
  a.username === 'mira' ? -1 : b.username === 'mira' ? 1 : a.username < b.username ? -1 : 1;

describe('statements of consecutive months', () => {
  const members = ['ana', 'ben', 'cem'] as const;
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'UTC',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ];
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 24 * 9 }),
    // Often puts a step near the turn of a month somewhere on earth.
    hoursFromMonthStart: fc.option(fc.integer({ min: -15, max: 13 }), { nil: undefined, freq: 3 }),
    minutes: fc.integer({ min: 0, max: 3599 }),
    member: fc.constantFrom(...members),
    kind: fc.constantFrom(
      ...(['share', 'end share', 'allocate', 'allocate', 'start', 'start', 'start', 'end'] as const),
      ...(['price', 'terms', 'zone', 'archive', 'restore'] as const),
    ),
    number: fc.integer({ min: 1, max: 200 }),
    method: fc.constantFrom('usage' as const, 'usage' as const, 'allocation' as const, 'equal' as const),
    percent: fc.constantFrom(0, 0, 0, 25, 33, 100),
    zone: fc.constantFrom(...zones),
  });

  it(
    'match the reference bill for random histories, across clock changes and time zones',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          fc.array(step, { minLength: 20, maxLength: 70 }),
          async (zone, steps) => {
            await api.reset();
            setClock('2025-09-20T09:00:00Z');
            const owner = await api.register('mira');
            const users = new Map<string, SignedIn>();
            for (const name of members) users.set(name, await api.register(name));
            const asset = await api.addAsset(owner, { subscription_cost: 11.11, time_zone: zone });
            const events: AssetEvent[] = [{ at: api.clock.now, kind: 'price', cents: 1111 }];
            const shares = new Map<string, number>();
            let archived = false;
            for (const {
              hours,
              hoursFromMonthStart,
              minutes,
              member,
              kind,
              number,
              method,
              percent,
              zone: next,
            } of steps) {
              const millisecondsToStart =
                hoursFromMonthStart === undefined
                  ? 0
                  : nextMonthStart(api.clock.now) + hoursFromMonthStart * HOUR - api.clock.now.getTime();
              api.clock.advance((millisecondsToStart > 0 ? millisecondsToStart : hours * HOUR) + minutes * 1000 + 7);
              const body = { as: owner };
              const now = api.clock.now;
              const share = shares.get(member);
              const caller = users.get(member);
              if (kind === 'price') {
                await send('PATCH', `/api/assets/${asset.id}/`, { ...body, body: { subscription_cost: number / 4 } });
                events.push({ at: now, kind, cents: number * 25 });
              } else if (kind === 'terms') {
                const terms = { split_method: method, base_percent: percent, owner_hours: number };
                await send('PATCH', `/api/assets/${asset.id}/`, { ...body, body: terms });
                events.push({ at: now, kind, method, basePercent: percent, ownerHours: number });
              } else if (kind === 'zone') {
                await send('PATCH', `/api/assets/${asset.id}/`, { ...body, body: { time_zone: next } });
                events.push({ at: now, kind, zone: next });
              } else if (kind === 'archive' || kind === 'restore') {
                if (archived === (kind === 'archive')) continue;
                archived = !archived;
                await send('PATCH', `/api/assets/${asset.id}/`, { ...body, body: { archived } });
                events.push(archived ? { at: now, kind: 'archive' } : { at: now, kind: 'restore' });
              } else if (share === undefined || caller === undefined) {
                if (archived) continue;
                if (caller) shares.set(member, (await api.share(owner, asset, caller, number)).id);
                events.push({ at: now, kind: 'share', member, hours: number });
              } else if (kind === 'end share') {
                await send('DELETE', `/api/assets/${asset.id}/share/${share}/`, body);
                shares.delete(member);
                events.push({ at: now, kind, member });
              } else if (kind === 'allocate' || kind === 'share') {
                const allocation = { monthly_hours_allocated: number };
                await send('PATCH', `/api/assets/${asset.id}/share/${share}/`, { ...body, body: allocation });
                events.push({ at: now, kind: 'allocate', member, hours: number });
              } else {
                const { status } = await api.call('POST', `/api/shared-assets/${share}/${kind}/`, { as: caller });
                if (status < 300) events.push({ at: now, kind, member });
              }
            }
            api.clock.advance(35 * 24 * HOUR);
            const closed = (await statementsOf(asset, owner)).filter((statement) => statement.closed);
            expect(closed.length).toBeGreaterThan(0);
            const history = await get<AssetHistory>(`/api/assets/${asset.id}/history/`, owner);
            for (const statement of closed) {
              const order = ['mira', ...members];
              const bill = plainBill(events, { owner: 'mira', zone, month: statement.month, order });
              const expected = bill.map(({ username, cents, seconds, days, hourDays }) => ({
                username,
                amount: cents / 100,
                used_hours: toHours(seconds),
                days,
                hour_days: hourDays,
              }));
              expect(statement.lines).toMatchObject(expected.toSorted(compareOwnerFirst));
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
        { numRuns: historyRuns(25) },
      );
    },
    HISTORY_MILLISECONDS,
  );
});
