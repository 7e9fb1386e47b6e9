import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDatabase } from '../harness/databases.mjs';
import { MEASURED, memoryOf } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { seed } from './seed.mjs';

// Measures how long a backup and a restore take while a server is running, how large the file is, and how long requests
// wait meanwhile. Build first.
//
//   node bench/backups.mjs
//
// Options: --engine postgresql|embedded --sessions 100000,1000000

const { values: options } = parseArgs({
  options: { engine: { type: 'string' }, sessions: { type: 'string', default: '100000,1000000' } },
});
const HERE = resolve(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));

/** Runs a command while requests are sent one after another. @param {string} url @param {number} server its process id @param {Record<string, string>} env @param {string[]} args */
async function measure(url, server, env, args) {
  let [longest, failed, peak] = [0, 0, 0];
  const before = memoryOf(server, 'VmHWM');
  const started = performance.now();
  const command = spawn(process.execPath, [join(HERE, 'server', 'dist', 'admin.js'), ...args], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  command.stdout.on('data', (text) => process.stdout.write(`  ${text}`));
  const end = new AbortController();
  const ask = async () => {
    while (!end.signal.aborted) {
      const from = performance.now();
      // Fails without the database.
      const answer = await fetch(`${url}/api/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"username":"nobody","password":"nobody"}',
      });
      await answer.text();
      if (answer.status !== 401) failed += 1;
      else longest = Math.max(longest, performance.now() - from);
      peak = Math.max(peak, memoryOf(command.pid ?? 0, 'VmHWM') || 0);
      await pause(20);
    }
  };
  const asking = ask();
  const [code] = await once(command, 'close');
  const milliseconds = performance.now() - started;
  end.abort();
  await asking;
  if (code !== 0) throw new Error(`${args.join(' ')} failed`);
  const memory = Math.max(peak, memoryOf(server, 'VmHWM') - before);
  return `${(milliseconds / 1000).toFixed(1)} s, longest answer ${(longest / 1000).toFixed(2)} s, ${failed} answers were errors, command's or server's added memory at most ${memory.toFixed(0)} MB`;
}

/** @param {string} engine @param {number} sessions @param {() => Promise<Record<string, string>>} create settings of an empty database */
async function round(engine, sessions, create) {
  const file = join(folder, `${engine}-${sessions}.gz`);
  const [from, to] = [await create(), await create()];
  await seed(HERE, from, { inAll: sessions });
  console.log(`${engine}, ${sessions} sessions`);
  for (const [env, args] of /** @type {[Record<string, string>, string[]][]} */ ([
    [from, ['backup', file]],
    [to, ['restore', file]],
  ])) {
    const server = await startServer({ ...env, RATE_LIMIT: 'off', LOG_LEVEL: 'fatal' });
    console.log(`  ${args[0]}: ${await measure(server.url, server.pid, env, args)}`);
    await server.end();
  }
  console.log(`  file: ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
}

try {
  const sizes = (options.sessions ?? '').split(',').map(Number);
  if (options.engine !== 'embedded') {
    const postgres = await findPostgres();
    if ('missing' in postgres) throw new Error(postgres.missing);
    try {
      const create = async () => ({ ...MEASURED, DATABASE_URL: (await createDatabase(postgres.url)).url });
      for (const size of sizes) await round('postgresql', size, create);
    } finally {
      await postgres.stop();
    }
  }
  if (options.engine !== 'postgresql')
    for (const size of sizes)
      await round('embedded', size, async () => ({ ...MEASURED, DATA_DIR: await mkdtemp(join(folder, 'data-')) }));
} finally {
  await rm(folder, { recursive: true, force: true });
}
