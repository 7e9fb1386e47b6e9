import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { limitOpenRequests } from './open-requests.ts';

it('refuses requests while too many are open, with the time to wait', async () => {
  const app = Fastify();
  limitOpenRequests(app, 2);
  const waiting: (() => void)[] = [];
  app.get('/slow', () => new Promise((resolve) => waiting.push(() => resolve('done'))));
  for (const path of ['/quick', '/healthz', '/api/events/']) app.get(path, async () => 'done');

  const answers = [app.inject('/slow'), app.inject('/slow')].map((answer) =>
    answer.then(({ statusCode }) => statusCode),
  );
  await expect.poll(() => waiting.length).toBe(2);
  const refused = await app.inject('/quick');
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    503,
    '2',
    { error: 'The server is temporarily unavailable. Please try again in a moment.', code: 'unavailable' },
  ]);
  // Neither health checks nor event streams count.
  for (const path of ['/healthz', '/api/events/']) expect((await app.inject(path)).statusCode).toBe(200);

  for (const end of waiting) end();
  expect(await Promise.all(answers)).toEqual([200, 200]);
  await expect.poll(async () => (await app.inject('/quick')).statusCode).toBe(200);
});
