import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { fail, type Failure } from './result.ts';

// OWASP's minimum for argon2id, which is the package's default algorithm: 19 MiB, two passes, one lane.
const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing shares a thread pool with file access and DNS, so one thread stays free, and a limited queue keeps waits
// short.
const CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1));
const WAITING_MAX = 200;

interface Cost {
  /** KiB. */
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns whether a hash was made with another algorithm or other parameters than `hash` uses. */
  isOutdated(stored: string): boolean;
  /** Takes as long without a stored hash as with one, so that the time doesn't reveal whether a user exists. */
  matches(password: string, stored: string | undefined): Promise<boolean>;
  /** Refuses waiting and later passwords, as if too many waited. */
  stop(): void;
}

/** Too many passwords are waiting to be hashed. The caller should retry. */
export class HashingOverloaded extends Error {
  readonly failure: Failure = fail('unavailable', { retryAfterSeconds: 2 });
}

/**
 * Returns the normalized form that is hashed, because keyboards differ in how they compose "ü" (RFC 8265,
 * OpaqueString).
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

export function createPasswords(cost = COST): Passwords {
  let running = 0;
  let stopped = false;
  const waiting: { start: () => void; refuse: () => void }[] = [];

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (stopped) throw new HashingOverloaded();
    if (running >= CONCURRENT) {
      if (waiting.length >= WAITING_MAX) throw new HashingOverloaded();
      await new Promise<void>((start, reject) => {
        waiting.push({ start, refuse: () => reject(new HashingOverloaded()) });
      });
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else running--;
    }
  };

  const { memoryCost, timeCost, parallelism } = cost;
  const current = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  let placeholderHash: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => hash(normalizePassword(password), cost)),
    isOutdated: (stored) => !stored.startsWith(current),
    async matches(password, stored) {
      placeholderHash ??= hash('a password that nobody has', cost);
      const against = stored ?? (await placeholderHash);
      const matched = await inTurn(() => verify(against, normalizePassword(password)));
      return matched && stored !== undefined;
    },
    stop() {
      stopped = true;
      for (const { refuse } of waiting.splice(0)) refuse();
    },
  };
}
