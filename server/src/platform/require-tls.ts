import { hostOf, isVerified } from './database/encryption.ts';
import { isConfidential, isLoopback } from './sign-in-providers.ts';
import { StartupError } from './startup-error.ts';

/** The settings that decide whether connections are encrypted. */
export interface TlsSettings {
  REQUIRE_TLS: 'on' | 'off';
  APP_URL: string | undefined;
  DATABASE_URL: string | undefined;
  DATABASE_LISTEN_URL: string | undefined;
  DATABASE_REPLICA_URL: string | undefined;
  SMTP_URL: string | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | undefined;
  PUSH_ALLOW_PRIVATE: 'on' | 'off';
  TLS_CERT_FILE: string | undefined;
  HOST: string;
}

const isThisMachine = (host: string): boolean =>
  host.startsWith('/') || isLoopback({ hostname: host.includes(':') && !host.startsWith('[') ? `[${host}]` : host });

const isDatabaseSafe = (url: string | undefined): boolean =>
  url === undefined || isThisMachine(hostOf(url)) || isVerified(url);

const isCollectorSafe = (url: string | undefined): boolean => url === undefined || isConfidential(new URL(url));

/** The mailer demands TLS itself, unless options in the address turn it off. */
const isMailSafe = (url: string | undefined): boolean =>
  url === undefined || isThisMachine(new URL(url).hostname) || !url.includes('?');

const database = 'an address with ?sslmode=verify-full, or of this machine';
const collector = 'an https:// address, or one of this machine';

/** What each setting must be so that no connection is unencrypted, in the order in which they are checked. */
const checks: [name: keyof TlsSettings, must: string, isSafe: (config: TlsSettings) => boolean][] = [
  [
    'APP_URL',
    'an https:// address',
    (config) => config.APP_URL?.startsWith('https:') ?? config.TLS_CERT_FILE !== undefined,
  ],
  ['DATABASE_URL', database, (config) => isDatabaseSafe(config.DATABASE_URL)],
  ['DATABASE_LISTEN_URL', database, (config) => isDatabaseSafe(config.DATABASE_LISTEN_URL)],
  ['DATABASE_REPLICA_URL', database, (config) => isDatabaseSafe(config.DATABASE_REPLICA_URL)],
  ['SMTP_URL', 'an address without options after a question mark', (config) => isMailSafe(config.SMTP_URL)],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', collector, (config) => isCollectorSafe(config.OTEL_EXPORTER_OTLP_ENDPOINT)],
  [
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    collector,
    (config) => isCollectorSafe(config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
  ],
  ['PUSH_ALLOW_PRIVATE', 'off', (config) => config.PUSH_ALLOW_PRIVATE === 'off'],
  [
    'TLS_CERT_FILE',
    'set, or HOST an address of this machine alone such as 127.0.0.1,',
    (config) => config.TLS_CERT_FILE !== undefined || isThisMachine(config.HOST),
  ],
];

/** Throws a StartupError for the first setting with which a connection could be unencrypted or unverified, if REQUIRE_TLS is on. */
export function requireTls(config: TlsSettings, environment: NodeJS.ProcessEnv = process.env): void {
  if (config.REQUIRE_TLS === 'off') return;
  // With it, Node.js accepts any certificate.
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new StartupError('NODE_TLS_REJECT_UNAUTHORIZED must be unset if REQUIRE_TLS is on.');
  for (const [name, must, isSafe] of checks)
    if (!isSafe(config)) throw new StartupError(`${name} must be ${must} if REQUIRE_TLS is on.`);
}

/** Returns whether an administrator's command may send data to a database at this address. */
export const mayConnect = ({ REQUIRE_TLS: mode }: TlsSettings, databaseUrl: string): boolean =>
  mode === 'off' || isDatabaseSafe(databaseUrl);
