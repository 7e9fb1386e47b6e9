import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { whenClosed } from './closing.ts';

/** How many requests may wait on one connection. Browsers and load balancers don't pipeline at all. */
const QUEUED_MAX = 32;

/**
 * Handles the pipelined requests of a connection one by one, each after the previous response has been sent. Node
 * starts all of them at once and buffers the responses; its own limit checks the buffer on arrival, before the first
 * response exists.
 */
export function handlePipelinedInOrder(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, (() => void)[]>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const start = () => {
      whenClosed(reply, () => {
        const next = queues.get(socket)?.shift();
        // Requests that wait on a closed connection never start.
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
