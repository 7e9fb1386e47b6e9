import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Session } from '@hourshare/contract/sessions';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { HANG_MILLISECONDS, randomRuns } from '../../testing/thorough.ts';
import { recordAssets, runScheduledJobs } from '../../testing/records.ts';
import { brokenPeriods, extendPeriods } from '../periods/upkeep/service.ts';
import { verifyUsage } from './service.ts';
import { isUsed } from './sql.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const HOUR = 3_600_000;

async function findDifferences(repair = false) {
  const found = [];
  for await (const { days } of verifyUsage(api.deps.db, { repair })) found.push(...days);
  return found;
}

const zones = ['America/New_York', 'Europe/Berlin', 'Africa/Cairo', 'Asia/Beirut', 'UTC', 'Pacific/Kiritimati'];

describe('the usage ledger', () => {
  const members = ['ana', 'ben'] as const;
  const step = fc.record({
    hours: fc.integer({ min: 0, max: 24 * 6 }),
    seconds: fc.integer({ min: 0, max: 3599 }),
    member: fc.constantFrom(...members),
    kind: fc.constantFrom(
      ...(['start', 'start', 'start', 'end', 'end', 'edit', 'edit', 'remove', 'share', 'end share'] as const),
      ...(['archive', 'restore', 'price', 'terms', 'zone', 'limit', 'jobs', 'delete account'] as const),
    ),
    number: fc.integer({ min: 1, max: 200 }),
    zone: fc.constantFrom(...zones),
  });

  it(
    'matches the sessions after every step of a random history, with contiguous periods',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          fc.array(step, { minLength: 10, maxLength: 30 }),
          async (zone, steps) => {
            await api.reset();
            const owner = await api.register('mira');
            const users = new Map<string, SignedIn>();
            for (const name of members) users.set(name, await api.register(name));
            const asset = await api.addAsset(owner, { time_zone: zone });
            const shares = new Map<string, number>();
            const patch = (body: object) => api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body });
            for (const { hours, seconds, member, kind, number, zone: next } of steps) {
              api.clock.advance(hours * HOUR + seconds * 1000 + 7);
              const caller = users.get(member);
              const share = shares.get(member);
              if (!caller) continue;
              const sharePath = `/api/shared-assets/${share}/`;
              const pickSession = async (): Promise<Session | undefined> => {
                const { body } = await api.call<{ results?: Session[] }>('GET', `${sharePath}logs/`, { as: caller });
                return body.results?.[number % Math.max(1, body.results.length)];
              };
              if (kind === 'share') {
                const answer = await api.call<{ shared_with: { id: number; shared_with_username: string }[] }>(
                  'POST',
                  `/api/assets/${asset.id}/share/`,
                  { as: owner, body: { username: member, monthly_hours_allocated: number } },
                );
                const entry = answer.body.shared_with?.find((each) => each.shared_with_username === member);
                if (entry) shares.set(member, entry.id);
              } else if (kind === 'start' || kind === 'end')
                await api.call('POST', `${sharePath}${kind}/`, { as: caller });
              else if (kind === 'edit') {
                const session = await pickSession();
                const length = (number % 30) * HOUR + seconds * 1000;
                const start = session && Date.parse(session.start_time);
                if (session && start !== undefined)
                  await api.call('PATCH', `${sharePath}logs/${session.id}/`, {
                    as: caller,
                    body: {
                      start_time: new Date(start - (number % 5) * HOUR).toISOString(),
                      end_time: new Date(start + length).toISOString(),
                    },
                  });
              } else if (kind === 'remove') {
                const session = await pickSession();
                if (session) await api.call('DELETE', `${sharePath}logs/${session.id}/`, { as: caller });
              } else if (kind === 'end share')
                await api.call('DELETE', `/api/assets/${asset.id}/share/${share}/`, { as: owner });
              else if (kind === 'archive' || kind === 'restore') await patch({ archived: kind === 'archive' });
              else if (kind === 'price') await patch({ subscription_cost: number / 4 });
              else if (kind === 'terms') await patch({ split_method: 'equal', owner_hours: number });
              else if (kind === 'zone') await patch({ time_zone: next });
              else if (kind === 'limit') await patch({ max_session_hours: number });
              else if (kind === 'jobs') await runScheduledJobs(api.deps);
              else if (number < 40) {
                await api.deps.db.deleteFrom('users').where('id', '=', caller.user.id).execute();
                users.delete(member);
              }
              expect({ kind, days: await findDifferences() }).toEqual({ kind, days: [] });
              expect(await brokenPeriods(api.deps.db)).toEqual([]);
            }
            // Once every session has ended, the days add up to exactly the seconds of the sessions.
            api.clock.advance(40 * 24 * HOUR);
            await runScheduledJobs(api.deps);
            const { rows } = await sql<{ days: number; sessions: number }>`
          select
            (select coalesce(sum(seconds), 0)::bigint from usage_days) as days,
            (select coalesce(sum(floor(extract(epoch from ended_at)) - floor(extract(epoch from started_at))), 0)::bigint
              from sessions) as sessions`.execute(api.deps.db);
            expect(rows[0]?.days).toBe(rows[0]?.sessions);
            expect(await findDifferences()).toEqual([]);
          },
        ),
        { numRuns: randomRuns(20) },
      );
    },
    HANG_MILLISECONDS,
  );

  it('reports wrong days and rebuilds those of open periods only', async () => {
    const [owner, member] = [await api.register('mira'), await api.register('ben')];
    const share = await api.share(owner, await api.addAsset(owner), member);
    const useAsset = async () => {
      await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
      api.clock.advance(2 * HOUR);
      await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
    };
    await useAsset();
    api.clock.now = new Date('2026-04-10T12:00:00Z');
    await useAsset();
    await runScheduledJobs(api.deps);
    expect(await findDifferences()).toEqual([]);

    await api.deps.db.updateTable('usage_days').set({ seconds: 1 }).execute();
    await api.deps.db
      .insertInto('usage_days')
      .values({ share_id: share.id, day: '2026-04-11', seconds: 5, sessions: 1 })
      .execute();
    const wrong = [
      { day: '2026-03-10', closed: true, seconds: 1, expected_seconds: 7200 },
      { day: '2026-04-10', closed: false, seconds: 1, expected_seconds: 7200 },
      { day: '2026-04-11', closed: false, seconds: 5, expected_seconds: 0 },
    ];
    expect(await findDifferences()).toMatchObject(wrong.map((day) => ({ ...day, repaired: false })));
    expect(await findDifferences(true)).toMatchObject(wrong.map((day) => ({ ...day, repaired: !day.closed })));
    expect(await findDifferences()).toMatchObject([{ day: '2026-03-10', closed: true }]);
  });

  it('covers more assets than fit one batch', async () => {
    const [owner, member] = [await api.register('mira'), await api.register('ben')];
    const { db } = api.deps;
    const asset = { owner_id: owner.user.id, created_at: api.clock.now };
    await recordAssets(db, [asset], api.clock.now);
    const others = Array.from({ length: 1000 }, (_, number) => ({ ...asset, name: `${number}`, description: '' }));
    const added = await db.insertInto('assets').values(others).returning('id').execute();
    await sql`
      insert into periods
      select (jsonb_populate_record(p, jsonb_build_object('asset_id', a.id))).*
      from periods p join assets a on a.id <> p.asset_id`.execute(db);
    const last = {
      asset_id: Math.max(...added.map((other) => other.id)),
      member_id: member.user.id,
      monthly_hours_allocated: 5,
    };
    const { id } = await db
      .insertInto('shares')
      .values({ ...last, created_at: api.clock.now, accepted_at: api.clock.now })
      .returning('id')
      .executeTakeFirstOrThrow();
    api.clock.now = new Date('2026-07-10T12:00:00Z');
    await extendPeriods(api.deps);
    const extended = db.selectFrom('periods').where('month', '=', '2026-08-01').select('asset_id');
    expect(await extended.execute()).toHaveLength(1001);

    await db.insertInto('usage_days').values({ share_id: id, day: '2026-07-01', seconds: 5, sessions: 1 }).execute();
    expect(await findDifferences()).toMatchObject([{ share_id: id, seconds: 5, expected_seconds: 0 }]);
  });

  it('leaves closed periods alone even if a day outside all periods is wrong', async () => {
    const [owner, member] = [await api.register('mira'), await api.register('ben')];
    const share = await api.share(owner, await api.addAsset(owner), member);
    api.clock.now = new Date('2026-04-10T12:00:00Z');
    await runScheduledJobs(api.deps);
    const stray = { share_id: share.id, day: '2025-12-30', seconds: 7, sessions: 1 };
    const billed = { ...stray, day: '2026-03-12', seconds: 3600 };
    await api.deps.db.insertInto('usage_days').values([stray, billed]).execute();
    expect(await findDifferences(true)).toMatchObject([
      { day: '2025-12-30', closed: true, repaired: false },
      { day: '2026-03-12', closed: true, repaired: false },
    ]);
    expect(await api.deps.db.selectFrom('usage_days').selectAll().orderBy('day').execute()).toEqual([stray, billed]);
  });

  it('has a single feature writing each of usage_days, periods, allowances, and installation', () => {
    const features = new URL('..', import.meta.url).pathname;
    const writers = (table: string) =>
      readdirSync(features, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .filter((file) =>
          new RegExp(
            `(?:insert into|update|delete from|(?:insertInto|updateTable|deleteFrom)\\(')\\s*${table}\\b`,
          ).test(readFileSync(join(features, file), 'utf8')),
        )
        .map((file) => file.split('/')[0]);
    expect(new Set(writers('usage_days'))).toEqual(new Set(['usage']));
    expect(new Set(writers('periods'))).toEqual(new Set(['periods']));
    expect(new Set(writers('allowances'))).toEqual(new Set(['shares']));
    expect(new Set(writers('installation'))).toEqual(new Set(['installation']));
  });
});

describe('whether an asset was used', () => {
  it('is found without reading the shares of other assets', async () => {
    const { db } = api.deps;
    const { user } = await api.register('mira');
    await sql`
      with members as (
        insert into users (username, email, password_hash, time_zone, created_at)
        select 'member' || n, n || '@example.org', '', 'UTC', now() from generate_series(1, 8) n
        returning id
      ), owned as (
        insert into assets (owner_id, name, description, created_at)
        select ${user.id}, 'Asset ' || n, '', now() from generate_series(1, 300) n
        returning id
      ), given as (
        insert into shares (asset_id, member_id, monthly_hours_allocated, created_at, accepted_at)
        select owned.id, members.id, 20, now(), now() from owned, members
        returning id
      )
      insert into sessions (share_id, started_at, ended_at, ends_by)
      select id, hour, hour + interval '1 minute', hour + interval '1 day'
      from given, generate_series(now() - interval '4 hours', now(), interval '1 hour') hour`.execute(db);
    await sql`analyze assets, shares, sessions`.execute(db);
    const { rows } = await sql`explain select ${isUsed('a')} from assets a where a.owner_id = ${user.id}`.execute(db);
    const plan = JSON.stringify(rows);
    expect(plan).toContain('shares_of_asset');
    expect(plan).not.toMatch(/Seq Scan on s/);
  });
});
