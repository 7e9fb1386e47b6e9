import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendFile, zipOf } from './file-answers.ts';

let app: FastifyInstance;
let address: string;
let read: () => AsyncIterable<string>;
beforeEach(async () => {
  app = Fastify();
  app.get('/', (_request, reply) =>
    sendFile(
      reply,
      { type: 'application/zip', inTurn: (work) => work() },
      {
        name: 'a.zip',
        content: () =>
          zipOf(
            ['one', 'two'].map((name) => ({ name, content: () => read() })),
            new Date(),
          ),
      },
    ),
  );
  address = await app.listen();
});
afterEach(() => app.close());

/** Doesn't compress. */
const noise = () => randomBytes(500_000).toString('latin1');

async function openResponse(): Promise<IncomingMessage> {
  const [response] = (await once(request(address).end(), 'response')) as [IncomingMessage];
  return response;
}

it.each([
  ['ends early', noise],
  ['fails to start', () => ''],
])('a file in a ZIP file that %s aborts the connection', async (_what, beginning) => {
  let files = 0;
  read = async function* () {
    yield beginning();
    if (++files === 2) throw new Error('the database is away');
  };
  const response = await openResponse();
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
});

it('a ZIP file is generated no faster than the client reads it, and stops when the client does', async () => {
  let pages = 0;
  let ended = false;
  read = async function* () {
    try {
      for (; ; pages++) yield noise();
    } finally {
      ended = true;
    }
  };
  const settled = async () => {
    for (let before = -1; before !== pages; await new Promise((resolve) => setTimeout(resolve, 200))) before = pages;
    return pages;
  };
  const response = await openResponse();
  expect(await settled()).toBeLessThan(100);
  response.destroy();
  await settled();
  expect(ended).toBe(true);
});
