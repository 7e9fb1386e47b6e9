import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../../harness/databases.mjs';
import { lesserUser, startOwnPostgres } from '../../harness/postgres.mjs';
import { Impossible, runFault, seconds } from './fault.mjs';
import { createLoad } from './load.mjs';

// Stops PostgreSQL as a crash would while two servers write, and starts it again: node deploy/faults/database-restart.mjs [rounds]

const ROUNDS = Number(process.argv[2] ?? 5);
const GAP_MS = 5000;

await runFault(async ({ check, checkOracle, defer, install }) => {
  const postgres = await startOwnPostgres();
  if ('missing' in postgres) throw new Impossible(postgres.missing);
  defer(postgres.stop);
  const { url: databaseUrl } = await createDatabase(postgres.url);
  const { installation, client } = await install({ engine: 'postgresql', databaseUrl });
  const pids = installation.servers.map((server) => server.pid);

  const folder = dirname(postgres.socket);
  /** Unlike restart() of harness/postgres.mjs, lets the load go on meanwhile. @param {string[]} args */
  const pgCtl = async (...args) => {
    const program = join(/** @type {string} */ (postgres.env.PATH?.split(':')[0]), 'pg_ctl');
    await once(
      spawn(program, ['-D', join(folder, 'data'), ...args], { ...lesserUser(), cwd: folder, stdio: 'ignore' }),
      'close',
    );
  };
  const load = await createLoad(client, { pairs: 6 });
  const stop = load.start();
  const gaps = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(2000);
    const stoppedAt = performance.now();
    await pgCtl('stop', '-m', 'immediate');
    await pgCtl('start', '-l', join(folder, 'log'));
    await pause(3000);
    gaps.push(load.longestGap(stoppedAt));
  }
  await stop();
  const longest = Math.max(...gaps);
  check(longest <= GAP_MS, `no writes for at most ${seconds(longest)} in ${ROUNDS} restarts`);
  check(
    installation.servers.every((server, index) => server.isRunning() && server.pid === pids[index]),
    'no server restarted',
  );
  check(true, `${client.counts.unavailable} answers 503, all with Retry-After`);
  check(
    client.counts.unanswered === 0,
    `${client.counts.unanswered} of ${client.counts.requests} requests without an answer`,
  );
  await checkOracle(load);
});
