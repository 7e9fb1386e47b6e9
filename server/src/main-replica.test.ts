import type { SignedIn } from '@hourshare/contract/sign-ins';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  postgresqlPrograms,
  startOwnPostgresql,
  startOwnStandby,
  type OwnPostgresql,
} from './platform/database/testing/own-postgresql.ts';
import { until } from './platform/database/testing/processes.ts';
import { onServer } from './platform/database/testing/templates.ts';
import { TEST_PASSWORD } from './testing/api.ts';
import { startServer } from './testing/server-process.ts';

const programs = postgresqlPrograms('pg_basebackup');
if (!programs) console.log('PostgreSQL is not installed here: not tried with a replica.');

const METRICS_TOKEN = 'a-token-for-the-figures';
const SECRET = 'known to this test alone, 32 characters';

/** How many reads went to the replica, and how many to the primary instead. */
interface Reads {
  replica: number;
  primary: number;
}

type RunningServer = Awaited<ReturnType<typeof run>>;

/** Starts a server. */
async function run(settings: Record<string, string>) {
  const server = startServer({ SECRET, METRICS_TOKEN, ...settings });
  const stop = async () => {
    server.kill('SIGKILL');
    await server.ended;
  };
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);

  async function call(method: string, path: string, { as, body }: { as?: SignedIn; body?: object } = {}) {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(as && { authorization: `Bearer ${as.access}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${bytes.toString()}`);
    return bytes;
  }
  const json = async <T>(...args: Parameters<typeof call>) => JSON.parse((await call(...args)).toString()) as T;

  async function reads(): Promise<Reads> {
    const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const figures = await answer.text();
    const figure = (name: string) => Number(new RegExp(`^hourshare_replica_${name} (\\d+)$`, 'm').exec(figures)?.[1]);
    return { replica: figure('reads_total'), primary: figure('fallbacks_total') };
  }

  /** Runs work. Returns where its reads went. */
  async function readsDuring(work: () => Promise<unknown>): Promise<Reads> {
    const before = await reads();
    await work();
    const after = await reads();
    return { replica: after.replica - before.replica, primary: after.primary - before.primary };
  }

  /** Repeats work until the replica has answered all its reads: it gets a rest whenever this machine is too busy for it. */
  const untilFromReplica = (work: () => Promise<unknown>) =>
    until(
      async () => {
        const { replica, primary } = await readsDuring(work);
        return replica > 0 && primary === 0;
      },
      'an answer from the replica',
      60_000,
    );

  return { call, json, readsDuring, untilFromReplica, stdout: () => server.stdout(), stop };
}

let users = 0;

/** Registers an owner and a member who share an asset. */
async function household({ call, json }: RunningServer) {
  const register = () => {
    const username = `person${++users}`;
    const body = { username, email: `${username}@example.org`, password: TEST_PASSWORD };
    return json<SignedIn>('POST', '/api/register/', { body });
  };
  const [owner, member] = [await register(), await register()];
  const asset = { name: 'Studio', description: '', subscription_cost: 20 };
  const { id: assetId } = await json<{ id: number }>('POST', '/api/assets/', { as: owner, body: asset });
  const share = { username: member.user.username, monthly_hours_allocated: 700 };
  await call('POST', `/api/assets/${assetId}/share/`, { as: owner, body: share });
  const shares = await json<{ results: { id: number }[] }>('GET', '/api/shared-assets/', { as: member });
  const shareId = shares.results[0]!.id;
  const path = `/api/shared-assets/${shareId}`;
  return {
    owner,
    member,
    assetId,
    shareId,
    start: async () => (await json<{ id: number }>('POST', `${path}/start/`, { as: member })).id,
    end: () => call('POST', `${path}/end/`, { as: member }),
    /** Returns the newest session in the log, and whether it has ended. */
    newest: async () => {
      const log = await json<{ results: { id: number; end_time: string | null }[] }>('GET', `${path}/logs/`, {
        as: member,
      });
      const session = log.results[0];
      return session && { id: session.id, ended: session.end_time !== null };
    },
  };
}

describe.runIf(programs)('a server with a replica', () => {
  let primary: OwnPostgresql;
  let standby: OwnPostgresql;
  let server: RunningServer;
  beforeAll(async () => {
    primary = await startOwnPostgresql(programs!);
    standby = await startOwnStandby(programs!, primary);
    server = await run({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url });
  });
  afterAll(async () => {
    await server?.stop();
    await standby?.remove();
    await primary?.remove();
  });

  let home: Awaited<ReturnType<typeof household>>;
  beforeEach(async () => {
    home = await household(server);
  });

  /** Starts another server for the test. */
  async function runAnother(settings: Record<string, string>): Promise<RunningServer> {
    const another = await run({ DATABASE_URL: primary.url, ...settings });
    onTestFinished(another.stop);
    return another;
  }

  /** Starts and ends sessions, and expects each change in the log at once. Returns where the log was read. */
  const pressAndRead = (running: RunningServer, { start, end, newest }: typeof home, rounds: number) =>
    running.readsDuring(async () => {
      for (let round = 0; round < rounds; round++) {
        const id = await start();
        expect(await newest()).toEqual({ id, ended: false });
        await end();
        expect(await newest()).toEqual({ id, ended: true });
      }
    });

  /** Reads until a warning says why the replica isn't used. At most one is logged each minute, and an earlier one may be another. */
  const untilWarned = ({ stdout }: RunningServer, { newest }: typeof home, reason: string) =>
    until(async () => {
      await newest();
      return stdout().includes(`The replica is not used: ${reason}`);
    }, `a warning that ${reason}`);

  it('reads analytics and session logs from it, also as CSV, and the rest from the primary', async () => {
    const { owner, member, assetId, shareId } = home;
    const onReplica: [string, SignedIn][] = [
      [`/api/assets/${assetId}/analytics/`, owner],
      [`/api/assets/${assetId}/analytics/?format=csv`, owner],
      [`/api/shared-assets/${shareId}/analytics/`, member],
      [`/api/shared-assets/${shareId}/logs/`, member],
      [`/api/shared-assets/${shareId}/logs/?format=csv`, member],
      [`/api/assets/${assetId}/sessions/`, owner],
      [`/api/assets/${assetId}/sessions/?format=csv`, owner],
    ];
    for (const [path, as] of onReplica) await server.untilFromReplica(() => server.call('GET', path, { as }));
    const onPrimary: [string, SignedIn][] = [
      ['/api/assets/', owner],
      // These may close months.
      [`/api/assets/${assetId}/history/`, owner],
      ['/api/findings/', owner],
      [`/api/shared-assets/${shareId}/active-session/`, member],
    ];
    for (const [path, as] of onPrimary) {
      const reads = await server.readsDuring(() => server.call('GET', path, { as }));
      expect([path, reads]).toEqual([path, { replica: 0, primary: 0 }]);
    }
  });

  it('reads exports from it, with what was written just before', async () => {
    const { member, shareId, start } = home;
    const id = await start();
    let json: unknown;
    await server.untilFromReplica(async () => (json = await server.json('GET', '/api/me/export/', { as: member })));
    expect(json).toMatchObject({ account: { id: member.user.id }, sessions: [{ id, share_id: shareId }] });
    let files: Record<string, Uint8Array> = {};
    await server.untilFromReplica(async () => {
      files = unzipSync(new Uint8Array(await server.call('GET', '/api/me/export/csv/', { as: member })));
    });
    expect(Buffer.from(files['sessions.csv']!).toString()).toContain(`${shareId},Studio,${id},`);
  });

  it('has what was pressed just before in the log, 100 times', async () => {
    await server.untilFromReplica(home.newest);
    const { replica, primary: others } = await pressAndRead(server, home, 50);
    expect(replica + others).toBe(100);
    expect(replica).toBeGreaterThan(0);
  });

  it('has what was pressed just before in the log if writes are acknowledged before they are flushed', async () => {
    const another = await runAnother({
      DATABASE_URL: `${primary.url}&options=${encodeURIComponent('-c synchronous_commit=off')}`,
      DATABASE_REPLICA_URL: standby.url,
    });
    const theirs = await household(another);
    await another.untilFromReplica(theirs.newest);
    const { replica } = await pressAndRead(another, theirs, 10);
    expect(replica).toBeGreaterThan(0);
  });

  it('reads the newest writes from the primary while it is behind', async () => {
    const { start, newest } = home;
    await server.untilFromReplica(newest);
    await onServer(standby.url, 'select pg_wal_replay_pause()');
    try {
      const id = await start();
      let session: unknown;
      const reads = await server.readsDuring(async () => (session = await newest()));
      expect([reads, session]).toEqual([
        { replica: 0, primary: 1 },
        { id, ended: false },
      ]);
      await untilWarned(server, home, 'it did not have the latest writes within 100 ms');
    } finally {
      await onServer(standby.url, 'select pg_wal_replay_resume()');
    }
    await server.untilFromReplica(newest);
  });

  it('reads everything from the primary while it is stopped, and uses it again once it is back', async () => {
    const { member, start, newest } = home;
    await server.untilFromReplica(newest);
    await standby.stop();
    try {
      const id = await start();
      let session: unknown;
      const reads = await server.readsDuring(async () => (session = await newest()));
      expect([reads, session]).toEqual([
        { replica: 0, primary: 1 },
        { id, ended: false },
      ]);
      expect(await server.json('GET', '/api/me/export/', { as: member })).toMatchObject({ sessions: [{ id }] });
      expect(await server.readsDuring(newest)).toEqual({ replica: 0, primary: 1 });
    } finally {
      await standby.start();
    }
    await server.untilFromReplica(newest);
    expect(server.stdout()).toContain('The replica is used again.');
  });

  it('starts while it is stopped, with one warning, and uses it once it is there', async () => {
    await standby.stop();
    let another: RunningServer;
    try {
      another = await runAnother({ DATABASE_REPLICA_URL: standby.url });
      const theirs = await household(another);
      for (let round = 0; round < 5; round++) await theirs.newest();
      expect(another.stdout().split('The replica is not used')).toHaveLength(2);
      expect(another.stdout()).toContain('or set DATABASE_REPLICA_URL to another one.');
    } finally {
      await standby.start();
    }
    await another.untilFromReplica((await household(another)).newest);
  });

  it('does not start with a malformed address, and says what to set', async () => {
    for (const address of ['mysql://me:canary@db.example.org/db', 'postgresql://me:canary@db.example.org:port/db']) {
      const failure = run({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: address });
      await expect(failure).rejects.toThrow(
        /^The server did not start: DATABASE_REPLICA_URL .*an address such as postgresql:\/\/user:password@host:5432\/database[^\n]*\.\n$/,
      );
      await expect(failure).rejects.not.toThrow('canary');
    }
    await expect(run({ DATA_DIR: '/nowhere', DATABASE_REPLICA_URL: standby.url })).rejects.toThrow(
      'DATABASE_URL must be set if DATABASE_REPLICA_URL is',
    );
  });

  it('reads from the primary if the address leads to no replica', async () => {
    const another = await runAnother({ DATABASE_REPLICA_URL: primary.url });
    const theirs = await household(another);
    expect(await another.readsDuring(theirs.newest)).toEqual({ replica: 0, primary: 1 });
    await untilWarned(another, theirs, 'it is not a streaming replica of DATABASE_URL');
  });

  it('reads from the new primary if the replica has missed a failover, whatever the replica has instead', async () => {
    const promoted = await startOwnStandby(programs!, primary);
    onTestFinished(promoted.remove);
    await onServer(promoted.url, 'select pg_promote()');
    // The replica gets what the new primary never will, and so is further ahead.
    await onServer(primary.url, 'create table lost as select generate_series(1, 100000)');
    const another = await runAnother({ DATABASE_URL: promoted.url, DATABASE_REPLICA_URL: standby.url });
    const theirs = await household(another);
    const id = await theirs.start();
    let session: unknown;
    const reads = await another.readsDuring(async () => (session = await theirs.newest()));
    expect([reads, session]).toEqual([
      { replica: 0, primary: 1 },
      { id, ended: false },
    ]);
    // The first attempt may have failed for another reason, such as a connection that took too long.
    await untilWarned(another, theirs, 'it has not followed the primary to its timeline');
  });
});
