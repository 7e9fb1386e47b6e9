import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@hourshare/contract/limits';
import { z } from 'zod';
import { codeOf } from './platform/database/error-details.ts';
import { isUsableSecret } from './platform/secret.ts';
import { isConfidential } from './platform/sign-in-providers.ts';
import { StartupError } from './platform/startup-error.ts';
import { areKeys } from './platform/web-push.ts';

interface Setting<T> {
  /** One line for docs/configuration.md. */
  about: string;
  /** The allowed values, as the end of the sentence "NAME must be …". */
  must: string;
  schema: z.ZodType<T, string>;
  /** The default, as written in the environment; without one the setting may stay unset. */
  fallback?: string;
}

const setting = <T>(value: Setting<T>) => value;
const optional = <T>(value: Omit<Setting<T>, 'fallback'>) => ({ ...value, optional: true as const });
/** May be in a file instead, which the setting with the suffix _FILE names. */
const secret = <T>(value: Omit<Setting<T>, 'fallback'>) => ({ ...optional(value), isSecret: true as const });

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

function isAddressOrNetwork(text: string): boolean {
  const [, address = '', bits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

/** `a@example.org`, or a name without special characters before `<a@example.org>`. */
const isSender = (text: string): boolean => {
  const [, address = text] = /^[^<>"@,;:\\\p{Cc}]+<([^<>]+)>$/u.exec(text) ?? [];
  return z.email().safeParse(address).success;
};

const collector = (about: string) =>
  optional({
    about,
    must: 'an address such as http://127.0.0.1:4318',
    schema: z.url({ protocol: /^https?$/, hostname: /./ }),
  });

const clientId = (provider: string) =>
  optional({
    about: `Client ID from ${provider}, so that people can sign in with it.`,
    must: 'the client ID, without spaces',
    schema: z.string().regex(/^[\x21-\x7e]{1,500}$/),
  });
const clientSecret = (id: string) =>
  secret({
    about: `Client secret of ${id}.`,
    must: 'the client secret, without spaces',
    schema: z.string().regex(/^[\x21-\x7e]{1,1000}$/),
  });

/** Every setting once, with its environment name, purpose, allowed values, and default. */
export const settings = {
  PORT: setting({
    about: 'Port to listen on. 0 picks a free one.',
    must: 'a whole number from 0 to 65535',
    schema: whole(0, 65_535),
    fallback: '3000',
  }),
  HOST: setting({
    about: 'Address to listen on. 0.0.0.0 or :: opens the server to the network.',
    must: 'an IP address or host name',
    schema: z.string().regex(/^[A-Za-z0-9.:_-]+$/),
    fallback: '127.0.0.1',
  }),
  TLS_CERT_FILE: optional({
    about:
      'Certificate with its chain (PEM). If set, the server speaks HTTPS instead of HTTP. Renewed files are used within 10 seconds.',
    must: 'a file path',
    schema: z.string().min(1),
  }),
  TLS_KEY_FILE: optional({
    about: 'Private key of that certificate (PEM, without a passphrase).',
    must: 'a file path',
    schema: z.string().min(1),
  }),
  REQUIRE_TLS: setting({
    about:
      'With on, the server refuses to start if a setting allows an unencrypted connection to or from another machine.',
    must: 'on or off',
    schema: z.enum(['on', 'off']),
    fallback: 'off',
  }),
  APP_URL: optional({
    about:
      'Public address of the app, for links in email, passkeys, sign-in providers, secure cookies, and search engines. Without it, passkeys work at localhost alone, and links in email only on this machine.',
    must: 'an address such as https://hours.example.org',
    schema: z
      .url({ protocol: /^https?$/, abort: true })
      .refine((value) => new URL(value).pathname === '/' && !value.includes('?') && !value.includes('#'))
      .transform((value) => new URL(value).origin),
  }),
  CONTACT: optional({
    about: 'How to reach you. Everyone sees it on the About page and in email about changes to an account.',
    must: 'an email address, or a web address that starts with https:// or http://',
    schema: z.union([
      z.email(),
      z.url({ protocol: /^https?$/, hostname: /./, abort: true }).transform((value) => new URL(value).href),
    ]),
  }),
  DATABASE_URL: secret({
    about: 'PostgreSQL 15 or newer. Without it, the server uses an embedded database in DATA_DIR.',
    must: 'an address such as postgresql://user:password@host:5432/database',
    schema: z.string().regex(/^postgres(?:ql)?:\/\/.+/),
  }),
  DATABASE_POOL_SIZE: setting({
    about: 'Maximum number of connections of this server. The embedded database always has one.',
    must: 'a whole number from 1 to 500',
    schema: whole(1, 500),
    fallback: '10',
  }),
  DATABASE_PREPARE: setting({
    about: 'Whether to use prepared statements. Turn it off for a connection pooler that loses them.',
    must: 'on or off',
    schema: z.enum(['on', 'off']),
    fallback: 'on',
  }),
  DATABASE_LISTEN_URL: secret({
    about:
      'The same database without a connection pooler, so that servers hear of changes at once instead of asking every second.',
    must: 'an address such as postgresql://user:password@host:5432/database',
    schema: z.string().regex(/^postgres(?:ql)?:\/\/.+/),
  }),
  DATABASE_REPLICA_URL: secret({
    about: 'A streaming replica of the same database, for expensive reads.',
    must: 'an address such as postgresql://user:password@host:5432/database',
    schema: z.string().regex(/^postgres(?:ql)?:\/\/.+/),
  }),
  DATA_DIR: optional({
    about:
      'Folder for the embedded database and the secret. Without it and DATABASE_URL, a checkout uses ./data, and a release hourshare-data in the home folder.',
    must: 'a folder path',
    schema: z.string().min(1),
  }),
  SECRET: secret({
    about:
      'Signs tokens, and encrypts what the server must read again. Without it, the server makes one and keeps it in DATA_DIR. Required if DATABASE_URL is set and DATA_DIR is not. All servers of a database need the same one.',
    must: 'at least 32 random characters, such as the output of: openssl rand -base64 32',
    schema: z.string().max(1024).refine(isUsableSecret),
  }),
  SECRET_PREVIOUS: secret({
    about:
      'The old secret, after you have changed SECRET. What it encrypted is encrypted again when the server starts.',
    must: 'at least 32 random characters, as SECRET was',
    schema: z.string().max(1024).refine(isUsableSecret),
  }),
  REPLACE_SECRET: optional({
    about:
      'Confirms that the old secret is lost or leaked. The server prints the code to set here. It works once, signs everyone out, and makes what was encrypted unreadable.',
    must: 'the code of 8 letters and digits that the server printed',
    schema: z.string().regex(/^[\da-f]{8}$/),
  }),
  BACKUP_DIR: optional({
    about: 'Folder for a daily backup. Without it, the server makes none.',
    must: 'a folder path',
    schema: z.string().min(1),
  }),
  BACKUP_KEEP: setting({
    about: 'How many daily backups to keep in BACKUP_DIR.',
    must: 'a whole number from 1 to 1000',
    schema: whole(1, 1000),
    fallback: '7',
  }),
  PASSWORD_MIN_LENGTH: setting({
    about: 'Minimum length of new passwords.',
    must: `a whole number from ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH}`,
    schema: whole(PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH),
    fallback: String(PASSWORD_MIN_LENGTH),
  }),
  REGISTRATION: optional({
    about:
      'Who may create an account: anyone, people with an invitation link, or no one. Without it, what was chosen with `admin registration`, or else anyone.',
    must: 'open, invited, or closed',
    schema: z.enum(['open', 'invited', 'closed']),
  }),
  LANDING_PAGE: setting({
    about: 'Whether / is the page about HourShare. With off, it leads to the sign-in, as fits a private server.',
    must: 'on or off',
    schema: z.enum(['on', 'off']),
    fallback: 'on',
  }),
  SHARE_CONSENT: setting({
    about:
      'Whether someone must accept an asset that is offered to them before they are charged. Turn it off only if all users trust each other.',
    must: 'ask or off',
    schema: z.enum(['ask', 'off']),
    fallback: 'ask',
  }),
  SMTP_URL: secret({
    about: 'Mail server. Without it, no email is sent.',
    must: 'an address such as smtps://user:password@mail.example.org:465 or smtp://127.0.0.1:25',
    schema: z.url({ protocol: /^smtps?$/, hostname: /./ }),
  }),
  MAIL_FROM: optional({
    about: 'Sender of email. Required with SMTP_URL.',
    must: 'an email address, alone or as in: HourShare <hours@example.org>',
    schema: z.string().refine(isSender),
  }),
  VAPID_PUBLIC_KEY: optional({
    about:
      'Identifies this server to push services. Without it, the server makes its own pair of keys, which is fine for almost everyone.',
    must: 'a P-256 public key in base64url, such as that of: npx web-push generate-vapid-keys',
    schema: z.string().regex(/^[\w-]{87}$/),
  }),
  VAPID_PRIVATE_KEY: secret({
    about: 'The private key of VAPID_PUBLIC_KEY.',
    must: 'a P-256 private key in base64url',
    schema: z.string().regex(/^[\w-]{43}$/),
  }),
  PUSH_SERVICES: optional({
    about:
      'The only hosts that push messages may go to, separated by commas; *. at the start matches any subdomain. Without it, they may go to any public host that a browser names.',
    must: 'host names such as fcm.googleapis.com, *.notify.windows.com',
    schema: z
      .string()
      .toLowerCase()
      .transform((value) => value.split(',').map((part) => part.trim()))
      .refine((parts) =>
        parts.every((part) => /^(?:\*\.)?(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)+[a-z][\da-z-]*$/.test(part)),
      ),
  }),
  PUSH_ALLOW_PRIVATE: setting({
    about:
      'Allows push messages to private networks, and without TLS. Only for a push service of your own: users could have the server call addresses in its network.',
    must: 'on or off',
    schema: z.enum(['on', 'off']),
    fallback: 'off',
  }),
  WEBHOOK_HOSTS: optional({
    about:
      'Hosts in your own network that users may have their notices sent to, without TLS, too, separated by commas; *. at the start matches any subdomain. Without it, only public hosts with TLS.',
    must: 'host names or IP addresses such as ntfy.lan, *.home.arpa, 192.168.1.20',
    schema: z
      .string()
      .toLowerCase()
      .transform((value) => value.split(',').map((part) => part.trim()))
      .refine((parts) =>
        parts.every(
          (part) => isIP(part) > 0 || /^(?:\*\.)?(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)*[a-z][\da-z-]*$/.test(part),
        ),
      ),
  }),
  GOOGLE_CLIENT_ID: clientId('Google'),
  GOOGLE_CLIENT_SECRET: clientSecret('GOOGLE_CLIENT_ID'),
  GITHUB_CLIENT_ID: clientId('GitHub'),
  GITHUB_CLIENT_SECRET: clientSecret('GITHUB_CLIENT_ID'),
  OIDC_ISSUER: optional({
    about: 'Issuer of an OpenID Connect provider, exactly as its own configuration has it.',
    must: 'an address that starts with https://, or with http:// on this machine, such as https://id.example.org/realms/home',
    schema: z
      .url({ protocol: /^https?$/, hostname: /./, abort: true })
      .refine((value) => isConfidential(new URL(value)) && !/[?#@]/.test(value)),
  }),
  OIDC_CLIENT_ID: clientId('the OpenID Connect provider'),
  OIDC_CLIENT_SECRET: clientSecret('OIDC_CLIENT_ID'),
  OIDC_NAME: optional({
    about: 'Name of that provider on the button. Without it, the host of OIDC_ISSUER.',
    must: 'a name of at most 40 characters',
    schema: z.string().regex(/^[^\p{Cc}\p{Cf}]{1,40}$/u),
  }),
  RATE_LIMIT: setting({
    about: 'Limits sign-ins, registrations, sharing, writes, and concurrent requests. Turn it off only for load tests.',
    must: 'on or off',
    schema: z.enum(['on', 'off']),
    fallback: 'on',
  }),
  TRUST_PROXY: optional({
    about:
      'Addresses or networks of your reverse proxies, separated by commas. Only their X-Forwarded-For, -Host, and -Proto headers are trusted.',
    must: 'IP addresses or networks such as 127.0.0.1, 10.0.0.0/8',
    schema: z
      .string()
      .transform((value) => value.split(',').map((part) => part.trim()))
      .refine((parts) => parts.every(isAddressOrNetwork)),
  }),
  LOG_LEVEL: setting({
    about: "Lines below this level aren't logged.",
    must: 'trace, debug, info, warn, error, fatal, or silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    fallback: 'info',
  }),
  METRICS_TOKEN: secret({
    about: 'Lets Prometheus read /metrics with this token. Without it, there are no metrics.',
    must: 'at least 16 characters without spaces, such as the output of: openssl rand -hex 32',
    schema: z.string().regex(/^[\x21-\x7e]{16,1000}$/),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector('OpenTelemetry collector for traces of requests. Without it, none are sent.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector('The same as a whole address, with the path.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional({
    about: 'How traces are sent. Only http/protobuf works.',
    must: 'http/protobuf',
    schema: z.literal('http/protobuf'),
  }),
  OTEL_TRACES_EXPORTER: optional({
    about: 'With otlp, traces are sent even without an address, to http://127.0.0.1:4318. With none, never.',
    must: 'otlp or none',
    schema: z.enum(['otlp', 'none']),
  }),
  OTEL_TRACES_SAMPLER: optional({
    about: 'Which requests are traced. Without it, all, except those that the caller chose not to trace.',
    must: 'always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, or parentbased_traceidratio',
    schema: z.enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
  }),
  OTEL_TRACES_SAMPLER_ARG: optional({
    about: 'Part of the requests to trace, if OTEL_TRACES_SAMPLER ends in traceidratio.',
    must: 'a number from 0 to 1',
    schema: z.string().regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/),
  }),
  OTEL_SDK_DISABLED: optional({
    about: 'With true, turns traces off, whatever else is set.',
    must: 'true or false',
    schema: z.enum(['true', 'false']),
  }),
};

type Settings = typeof settings;
type ValueOf<S> = S extends { schema: z.ZodType<infer T, string> }
  ? S extends { optional: true }
    ? T | undefined
    : T
  : never;
export type Config = { [Name in keyof Settings]: ValueOf<Settings[Name]> };

/** Returns whether people reach the app over TLS, terminated by a proxy in front of it or, if there is none, by the server. */
export const servesHttps = (config: Config): boolean =>
  config.APP_URL?.startsWith('https:') ?? config.TLS_CERT_FILE !== undefined;

/** Returns where the server's own certificate is; undefined if it speaks plain HTTP. */
export const tlsFiles = ({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Config) =>
  certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };

/** The settings that may be in files. */
export const secretNames = Object.entries(settings).flatMap(([name, each]) => ('isSecret' in each ? [name] : []));

/**
 * Reads all settings from the environment and the files that it names; empty values count as unset. Throws a StartupError
 * for the first wrong one.
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(settings)) {
    const isSecret = 'isSecret' in each;
    const written = isSecret ? readSecret(name, environment) : environment[name]?.trim();
    const raw = written || ('fallback' in each ? each.fallback : undefined);
    if (raw === undefined) continue;
    const parsed = each.schema.safeParse(raw);
    // Keeps the values of secrets, client IDs, and addresses that may contain a password out of the log.
    const shown = isSecret || /_(?:ENDPOINT|CLIENT_ID)$/.test(name) ? '' : `, not "${raw}"`;
    if (!parsed.success) throw new StartupError(`${name} must be ${each.must}${shown}.`);
    values[name] = parsed.data;
  }
  // oxlint-disable-next-line no-unsafe-type-assertion -- each name was parsed by its own schema above
  const config = values as Config;
  if (config.DATABASE_REPLICA_URL !== undefined && config.DATABASE_URL === undefined)
    throw new StartupError('DATABASE_URL must be set if DATABASE_REPLICA_URL is, to the primary of that replica.');
  if (config.DATABASE_URL === undefined) config.DATA_DIR ??= './data';
  if (config.SECRET === undefined && config.DATA_DIR === undefined)
    throw new StartupError(
      'SECRET must be set if DATABASE_URL is set and DATA_DIR is not, so that people stay signed in after a restart.',
    );
  if (config.SECRET_PREVIOUS !== undefined && config.SECRET_PREVIOUS === config.SECRET)
    throw new StartupError('SECRET_PREVIOUS must be the secret that SECRET replaced, and not SECRET itself.');
  if (config.SMTP_URL !== undefined && config.MAIL_FROM === undefined)
    throw new StartupError('MAIL_FROM must be set if SMTP_URL is, so that email has a sender.');
  requireCertificateAndKey(config);
  requirePushKeys(config);
  requireWholeProviders(config);
  return config;
}

/**
 * Returns a secret from the environment, or from the file that the environment names; undefined if neither is set. Like
 * the environment's values, the file's content is trimmed. Throws a StartupError if both are set or the file has no text.
 */
function readSecret(name: string, environment: Record<string, string | undefined>): string | undefined {
  const value = environment[name]?.trim();
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return value;
  if (value) throw new StartupError(`${name} or ${name}_FILE must be unset, because only one of them can be used.`);
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim();
  } catch (error) {
    // Without the path, in case it is the secret itself.
    const reason = codeOf(error) ?? 'unknown error';
    throw new StartupError(`${name}_FILE must be the path of a text file that the server can read (${reason}).`, {
      cause: error,
    });
  }
  if (content === '')
    throw new StartupError(
      `${name}_FILE must be the path of a file with the value of ${name}, and that file is empty.`,
    );
  return content;
}

/** Throws a StartupError if only one of a certificate and its key is set. */
function requireCertificateAndKey({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Config): void {
  if ((certFile === undefined) === (keyFile === undefined)) return;
  const [missing, present] =
    certFile === undefined ? ['TLS_CERT_FILE', 'TLS_KEY_FILE'] : ['TLS_KEY_FILE', 'TLS_CERT_FILE'];
  throw new StartupError(`${missing} must be set if ${present} is, so that the server can speak HTTPS.`);
}

/** Throws a StartupError unless the keys for push messages are a pair, or unset. */
function requirePushKeys({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: Config): void {
  if (publicKey === undefined && privateKey === undefined) return;
  if (publicKey === undefined || privateKey === undefined || !areKeys({ publicKey, privateKey }))
    throw new StartupError('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair, or both be unset.');
}

const PROVIDER_SETTINGS = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
] as const;

/** Throws a StartupError if a provider's settings are incomplete, or the provider couldn't redirect people back. */
function requireWholeProviders(config: Config): void {
  for (const names of PROVIDER_SETTINGS) {
    const present = names.find((name) => config[name] !== undefined);
    const missing = names.find((name) => config[name] === undefined);
    if (present === undefined) continue;
    if (missing !== undefined)
      throw new StartupError(`${missing} must be set if ${present} is, so that people can sign in with that provider.`);
    if (config.APP_URL === undefined || !isConfidential(new URL(config.APP_URL)))
      throw new StartupError(
        `APP_URL must be set to an https:// address if ${present} is set, so that the provider can send people back.`,
      );
  }
  if (config.OIDC_NAME !== undefined && config.OIDC_ISSUER === undefined)
    throw new StartupError('OIDC_ISSUER must be set if OIDC_NAME is, so that people can sign in with that provider.');
}
