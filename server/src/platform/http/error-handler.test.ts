import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { until } from '../database/testing/processes.ts';
import { createLog } from '../log.ts';

let api: TestApi;
let app: FastifyInstance;
let appWithoutDatabase: FastifyInstance;
let lines: Record<string, unknown>[] = [];
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
beforeAll(async () => {
  api = await openTestApi();
  app = await buildApp({ ...api.deps, log });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const database = await openTestDatabase();
  appWithoutDatabase = await buildApp({ ...api.deps, db: database.db, log });
  await database.close();
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  await app.close();
  await appWithoutDatabase.close();
  await api.close();
});

const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

test('logs nothing when clients disconnect in the middle of a body', async () => {
  const { port } = app.server.address() as AddressInfo;
  for (const end of ['destroy', 'resetAndDestroy'] as const)
    for (let client = 0; client < 10; client++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST /api/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n');
      // The 100 response shows that the server has read the headers and waits for the body.
      socket.write('content-length: 100\r\nexpect: 100-continue\r\n\r\n{"username":');
      await once(socket, 'data');
      socket[end]();
    }
  await until(async () => (await connections()) === 0, 'the end of every connection');
  await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(lines).toEqual([]);
});

test('logs nothing when clients disconnect before their requests are handled', async () => {
  const { port } = app.server.address() as AddressInfo;
  const others = await connections();
  const body = '{"refresh_token":"none of ours"}';
  const head = `POST /api/logout/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  for (let client = 0; client < 50; client++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`${head}\r\n\r\n${body}`, () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  await until(async () => (await connections()) <= others, 'the end of every connection');
  await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(lines).toEqual([]);
});

describe('while the database is unavailable', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('logs one line per second with the number of refused requests', async () => {
    const login = () =>
      appWithoutDatabase.inject({
        method: 'POST',
        url: '/api/login/',
        payload: { username: 'mira', password: 'correct horse battery' },
      });
    const answers = await Promise.all(Array.from({ length: 30 }, login));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
    expect(lines).toMatchObject([{ level: 40, msg: 'not available', requests: 1 }]);
    vi.advanceTimersByTime(1000);
    expect(lines.slice(1)).toMatchObject([{ level: 40, msg: 'not available', requests: 29 }]);
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(2);
    await login();
    expect(lines.slice(2)).toMatchObject([{ requests: 1 }]);
  });
});
