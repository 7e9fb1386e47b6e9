import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Sets a server's clock forward and back while it writes, but not its uptime: node deploy/faults/clock.mjs

const HOUR_MS = 3_600_000;
const STAYS_MS = 5000;
const WRITES_WITHIN_MS = 5000;
const ENDS_WITHIN_MS = 90_000;
/** @type {[name: string, hours: number][]} how far the clock is off then */
const JUMPS = [
  ['+1 h', 1],
  ['-1 h', 0],
  ['-1 h', -1],
  ['+1 h', 0],
  ['+31 days', 31 * 24],
];

await runFault(async ({ check, checkOracle, install }) => {
  const steady = pathToFileURL(join(import.meta.dirname, 'steady-uptime.mjs')).href;
  const { installation, client } = await install({
    engine: 'embedded',
    settings: { NODE_OPTIONS: `--import ${steady}` },
  });
  const load = await createLoad(client, { pairs: 5, limitsMayEnd: true });
  // One session goes on through all of it, until its limit.
  const kept = load.pairs.pop();
  if (!kept) throw new Error('There are no people.');
  const { member, share } = kept;
  await load.ask(member, `POST /api/shared-assets/${share}/start/`, 201, {});
  const stop = load.start();
  const pid = installation.servers[0]?.pid;
  let slowest = 0;
  let position = 0;
  for (const [name, hours] of JUMPS) {
    await pause(STAYS_MS);
    const jumpedAt = performance.now();
    await installation.advance((hours - position) * HOUR_MS);
    position = hours;
    const before = load.writes();
    await until(() => load.writes() > before + 4, `Writing after ${name}`, 30_000);
    slowest = Math.max(slowest, performance.now() - jumpedAt);
  }
  check(
    slowest <= WRITES_WITHIN_MS,
    `writes at most ${seconds(slowest)} after each of ${JUMPS.map(([name]) => name).join(', ')}`,
  );
  const waitingSince = performance.now();
  const listSessions = () => load.ask(kept.owner, `GET /api/assets/${kept.asset}/sessions/`, 200);
  const isEnded = async () => {
    const { results } = await listSessions();
    return results[0]?.end_time !== null;
  };
  await until(isEnded, 'Ending a session at its limit', ENDS_WITHIN_MS);
  check(true, `timers live: a session ended at its limit ${seconds(performance.now() - waitingSince)} later`);
  await stop();
  check(installation.servers[0]?.pid === pid && installation.servers[0]?.isRunning() === true, 'the server ran on');
  await checkOracle(load);
});
