import Fastify from 'fastify';
import { get } from 'node:http';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
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
