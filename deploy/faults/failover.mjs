import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toolEnv } from '../tests/deployment-tools.mjs';
import { freePort } from '../../harness/free-port.mjs';
import { installedPrograms, lesserUser, makeFolder } from '../../harness/postgres.mjs';
import { queryDatabase } from '../../harness/databases.mjs';
import { Impossible, runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Kills the leader of a Patroni pair while two servers write to it through HAProxy: node deploy/faults/failover.mjs [rounds]
// Everything is on loopback and in a temporary folder, and not run as root.

const ROUNDS = Number(process.argv[2] ?? 1);
const TTL_SECONDS = 20;
const WRITES_WITHIN_MS = 30_000;
const REJOINED_WITHIN_MS = 120_000;
const LOAD_BEFORE_MS = 5000;
const LOAD_AFTER_MS = 15_000;
const INSTALL = 'apt-get install --no-install-recommends postgresql patroni python3-etcd etcd-server haproxy';

/** @typedef {import('./fault.mjs').Fault} Fault */
/** @typedef {{ name: string, port: number, api: number, data: string, start: () => void, kill: () => Promise<void> }} Member */

/** Returns whether a Patroni member answers 200. @param {Member} member @param {string} path */
const answers = ({ api }, path) =>
  fetch(`http://127.0.0.1:${api}${path}`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns the ids of a process's children. @param {number} parent */
function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) === parent;
      } catch {
        return false; // It has ended meanwhile.
      }
    })
    .map(Number);
}

/** @param {number} pid */
function killAtOnce(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Starts etcd, the pair, and HAProxy. @param {Fault} fault */
async function startPair({ defer }) {
  for (const tool of ['patroni', 'etcd', 'haproxy'])
    if (spawnSync('which', [tool], { env: toolEnv }).status !== 0)
      throw new Impossible(`${tool} isn't installed; on Debian: ${INSTALL}`);
  const programs = installedPrograms(['pg_basebackup', 'pg_rewind']);
  if (programs === undefined) throw new Impossible(`PostgreSQL isn't installed; on Debian: ${INSTALL}`);

  const user = lesserUser();
  const folder = makeFolder(user);
  defer(() => rmSync(folder, { recursive: true, force: true }));
  /** @param {string} name */
  const makeSubfolder = (name) => {
    const made = join(folder, name);
    mkdirSync(made, { mode: 0o700 });
    if (user) chownSync(made, user.uid, user.gid);
    return made;
  };
  const logs = makeSubfolder('logs');
  /** @param {string} name @param {string} command @param {string[]} args */
  const run = (name, command, args) => {
    const child = spawn(command, args, {
      ...user,
      cwd: folder,
      env: { ...toolEnv, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(logs, name), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const ended = once(child, 'close');
    return {
      pid: child.pid ?? 0,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      end: async (/** @type {NodeJS.Signals} */ signal) => {
        child.kill(signal);
        await ended;
      },
    };
  };

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const store = run('etcd', 'etcd', [
    `--data-dir=${makeSubfolder('etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
  defer(() => store.end('SIGKILL'));
  await until(
    () =>
      fetch(`${etcd}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'Starting etcd',
    30_000,
  );

  /** @param {string} name @returns {Promise<Member>} */
  const createMember = async (name) => {
    const [port, api] = [await freePort(), await freePort()];
    const data = join(makeSubfolder(name), 'data');
    const superuser = { username: 'postgres' };
    // JSON is YAML.
    const settings = {
      scope: 'hourshare',
      name,
      log: { level: 'INFO' },
      restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
      etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
      bootstrap: {
        dcs: {
          ttl: TTL_SECONDS,
          loop_wait: 5,
          retry_timeout: 5,
          maximum_lag_on_failover: 1_048_576,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: data,
        bin_dir: programs,
        pgpass: join(folder, name, 'pgpass'),
        authentication: { superuser, replication: superuser, rewind: superuser },
        parameters: { unix_socket_directories: join(folder, name) },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    };
    const file = join(folder, name, 'patroni.yml');
    writeFileSync(file, JSON.stringify(settings, undefined, 2));
    chmodSync(file, 0o644);
    /** @type {ReturnType<typeof run> | undefined} */
    let patroni;
    const kill = async () => {
      const pidFile = join(data, 'postmaster.pid');
      const postmaster = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
      const pids = [
        ...childrenOf(patroni?.pid ?? -1),
        ...(postmaster > 0 ? [...childrenOf(postmaster), postmaster] : []),
      ];
      const ended = patroni?.isRunning() ? patroni.end('SIGKILL') : undefined;
      for (const pid of pids) killAtOnce(pid);
      await ended;
    };
    defer(kill);
    return { name, port, api, data, kill, start: () => void (patroni = run(name, 'patroni', [file])) };
  };
  const members = [await createMember('one'), await createMember('two')];
  members[0]?.start();
  await until(() => answers(/** @type {Member} */ (members[0]), '/primary'), 'Starting the leader', 60_000);
  members[1]?.start();
  await until(() => answers(/** @type {Member} */ (members[1]), '/sync'), 'Starting the standby', 90_000);

  const port = await freePort();
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(
    config,
    `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen database
  bind 127.0.0.1:${port}
  # Patroni answers 200 on the leader alone.
  option httpchk GET /primary
  http-check expect status 200
  # Connections to a former leader end at once.
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((member) => `  server ${member.name} 127.0.0.1:${member.port} check port ${member.api}\n`).join('')}`,
  );
  const haproxy = run('haproxy', 'haproxy', ['-db', '-f', config]);
  defer(() => haproxy.end('SIGKILL'));
  const base = `postgresql://postgres@127.0.0.1:${port}`;
  await until(
    () =>
      queryDatabase(`${base}/postgres`, 'create database hourshare').then(
        () => true,
        () => false,
      ),
    'Reaching the leader through HAProxy',
    30_000,
  );
  return { members, databaseUrl: `${base}/hourshare` };
}

/** Returns the member that is the leader, once there is one. @param {Member[]} members */
async function findLeader(members) {
  /** @type {Member | undefined} */
  let leader;
  await until(
    async () => {
      for (const member of members) if (await answers(member, '/primary')) leader = member;
      return leader !== undefined;
    },
    'Finding a leader',
    60_000,
  );
  return /** @type {Member} */ (leader);
}

await runFault(async (fault) => {
  const { check, checkOracle, install } = fault;
  const { members, databaseUrl } = await startPair(fault);
  const { installation, client } = await install({ engine: 'postgresql', databaseUrl });
  const pids = installation.servers.map((server) => server.pid);
  const load = await createLoad(client, { pairs: 6 });
  const stop = load.start();
  const gaps = [];
  const rejoins = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(LOAD_BEFORE_MS);
    const killed = await findLeader(members);
    const killedAt = performance.now();
    await killed.kill();
    const before = load.writes();
    await until(() => load.writes() > before + 20, 'Writing again', 80_000);
    await pause(LOAD_AFTER_MS);
    gaps.push(load.longestGap(killedAt));
    const startedAt = performance.now();
    killed.start();
    await until(() => answers(killed, '/sync'), 'Rejoining as the synchronous standby', REJOINED_WITHIN_MS);
    rejoins.push(performance.now() - startedAt);
  }
  await stop();
  const longest = Math.max(...gaps);
  check(longest <= WRITES_WITHIN_MS, `writes again within ${seconds(longest)} of the kill at ttl ${TTL_SECONDS}`);
  check(
    installation.servers.every((server, index) => server.isRunning() && server.pid === pids[index]),
    'no server restarted',
  );
  check(true, `the old leader rejoined in ${seconds(Math.max(...rejoins))}`);
  check(
    true,
    `${client.counts.unavailable} answers 503 and ${client.counts.unanswered} lost of ${client.counts.requests}`,
  );
  await checkOracle(load);
});
