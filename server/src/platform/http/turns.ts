import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { fail, type Failure, type Result } from '../result.ts';

/** How many requests one user may have open: waiting, running, or with a response that the client hasn't taken yet. */
const OPEN_MAX = 36;
const WAIT_MAX_MILLISECONDS = 10_000;
const REST_MAX_MILLISECONDS = 100;

const BUSY: Failure = fail('rate_limited', { retryAfterSeconds: 1 });

/** One user's open requests. */
interface Load {
  open: Set<ServerResponse>;
  working: number;
  /** Starts the work of each waiting request, oldest first. */
  waiting: Set<() => void>;
}

export interface Turns {
  /**
   * Runs a request's work when its user has a free turn. Returns a failure when the user has too many requests open.
   */
  inTurn<T>(userId: number | undefined, response: ServerResponse, work: () => Promise<Result<T>>): Promise<Result<T>>;
}

/**
 * Keeps one user from occupying the whole server: `atOnce` of their requests run, some wait, and the rest are told to
 * retry. A turn ends when the work is done, not when a slow client has taken the response. With `rests`, it pauses
 * afterwards: the embedded engine would otherwise finish each request of a user before it reads those of others.
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
        // The embedded engine works on the event loop. Without a pause, each request would finish before the next is
        // read, so none would wait and other users' requests would be read last.
        if (rests) setTimeout(passOn, Math.min(performance.now() - startedAt, REST_MAX_MILLISECONDS));
        else passOn();
      }
    },
  };
}

/** Waits for a turn. Returns false when that took too long or the client disconnected. */
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
