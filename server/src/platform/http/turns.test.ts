import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { until } from '../database/testing/processes.ts';
import { ok } from '../result.ts';
import { createTurns } from './turns.ts';

interface Gate {
  userId: number;
  open: () => void;
}

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ RATE_LIMIT: 'on' });
});
afterAll(() => api.close());

/** Starts a server whose work ends when the test says so. A request's path is its user's id. */
async function gatedServer(settings: { enabled: boolean; atOnce: number }) {
  const turns = createTurns({ rests: true, ...settings });
  /** Work in progress, oldest first. */
  const working: Gate[] = [];
  let arrived = 0;
  const server = createServer((request, response: ServerResponse) => {
    arrived += 1;
    const userId = Number(request.url?.slice(1));
    const work = async () => {
      await new Promise<void>((resolve) => {
        const gate = {
          userId,
          open: () => {
            working.splice(working.indexOf(gate), 1);
            resolve();
          },
        };
        working.push(gate);
      });
      return ok('done');
    };
    void turns.inTurn(userId, response, work).then((result) => {
      response.statusCode = result.ok ? 200 : result.code === 'rate_limited' ? 429 : 500;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const statuses: number[] = [];
  /** Sends a request and records its status. Returns a function that disconnects it. */
  const send = (userId: number) => {
    const request = get({ port, host: '127.0.0.1', path: `/${userId}`, agent: false }, (response) => {
      statuses.push(response.statusCode ?? 0);
      response.resume();
    });
    request.on('error', () => undefined);
    return () => request.destroy();
  };
  const sendAll = async (userId: number, count: number) => {
    const before = arrived;
    const disconnect = Array.from({ length: count }, () => send(userId));
    await until(() => arrived === before + count, 'every request');
    return disconnect;
  };
  const finishAll = async (count: number) => {
    for (let done = 0; done < count; done++) {
      await until(() => working.length > 0, 'work');
      working[0]?.open();
    }
  };
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { sendAll, finishAll, working, statuses, connections };
}

test("runs three of a user's requests, makes 33 wait and rejects more", async () => {
  const { sendAll, finishAll, working, statuses } = await gatedServer({ enabled: true, atOnce: 3 });
  await sendAll(1, 40);
  await until(() => statuses.length === 4, 'four refusals');
  expect(statuses).toEqual([429, 429, 429, 429]);
  expect(working).toHaveLength(3);
  await finishAll(36);
  await until(() => statuses.length === 40, 'every answer');
  expect(statuses.slice(4)).toEqual(Array.from({ length: 36 }, () => 200));
});

test("starts another user's work while the first user's requests wait", async () => {
  const { sendAll, working } = await gatedServer({ enabled: true, atOnce: 1 });
  await sendAll(1, 40);
  await sendAll(2, 1);
  await until(() => working.length === 2, "both users' work");
  expect(working.map(({ userId }) => userId)).toEqual([1, 2]);
});

test('gives the places of waiting clients that disconnect to others', async () => {
  const { sendAll, finishAll, statuses, connections } = await gatedServer({ enabled: true, atOnce: 1 });
  const [, ...waiting] = await sendAll(1, 36);
  for (const disconnect of waiting) disconnect();
  await until(async () => (await connections()) === 1, 'the end of their connections');
  await sendAll(1, 35);
  await finishAll(36);
  await until(() => statuses.length === 36, 'every answer');
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('keeps the place of a client that disconnects during its work until the work ends', async () => {
  const { sendAll, working } = await gatedServer({ enabled: true, atOnce: 1 });
  const [leave] = await sendAll(1, 1);
  await until(() => working.length === 1, 'work');
  const [first] = working;
  leave?.();
  await sendAll(1, 1);
  expect(working).toEqual([first]);
  first?.open();
  await until(() => working.length === 1, 'the next work');
});

test('rejects a request that has waited ten seconds', async () => {
  const { sendAll, working, statuses } = await gatedServer({ enabled: true, atOnce: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await sendAll(1, 3);
  vi.advanceTimersByTime(10_000);
  await until(() => statuses.length === 2, 'two refusals');
  expect(statuses).toEqual([429, 429]);
  expect(working).toHaveLength(1);
});

test('never makes a request wait when limits are off', async () => {
  const { sendAll, working, statuses } = await gatedServer({ enabled: false, atOnce: 1 });
  await sendAll(1, 50);
  await until(() => working.length === 50, 'all work at once');
  expect(statuses).toEqual([]);
});

test('answers a page that sends 30 requests at once, and rejects those beyond 36', async () => {
  // Waits without holding the only database connection, which other requests need to identify their callers.
  let answering = Promise.resolve();
  const timeZones = { isKnown: () => answering.then(() => true) };
  const app = await buildApp({ ...api.deps, timeZones });
  onTestFinished(() => app.close());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const mira = await api.register('mira');
  const headers = { authorization: `Bearer ${mira.access}`, 'content-type': 'application/json' };
  const ask = () => fetch(`${address}/api/me/`, { method: 'PATCH', headers, body: '{"time_zone":"UTC"}' });
  const page = await Promise.all(Array.from({ length: 30 }, ask));
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set([200]));

  // From here on, the work takes its time.
  let answer = () => {};
  answering = new Promise((resolve) => (answer = resolve));
  const refused: Response[] = [];
  const requests = Array.from({ length: 40 }, async () => {
    const response = await ask();
    if (response.status === 429) refused.push(response);
    return response.status;
  });
  await until(() => refused.length === 4, 'four refusals');
  answer();
  const statuses = await Promise.all(requests);
  expect(statuses.filter((status) => status === 200)).toHaveLength(36);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(await refused[0]?.json()).toMatchObject({ code: 'rate_limited' });
});
