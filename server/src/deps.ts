import type { FastifyBaseLogger } from 'fastify';
import { servesHttps, type Config } from './config.ts';
import { createEventBus, type EventBus } from './events.ts';
import { systemClock, systemUptime, type Clock, type Uptime } from './platform/clock.ts';
import { createConfirmedTime, type ConfirmedTime, type OtherClock } from './platform/confirmed-time.ts';
import type { Database } from './platform/database/database.ts';
import { createTimeZones, type TimeZones } from './platform/database/time-zones.ts';
import { createKnownDevices, type KnownDevices } from './platform/http/known-devices.ts';
import { createRateLimits, type RateLimits } from './platform/http/rate-limits.ts';
import { createTurns, type Turns } from './platform/http/turns.ts';
import { randomId, type RandomId } from './platform/ids.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import { createTokens, type Tokens } from './platform/tokens.ts';

/** Everything a use case may access beyond its arguments. Inside a transaction, `db` is that transaction. */
export interface Deps {
  config: Config;
  db: Database;
  clock: Clock;
  uptime: Uptime;
  confirmedTime: ConfirmedTime;
  randomId: RandomId;
  tokens: Tokens;
  passwords: Passwords;
  limits: RateLimits;
  knownDevices: KnownDevices;
  turns: Turns;
  timeZones: TimeZones;
  events: EventBus<Deps>;
  /** When this process last extended the periods of all assets, and the extension running now. */
  periodUpkeep: { extendedAt: number; running?: Promise<void> | undefined };
  log: FastifyBaseLogger;
}

export interface Foundations {
  config: Config;
  db: Database;
  secret: string;
  log: FastifyBaseLogger;
  clock?: Clock;
  uptime?: Uptime;
  /** A second clock to compare with, if there is one. */
  otherClock?: OtherClock | undefined;
  passwords?: Passwords;
}

/** Composes the app's dependencies; the only place that decides on clock, randomness, and hashing. */
export function createDeps({
  config,
  db,
  secret,
  log,
  clock = systemClock,
  uptime = systemUptime,
  otherClock,
  passwords = createPasswords(),
}: Foundations): Deps {
  return {
    config,
    db,
    clock,
    uptime,
    confirmedTime: createConfirmedTime({ clock, uptime, otherClock }),
    randomId,
    tokens: createTokens(secret, clock),
    passwords,
    limits: createRateLimits(uptime, config.RATE_LIMIT === 'on'),
    knownDevices: createKnownDevices({ secret, randomId, https: servesHttps(config) }),
    turns: createTurns({ enabled: config.RATE_LIMIT === 'on', ...maxConnectionsPerUser(config) }),
    timeZones: createTimeZones(),
    events: createEventBus(),
    periodUpkeep: { extendedAt: -Infinity },
    log,
  };
}

/** The embedded engine has one connection; a user gets at most a third of a pool. */
function maxConnectionsPerUser({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }: Config) {
  if (url === undefined) return { atOnce: 1, rests: true };
  return { atOnce: Math.max(1, Math.min(3, Math.floor(poolSize / 3))), rests: false };
}
