import type { Uptime } from '../clock.ts';
import { fail, type Failure, type Result } from '../result.ts';
import { widerNetwork } from './networks.ts';

/** At most `max` attempts per key in a window that opens with the first. */
export interface Limit {
  name: string;
  max: number;
  windowSeconds: number;
}

interface Window {
  taken: number;
  endsAt: number;
  refused: boolean;
}

/** The refusal of an attempt whose limit is used up. */
export interface Refusal extends Failure {
  /** Whether it is the first in its window, the one worth a log line. */
  isFirst: boolean;
  /** The name of the limit. */
  limit: string;
}

export interface RateLimits {
  /** Counts one attempt. Returns a refusal when the key's window is used up. */
  take(limit: Limit, key: string): Refusal | undefined;
  /** Uncounts an attempt that turned out not to count. */
  giveBack(limit: Limit, key: string): void;
}

const SWEEP_EVERY_MILLISECONDS = 60_000;

/** The networks of one IPv6 /48 together may do as much as this many: it can be one customer's, or many households'. */
export const NETWORKS_TOGETHER = 10;

/**
 * Counts attempts in this process by uptime, so that a wrong clock can't stretch a window to weeks. Several servers
 * count separately: an attacker gains a factor of their number, which the limits allow for, and no request waits for a
 * shared store.
 */
export function createRateLimits(uptime: Uptime, enabled: boolean): RateLimits {
  const windows = new Map<string, Window>();
  let sweptAt = 0;

  const sweep = (now: number) => {
    sweptAt = now;
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
  };

  const count = (limit: Limit, key: string, max: number): Refusal | undefined => {
    const now = uptime();
    if (now - sweptAt >= SWEEP_EVERY_MILLISECONDS) sweep(now);
    const id = `${limit.name} ${key}`;
    let window = windows.get(id);
    if (!window || window.endsAt <= now) {
      window = { taken: 0, endsAt: now + limit.windowSeconds * 1000, refused: false };
      windows.set(id, window);
    }
    if (window.taken >= max) {
      const isFirst = !window.refused;
      window.refused = true;
      const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      return { ...fail('rate_limited', { retryAfterSeconds }), isFirst, limit: limit.name };
    }
    window.taken++;
    return undefined;
  };

  const uncount = (limit: Limit, key: string) => {
    const id = `${limit.name} ${key}`;
    const window = windows.get(id);
    if (!window) return;
    window.taken--;
    // An empty window is removed, so attempts that don't count take no memory.
    if (window.taken <= 0) windows.delete(id);
  };

  return {
    take(limit, key) {
      if (!enabled) return undefined;
      // The wider network comes first: once it refuses, its other networks leave no trace in memory.
      const wider = widerNetwork(key);
      const refused = wider === undefined ? undefined : count(limit, wider, limit.max * NETWORKS_TOGETHER);
      if (refused) return refused;
      const refusedHere = count(limit, key, limit.max);
      if (refusedHere && wider !== undefined) uncount(limit, wider);
      return refusedHere;
    },
    giveBack(limit, key) {
      const wider = widerNetwork(key);
      if (wider !== undefined) uncount(limit, wider);
      uncount(limit, key);
    },
  };
}

/**
 * Runs work whose failures are limited. Attempts are counted before it starts, so that parallel bursts count in full,
 * and given back when it succeeds, when it fails in a way that doesn't count, when another limit rejects it, or when the server
 * fails.
 */
export async function countFailures<T>(
  limits: RateLimits,
  attempts: [limit: Limit, key: string][],
  work: () => Promise<Result<T>>,
  counts: (failure: Failure) => boolean = () => true,
): Promise<Result<T> | Refusal> {
  const taken: typeof attempts = [];
  const giveBack = () => {
    for (const [limit, key] of taken) limits.giveBack(limit, key);
  };
  for (const [limit, key] of attempts) {
    const refused = limits.take(limit, key);
    if (refused) {
      giveBack();
      return refused;
    }
    taken.push([limit, key]);
  }
  try {
    const result = await work();
    if (result.ok || !counts(result)) giveBack();
    return result;
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Records the first refusal in a limit's window, and marks the result as recorded. */
export async function recordFirstRefusal<T extends object>(result: T, record: () => Promise<void>): Promise<T> {
  if (!('isFirst' in result) || result.isFirst !== true) return result;
  await record();
  return { ...result, isRecorded: true };
}
