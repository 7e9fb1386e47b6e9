import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createDatabase } from '../harness/databases.mjs';
import { MEASURED, median } from '../harness/measures.mjs';
import { built, openClockedApp } from '../demo/clocked-app.mjs';
import { findPostgres } from '../harness/postgres.mjs';

// Measures closing a month of many assets, and reading what they cost, after one year of history and after five. Run
// `npm run build && node bench/costs.mjs`, with `embedded` or `postgresql` for one engine only. Requests alternate
// between both histories, in this process and without a network, so only the server's and the database's work
// counts.

const ASSETS = 1000;
const MEMBERS = 10;
const OWNERS = 100;
const USERS = 1000;
/** In the month that is closed, 200,000 in total. Every month before it, and the current one, have a tenth of that. */
const SESSIONS_PER_SHARE = 20;
const ROUNDS = 200;
const CLOSED = '2026-10';
const NOW = new Date('2026-11-05T12:00:00Z');

/** @typedef {import('../demo/clocked-app.mjs').ClockedApp} ClockedApp */

/** Inserts years of history. @param {any} db @param {number} months of history */
async function fill(db, months) {
  const first = sql`(date '2026-10-01' - make_interval(months => ${months}))`;
  const { cutIntoDays } = await built(join('features', 'usage', 'sql.js'));
  const month = sql`generate_series(${first}, timestamp '2026-09-01', interval '1 month')`;
  const statements = [
    sql`insert into users (username, email, password_hash, time_zone, created_at)
      select 'user-' || i, 'user-' || i || '@example.org', '', 'UTC', ${first} at time zone 'UTC'
      from generate_series(1, ${OWNERS + USERS}::int) i`,
    sql`insert into assets (owner_id, name, description, created_at)
      select i % ${OWNERS} + 1, 'Asset ' || i, '', ${first} at time zone 'UTC' from generate_series(1, ${ASSETS}::int) i`,
    sql`insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
        base_percent, owner_hours, owner_id, closed_at)
      select id, month::date, zone, month at time zone zone, (month + interval '1 month') at time zone zone, 1599,
        ${first}::date, 'usage', 0, 0, owner_id,
        case when month < timestamp '2026-10-01' then (month + interval '1 month 3 days') at time zone zone end
      from assets, generate_series(${first}, timestamp '2026-12-01', interval '1 month') month,
        lateral (select (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[id % 4 + 1] as zone) zones`,
    sql`insert into shares (asset_id, member_id, monthly_hours_allocated, created_at, accepted_at)
      select a.id, ${OWNERS} + (a.id * ${MEMBERS} + i) % ${USERS} + 1, 20, a.created_at, a.created_at
      from assets a, generate_series(1, ${MEMBERS}::int) i`,
    sql`insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
      select id, created_at, 20, 20, 20 from shares`,
    sql`insert into agreements (share_id, agreed_at, split_method, base_percent, price_cents, currency, total_hours, places,
        monthly_hours)
      select id, accepted_at, 'usage', 0, 1599, 'USD', ${MEMBERS * 20}::int, ${MEMBERS + 1}::int, 20 from shares`,
    // At most one session a day, at the share's own hour, of up to an hour.
    sql`insert into sessions (share_id, started_at, ended_at, ends_by)
      select sh.id, started, started + make_interval(mins => (sh.id * 7 + day * 13)::int % 59 + 1), started + interval '24 hours'
      from shares sh
      cross join lateral (
        select '2026-10-01'::date + day - 1 as date, day from generate_series(1, ${SESSIONS_PER_SHARE}::int) day
        union all
        select month::date + day, day
        from generate_series(${first}, timestamp '2026-11-01', interval '1 month') month, generate_series(1, 2) day
        where month <> timestamp '2026-10-01'
      ) days
      cross join lateral (
        select (date + make_interval(hours => (sh.id % 20)::int)) at time zone 'UTC' as started
      ) at`,
    sql`insert into usage_days select * from ${cutIntoDays(
      sql`(select sh.asset_id, s.* from sessions s join shares sh on sh.id = s.share_id)`,
    )} cut`,
    sql`insert into statements (asset_id, asset_name, month, owner_id, owner_name, price_cents, currency, split_method,
        base_percent, owner_hours, owner_takes_part, measured, total_hours, places, ends_at, closes_at, closed_at)
      select a.id, a.name, month::date, a.owner_id, 'user-' || a.owner_id, 1599, 'USD', 'usage', 0, 0, false, true,
        ${MEMBERS * 20}::int, ${MEMBERS + 1}::int,
        month + interval '1 month', month + interval '1 month 3 days', month + interval '1 month 3 days'
      from assets a, ${month} month`,
    sql`insert into statement_lines (statement_id, owner_id, user_id, username, role, allocation_hours, used_seconds, days,
        summed_hours, base_cents, odd_cents, amount_cents, paid_at)
      select st.id, st.owner_id, st.owner_id, st.owner_name, 'owner', 0, 0, 0, 0, 0, 0, 1439, null
      from statements st
      union all
      select st.id, st.owner_id, sh.member_id, 'user-' || sh.member_id, 'member', 20, 7200, 30, 600, 0, 0, 16,
        case when st.month < date '2026-08-01' then st.closed_at end
      from statements st join shares sh on sh.asset_id = st.asset_id`,
    sql`analyze`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** @param {number} months @param {NodeJS.ProcessEnv} env @returns {Promise<ClockedApp>} */
async function open(months, env) {
  const app = await openClockedApp({ ...env, ...MEASURED }, () => NOW);
  const { withoutDeadline } = await built(join('platform', 'database', 'guarded-pool.js'));
  // No request waits for these inserts, so they may take longer than one may.
  await withoutDeadline(() =>
    app.deps.db.connection().execute(async (/** @type {any} */ db) => {
      await sql`set statement_timeout = 0`.execute(db);
      await fill(db, months);
      await sql`reset statement_timeout`.execute(db);
    }),
  );
  return app;
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The owner of the first asset, and one of its members. */
const OWNER = 2;
const MEMBER = OWNERS + MEMBERS + 2;

/** @type {Record<string, [path: string, as: number]>} */
const READS = {
  'a closed statement, owner': [`/api/assets/1/statements/${CLOSED}/`, OWNER],
  'the running month’s estimate, owner': ['/api/assets/1/statements/2026-11/', OWNER],
  'the running month of all one has, member': ['/api/statements/', MEMBER],
  'balances, owner of 10 assets': ['/api/balances/', OWNER],
  'balances, member of 10 assets': ['/api/balances/', MEMBER],
  'twelve months of an asset': ['/api/assets/1/history/', OWNER],
  'findings of 10 assets': ['/api/findings/', OWNER],
};

/** @param {string} engine @param {ClockedApp} one @param {ClockedApp} five */
async function measure(engine, one, five) {
  const { closeDuePeriods } = await built(join('features', 'statements', 'closing', 'service.js'));
  const closing = [];
  for (const app of [one, five]) closing.push(await timed(() => closeDuePeriods(app.deps)));
  row(engine, `close a month of ${ASSETS.toLocaleString('en')} assets`, closing[0] ?? 0, closing[1] ?? 0);
  for (const [what, [path, as]] of Object.entries(READS)) {
    /** @type {[number[], number[]]} */
    const times = [[], []];
    for (let round = 0; round < ROUNDS + 10; round++) {
      const pair = [
        await timed(() => one.call('GET', path, { as })),
        await timed(() => five.call('GET', path, { as })),
      ];
      // The first rounds prepare statements and warm up caches.
      if (round >= 10) times.forEach((list, index) => list.push(pair[index] ?? 0));
    }
    row(engine, what, median(times[0]), median(times[1]));
  }
}

/** @param {string} engine @param {string} what @param {number} one @param {number} five */
function row(engine, what, one, five) {
  const [short, long] = [one, five].map((ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(2)} ms`));
  console.log(`| ${engine} | ${what} | ${short} | ${long} | ${(five / one).toFixed(2)} |`);
}

const engine = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'hourshare-bench-'));
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores, medians of ${ROUNDS}\n`);
console.log('| engine | what | 1 year | 5 years | ratio |\n| --- | --- | --- | --- | --- |');
try {
  if (engine !== 'embedded') {
    const server = await findPostgres();
    if ('missing' in server) console.log(`\nNot measured on PostgreSQL: ${server.missing}`);
    else {
      const on = async () => ({ DATABASE_URL: (await createDatabase(server.url)).url, DATA_DIR: folder });
      const one = await open(12, await on());
      const five = await open(60, await on());
      await measure('PostgreSQL', one, five);
      await one.close();
      await five.close();
      await server.stop();
    }
  }
  if (engine !== 'postgresql') {
    const one = await open(12, { DATA_DIR: join(folder, 'one') });
    const five = await open(60, { DATA_DIR: join(folder, 'five') });
    await measure('embedded', one, five);
    await one.close();
    await five.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
