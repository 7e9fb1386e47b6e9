import Fastify from 'fastify';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { limitOpenRequests } from './open-requests.ts';

/** An app with two requests that are open until `end`, and in which another one may wait until `stopWaiting`. */
async function fullApp() {
  const app = Fastify();
  const open: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const wait = (gone: AbortSignal) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      gone.addEventListener('abort', () => resolve());
    });
  limitOpenRequests(app, { openMax: 2, waitingMax: 1, wait });
  app.get('/slow', () => new Promise((resolve) => open.push(() => resolve('done'))));
  for (const path of ['/quick', '/healthz', '/api/events/']) app.get(path, async () => 'done');
  const statusOf = (path: string) => app.inject(path).then(({ statusCode }) => statusCode);

  const slow = [statusOf('/slow'), statusOf('/slow')];
  await expect.poll(() => open.length).toBe(2);
  return {
    app,
    statusOf,
    open,
    waiting,
    stopWaiting: () => waiting.splice(0).forEach((stop) => stop()),
    end: async () => {
      open.splice(0).forEach((each) => each());
      expect(await Promise.all(slow)).toEqual([200, 200]);
    },
  };
}

it('refuses requests after a while if too many are still open, with the time to wait', async () => {
  const { app, statusOf, waiting, stopWaiting, end } = await fullApp();
  const late = app.inject('/quick');
  await expect.poll(() => waiting.length).toBe(1);
  stopWaiting();
  const refused = await late;
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    503,
    '2',
    { error: 'The server is temporarily unavailable. Please try again in a moment.', code: 'unavailable' },
  ]);
  // Neither health checks nor event streams count.
  for (const path of ['/healthz', '/api/events/']) expect(await statusOf(path)).toBe(200);
  await end();
});

it('answers a request for which there is room after a while', async () => {
  const { statusOf, waiting, stopWaiting, end } = await fullApp();
  const late = statusOf('/quick');
  await expect.poll(() => waiting.length).toBe(1);
  await end();
  // Only one may wait, so this is answered at once.
  await expect.poll(() => statusOf('/quick')).toBe(200);
  stopWaiting();
  expect(await late).toBe(200);
});

it('neither counts nor keeps waiting a request whose client went away', async () => {
  const { app, statusOf, open, waiting, stopWaiting, end } = await fullApp();
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const client = get(`${address}/quick`, { agent: false }).on('error', () => undefined);
  await expect.poll(() => waiting.length).toBe(1);
  client.destroy();
  const connections = promisify(app.server.getConnections.bind(app.server));
  await expect.poll(() => connections()).toBe(0);
  // Only one may wait, and there is room for it.
  const late = statusOf('/quick');
  await expect.poll(() => waiting.length).toBe(2);
  stopWaiting();
  expect(await late).toBe(503);
  await end();

  const slow = [statusOf('/slow'), statusOf('/slow')];
  await expect.poll(() => open.length).toBe(2);
  open.forEach((each) => each());
  expect(await Promise.all(slow)).toEqual([200, 200]);
});

it('refuses requests at once while too many wait', async () => {
  const { statusOf, waiting, stopWaiting, end } = await fullApp();
  const late = statusOf('/quick');
  await expect.poll(() => waiting.length).toBe(1);
  expect(await statusOf('/quick')).toBe(503);
  stopWaiting();
  expect(await late).toBe(503);
  await end();
});

it("doesn't count requests whose bodies have not arrived, and cuts off the slowest if a network has too many", async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = Fastify();
  limitOpenRequests(app, { openMax: 2, waitingMax: 0, unfinishedMax: 3 });
  app.post('/save', async ({ body }) => body);
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  let arrived = 0;
  app.server.on('request', () => (arrived += 1));
  const sendHeaders = async () => {
    const before = arrived;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('POST /save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n');
    await expect.poll(() => arrived).toBe(before + 1);
    return socket;
  };
  const slow = [await sendHeaders(), await sendHeaders(), await sendHeaders()];
  const save = () =>
    app.inject({ method: 'POST', url: '/save', payload: { a: 1 } }).then(({ json }) => json<unknown>());
  expect(await Promise.all([save(), save()])).toEqual([{ a: 1 }, { a: 1 }]);
  expect(slow.map(({ closed }) => closed)).toEqual([false, false, false]);

  vi.advanceTimersByTime(1000);
  const late = await sendHeaders();
  await expect.poll(() => slow.map(({ closed }) => closed)).toEqual([true, false, false]);
  const answered = once(late, 'data');
  late.write('{}');
  expect(String((await answered)[0])).toContain('200 OK');
  for (const each of [...slow, late]) each.destroy();
});
