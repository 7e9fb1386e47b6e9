import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { isInstalled } from './deployment-tools.mjs';
import { findPostgres } from '../../harness/postgres.mjs';
import { root } from '../../scripts/processes.mjs';
import { startLoad, startTwoServers } from './proxied-servers.mjs';
import { proxyInFrontOf } from './proxies.mjs';

// Two servers behind HAProxy, as shipped, are replaced one after the other by a version that adds a column, then by one
// that drops the column of the first.

/**
 * What each version does that the one before didn't: a migration, and the column that every call reads.
 *
 * @type {[migration: string, statement: string, column: string][]}
 */
const CHANGES = [
  ['9997-nick', "add column nick text not null default ''", 'nick'],
  ['9998-nickname', "add column nickname text not null default ''", 'nickname'],
  ['9999-drop-nick-needs-9998', 'drop column nick', 'nickname'],
];

/** Makes a version of the built server with these changes. Returns its folder. @param {typeof CHANGES} changes */
function makeVersion(changes) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-version-'));
  for (const name of ['node_modules', 'web']) symlinkSync(join(root, name), join(folder, name));
  for (const name of ['package.json', 'server/dist']) cpSync(join(root, name), join(folder, name), { recursive: true });
  const migrations = changes.map(
    ([name, statement]) => `migrations['${name}'] = { up: (db) => sql\`alter table users ${statement}\`.execute(db) };`,
  );
  const importSql = "import { sql } from 'kysely';";
  appendFileSync(join(folder, 'server/dist/migrations/index.js'), `${importSql}\n${migrations.join('\n')}\n`);
  const health = join(folder, 'server/dist/platform/http/health.js');
  const start = 'export function serveHealth(app, db, readiness) {';
  const [before, after, ...others] = readFileSync(health, 'utf8').split(start);
  if (after === undefined || others.length > 0) throw new Error('The server serves its health in another way.');
  const read = `app.addHook('preHandler', async ({ url }) => {
    if (url.startsWith('/api/')) await sql\`select ${changes.at(-1)?.[2]} from users limit 1\`.execute(db);
  });`;
  writeFileSync(health, `${importSql}\n${before}${start}\n${read}${after}`);
  return folder;
}

/** @param {number | undefined} port */
async function readiness(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { code: answer.status, .../** @type {{ status: string }} */ (await answer.json()) };
}

/** Asks until told to stop. Returns how often no server was ready, and how often it asked. @param {number[]} ports */
function watchReadiness(ports) {
  const watch = { isOver: false };
  const counts = { asked: 0, unready: 0 };
  const isReady = (/** @type {number | undefined} */ port) =>
    readiness(port).then(
      ({ code }) => code === 200,
      () => false,
    );
  const work = async () => {
    // A stopping server listens for as long as connections come, so the other one isn't asked without need.
    let [port, other] = ports;
    while (!watch.isOver) {
      counts.asked += 1;
      if (!(await isReady(port))) {
        [port, other] = [other, port];
        if (!(await isReady(port))) counts.unready += 1;
      }
      await pause(20);
    }
  };
  const ended = work();
  return async () => {
    watch.isOver = true;
    await ended;
    return counts;
  };
}

describe.runIf(isInstalled('haproxy'))('two servers behind HAProxy', () => {
  /** @type {import('../../harness/postgres.mjs').Server} */
  let postgres;
  /** Their folders. @type {string[]} */
  let versions;
  beforeAll(async () => {
    if (!(await build())) throw new Error('The build failed.');
    const found = await findPostgres();
    if ('missing' in found) throw new Error(found.missing);
    postgres = found;
    versions = CHANGES.map((_, index) => makeVersion(CHANGES.slice(0, index + 1)));
  }, 300_000);
  afterAll(async () => {
    await postgres?.stop();
    for (const folder of versions ?? []) rmSync(folder, { recursive: true });
  });

  /** Starts two servers of a version under load. @param {string | undefined} version */
  async function startUnderLoad(version) {
    const folder = mkdtempSync(join(tmpdir(), 'hourshare-upgrade-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const servers = await startTwoServers(postgres.url, version);
    onTestFinished(async () => void (await servers.stop()));
    const proxy = await proxyInFrontOf('haproxy', folder, servers.ports);
    onTestFinished(proxy.stop);
    const endLoad = await startLoad(proxy, 6);
    const endWatch = watchReadiness(servers.ports);
    const end = async () => {
      const [{ lost }, { unready }] = [await endLoad(), await endWatch()];
      return { lost, unready };
    };
    onTestFinished(async () => void (await end()));
    const restart = (/** @type {number} */ index, /** @type {string | undefined} */ version) =>
      servers.restart(proxy, 'SIGTERM', { port: servers.ports[index], ...(version !== undefined && { version }) });
    return { ...servers, restart, end };
  }

  it('lose nothing while they are replaced, whether a migration adds a column or drops one that they no longer use', async () => {
    const [first, second, third] = versions;
    const { ports, restart, end } = await startUnderLoad(first);

    expect(await restart(0, second)).toBe(0);
    expect(await readiness(ports[1])).toEqual({ code: 200, status: 'ok' });
    expect(await restart(1, second)).toBe(0);

    expect(await restart(0, third)).toBe(0);
    expect(await readiness(ports[1])).toEqual({ code: 200, status: 'ok' });
    expect(await restart(1, third)).toBe(0);
    expect(await end()).toEqual({ lost: [], unready: 0 });
  });

  it('of a version that still uses what a migration drops stop being ready', async () => {
    const [first, , third] = versions;
    const { ports, restart, end } = await startUnderLoad(first);
    await restart(0, third);
    expect(await readiness(ports[1])).toEqual({ code: 503, status: 'schema out of date' });
    const call = await fetch(`http://127.0.0.1:${ports[1]}/api/about/`);
    expect(call.status).toBe(500);
    await end();
    expect(await readiness(ports[0])).toEqual({ code: 200, status: 'ok' });
  });
});
