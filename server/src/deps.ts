import { networkInterfaces } from 'node:os';
import type { ProviderName } from '@hourshare/contract/sign-ins';
import type { FastifyBaseLogger } from 'fastify';
import { servesHttps, type Config } from './config.ts';
import type { React } from './causes.ts';
import { createMailKinds, type MailKinds } from './mails.ts';
import { systemClock, systemUptime, type Clock, type Uptime } from './platform/clock.ts';
import { createConfirmedTime, type ConfirmedTime, type OtherClock } from './platform/confirmed-time.ts';
import type { Database } from './platform/database/database.ts';
import type { PoolState } from './platform/database/open-database.ts';
import { measureReplica, type Read, type Replica } from './platform/database/replica.ts';
import { createTimeZones, type TimeZones } from './platform/database/time-zones.ts';
import { createBrowsers, type Browsers } from './platform/http/browsers.ts';
import { createEventStreams, type EventStreams } from './platform/http/event-streams.ts';
import { createKnownDevices, type KnownDevices } from './platform/http/known-devices.ts';
import { createRateLimits, type RateLimits } from './platform/http/rate-limits.ts';
import { createTurns, type Turns } from './platform/http/turns.ts';
import { randomId, type RandomId } from './platform/ids.ts';
import { createMailer, type Mailer } from './platform/mail.ts';
import { createMemory, type Memory } from './platform/memory.ts';
import { createMetrics, measurePool, type Metrics } from './platform/metrics.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import {
  createGitHubProvider,
  createOpenIdProvider,
  isLoopback,
  type SignInProvider,
} from './platform/sign-in-providers.ts';
import { createTokens, type Tokens } from './platform/tokens.ts';
import type { Tracing } from './platform/tracing.ts';

/** Everything a use case may access beyond its arguments. Inside a transaction, `db` is that transaction. */
export interface Deps {
  config: Config;
  db: Database;
  /** Runs an expensive read on the replica, if one is set and current. Not for use in a transaction, whose writes it doesn't see. */
  read: Read;
  clock: Clock;
  uptime: Uptime;
  confirmedTime: ConfirmedTime;
  randomId: RandomId;
  tokens: Tokens;
  passwords: Passwords;
  limits: RateLimits;
  knownDevices: KnownDevices;
  browsers: Browsers;
  turns: Turns;
  timeZones: TimeZones;
  /** Has what follows from a change happen with it (reactions.ts). */
  react: React<Deps>;
  /** Passes on the outbox soon; called once what was added to it has been committed. */
  wakeDispatcher: () => void;
  /** The open event streams of this process. */
  streams: EventStreams;
  /** Undefined if no mail server is configured. */
  mailer: Mailer | undefined;
  mails: MailKinds<Deps>;
  /** The configured sign-in providers. */
  providers: Providers;
  /** This server's public address, for links in messages. Never taken from a request, which could name any host. */
  server: { address: string };
  /** What features remember in this process. */
  memory: Memory;
  metrics: Metrics;
  /** Undefined if no traces are sent. */
  tracing: Tracing | undefined;
  log: FastifyBaseLogger;
}

export type Providers = Partial<Record<ProviderName, SignInProvider>>;

export interface Foundations {
  config: Config;
  db: Database;
  secret: string;
  log: FastifyBaseLogger;
  react: React<Deps>;
  clock?: Clock;
  uptime?: Uptime;
  /** A second clock to compare with, if there is one. */
  otherClock?: OtherClock | undefined;
  passwords?: Passwords;
  providers?: Providers;
  metrics?: Metrics;
  tracing?: Tracing | undefined;
  pool?: () => PoolState;
  replica?: Replica | undefined;
}

/** Composes the app's dependencies; the only place that decides on clock, randomness, and hashing. */
export function createDeps({
  config,
  db,
  secret,
  log,
  react,
  clock = systemClock,
  uptime = systemUptime,
  otherClock,
  passwords = createPasswords(),
  providers = createProvidersOf(config, log),
  metrics = createMetrics({ clock, uptime }),
  tracing,
  pool,
  replica,
}: Foundations): Deps {
  if (pool) measurePool(metrics, pool);
  measureReplica(metrics, replica);
  return {
    config,
    db,
    read: replica?.read ?? ((work) => work(db)),
    clock,
    uptime,
    confirmedTime: createConfirmedTime({ clock, uptime, otherClock }),
    randomId,
    tokens: createTokens(secret, clock, config.SECRET_PREVIOUS),
    passwords,
    limits: createRateLimits(uptime, config.RATE_LIMIT === 'on'),
    knownDevices: createKnownDevices({ secret, randomId, https: servesHttps(config) }),
    browsers: createBrowsers({ randomId, https: servesHttps(config) }),
    turns: createTurns({ enabled: config.RATE_LIMIT === 'on', ...maxConnectionsPerUser(config) }),
    timeZones: createTimeZones(),
    react,
    wakeDispatcher: () => undefined,
    streams: createEventStreams({ clock, uptime }),
    mailer: createMailerOf(config),
    mails: createMailKinds(),
    providers,
    server: { address: config.APP_URL ?? localAddress(config) },
    memory: createMemory(),
    metrics,
    tracing,
    log,
  };
}

/** Has a running server use another secret: that of the database that it has just restored. */
export function replaceSecret(deps: Deps, secret: string): void {
  const { config, clock, randomId } = deps;
  deps.tokens = createTokens(secret, clock, config.SECRET_PREVIOUS);
  deps.knownDevices = createKnownDevices({ secret, randomId, https: servesHttps(config) });
}

function createMailerOf({ SMTP_URL: url, MAIL_FROM: from, REQUIRE_TLS: mode }: Config): Mailer | undefined {
  if (url === undefined || from === undefined) return undefined;
  return createMailer({ url, from, requireTls: mode === 'on' && !isLoopback(new URL(url)) });
}

const GOOGLE = 'https://accounts.google.com';

function createProvidersOf(config: Config, log: FastifyBaseLogger): Providers {
  const clientOf = (id: string | undefined, secret: string | undefined) =>
    id === undefined || secret === undefined ? undefined : { id, secret };
  const google = clientOf(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET);
  const github = clientOf(config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET);
  const oidc = clientOf(config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET);
  const { OIDC_ISSUER: issuer, OIDC_NAME: label } = config;
  return {
    ...(google && {
      google: createOpenIdProvider({ label: 'Google', issuer: GOOGLE, client: google, canRequireLogin: false, log }),
    }),
    ...(github && { github: createGitHubProvider({ client: github, log }) }),
    ...(oidc &&
      issuer !== undefined && {
        oidc: createOpenIdProvider({
          label: label ?? new URL(issuer).host,
          issuer,
          client: oidc,
          canRequireLogin: true,
          log,
        }),
      }),
  };
}

type Listening = Pick<Config, 'HOST' | 'PORT' | 'TLS_CERT_FILE'>;

/** What to open on this machine, by the address that stands for all of its own. */
const LOOPBACKS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const addressOf = (host: string, { PORT: port, TLS_CERT_FILE: certFile }: Listening): string =>
  `${certFile === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Returns the address of a server on this machine. */
export const localAddress = (listening: Listening): string =>
  addressOf(LOOPBACKS[listening.HOST] ?? listening.HOST, listening);

/** Returns the addresses at which other machines reach a server that listens on all of its own. */
export const networkAddresses = (listening: Listening, interfaces = networkInterfaces()): string[] =>
  listening.HOST in LOOPBACKS
    ? Object.values(interfaces)
        .flatMap((addresses) => addresses ?? [])
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => addressOf(address, listening))
    : [];

/** The embedded engine has one connection; a user gets at most a third of a pool. */
function maxConnectionsPerUser({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }: Config) {
  if (url === undefined) return { atOnce: 1, rests: true };
  return { atOnce: Math.max(1, Math.min(3, Math.floor(poolSize / 3))), rests: false };
}
