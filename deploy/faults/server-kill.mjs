import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isInstalled } from '../tests/deployment-tools.mjs';
import { startOwnPostgres } from '../../harness/postgres.mjs';
import { clientOf, startTwoServers } from '../tests/proxied-servers.mjs';
import { proxyInFrontOf } from '../tests/proxies.mjs';
import { Impossible, runFault } from './fault.mjs';
import { createLoad } from './load.mjs';

// Kills one of two servers behind HAProxy as shipped, whose clients never repeat: node deploy/faults/server-kill.mjs [rounds]

const ROUNDS = Number(process.argv[2] ?? 5);
const PAIRS = 8;

/** Returns a client that repeats what failed, as devices do, and counts it. @param {import('../tests/proxied-servers.mjs').Proxy} proxy */
function createProxyClient(proxy) {
  const connections = Array.from({ length: PAIRS }, () => clientOf(proxy));
  const free = [...connections];
  const counts = { requests: 0, failed: /** @type {string[]} */ ([]) };
  /** @param {import('./load.mjs').Message} message */
  async function send({ method, path, body, access }) {
    // As the web app does with these calls; HAProxy repeats no other writes.
    const headers = {
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
    };
    const connection = free.pop() ?? clientOf(proxy);
    for (let unsure = false; ; unsure = true) {
      counts.requests += 1;
      const answer = await connection
        .send({ method, path, headers, body: body && JSON.stringify(body) })
        .catch((/** @type {NodeJS.ErrnoException} */ error) => error.code ?? error.message);
      if (typeof answer !== 'string' && answer.status < 500) {
        free.push(connection);
        return { ...answer, text: answer.body, body: answer.body === '' ? undefined : JSON.parse(answer.body), unsure };
      }
      counts.failed.push(`${method} ${path.split('/').at(-2)} ${typeof answer === 'string' ? answer : answer.status}`);
      await pause(100);
    }
  }
  const close = () => {
    for (const connection of connections) connection.close();
  };
  return { send, counts, close };
}

await runFault(async ({ check, checkOracle, defer }) => {
  if (!isInstalled('haproxy')) throw new Impossible("haproxy isn't installed; on Debian: apt-get install haproxy");
  const postgres = await startOwnPostgres();
  if ('missing' in postgres) throw new Impossible(postgres.missing);
  defer(postgres.stop);
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-faults-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const servers = await startTwoServers(postgres.url);
  defer(servers.stop);
  const proxy = await proxyInFrontOf('haproxy', folder, servers.ports);
  defer(proxy.stop);
  const client = createProxyClient(proxy);
  defer(client.close);
  const load = await createLoad(client, { pairs: PAIRS });
  const stop = load.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(1000);
    await servers.restart(proxy, 'SIGKILL');
  }
  await stop();
  const { requests, failed } = client.counts;
  const kinds = [...new Set(failed)].join(', ');
  check(
    failed.length === 0,
    `${failed.length} of ${requests} requests failed in ${ROUNDS} kills${kinds && `: ${kinds}`}`,
  );
  await checkOracle(load);
});
