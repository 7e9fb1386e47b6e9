import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';

// Creates the data of the request benchmarks through the product's own API, except sessions, which would take too
// long. This is the only benchmark file that knows the tables.

const PASSWORD = 'correct horse battery';
const LIST_ROWS = 20;
const STARTERS = 64;
const ASSETS = 10;
const MEMBERS = 8;

/**
 * @typedef {object} Seeded
 * @property {{ username: string, password: string, id: number }} owner of assets shared with many
 * @property {{ username: string, password: string, id: number }} member with a list of shares
 * @property {{ username: string, password: string, id: number }} starter of sessions
 * @property {number[]} memberShares
 * @property {number[]} starterShares
 */

/**
 * Fills the empty database of a built checkout.
 *
 * @param {string} checkout
 * @param {Record<string, string>} env with the database's settings
 * @param {{ inOneShare?: number, inAll?: number }} [growth] number of sessions that one share has this month, and that
 * all shares have in the last twelve
 * @returns {Promise<Seeded>}
 */
export async function seed(checkout, env, growth = {}) {
  const load = (/** @type {string[]} */ ...path) => import(pathToFileURL(join(checkout, ...path)).href);
  // Earlier versions have it in scripts/.
  const { openClockedApp } = await load('demo', 'clocked-app.mjs').catch(() => load('scripts', 'clocked-app.mjs'));
  const { withoutDeadline } = await load('server', 'dist', 'platform', 'database', 'guarded-pool.js');

  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const yearAgo = new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth()));
  let clock = yearAgo;
  const app = await openClockedApp({ ...env, SHARE_CONSENT: 'off' }, () => clock);
  try {
    const register = async (/** @type {string} */ username) => {
      const body = { username, email: `${username}@example.org`, password: PASSWORD };
      const { user } = await app.call('POST', '/api/register/', { body });
      return { username, password: PASSWORD, id: user.id };
    };
    /** @param {number} number @param {{ id: number }} as @param {string[]} usernames */
    const asset = async (number, as, usernames) => {
      const body = { name: `Subscription ${number}`, description: 'Living room and phones', subscription_cost: 15.99 };
      const { id } = await app.call('POST', '/api/assets/', { as: as.id, body });
      for (const username of usernames)
        await app.call('POST', `/api/assets/${id}/share/`, {
          as: as.id,
          body: { username, monthly_hours_allocated: 20 },
        });
    };
    const sharesOf = async (/** @type {{ id: number }} */ { id }) =>
      (await app.call('GET', '/api/shared-assets/', { as: id })).results.map((/** @type {any} */ share) => share.id);

    const [lender, owner, member, starter] = [
      await register('lena'),
      await register('mira'),
      await register('ben'),
      await register('kim'),
    ];
    const members = [];
    for (let number = 1; number <= MEMBERS; number++) members.push((await register(`member-${number}`)).username);
    for (let number = 1; number <= LIST_ROWS; number++) await asset(number, lender, [member.username]);
    for (let number = 1; number <= STARTERS; number++) await asset(number, lender, [starter.username]);
    for (let number = 1; number <= ASSETS; number++) await asset(number, owner, members);
    // 800 shares for the sessions of all shares.
    if (growth.inAll) for (let number = 1; number <= 90; number++) await asset(number, lender, members);
    const memberShares = await sharesOf(member);
    const starterShares = await sharesOf(starter);

    /** Divides the sessions into days. @param {any} db */
    const meter = async (db) => {
      const { extendPeriods } = await load('server', 'dist', 'features', 'periods', 'upkeep', 'service.js');
      const { cutIntoDays } = await load('server', 'dist', 'features', 'usage', 'sql.js');
      await extendPeriods({ ...app.deps, db });
      const ended = sql`(select sh.asset_id, s.* from sessions s join shares sh on sh.id = s.share_id)`;
      await sql`insert into usage_days select * from ${cutIntoDays(ended)} cut`.execute(db);
    };

    /** @param {(db: any) => Promise<void>} work */
    const withoutLimits = (work) =>
      withoutDeadline(() =>
        app.deps.db.connection().execute(async (/** @type {any} */ db) => {
          await sql`set statement_timeout = 0`.execute(db);
          await work(db);
          await sql`reset statement_timeout`.execute(db);
        }),
      );

    await withoutLimits(async (db) => {
      /** Adds this many sessions per share, back to back, each up to an hour long. */
      const sessions = (/** @type {any} */ shares, /** @type {Date} */ from, /** @type {number} */ count) => sql`
        insert into sessions (share_id, started_at, ended_at, ends_by)
        select sh.id, at, at + least(step / 2, interval '1 hour'), at + interval '24 hours'
        from (${shares}) sh,
          (select (${now}::timestamptz - ${from}::timestamptz) / ${count}::int as step) step,
          generate_series(0, ${count}::int - 1) i, lateral (select ${from}::timestamptz + i * step as at) at`;
      const others = sql`select id from shares where id <> ${memberShares[0]}`;
      const first = sql`select id from shares where id = ${memberShares[0]}`;
      const { rows } = await sql`${others}`.execute(db);
      const each = growth.inAll ? Math.ceil(growth.inAll / rows.length) : 0;
      await sessions(others, each ? yearAgo : month, each || 10).execute(db);
      await sessions(first, month, growth.inOneShare ?? 10).execute(db);
      clock = now;
      await meter(db);
    });
    // Otherwise, the server would close the months of a year while it is measured. Earlier versions can't do it here.
    await app.work?.();
    await withoutLimits(async (db) => void (await sql`vacuum (analyze)`.execute(db)));
    return { owner, member, starter, memberShares, starterShares };
  } finally {
    await app.close();
  }
}
