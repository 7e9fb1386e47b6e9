import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import type { Database } from './platform/database/tables.ts';
import { createTimeZones, type TimeZones } from './platform/database/time-zones.ts';
import { createRateLimits, type RateLimits } from './platform/http/rate-limits.ts';
import { randomId, type RandomId } from './platform/ids.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import { createTokens, type Tokens } from './platform/tokens.ts';

/** Everything a use case may reach beyond its arguments. Inside a transaction `db` is that transaction. */
export interface Deps {
  config: Config;
  db: Database;
  clock: Clock;
  randomId: RandomId;
  tokens: Tokens;
  passwords: Passwords;
  limits: RateLimits;
  timeZones: TimeZones;
  log: FastifyBaseLogger;
}

export interface Foundations {
  config: Config;
  db: Database;
  secret: string;
  log: FastifyBaseLogger;
  clock?: Clock;
}

/** The composition root: the one place that decides which clock, randomness and hashing the app runs on. */
export function createDeps({ config, db, secret, log, clock = systemClock }: Foundations): Deps {
  return {
    config,
    db,
    clock,
    randomId,
    tokens: createTokens(secret, clock),
    passwords: createPasswords(),
    limits: createRateLimits(clock, config.RATE_LIMIT === 'on'),
    timeZones: createTimeZones(),
    log,
  };
}
