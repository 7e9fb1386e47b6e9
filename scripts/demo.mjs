import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

// Fills an empty database with a believable household: half a year of sessions, and every state a screen can show. All
// of it is lived through the app itself on a clock that runs through that half year, so nothing is in the database that
// people could not have put there. The same day gives the same household.

const PASSWORD = 'correct horse battery';
const MONTHS = 6;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'Europe/Berlin';

const PEOPLE = ['mira', 'ben', 'ana', 'chen', 'dora'];

/**
 * Who pays for what, and who may use it how long; `perWeek` is how often each starts a session, `hours` how long one
 * lasts about.
 * @type {{ owner: string, name: string, description: string, cost: number, members: Record<string, [allocation: number, perWeek: number, hours: number]> }[]}
 */
const ASSETS = [
  {
    owner: 'mira',
    name: 'Netflix Premium',
    description: 'Living room and phones',
    cost: 22.99,
    members: { ana: [40, 4, 1.6], ben: [40, 2, 1.2] },
  },
  {
    owner: 'mira',
    name: 'Spotify Family',
    description: 'Six seats, four taken',
    cost: 16.99,
    members: { ana: [60, 9, 1.1], ben: [40, 5, 0.8], chen: [20, 2, 0.5] },
  },
  { owner: 'mira', name: 'Strava', description: 'Running club', cost: 11.99, members: { dora: [20, 1, 1] } },
  { owner: 'mira', name: 'Cloud backup', description: 'Nobody has asked for it yet', cost: 5, members: {} },
  {
    owner: 'ben',
    name: 'Figma Professional',
    description: 'One seat, passed around',
    cost: 15,
    members: { mira: [20, 4, 1.3], chen: [30, 3, 2] },
  },
  { owner: 'ana', name: 'Dropbox Plus', description: '', cost: 11.99, members: { mira: [12, 5, 1], dora: [10, 1, 2] } },
  {
    owner: 'dora',
    name: 'Car share, the blue one with the roof box',
    description: 'Key in the drawer. Fill up when it is under a quarter.',
    cost: 240,
    members: { mira: [30, 1, 3], ben: [60, 2, 4], ana: [30, 1, 2] },
  },
];

/** Numbers from 0 to 1, the same ones every time. */
function seeded(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @typedef {{ at: number, doIt: () => Promise<void> }} Event */

/** @param {string} file */
const built = (file) => import(pathToFileURL(join(root, 'server', 'dist', file)).href);

/** @param {Date} today */
async function demo(today) {
  const { loadConfig } = await built('config.js');
  const { createDeps } = await built('deps.js');
  const { buildApp } = await built('app.js');
  const { openDatabase } = await built(join('platform', 'database', 'open.js'));
  const { migrate } = await built(join('platform', 'database', 'migrate.js'));
  const { keptSecret } = await built(join('platform', 'secret.js'));
  const { createLog } = await built(join('platform', 'log.js'));

  const config = loadConfig({ ...process.env, RATE_LIMIT: 'off' });
  const log = createLog('warn');
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log });
  let now = today.getTime() - MONTHS * 30 * DAY;
  try {
    await migrate(database.db);
    if (await database.db.selectFrom('users').select('id').limit(1).executeTakeFirst())
      throw new Error('There are people in this database already: name an empty one with DATA_DIR or DATABASE_URL.');
    const secret = config.SECRET ?? keptSecret(config.DATA_DIR);
    const deps = createDeps({ config, db: database.db, secret, log, clock: () => new Date(now) });
    const app = await buildApp(deps);

    /** @param {'GET' | 'POST'} method @param {string} url @param {{ body?: object, as?: number | undefined }} options */
    const call = async (method, url, { body, as }) => {
      const token = as === undefined ? undefined : await deps.tokens.access({ userId: as, signIn: 'demo' });
      const answer = await app.inject({
        method,
        url,
        ...(body ? { payload: body } : {}),
        headers: token ? { authorization: `Bearer ${token}` } : {},
      });
      if (answer.statusCode >= 400) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
      return answer.json();
    };

    /** @type {Record<string, number>} */
    const ids = {};
    for (const username of PEOPLE) {
      const body = { username, email: `${username}@example.org`, password: PASSWORD, time_zone: ZONE };
      ids[username] = (await call('POST', '/api/register/', { body })).user.id;
    }

    const random = seeded(20);
    /** @type {Event[]} */
    const events = [];
    for (const { owner, name, description, cost, members } of ASSETS) {
      const body = { name, description, subscription_cost: cost, time_zone: ZONE };
      const asset = await call('POST', '/api/assets/', { as: ids[owner], body });
      for (const [username, [allocation, perWeek, hours]] of Object.entries(members)) {
        await call('POST', `/api/assets/${asset.id}/share/`, {
          as: ids[owner],
          body: { username, monthly_hours_allocated: allocation },
        });
        const { results } = await call('GET', '/api/shared-assets/', { as: ids[username] });
        const share = results.find((/** @type {any} */ each) => each.asset.id === asset.id);
        const path = `/api/shared-assets/${share.id}`;
        const act = (/** @type {string} */ action) => async () => {
          await call('POST', `${path}/${action}/`, { as: ids[username] });
        };
        let free = now;
        for (let day = now; day < today.getTime(); day += DAY) {
          if (random() > perWeek / 7) continue;
          // Mostly in the evening, sometimes past midnight.
          const start = Math.max(free + HOUR / 4, day + (15 + 8 * random()) * HOUR);
          const end = start + hours * (0.3 + 1.4 * random()) * HOUR;
          if (end > today.getTime()) break;
          events.push({ at: start, doIt: act('start') }, { at: end, doIt: act('end') });
          free = end;
        }
        // One session is running when the household is looked at.
        if (name.startsWith('Figma') && username === 'mira' && free < today.getTime() - 2 * HOUR)
          events.push({ at: today.getTime() - 84 * 60_000, doIt: act('start') });
      }
    }
    for (const { at, doIt } of events.toSorted((one, other) => one.at - other.at)) {
      now = at;
      await doIt();
    }
    await app.close();
    console.log(`${PEOPLE.length} people, ${ASSETS.length} assets, ${Math.floor(events.length / 2)} sessions.`);
    console.log(`Sign in as ${PEOPLE.join(', ')}; the password of each is: ${PASSWORD}`);
  } finally {
    await database.close();
  }
}

/** The moment the household is looked at: `--date 2026-11-21`, else now. */
const named = process.argv[process.argv.indexOf('--date') + 1];
const today = process.argv.includes('--date') ? new Date(`${named}T18:00:00Z`) : new Date();
if (Number.isNaN(today.getTime())) {
  console.error('Usage: npm run demo -- [--date YYYY-MM-DD]');
  process.exit(2);
}
await demo(today).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
