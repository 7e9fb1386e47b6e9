import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { fail, type Failure, type Result } from '../result.ts';

/** How many requests of one user may be open: waiting, at work, or with an answer that the client has not taken yet. */
const OPEN_MAX = 36;
const WAIT_MAX_MILLISECONDS = 10_000;
const REST_MAX_MILLISECONDS = 100;

const BUSY: Failure = fail('rate_limited', { retryAfterSeconds: 1 });

/** What one user asks of the server at the moment. */
interface Load {
  open: Set<ServerResponse>;
  working: number;
  /** Starts the work of each request that waits, oldest first. */
  waiting: Set<() => void>;
}

export interface Turns {
  /** Does the work of a user's request when it is their turn; a failure when they have too many requests open. */
  inTurn<T>(userId: number | undefined, response: ServerResponse, work: () => Promise<Result<T>>): Promise<Result<T>>;
}

/**
 * Keeps one user from taking the whole server: `atOnce` of their requests are at work, some more wait, and the rest are
 * told to come back. Work is done when the database has answered, not when the client has taken the answer: a slow
 * connection doesn't stop the same user's other requests. With `rests`, a turn pauses after its work.
 */
export function createTurns({ enabled, atOnce, rests }: { enabled: boolean; atOnce: number; rests: boolean }): Turns {
  const loads = new Map<number, Load>();

  return {
    async inTurn(userId, response, work) {
      if (!enabled || userId === undefined) return work();
      const load = loads.get(userId) ?? { open: new Set(), working: 0, waiting: new Set() };
      loads.set(userId, load);
      const forgetIfIdle = () => {
        if (load.open.size === 0 && load.working === 0) loads.delete(userId);
      };

      if (!load.open.has(response)) {
        if (load.open.size >= OPEN_MAX) return BUSY;
        load.open.add(response);
        finished(response, () => {
          load.open.delete(response);
          forgetIfIdle();
        });
      }
      if (load.working < atOnce) load.working += 1;
      else if (!(await turn(load, response))) return BUSY;

      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        const passOn = () => {
          const [next] = load.waiting;
          if (next) return next();
          load.working -= 1;
          forgetIfIdle();
        };
        // The embedded engine works on the event loop. Without a pause each request would be done before the next one
        // has been read: none would ever wait, and other users' would be read last.
        if (rests) setTimeout(passOn, Math.min(performance.now() - startedAt, REST_MAX_MILLISECONDS));
        else passOn();
      }
    },
  };
}

/** Waits for a turn; false when that took too long or the client has gone. */
function turn(load: Load, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTurn: boolean) => {
      load.waiting.delete(start);
      response.off('close', giveUp);
      clearTimeout(timer);
      resolve(isTurn);
    };
    const start = () => settle(true);
    const giveUp = () => settle(false);
    const timer = setTimeout(giveUp, WAIT_MAX_MILLISECONDS);
    response.once('close', giveUp);
    load.waiting.add(start);
  });
}
