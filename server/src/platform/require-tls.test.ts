import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { StartupError } from './startup-error.ts';
import { mayConnect, requireTls } from './require-tls.ts';

const SAFE = { REQUIRE_TLS: 'on', APP_URL: 'https://hours.example.org', SECRET: 'Rk3vW9sLq0TzX7bN2mYc5HdF8gJ1pUaE' };
const MAIL = { MAIL_FROM: 'hours@example.org' };

/** Returns the message with which settings stop the start. */
function sentence(environment: Record<string, string>): string {
  try {
    requireTls(loadConfig(environment));
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('with REQUIRE_TLS', () => {
  it.each([
    [{}],
    [{ HOST: '::1' }],
    [{ HOST: 'localhost' }],
    [{ HOST: '0.0.0.0', TLS_CERT_FILE: '/cert.pem', TLS_KEY_FILE: '/key.pem' }],
    [{ DATABASE_URL: 'postgresql://hours:secret@db.example.org/hours?sslmode=verify-full' }],
    [{ DATABASE_URL: 'postgresql://hours@db.example.org/hours?sslmode=verify-full&application_name=x' }],
    [{ DATABASE_URL: 'postgresql://hours@localhost/hours?host=/var/run/postgresql' }],
    [{ DATABASE_URL: 'postgresql://hours@127.0.0.1:6432/hours' }],
    [{ DATABASE_URL: 'postgresql://hours@[::1]/hours' }],
    [{ SMTP_URL: 'smtp://mail.example.org:587', ...MAIL }],
    [{ SMTP_URL: 'smtps://mail.example.org', ...MAIL }],
    [{ SMTP_URL: 'smtp://127.0.0.1:25?ignoreTLS=true', ...MAIL }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.org' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
  ])('accepts %j', (settings: Record<string, string>) => {
    expect(sentence({ ...SAFE, ...settings })).toBe('accepted');
  });

  it('refuses to accept any certificate', () => {
    expect(() => requireTls(loadConfig(SAFE), { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      /^NODE_TLS_REJECT_UNAUTHORIZED must be unset if REQUIRE_TLS is on\.$/,
    );
    expect(() => requireTls(loadConfig(SAFE), { NODE_TLS_REJECT_UNAUTHORIZED: '1' })).not.toThrow();
  });

  const DATABASE = 'must be an address with ?sslmode=verify-full, or of this machine if';
  const COLLECTOR = 'must be an https:// address, or one of this machine if';
  it.each([
    ['APP_URL', 'must be an https:// address if', { APP_URL: '' }],
    ['APP_URL', 'must be an https:// address if', { APP_URL: 'http://hours.example.org' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours:secret@db.example.org/hours' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours@db.example.org/hours?sslmode=require' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours@db/hours?sslmode=no-verify' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours@db/hours?sslmode=verify-full&sslmode=disable' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours@db/hours?sslmode=verify-full&sslmode=no-verify' }],
    ['DATABASE_URL', DATABASE, { DATABASE_URL: 'postgresql://hours@127.0.0.1/hours?host=db.example.org' }],
    ['DATABASE_LISTEN_URL', DATABASE, { DATABASE_LISTEN_URL: 'postgresql://hours@db.example.org/hours' }],
    [
      'DATABASE_REPLICA_URL',
      DATABASE,
      { DATABASE_URL: 'postgresql://hours@127.0.0.1/hours', DATABASE_REPLICA_URL: 'postgresql://hours@db/hours' },
    ],
    [
      'SMTP_URL',
      'must be an address without options after a question mark if',
      { SMTP_URL: 'smtp://mail.example.org?ignoreTLS=true', ...MAIL },
    ],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', COLLECTOR, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otlp.example.org' }],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', COLLECTOR, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://10.0.0.5/v1' }],
    ['PUSH_ALLOW_PRIVATE', 'must be off if', { PUSH_ALLOW_PRIVATE: 'on' }],
    [
      'TLS_CERT_FILE',
      'must be set, or HOST an address of this machine alone such as 127.0.0.1, if',
      { HOST: '0.0.0.0' },
    ],
    [
      'TLS_CERT_FILE',
      'must be set, or HOST an address of this machine alone such as 127.0.0.1, if',
      { HOST: '10.0.0.1' },
    ],
  ])('%s %s', (name, must, settings: Record<string, string>) => {
    expect(sentence({ ...SAFE, ...settings })).toBe(`${name} ${must} REQUIRE_TLS is on.`);
    expect(sentence({ ...SAFE, ...settings, REQUIRE_TLS: 'off' })).toBe('accepted');
  });

  it('lets commands copy a database only over TLS, or on this machine', () => {
    const config = loadConfig(SAFE);
    expect(mayConnect(config, 'postgresql://hours@db.example.org/hours')).toBe(false);
    expect(mayConnect(config, 'postgresql://hours@db.example.org/hours?sslmode=verify-full')).toBe(true);
    expect(mayConnect(config, 'postgresql://hours@127.0.0.1/hours')).toBe(true);
    expect(mayConnect(loadConfig({}), 'postgresql://hours@db.example.org/hours')).toBe(true);
  });
});
