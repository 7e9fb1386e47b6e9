import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from '../harness/postgres.mjs';
import { startLoad, startTwoServers } from '../deploy/tests/proxied-servers.mjs';
import { proxyInFrontOf } from '../deploy/tests/proxies.mjs';

// Counts what clients behind HAProxy lose while one of two built servers is restarted, with and without lines of
// deploy/haproxy.cfg: npm run build && node bench/restarts.mjs [rounds]

const rounds = Number(process.argv[2] ?? 3);
const REPEATS = ['  retry-on conn-failure empty-response\n'];
const REDISPATCH = ['  option redispatch 1\n'];

/** @type {[name: string, without: string[]][]} */
const VARIANTS = [
  ['as shipped', []],
  ['without redispatch', REDISPATCH],
  ['without repeats', REPEATS],
];

const postgres = await findPostgres();
if ('missing' in postgres) throw new Error(postgres.missing);
const folder = mkdtempSync(join(tmpdir(), 'hourshare-restarts-'));
const servers = await startTwoServers(postgres.url);
try {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL']))
    for (const [clients, pause] of /** @type {const} */ ([
      [12, 40],
      [4, 600],
    ]))
      for (const [name, without] of VARIANTS) {
        const proxy = await proxyInFrontOf('haproxy', folder, servers.ports, {
          changes: without.map((line) => [line, '']),
        });
        /** @type {{ sent: number, lost: string[] }} */
        const total = { sent: 0, lost: [] };
        for (let round = 0; round < rounds; round += 1) {
          const endLoad = await startLoad(proxy, clients, pause);
          await servers.restart(proxy, signal);
          const { sent, lost } = await endLoad();
          total.sent += sent;
          total.lost.push(...lost);
        }
        await proxy.stop();
        const kinds = [...new Set(total.lost)].map(
          (kind) => `${total.lost.filter((one) => one === kind).length} × ${kind}`,
        );
        console.log(
          `${signal}, ${clients} clients, ${name}: ${total.lost.length} of ${total.sent} lost ${kinds.join(', ')}`,
        );
      }
} finally {
  await servers.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
