import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Passwords } from '../passwords.ts';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import { whenClosed } from './closing.ts';
import type { Readiness } from './health.ts';

// The process must exit within ten seconds of the signal, and still has a database to close at the end.

/** Connections are accepted until none has arrived for the first time span, but no longer than the second. */
const QUIET_MILLISECONDS = 250;
const LISTENS_FOR_MILLISECONDS = 5000;
/** After these, waiting password hashes are refused, and then every other unanswered request. */
const HASHES_FOR_MILLISECONDS = 6500;
const WORKS_FOR_MILLISECONDS = 7250;
/** After this, everything else is cut off: requests that never arrive in full, responses that are never read. */
const CONNECTED_FOR_MILLISECONDS = 8000;

const STOPPING = fail('unavailable', { retryAfterSeconds: 2 });

/**
 * Makes a draining app answer every request that has reached the server before it closes: it accepts connections that
 * wait in the kernel, closes its listener and idle connections, and refuses what it can't finish in time.
 */
export function drainBeforeClosing(app: FastifyInstance, readiness: Readiness, passwords: Passwords): void {
  const open = new Set<FastifyReply>();
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let refusing = false;
  app.addHook('onRequest', async (_request, reply) => {
    if (refusing) return sendFailure(reply, STOPPING);
    open.add(reply);
    whenClosed(reply, () => open.delete(reply));
    return undefined;
  });
  // The client must not send another request on a connection that is about to close.
  app.addHook('onSend', async (_request, reply) => {
    if (readiness.draining) void reply.header('connection', 'close');
  });

  const refuseOpen = () => {
    refusing = true;
    for (const reply of open) if (!reply.raw.headersSent) void sendFailure(reply, STOPPING);
  };
  // Node's closeAllConnections leaves out those whose TLS handshake isn't complete.
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  app.addHook('preClose', async () => {
    if (!readiness.draining) return;
    setTimeout(() => passwords.stop(), HASHES_FOR_MILLISECONDS).unref();
    setTimeout(refuseOpen, WORKS_FOR_MILLISECONDS).unref();
    setTimeout(cutOff, CONNECTED_FOR_MILLISECONDS).unref();
    await connectionsAreQuiet(app);
  });
}

/** Waits until no connection has arrived for a while, because a closing listener resets those it hasn't accepted. */
async function connectionsAreQuiet(app: FastifyInstance): Promise<void> {
  const listensUntil = performance.now() + LISTENS_FOR_MILLISECONDS;
  let accepted = 0;
  app.server.on('connection', () => (accepted += 1));
  for (let before = -1; before !== accepted && performance.now() < listensUntil;) {
    before = accepted;
    await pause(QUIET_MILLISECONDS);
    // On a busy event loop, the pause may end before the listener is polled again.
    await nextTurn();
  }
}
