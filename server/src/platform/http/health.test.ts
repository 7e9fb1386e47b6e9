import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, type TestApi } from '../../testing/api.ts';
import { everyCase } from '../../testing/every-case.ts';
import { writingCalls, type Call } from '../../testing/writing-calls.ts';
import { EngineStoppedError } from '../database/engine-stopped-error.ts';
import { watchDisk } from '../database/full-disk.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { createLog } from '../log.ts';

let api: TestApi;
let cutOff: FastifyInstance;
let written = '';
let uptime = 0;
const disk = watchDisk(() => uptime);
const readiness = { draining: false, isDiskFull: disk.isFull };
beforeAll(async () => {
  // Without a mail server, requesting a link doesn't use the database.
  api = await openTestApi({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'hours@example.org' }, { readiness });
  const database = await openTestDatabase();
  const log = createLog('trace', { write: (line) => (written += line) });
  cutOff = await buildApp({ ...api.deps, db: database.db, log });
  await database.close();
});
beforeEach(async () => {
  await api.reset();
  readiness.draining = false;
  written = '';
});
afterAll(async () => {
  await cutOff.close();
  await api.close();
});

async function askCutOff([method, url, { as, token, body, headers }]: Call) {
  const bearer = as ? await freshAccess(api.deps, as) : token;
  return cutOff.inject({
    method: method as 'GET',
    url,
    headers: { ...headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { payload: body as object }),
  });
}

const unavailable = {
  error: 'The server is temporarily unavailable. Please try again in a moment.',
  code: 'unavailable',
};

describe('while the database is unavailable', () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterAll(() => void vi.useRealTimers());

  const reads = Object.entries<Endpoint>(endpoints).flatMap(([key, endpoint]) =>
    key.startsWith('GET ') && !endpoint.public ? [key.slice(4)] : [],
  );

  it('each GET answers 503 with a Retry-After', async () => {
    const as = await api.register('mira');
    await everyCase(reads, String, async (template) => {
      const url = template.replace('{month}', '2026-03').replaceAll(/\{\w+\}/g, '1');
      const answer = await askCutOff(['GET', url, { as }]);
      expect([answer.statusCode, answer.json()]).toEqual([503, unavailable]);
      expect(answer.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
    });
  });

  it('each writing call answers 503 with a Retry-After', async () => {
    const { calls } = await writingCalls(api);
    // A challenge for a passkey is encrypted, not stored.
    const names = Object.keys(calls).filter((name) => name !== 'startPasskeyLogin');
    await everyCase(names, String, async (name) => {
      written = '';
      const answer = await askCutOff(calls[name]!);
      expect([answer.statusCode, answer.json()]).toEqual([503, unavailable]);
      expect(answer.headers['retry-after']).toBe('2');
      // The log reports at most once a second.
      vi.advanceTimersByTime(1000);
      expect(written).toContain('not available');
      expect(written).not.toMatch(/correct horse|another long|mira@|kim@|eyJ|argon2id/);
    });
  });

  it('still answers what needs no database', async () => {
    const ask = async (...call: Call) => (await askCutOff(call)).statusCode;
    expect(await ask('GET', '/api/me/', {})).toBe(401);
    expect(await ask('POST', '/api/logout/', {})).toBe(204);
    expect(await ask('POST', '/api/login/passkey/options/', { body: {} })).toBe(200);
    expect(await ask('POST', '/api/token/refresh/', { body: { refresh: 'forged' } })).toBe(401);
    for (const path of ['/api/about/', '/api/openapi.json']) expect(await ask('GET', path, {})).toBe(200);
  });

  it('reports the process as up but not ready', async () => {
    const up = await askCutOff(['GET', '/healthz', {}]);
    expect([up.statusCode, up.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await askCutOff(['GET', '/readyz', {}]);
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'database unavailable' }]);
    expect(ready.headers['cache-control']).toBe('no-store');
  });
});

describe('a process', () => {
  const ready = async () => {
    const { status, body } = await api.call('GET', '/readyz');
    return [status, body];
  };

  it('is ready when its database has the expected schema', async () => {
    expect(await ready()).toEqual([200, { status: 'ok' }]);
  });

  it('is up but not ready after it was told to stop', async () => {
    readiness.draining = true;
    expect(await ready()).toEqual([503, { status: 'draining' }]);
    const { status, headers } = await api.call('GET', '/healthz');
    expect([status, headers['connection']]).toEqual([200, 'close']);
  });

  it('is not ready while the disk of the database is full, until 90 s after the last failure', async () => {
    // After a failover, and after a panic for another reason, the next write may succeed.
    for (const error of [
      Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }),
      new EngineStoppedError('The embedded database has stopped: unreachable'),
    ])
      disk.note(error);
    expect(await ready()).toEqual([200, { status: 'ok' }]);
    for (const error of [
      Object.assign(new Error('could not extend file'), { code: '53100' }),
      new EngineStoppedError('The embedded database has stopped: ENOSPC: no space left on device, write'),
    ]) {
      disk.note(error);
      uptime += 89_999;
      expect(await ready()).toEqual([503, { status: 'database disk full' }]);
      uptime += 1;
      expect(await ready()).toEqual([200, { status: 'ok' }]);
    }
  });

  it('is not ready while the schema is a different one', async () => {
    const { rows } = await sql<{ name: string; timestamp: string }>`select * from kysely_migration`.execute(
      api.deps.db,
    );
    await sql`delete from kysely_migration`.execute(api.deps.db);
    expect(await ready()).toEqual([503, { status: 'schema out of date' }]);
    for (const { name, timestamp } of rows)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(api.deps.db);
    expect(await ready()).toEqual([200, { status: 'ok' }]);
  });

  it('stays ready after a newer version has migrated, until a migration drops what it uses', async () => {
    const later = ['9998-later', '9999-drop-earlier-needs-9998'];
    const add = (name: string) =>
      sql`insert into kysely_migration (name, timestamp) values (${name}, '')`.execute(api.deps.db);
    try {
      await add(later[0]!);
      expect(await ready()).toEqual([200, { status: 'ok' }]);
      await add(later[1]!);
      expect(await ready()).toEqual([503, { status: 'schema out of date' }]);
    } finally {
      await sql`delete from kysely_migration where name = any(${later}::text[])`.execute(api.deps.db);
    }
  });

  it('reports its health to anyone, with or without a trailing slash', async () => {
    for (const path of ['/healthz', '/healthz/', '/readyz', '/readyz/'])
      expect(await api.call('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
