import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../../harness/databases.mjs';
import { startServer } from '../../harness/server.mjs';
import { freePort } from '../../harness/free-port.mjs';
import { root } from '../../scripts/processes.mjs';
import { HOST } from './proxies.mjs';

// Two built servers on one PostgreSQL database, and clients that count what they lose while one is restarted.
// Hand-written because autocannon neither gives each write its own key nor names what was lost.

export const METRICS_TOKEN = 'a-token-for-prometheus';

/**
 * Starts two servers on one new database.
 *
 * @param {string} postgresUrl of harness/postgres.mjs
 * @param {string} [folder] of another version
 */
export async function startTwoServers(postgresUrl, folder = root) {
  const { url: databaseUrl } = await createDatabase(postgresUrl);
  const secret = 'Rk3vW9sLq0TzX7bN2mYc5HdF8gJ1pUaE';
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET: secret,
    METRICS_TOKEN,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT: 'off',
  };
  // Anyone may read the contact, so it tells which server answered.
  const start = (/** @type {number} */ port, checkout = folder) =>
    startServer({ ...settings, PORT: String(port), CONTACT: `${port}@example.org` }, { checkout });
  const ports = [await freePort(), await freePort()];
  /** @type {Map<number, Awaited<ReturnType<typeof startServer>>>} */
  const servers = new Map();
  for (const port of ports) servers.set(port, await start(port));

  /**
   * Restarts a server, as another version if asked to, and waits until the proxy sends requests to it again. Returns its exit code.
   *
   * @param {Proxy} proxy
   * @param {NodeJS.Signals} [signal]
   * @param {{ port?: number | undefined, version?: string }} [which]
   */
  const restart = async (proxy, signal, { port = ports[0] ?? 0, version } = {}) => {
    const code = await servers.get(port)?.end(signal);
    servers.set(port, await start(port, version));
    const client = clientOf(proxy);
    while (!(await client.send({ path: '/api/about/' })).body.includes(`${port}@example.org`)) await pause(50);
    client.close();
    return code;
  };
  const logs = () => [...servers.values()].map((server) => server.log).join('');
  const stop = () => Promise.all([...servers.values()].map((server) => server.end()));
  return { ports, databaseUrl, restart, logs, stop };
}

/**
 * @typedef {{ port: number, ca: string }} Proxy
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: string }} Answer
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string | undefined }} Message
 */

/**
 * Returns a client of a proxy that keeps its one connection, as a browser does.
 *
 * @param {Proxy} proxy
 * @param {string} [localAddress]
 */
export function clientOf({ port, ca }, localAddress = '127.0.0.1') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, servername: HOST, localAddress });
  /** @param {Message} message @returns {Promise<Answer>} */
  const send = async ({ method = 'GET', path, headers = {}, body }) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { host: HOST, ...type, ...headers },
    });
    sent.end(body);
    const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  };
  return { send, close: () => agent.destroy() };
}

/** Creates an account. Returns a token of it. @param {Proxy} proxy */
async function register(proxy) {
  const client = clientOf(proxy);
  const username = `ada-${randomUUID().slice(0, 8)}`;
  const body = JSON.stringify({ username, email: `${username}@example.org`, password: 'correct horse battery' });
  const answer = await client.send({ method: 'POST', path: '/api/register/', body });
  client.close();
  if (answer.status !== 201) throw new Error(`The account was not created: ${answer.body}`);
  return /** @type {{ access: string }} */ (JSON.parse(answer.body)).access;
}

/** What each client of the load repeats, with a key of its own each time. @type {((key: string) => Message)[]} */
const ROUND = [
  () => ({ path: '/api/me/' }),
  (key) => ({
    method: 'POST',
    path: '/api/assets/',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ name: key, description: '', subscription_cost: 10 }),
  }),
  () => ({ path: '/api/assets/?limit=1' }),
  () => ({ method: 'PATCH', path: '/api/me/', body: '{"usage_reminders":true}' }),
];

/**
 * Sends requests from several clients until told to stop. A request is lost if its answer isn't the expected one. Every
 * client pauses after each round, so that some connections are idle when a server closes them. Each has its own account, because one
 * has at most 1,000 assets.
 *
 * @param {Proxy} proxy
 * @param {number} clients
 * @param {number} [longestPause] in milliseconds
 */
export async function startLoad(proxy, clients, longestPause = 40) {
  const tokens = await Promise.all(Array.from({ length: clients }, () => register(proxy)));
  const load = { isOver: false };
  /** @type {{ sent: number, created: number, lost: string[] }} */
  const counts = { sent: 0, created: 0, lost: [] };
  const work = async (/** @type {string} */ token, /** @type {number} */ number) => {
    const client = clientOf(proxy);
    for (let round = 0; !load.isOver; round += 1) {
      const key = randomUUID();
      for (const message of ROUND.map((make) => make(key))) {
        counts.sent += 1;
        const headers = { ...message.headers, authorization: `Bearer ${token}` };
        const outcome = await client.send({ ...message, headers }).then(
          ({ status }) => status,
          (/** @type {NodeJS.ErrnoException} */ error) => error.code ?? error.message,
        );
        if (outcome === 201) counts.created += 1;
        else if (outcome !== 200) counts.lost.push(`${message.method ?? 'GET'} ${outcome}`);
      }
      await pause((number * 7 + round * 13) % longestPause);
    }
    client.close();
  };
  const ended = Promise.all(tokens.map(work));
  return async () => {
    load.isOver = true;
    await ended;
    return counts;
  };
}
