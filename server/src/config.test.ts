import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, secretNames, servesHttps, settings } from './config.ts';
import { localAddress, networkAddresses } from './deps.ts';
import { StartupError } from './platform/startup-error.ts';
import { createPushKeys } from './platform/web-push.ts';

const SECRET = 'canary-K7qXw2vT9mZr4LpB8sNd1GhJ5';
const DATABASE_URL = 'postgresql://user:canary@db.example.org:5432/hours';

const names = Object.keys(settings) as (keyof typeof settings)[];

/** Returns the message with which a wrong setting stops the start. */
function sentence(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('an unset setting', () => {
  it('has its default', () => {
    expect(loadConfig({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      LANDING_PAGE: 'on',
      DATABASE_POOL_SIZE: 10,
      DATABASE_PREPARE: 'on',
      DATA_DIR: './data',
      BACKUP_KEEP: 7,
      PASSWORD_MIN_LENGTH: 8,
      REQUIRE_TLS: 'off',
      SHARE_CONSENT: 'ask',
      PUSH_ALLOW_PRIVATE: 'off',
      RATE_LIMIT: 'on',
      LOG_LEVEL: 'info',
    });
  });

  it('is the same as an empty one', () => {
    for (const empty of ['', ' ', '\t\n'])
      expect(loadConfig(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(loadConfig({}));
  });

  it('is not read from a different case or from object prototypes', () => {
    expect(loadConfig({ port: '1', Secret: SECRET, constructor: 'x' })).toEqual(loadConfig({}));
  });
});

describe('a setting', () => {
  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['PORT', ' 8080 ', 8080],
    ['HOST', '::', '::'],
    ['HOST', 'hours.example.org', 'hours.example.org'],
    ['APP_URL', 'https://hours.example.org', 'https://hours.example.org'],
    ['APP_URL', 'https://HOURS.example.org:8443/', 'https://hours.example.org:8443'],
    ['APP_URL', 'http://localhost:3000', 'http://localhost:3000'],
    ['CONTACT', 'mira@example.org', 'mira@example.org'],
    ['CONTACT', 'https://example.org/contact?a=1', 'https://example.org/contact?a=1'],
    ['CONTACT', 'http://localhost:8080', 'http://localhost:8080/'],
    ['DATABASE_POOL_SIZE', '500', 500],
    ['DATABASE_PREPARE', 'off', 'off'],
    ['DATA_DIR', '/var/lib/hourshare', '/var/lib/hourshare'],
    ['SECRET', SECRET, SECRET],
    ['SECRET_PREVIOUS', SECRET, SECRET],
    ['BACKUP_DIR', '/var/backups/hourshare', '/var/backups/hourshare'],
    ['BACKUP_KEEP', '1000', 1000],
    ['PASSWORD_MIN_LENGTH', '128', 128],
    ['SHARE_CONSENT', 'off', 'off'],
    ['RATE_LIMIT', 'off', 'off'],
    ['PUSH_SERVICES', 'push.example.org', ['push.example.org']],
    ['WEBHOOK_HOSTS', 'ntfy, *.Home.arpa,192.168.1.20,::1', ['ntfy', '*.home.arpa', '192.168.1.20', '::1']],
    ['PUSH_SERVICES', ' Push.example.org ,*.notify.example.org', ['push.example.org', '*.notify.example.org']],
    ['TRUST_PROXY', '127.0.0.1', ['127.0.0.1']],
    ['TRUST_PROXY', ' 10.0.0.0/8 ,::1, 2001:db8::/32 ', ['10.0.0.0/8', '::1', '2001:db8::/32']],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['METRICS_TOKEN', 'sixteen-letters!', 'sixteen-letters!'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://otlp.example.org/in', 'https://otlp.example.org/in'],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25', '0.25'],
    ['OTEL_TRACES_SAMPLER_ARG', '1', '1'],
  ])('%s can be "%s"', (name, written, value) => {
    expect(loadConfig({ [name]: written })).toHaveProperty(name, value);
  });

  it.each([
    ['PORT', 'a whole number from 0 to 65535', ['65536', '-1', '1.5', '0x50', '1e3', 'http', '٣', '8080 8081']],
    ['HOST', 'an IP address or host name', ['http://localhost', 'a b', 'localhost/', '[::1]']],
    [
      'APP_URL',
      'an address such as https://hours.example.org',
      [
        'hours.example.org',
        'ftp://hours.example.org',
        'javascript:alert(1)',
        'https://',
        'https://a.org/app',
        'https://a.org/?a',
        'https://a.org/#a',
      ],
    ],
    [
      'CONTACT',
      'an email address, or a web address that starts with https:// or http://',
      [
        'mira',
        'mira@',
        'example.org',
        'ftp://example.org',
        'javascript:alert(1)',
        'mailto:mira@example.org',
        'https://',
      ],
    ],
    ['DATABASE_POOL_SIZE', 'a whole number from 1 to 500', ['0', '501', 'ten']],
    ['DATABASE_PREPARE', 'on or off', ['true', '0', 'OFF']],
    ['PASSWORD_MIN_LENGTH', 'a whole number from 8 to 128', ['7', '129', '8.5']],
    [
      'PUSH_SERVICES',
      'host names such as fcm.googleapis.com, *.notify.windows.com',
      ['*', '*.', 'localhost', '127.0.0.1', 'https://push.example.org', 'push.example.org:443', 'a.*.example.org', ','],
    ],
    [
      'WEBHOOK_HOSTS',
      'host names or IP addresses such as ntfy.lan, *.home.arpa, 192.168.1.20',
      ['*', '*.', 'http://ntfy.lan', 'ntfy.lan:80', '10.0.0.0/8', ','],
    ],
    ['RATE_LIMIT', 'on or off', ['true', '1', 'ON', 'no']],
    [
      'TRUST_PROXY',
      'IP addresses or networks such as 127.0.0.1, 10.0.0.0/8',
      [
        'true',
        '*',
        'proxy.example.org',
        'abc',
        'beef',
        '1.2.3',
        '1.2.3.4.5',
        '256.0.0.1',
        '10.0.0.0/33',
        '0.0.0.0/0',
        '::1/129',
        '10.0.0.0/',
        '127.0.0.1,',
        ':',
        '....',
      ],
    ],
    ['LOG_LEVEL', 'trace, debug, info, warn, error, fatal, or silent', ['verbose', 'INFO', '30']],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', ['grpc', 'http/json']],
    ['OTEL_TRACES_EXPORTER', 'otlp or none', ['console', 'zipkin', 'otlp,console']],
    [
      'OTEL_TRACES_SAMPLER',
      'always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, or parentbased_traceidratio',
      ['ratio', 'xray'],
    ],
    ['OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1', ['1.5', '-1', '10%', 'all']],
  ])('%s must be %s', (name, must, wrong) => {
    for (const value of wrong) expect(sentence({ [name]: value })).toBe(`${name} must be ${must}, not "${value}".`);
  });

  it('is reported by name when it is the only wrong one', () => {
    expect(sentence({ PORT: '3000', SECRET, DATABASE_URL, LOG_LEVEL: 'loud' })).toMatch(/^LOG_LEVEL must be /);
  });

  it('is either accepted or rejected with one sentence, whatever its value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ unit: 'grapheme' }), (name, value) => {
        expect(sentence({ [name]: value })).toMatch(
          new RegExp(
            `^(?:accepted|${name} must be [^]+\\.|SECRET must be [^]+\\.|\\w+ must be set if ${name} is, [^]+\\.)$`,
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a secret value', () => {
  it('is not printed when it is wrong', () => {
    expect(sentence({ SECRET: 'canary' })).toBe(
      'SECRET must be at least 32 random characters, such as the output of: openssl rand -base64 32.',
    );
    expect(sentence({ SECRET: SECRET + 'canary'.repeat(200) })).toMatch(/^SECRET must be (?!.*canary)/);
    for (const url of ['canary', 'mysql://user:canary@host/db', 'postgresql://', ' canary postgresql://x'])
      expect(sentence({ DATABASE_URL: url, SECRET })).toBe(
        'DATABASE_URL must be an address such as postgresql://user:password@host:5432/database.',
      );
    for (const name of ['DATABASE_LISTEN_URL', 'DATABASE_REPLICA_URL'])
      expect(sentence({ DATABASE_URL, [name]: 'mysql://user:canary@host/db', SECRET })).toBe(
        `${name} must be an address such as postgresql://user:password@host:5432/database.`,
      );
  });

  it('is not printed when another setting is wrong', () => {
    expect(sentence({ SECRET, DATABASE_URL, PORT: 'x' })).not.toContain('canary');
    for (const token of ['canary', `${SECRET} canary`, 'ä'.repeat(20)])
      expect(sentence({ METRICS_TOKEN: token })).toBe(
        'METRICS_TOKEN must be at least 16 characters without spaces, such as the output of: openssl rand -hex 32.',
      );
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
      expect(sentence({ [name]: 'grpc://user:canary@collector:4317' })).toBe(
        `${name} must be an address such as http://127.0.0.1:4318.`,
      );
  });
});

describe('a secret in a file', () => {
  const keys = createPushKeys();
  /** With a value, and what else must be set. */
  const secrets: [name: string, value: string, others: Record<string, string>][] = [
    ['DATABASE_URL', DATABASE_URL, { SECRET }],
    ['DATABASE_LISTEN_URL', DATABASE_URL, {}],
    ['DATABASE_REPLICA_URL', DATABASE_URL, { DATABASE_URL, SECRET }],
    ['SECRET', SECRET, {}],
    ['SECRET_PREVIOUS', SECRET, {}],
    ['SMTP_URL', 'smtps://user:canary@mail.example.org:465', { MAIL_FROM: 'hours@example.org' }],
    ['VAPID_PRIVATE_KEY', keys.privateKey, { VAPID_PUBLIC_KEY: keys.publicKey }],
    ['GOOGLE_CLIENT_SECRET', 'canary', { GOOGLE_CLIENT_ID: 'id', APP_URL: 'https://hours.example.org' }],
    ['GITHUB_CLIENT_SECRET', 'canary', { GITHUB_CLIENT_ID: 'id', APP_URL: 'https://hours.example.org' }],
    [
      'OIDC_CLIENT_SECRET',
      'canary',
      { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'id', APP_URL: 'https://hours.example.org' },
    ],
    ['METRICS_TOKEN', 'canary-canary-canary', {}],
  ];
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hourshare-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (content: string | Buffer) => {
    const file = join(folder, 'secret');
    writeFileSync(file, content);
    return file;
  };

  it('can be each of the settings that hold a secret, and no other', () => {
    expect(secretNames).toEqual(secrets.map(([name]) => name));
    const others = names.filter((name) => !secretNames.includes(name));
    for (const name of others) expect(loadConfig({ [`${name}_FILE`]: '/nowhere' })).toEqual(loadConfig({}));
  });

  it.each(secrets)('is the value of %s, without the line break at its end', (name, value, others) => {
    const expected = loadConfig({ ...others, [name]: value });
    expect(expected).toHaveProperty(name, value);
    for (const end of ['', '\n', '\r\n']) {
      const file = write(value + end);
      expect(loadConfig({ ...others, [`${name}_FILE`]: ` ${file} `, [name]: ' ' })).toEqual(expected);
    }
  });

  it.each(secrets)("can't be set next to %s", (name, value, others) => {
    expect(sentence({ ...others, [name]: value, [`${name}_FILE`]: write(value) })).toBe(
      `${name} or ${name}_FILE must be unset, because only one of them can be used.`,
    );
  });

  it('must exist and be readable text', () => {
    const refusal = (reason: string) =>
      `SECRET_FILE must be the path of a text file that the server can read (${reason}).`;
    // The secret itself, given as a path by mistake, isn't printed.
    expect(sentence({ SECRET_FILE: SECRET })).toBe(refusal('ENOENT'));
    expect(sentence({ SECRET_FILE: folder })).toBe(refusal('EISDIR'));
    const binary = write(Buffer.concat([Buffer.from(SECRET), Buffer.of(0xff, 0xfe)]));
    expect(sentence({ SECRET_FILE: binary })).toBe(refusal('ERR_ENCODING_INVALID_ENCODED_DATA'));
  });

  it("can't be empty, because a server with a secret of its own would start", () => {
    for (const empty of ['', '\n', ' \r\n'])
      expect(sentence({ SECRET_FILE: write(empty) })).toBe(
        'SECRET_FILE must be the path of a file with the value of SECRET, and that file is empty.',
      );
  });

  it.each(secrets)('is not printed when it is no %s', (name, _, others) => {
    const message = sentence({ ...others, [`${name}_FILE`]: write('canary with spaces') });
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(message).not.toContain('canary');
  });

  it('leaves the setting unset when its name is empty', () => {
    expect(loadConfig(Object.fromEntries(secretNames.map((name) => [`${name}_FILE`, ' '])))).toEqual(loadConfig({}));
  });
});

describe('the secret', () => {
  it('must be set with DATABASE_URL and no DATA_DIR', () => {
    expect(sentence({ DATABASE_URL })).toBe(
      'SECRET must be set if DATABASE_URL is set and DATA_DIR is not, so that people stay signed in after a restart.',
    );
    expect(sentence({ DATABASE_URL, DATA_DIR: '', SECRET: ' ' })).toMatch(/^SECRET must be set /);
  });

  it('is optional with a data folder that stores it', () => {
    expect(loadConfig({ DATABASE_URL, DATA_DIR: '/data' })).toMatchObject({ DATABASE_URL, DATA_DIR: '/data' });
    expect(loadConfig({}).DATA_DIR).toBe('./data');
  });

  it('can be replaced, if the previous one was usable and is another', () => {
    expect(sentence({ SECRET_PREVIOUS: 'canary' })).toBe(
      'SECRET_PREVIOUS must be at least 32 random characters, as SECRET was.',
    );
    expect(sentence({ SECRET, SECRET_PREVIOUS: SECRET })).toBe(
      'SECRET_PREVIOUS must be the secret that SECRET replaced, and not SECRET itself.',
    );
    const previous = SECRET.toLowerCase();
    expect(loadConfig({ SECRET, SECRET_PREVIOUS: previous })).toMatchObject({ SECRET, SECRET_PREVIOUS: previous });
  });

  it('makes the data folder optional with DATABASE_URL', () => {
    expect(loadConfig({ DATABASE_URL, SECRET }).DATA_DIR).toBeUndefined();
  });
});

describe('a certificate', () => {
  it('needs its key, and the key its certificate', () => {
    expect(sentence({ TLS_CERT_FILE: '/cert.pem' })).toBe(
      'TLS_KEY_FILE must be set if TLS_CERT_FILE is, so that the server can speak HTTPS.',
    );
    expect(sentence({ TLS_KEY_FILE: '/key.pem' })).toBe(
      'TLS_CERT_FILE must be set if TLS_KEY_FILE is, so that the server can speak HTTPS.',
    );
  });

  it('makes the app one that people reach over TLS, unless APP_URL says otherwise', () => {
    const files = { TLS_CERT_FILE: '/cert.pem', TLS_KEY_FILE: '/key.pem' };
    expect(servesHttps(loadConfig(files))).toBe(true);
    expect(servesHttps(loadConfig({ ...files, APP_URL: 'http://localhost:3000' }))).toBe(false);
    expect(servesHttps(loadConfig({ APP_URL: 'https://hours.example.org' }))).toBe(true);
    expect(servesHttps(loadConfig({}))).toBe(false);
  });
});

describe('a replica', () => {
  it('is refused without DATABASE_URL', () => {
    expect(sentence({ DATABASE_REPLICA_URL: DATABASE_URL })).toBe(
      'DATABASE_URL must be set if DATABASE_REPLICA_URL is, to the primary of that replica.',
    );
    const config = { DATABASE_URL, DATABASE_REPLICA_URL: DATABASE_URL, SECRET };
    expect(loadConfig(config)).toMatchObject(config);
  });
});

describe('a sign-in provider', () => {
  const APP_URL = 'https://hours.example.org';
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'canary' };
  const oidc = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'canary' };

  it('needs all of its settings', () => {
    expect(loadConfig({ APP_URL, ...google, ...oidc, OIDC_NAME: 'Home' })).toMatchObject({ ...google, ...oidc });
    for (const whole of [google, oidc, { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'canary' }])
      for (const missing of Object.keys(whole)) {
        const part = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing));
        const refusal = new RegExp(
          `^${missing} must be set if \\w+ is, so that people can sign in with that provider\\.$`,
        );
        expect(sentence({ APP_URL, ...part })).toMatch(refusal);
      }
    expect(sentence({ APP_URL, OIDC_NAME: 'Home' })).toMatch(/^OIDC_ISSUER must be set if OIDC_NAME is/);
  });

  it('needs an address to redirect people to, over TLS or on this machine', () => {
    const refusal = /^APP_URL must be set to an https:\/\/ address if GOOGLE_CLIENT_ID is set, /;
    expect(sentence(google)).toMatch(refusal);
    expect(sentence({ ...google, APP_URL: 'http://hours.example.org' })).toMatch(refusal);
    expect(sentence({ ...google, APP_URL: 'http://127.0.0.1:3000' })).toBe('accepted');
  });

  it.each([
    'http://id.example.org',
    'https://id.example.org/?a',
    'https://user:canary@id.example.org',
    'id',
    'ftp://localhost',
  ])('cannot have the issuer %s', (issuer) => {
    expect(sentence({ APP_URL, ...oidc, OIDC_ISSUER: issuer })).toMatch(/^OIDC_ISSUER must be an address /);
  });

  it('may have its issuer on this machine without TLS', () => {
    expect(sentence({ APP_URL, ...oidc, OIDC_ISSUER: 'http://localhost:8080/realms/home' })).toBe('accepted');
  });

  it('has secrets that are not printed', () => {
    expect(sentence({ APP_URL, ...google, GOOGLE_CLIENT_SECRET: 'canary with spaces' })).toBe(
      'GOOGLE_CLIENT_SECRET must be the client secret, without spaces.',
    );
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

  it.each(names)('documents what %s does, its allowed values, and its default', (name) => {
    const setting = settings[name];
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toContain(setting.about);
    expect(row).toContain(setting.must);
    const fallback = 'fallback' in setting ? `(default \`${setting.fallback}\`)` : undefined;
    expect(/\(default .*\)/.exec(row ?? '')?.[0]).toBe(fallback);
  });

  it('documents each setting once, and no others', () => {
    const rows = page.split('\n').flatMap((line) => /^\| `([A-Z_]+)` \|/.exec(line)?.[1] ?? []);
    expect(rows.toSorted()).toEqual(names.toSorted());
  });
});

it('a server that listens on all addresses is reached at those of its networks', () => {
  const address = { netmask: '', mac: '', cidr: null, family: 'IPv4' as const, internal: false };
  const interfaces = {
    lo: [{ ...address, address: '127.0.0.1', internal: true }],
    eth0: [
      { ...address, address: '192.168.1.5' },
      { ...address, address: 'fe80::1', family: 'IPv6' as const, scopeid: 2 },
    ],
  };
  const listening = (settings: object) => ({ HOST: '127.0.0.1', PORT: 3000, TLS_CERT_FILE: undefined, ...settings });
  for (const HOST of ['0.0.0.0', '::'])
    expect(networkAddresses(listening({ HOST }), interfaces)).toEqual(['http://192.168.1.5:3000']);
  expect(localAddress(listening({ HOST: '0.0.0.0' }))).toBe('http://127.0.0.1:3000');
  expect(localAddress(listening({ HOST: '::', TLS_CERT_FILE: 'a.pem' }))).toBe('https://[::1]:3000');
  expect(networkAddresses(listening({}), interfaces)).toEqual([]);
  expect(localAddress(listening({}))).toBe('http://127.0.0.1:3000');
});
