import { setTimeout as pause } from 'node:timers/promises';
import type { SignedIn } from '@hourshare/contract/accounts';
import { unzipSync } from 'fflate';
import pg from 'pg';
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
import { startServer, type ServerProcess } from './testing/server-process.ts';

const programs = postgresqlPrograms('pg_basebackup');
if (!programs) console.log('PostgreSQL is not installed here: not tried with a replica.');

const METRICS_TOKEN = 'a-token-for-the-figures';
const SECRET = 'known to this test alone, 32 characters';

describe.runIf(programs)('a server with a replica', () => {
  let primary: OwnPostgresql;
  let standby: OwnPostgresql;
  let server: RunningServer;
  beforeAll(async () => {
    primary = await startOwnPostgresql(programs!);
    standby = await startOwnStandby(programs!, primary);
    server = await run({ DATABASE_REPLICA_URL: standby.url });
  });
  afterAll(async () => {
    await server?.stop();
    await standby?.remove();
    await primary?.remove();
  });

  type RunningServer = Awaited<ReturnType<typeof run>>;

  async function run(settings: Record<string, string>) {
    const running: ServerProcess = startServer({ DATABASE_URL: primary.url, SECRET, METRICS_TOKEN, ...settings });
    const stop = async () => {
      running.kill('SIGKILL');
      await running.ended;
    };
    const address = await running.ready;
    if (address === undefined) throw new Error(`The server did not start: ${running.stderr()}`);

    async function call<T>(method: string, path: string, { as, body }: { as?: SignedIn; body?: object } = {}) {
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(as && { authorization: `Bearer ${as.access}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return { answer, json: async () => (await answer.json()) as T };
    }
    const text = async (path: string, as: SignedIn) => (await call('GET', path, { as })).answer.text();

    /** Returns how many reads went to the replica, and how many to the primary instead. */
    async function reads(): Promise<{ replica: number; primary: number }> {
      const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      const figures = await answer.text();
      const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(figures)?.[1]);
      return {
        replica: figure('hourshare_replica_reads_total'),
        primary: figure('hourshare_replica_fallbacks_total'),
      };
    }

    /** Runs work. Returns where its reads went. */
    async function readsDuring(work: () => Promise<unknown>): Promise<{ replica: number; primary: number }> {
      const before = await reads();
      await work();
      const after = await reads();
      return { replica: after.replica - before.replica, primary: after.primary - before.primary };
    }

    return { ...running, address, stop, call, text, readsDuring };
  }

  let users = 0;
  /** Registers an owner, who shares an asset, and a member. */
  async function household() {
    const register = async () => {
      const username = `person${++users}`;
      const body = { username, email: `${username}@example.org`, password: TEST_PASSWORD };
      return (await server.call<SignedIn>('POST', '/api/register/', { body })).json();
    };
    const [owner, member] = [await register(), await register()];
    const asset = { name: 'Studio', description: '', subscription_cost: 20 };
    const { id: assetId } = await (
      await server.call<{ id: number }>('POST', '/api/assets/', { as: owner, body: asset })
    ).json();
    const share = { username: member.user.username, monthly_hours_allocated: 700 };
    await server.call('POST', `/api/assets/${assetId}/share/`, { as: owner, body: share });
    const { results } = await (
      await server.call<{ results: { id: number }[] }>('GET', '/api/shared-assets/', { as: member })
    ).json();
    const shareId = results[0]!.id;
    const start = async () =>
      (await (await server.call<{ id: number }>('POST', `/api/shared-assets/${shareId}/start/`, { as: member })).json())
        .id;
    const end = () => server.call('POST', `/api/shared-assets/${shareId}/end/`, { as: member });
    const logged = async () =>
      (
        await (
          await server.call<{ results: { id: number }[] }>('GET', `/api/shared-assets/${shareId}/logs/`, { as: member })
        ).json()
      ).results.map(({ id }) => id);
    return { owner, member, assetId, shareId, start, end, logged };
  }

  /** Waits until reads go to the replica, which they do a few seconds after it works again. */
  async function untilUsed(): Promise<void> {
    const { logged } = await household();
    await until(async () => (await server.readsDuring(logged)).replica === 1, 'a read from the replica', 30_000);
  }

  beforeEach(untilUsed);

  it('reads analytics, session logs, and exports from it, and the rest from the primary', async () => {
    const { owner, member, assetId, shareId, start } = await household();
    const id = await start();
    const onReplica: [string, SignedIn][] = [
      [`/api/assets/${assetId}/analytics/`, owner],
      [`/api/assets/${assetId}/analytics/?format=csv`, owner],
      [`/api/shared-assets/${shareId}/analytics/`, member],
      [`/api/shared-assets/${shareId}/logs/`, member],
      [`/api/shared-assets/${shareId}/logs/?format=csv`, member],
      [`/api/assets/${assetId}/sessions/`, owner],
      [`/api/assets/${assetId}/sessions/?format=csv`, owner],
    ];
    for (const [path, as] of onReplica)
      expect([path, await server.readsDuring(() => server.text(path, as))]).toEqual([path, { replica: 1, primary: 0 }]);
    const onPrimary: [string, SignedIn][] = [
      ['/api/assets/', owner],
      [`/api/assets/${assetId}/history/`, owner],
      ['/api/findings/', owner],
      [`/api/shared-assets/${shareId}/active-session/`, member],
    ];
    for (const [path, as] of onPrimary)
      expect([path, await server.readsDuring(() => server.text(path, as))]).toEqual([path, { replica: 0, primary: 0 }]);

    let json = '';
    const forJson = await server.readsDuring(async () => (json = await server.text('/api/me/export/', member)));
    expect(JSON.parse(json)).toMatchObject({ account: { id: member.user.id }, sessions: [{ id, share_id: shareId }] });
    expect(forJson).toEqual({ replica: expect.toSatisfy((count) => count > 10), primary: 0 });
    let files: Record<string, Uint8Array> = {};
    const forZip = await server.readsDuring(async () => {
      const { answer } = await server.call('GET', '/api/me/export/csv/', { as: member });
      files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    });
    expect(Buffer.from(files['sessions.csv']!).toString()).toContain(`,${id},`);
    expect(forZip).toEqual({ replica: expect.toSatisfy((count) => count > 10), primary: 0 });
  });

  it('has a session that has just been started or ended in the log, 100 times', async () => {
    const { start, end, logged } = await household();
    const where = await server.readsDuring(async () => {
      for (let round = 0; round < 50; round++) {
        const id = await start();
        expect((await logged())[0]).toBe(id);
        await end();
        expect((await logged())[0]).toBe(id);
      }
    });
    console.log(where);
    expect(where.replica + where.primary).toBe(100);
    expect(where.replica).toBeGreaterThan(90);
  });
});
void pause;
void pg;
void onServer;
void onTestFinished;
