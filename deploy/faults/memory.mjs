import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Impossible, runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Lowers the memory limit of a server until the kernel ends it, as MemoryMax= of systemd does, and starts it again with
// enough: node deploy/faults/memory.mjs [rounds]. Needs root and Linux control groups.

const ROUNDS = Number(process.argv[2] ?? 5);
const BACK_WITHIN_MS = 5000;
const PLENTY_MB = 1024;
const STEP_MB = 4;
const MB = 1024 * 1024;

/** Makes a control group for memory. @param {import('./fault.mjs').Fault} fault */
function createGroup({ defer }) {
  const name = `hourshare-faults-${process.pid}`;
  for (const [parent, limit] of /** @type {const} */ ([
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ]))
    try {
      const folder = join(parent, name);
      mkdirSync(folder);
      defer(() => rmdirSync(folder));
      const setLimit = (/** @type {number} */ bytes) => writeFileSync(join(folder, limit), String(bytes));
      setLimit(PLENTY_MB * MB);
      const enter = (/** @type {string} */ group) => writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      return {
        setLimit,
        /** Runs work whose new processes are limited from their first byte on. @param {() => Promise<unknown>} work */
        within: async (work) => {
          enter(folder);
          try {
            await work();
          } finally {
            enter(parent);
          }
        },
      };
    } catch {
      // The other version of control groups may be there.
    }
  throw new Impossible('a memory limit can only be set as root with control groups for memory');
}

await runFault(async (fault) => {
  const { check, checkOracle, install } = fault;
  const group = createGroup(fault);
  const { installation, client } = await install({ engine: 'embedded' });
  const [server] = installation.servers;
  const load = await createLoad(client);
  await server?.end('SIGTERM');
  await group.within(installation.restart);
  const stop = load.start();
  const starts = [];
  const limits = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = load.writes();
    await until(() => load.writes() > before + 20, 'Writing', 60_000);
    let limit = PLENTY_MB;
    const lower = () => {
      if (server?.isRunning() !== true) return true;
      try {
        group.setLimit((limit - STEP_MB) * MB);
        limit -= STEP_MB;
      } catch {
        // It uses more than that, and ends when it asks for more.
      }
      return false;
    };
    await until(lower, 'Ending', 120_000);
    limits.push(limit);
    const diedAt = performance.now();
    group.setLimit(PLENTY_MB * MB);
    await group.within(installation.restart);
    starts.push(performance.now() - diedAt);
  }
  await stop();
  check(true, `ended ${ROUNDS} times by limits of ${Math.min(...limits)} to ${Math.max(...limits)} MB`);
  const slowest = Math.max(...starts);
  check(slowest <= BACK_WITHIN_MS, `ready again in at most ${seconds(slowest)}`);
  await checkOracle(load);
});
