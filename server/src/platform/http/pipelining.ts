import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How many requests may wait on one connection. Browsers and balancers don't pipeline at all. */
const QUEUED_MAX = 32;

/**
 * Handles the pipelined requests of a connection one after another, each when the answer before it has left. Node starts
 * them all at once and keeps the answers until the client has read those before: its own limit looks at what is buffered
 * when a request arrives, and all of these arrive before the first answer.
 */
export function handlePipelinedInOrder(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, (() => void)[]>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const start = () => {
      reply.raw.once('close', () => {
        const next = queues.get(socket)?.shift();
        // What waits on a closed connection is never started.
        if (next && !socket.destroyed) next();
        else queues.delete(socket);
      });
      done();
    };
    const queue = queues.get(socket);
    if (!queue) {
      queues.set(socket, []);
      start();
    } else if (queue.length < QUEUED_MAX) queue.push(start);
    else socket.destroy();
  });
}
