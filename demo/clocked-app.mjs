import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/processes.mjs';

// The built app in this process, on an empty database, with a clock that the caller sets.

/** A module of the built server. @param {string} file */
export const built = (file) => import(pathToFileURL(join(root, 'server', 'dist', file)).href);

/** The database isn't empty. */
export class HasAccounts extends Error {
  /** @param {string[]} usernames */
  constructor(usernames) {
    super('This database already has accounts. Set DATA_DIR or DATABASE_URL to an empty one.');
    this.usernames = usernames;
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {() => Date} clock
 */
export async function openClockedApp(env, clock) {
  const { loadConfig } = await built('config.js');
  const { createDeps } = await built('deps.js');
  const { react } = await built('reactions.js');
  const { buildApp, builtWebDir, connectFeatures } = await built('app.js');
  const { openDatabase } = await built(join('platform', 'database', 'open.js'));
  const { migrate } = await built(join('platform', 'database', 'migrate.js'));
  const { loadOrCreateSecret } = await built(join('platform', 'secret.js'));
  const { createLog } = await built(join('platform', 'log.js'));
  const { closeDuePeriods } = await built(join('features', 'statements', 'closing', 'service.js'));
  const { dispatchAll } = await built(join('features', 'notifications', 'dispatch', 'service.js'));
  const { tellOfMonthsAndBalances } = await built(join('features', 'notifications', 'timed-notices', 'service.js'));

  const config = loadConfig({ ...env, RATE_LIMIT: 'off' });
  const log = createLog('warn');
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log });
  try {
    await migrate(database.db);
    const accounts = await database.db.selectFrom('users').select('username').execute();
    if (accounts.length > 0)
      throw new HasAccounts(accounts.map((/** @type {{ username: string }} */ { username }) => username));
    const secret = config.SECRET ?? loadOrCreateSecret(config.DATA_DIR);
    // The caller's clock is the only one, so it is always right.
    const deps = createDeps({ react, config, db: database.db, secret, log, clock, otherClock: async () => clock() });
    connectFeatures(deps);
    const app = await buildApp(deps, { webDir: builtWebDir });

    /** @type {Map<number, string>} */
    const signIns = new Map();
    /** Returns an access token of a new sign-in. @param {number} userId */
    const accessOf = async (userId) => {
      const handle = signIns.get(userId) ?? deps.randomId();
      if (!signIns.has(userId)) {
        const now = clock();
        // Past every date of the demo: signing in deletes the sign-ins that have expired.
        const times = { created_at: now, last_used_at: now, checked_at: now, expires_at: new Date('2100-01-01') };
        const row = { user_id: userId, handle, refresh_hash: '', device: '', checked_with: 'password', ...times };
        await database.db.insertInto('sign_ins').values(row).execute();
        signIns.set(userId, handle);
      }
      return deps.tokens.access({ userId, signIn: handle });
    };

    /**
     * Makes a call as a browser would.
     *
     * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
     * @param {string} url
     * @param {{ body?: object, as?: number | undefined, token?: string }} [options] `as` is who calls, by id; `token` is of a program
     * @returns {Promise<any>}
     */
    const call = async (method, url, { body, as, token: given } = {}) => {
      const token = as === undefined ? given : await accessOf(as);
      const answer = await app.inject({
        method,
        url,
        ...(body ? { payload: body } : {}),
        headers: token ? { authorization: `Bearer ${token}` } : {},
      });
      if (answer.statusCode >= 400) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
      return answer.body === '' ? null : answer.json();
    };

    /** Does what a running server would have done by now: closes months, and tells people what happened. */
    const work = async () => {
      await closeDuePeriods(deps);
      await dispatchAll(deps);
      await tellOfMonthsAndBalances(deps);
    };

    /** Listens on a free port of this machine. Returns the address. */
    const listen = async () => {
      // Node stamps answers with the machine's clock, and screens count from that stamp.
      app.server.prependListener(
        'request',
        (/** @type {unknown} */ _request, /** @type {import('node:http').ServerResponse} */ response) =>
          response.setHeader('date', clock().toUTCString()),
      );
      return /** @type {Promise<string>} */ (app.listen({ port: 0, host: '127.0.0.1' }));
    };

    const close = async () => {
      await app.close();
      await database.close();
    };
    return { call, work, listen, close, deps };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @typedef {Awaited<ReturnType<typeof openClockedApp>>} ClockedApp */
