import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Passwords } from '../passwords.ts';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import type { Readiness } from './health.ts';

// A process has ten seconds from the signal until it must have ended, and a database to close at the end of them.

/** Connections are accepted until none has come in for the one time, but no longer than the other. */
const QUIET_MILLISECONDS = 250;
const LISTENS_FOR_MILLISECONDS = 5000;
/** Then passwords that wait to be hashed are refused, and a moment later everything else that has no answer. */
const HASHES_FOR_MILLISECONDS = 6500;
const WORKS_FOR_MILLISECONDS = 7250;
/** Then the rest is cut off: requests that never arrive in full, answers that are never read. */
const CONNECTED_FOR_MILLISECONDS = 8000;

const STOPPING = fail('unavailable', { retryAfterSeconds: 2 });

/**
 * Makes the app answer every request that has reached the server before it closes in a process that drains: it accepts
 * what waits in the kernel, closes its listener and idle connections, and refuses what it can't do in time.
 */
export function drainBeforeClosing(app: FastifyInstance, readiness: Readiness, passwords: Passwords): void {
  const open = new Set<FastifyReply>();
  let refusing = false;
  app.addHook('onRequest', async (_request, reply) => {
    if (refusing) return sendFailure(reply, STOPPING);
    open.add(reply);
    reply.raw.once('close', () => open.delete(reply));
    return undefined;
  });
  // The client must not send another request on a connection that is about to be closed.
  app.addHook('onSend', async (_request, reply) => {
    if (readiness.draining) void reply.header('connection', 'close');
  });

  const refuseOpen = () => {
    refusing = true;
    for (const reply of open) if (!reply.raw.headersSent) void sendFailure(reply, STOPPING);
  };
  app.addHook('preClose', async () => {
    if (!readiness.draining) return;
    setTimeout(() => passwords.stop(), HASHES_FOR_MILLISECONDS).unref();
    setTimeout(refuseOpen, WORKS_FOR_MILLISECONDS).unref();
    setTimeout(() => app.server.closeAllConnections(), CONNECTED_FOR_MILLISECONDS).unref();
    await connectionsAreQuiet(app);
  });
}

/** Waits until no connection has come in for a while: a listener that closes resets those it has not accepted. */
async function connectionsAreQuiet(app: FastifyInstance): Promise<void> {
  const listensUntil = performance.now() + LISTENS_FOR_MILLISECONDS;
  let accepted = 0;
  app.server.on('connection', () => (accepted += 1));
  for (let before = -1; before !== accepted && performance.now() < listensUntil;) {
    before = accepted;
    await pause(QUIET_MILLISECONDS);
    // On a busy event loop the pause may end before the listener is looked at again.
    await nextTurn();
  }
}
