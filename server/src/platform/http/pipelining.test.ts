import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../database/testing/processes.ts';
import { handlePipelinedInOrder } from './pipelining.ts';
import { serverOptions } from './server-options.ts';

/** Starts a server with the product's options and pipelining, and the test's routes. */
async function listening(addRoutes: (app: FastifyInstance) => void): Promise<FastifyInstance> {
  const app = Fastify(serverOptions({}));
  handlePipelinedInOrder(app);
  addRoutes(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  return app;
}

function connectTo(app: FastifyInstance): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const connections = (app: FastifyInstance) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

const pipelined = (paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('');
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `/${number}`);

/** Starts a server whose responses the test sends. */
async function held() {
  const replies: FastifyReply[] = [];
  const app = await listening((server) => {
    server.get('/:number', (_request, reply) => void replies.push(reply));
  });
  return { app, replies };
}

test('starts a pipelined request when the previous response has been sent', async () => {
  const { app, replies } = await held();
  const socket = connectTo(app);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write(pipelined(numbered(10)));
  for (let number = 0; number < 10; number++) {
    await until(() => replies.length > number, `request ${number}`);
    expect(replies).toHaveLength(number + 1);
    void replies[number]?.send(`answer ${number};`);
  }
  await until(() => received.includes('answer 9;'), 'the last answer');
  expect(received.match(/answer \d/g)).toEqual(numbered(10).map((path) => `answer ${path.slice(1)}`));
});

test('handles requests of different connections concurrently', async () => {
  const { app, replies } = await held();
  for (const path of numbered(5)) connectTo(app).write(pipelined([path]));
  await until(() => replies.length === 5, 'every request');
  expect(new Set(replies.map(({ request }) => request.url))).toEqual(new Set(numbered(5)));
});

test('never starts requests that wait on a closing connection', async () => {
  const { app, replies } = await held();
  const socket = connectTo(app);
  socket.write(pipelined(numbered(10)));
  await until(() => replies.length === 1, 'the first request');
  socket.destroy();
  await until(async () => (await connections(app)) === 0, 'the end of the connection');
  void replies[0]?.send('too late');
  connectTo(app).write(pipelined(['/later']));
  await until(() => replies.length === 2, 'the later request');
  expect(replies[1]?.request.url).toBe('/later');
});

test('closes a connection with more than 32 waiting requests', async () => {
  const { app, replies } = await held();
  const [patient, greedy] = [connectTo(app), connectTo(app)];
  patient.write(pipelined(numbered(33)));
  greedy.write(pipelined(numbered(34)));
  await once(greedy, 'close');
  expect(patient.closed).toBe(false);
  for (let number = 0; number < 33; number++) {
    const own = () => replies.filter(({ request }) => request.socket.remotePort === patient.localPort);
    await until(() => own().length > number, `request ${number}`);
    void own()[number]?.send('answer');
  }
});

test('buffers one response for a client that reads none, and eventually closes its connection', async () => {
  let started = 0;
  const body = Buffer.alloc(8_000_000);
  const app = await listening((server) => {
    server.get('/:number', async () => {
      started += 1;
      return body;
    });
  });
  app.server.setTimeout(1000);
  connectTo(app)
    .pause()
    .write(pipelined(numbered(20)));
  await until(async () => started > 0 && (await connections(app)) === 0, 'the end of the connection');
  expect(started).toBeLessThan(20);
});

test("doesn't cut off a client that reads slowly", async () => {
  // Far longer than a busy machine stalls this process, in which the client doesn't read either.
  const timeout = 5000;
  const size = 40_000_000;
  const app = await listening((server) => {
    server.get('/', async () => Buffer.alloc(size));
  });
  app.server.setTimeout(timeout);
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const socket = connectTo(app);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let received = 0;
  for await (const chunk of socket) {
    received += (chunk as Buffer).length;
    // Slow until the server would have cut off an idle client, which is well before the end of the response.
    if (elapsed() < 1.2 * timeout) await pause(10);
  }
  expect(received).toBeGreaterThan(size);
  expect(elapsed()).toBeGreaterThan(timeout);
});
