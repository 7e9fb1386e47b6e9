import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { certificateFolder, makeCertificate, type TestCertificate } from './testing/certificates.ts';
import { exchange, openConnection, startServer, type ServerProcess } from './testing/server-process.ts';

// The built server with its own certificate.

const START_MILLISECONDS = 60_000;
const METRICS_TOKEN = 'a-token-for-prometheus';
const SECRET = 'known to this test alone, 32 characters';

const { folder, remove } = certificateFolder();
let certificate: TestCertificate;
beforeAll(() => {
  certificate = makeCertificate(folder, 'first');
});
afterAll(() => remove());

const engine = inject('databaseTemplate');
const name = `hourshare_tls_${randomBytes(6).toString('hex')}`;
const database: Record<string, string> =
  'databaseUrl' in engine ? { DATABASE_URL: withDatabase(engine.databaseUrl, name) } : {};
beforeAll(async () => {
  if ('databaseUrl' in engine)
    await onServer(engine.databaseUrl, `create database ${name} template ${engine.template}`);
});
afterAll(async () => {
  if ('databaseUrl' in engine) await onServer(engine.databaseUrl, `drop database ${name} with (force)`);
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  ca?: string;
}

/** Sends a request over its own connection. Returns the answer and the certificate's name. */
async function send(address: string, path: string, { method = 'GET', headers = {}, body, ca }: Sent = {}) {
  const agent = new Agent({ ca: ca ?? certificate.ca });
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(`${address}${path}`, { agent, method, headers: { ...type, ...headers } });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const socket = answer.socket as TLSSocket;
  const { subject } = socket.getPeerCertificate();
  const protocol = socket.getProtocol();
  const content = await text(answer);
  agent.destroy();
  return { status: answer.statusCode, headers: answer.headers, content, name: subject.CN, protocol };
}

/** Returns what a TLS client with these limits and the server agree on, or the code of the failure. */
async function agree(address: string, limits: { maxVersion: 'TLSv1.1' | 'TLSv1.2'; ciphers: string }): Promise<string> {
  const socket = connect({ port: Number(new URL(address).port), ca: certificate.ca, minVersion: 'TLSv1', ...limits });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} ${socket.getCipher().name}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  } finally {
    socket.destroy();
  }
}

const start = (files: { cert: string; key: string }, settings: Record<string, string> = {}): ServerProcess =>
  startServer({ TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key, SECRET, METRICS_TOKEN, ...settings });

describe('a server with a certificate', { timeout: START_MILLISECONDS }, () => {
  let server: ServerProcess;
  let address: string;
  /** As Kubernetes mounts a secret: links to files in a folder that is itself a link, which it replaces. */
  const mounted = join(folder, 'mounted');
  const release = (version: string, { cert, key }: { cert: string; key: string }) => {
    mkdirSync(join(mounted, version));
    copyFileSync(cert, join(mounted, version, 'tls.crt'));
    copyFileSync(key, join(mounted, version, 'tls.key'));
    symlinkSync(version, join(mounted, 'new'));
    renameSync(join(mounted, 'new'), join(mounted, '..data'));
  };

  beforeAll(async () => {
    mkdirSync(mounted);
    release('1', certificate);
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(`..data/${name}`, join(mounted, name));
    const files = { cert: join(mounted, 'tls.crt'), key: join(mounted, 'tls.key') };
    server = start(files, { ...database, DATA_DIR: join(folder, 'data') });
    address = (await server.ready) ?? server.stderr();
  }, START_MILLISECONDS);
  afterAll(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });

  it('prints an https:// address', () => {
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(server.stderr()).toBe('');
  });

  it('serves requests, health checks, and metrics over TLS 1.3', async () => {
    const register = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' };
    const registered = await send(address, '/api/register/', { method: 'POST', body: register });
    expect(registered).toMatchObject({ status: 201, name: 'first', protocol: 'TLSv1.3' });
    for (const path of ['/healthz', '/readyz'])
      expect(await send(address, path)).toMatchObject({ status: 200, content: '{"status":"ok"}' });
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await send(address, '/metrics', { headers })).content).toContain('\nhourshare_ready 1\n');
  });

  it('tells browsers to use only HTTPS', async () => {
    const { headers } = await send(address, '/api/about/');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  });

  it('serves streams of events over TLS', async () => {
    const body = { username: 'ben', email: 'ben@example.org', password: 'correct horse battery staple' };
    const { content } = await send(address, '/api/register/', { method: 'POST', body });
    const { access } = JSON.parse(content) as { access: string };
    const agent = new Agent({ ca: certificate.ca });
    const stream = request(`${address}/api/events/`, { agent, headers: { authorization: `Bearer ${access}` } }).end();
    const [answer] = (await once(stream, 'response')) as [IncomingMessage];
    expect(answer.headers['content-type']).toContain('text/event-stream');
    expect((answer.socket as TLSSocket).encrypted).toBe(true);
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.length).toBeGreaterThan(0);
    stream.destroy();
  });

  it('closes connections of plain HTTP without an answer', async () => {
    expect(await exchange(address, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('HTTP/1.1');
    expect(await send(address, '/healthz')).toMatchObject({ status: 200 });
  });

  it('accepts only TLS 1.2 and newer, with ciphers that have forward secrecy, the strongest first', async () => {
    const anyCipher = 'ALL:@SECLEVEL=0';
    expect(await agree(address, { maxVersion: 'TLSv1.1', ciphers: anyCipher })).toMatch(/^ERR_SSL_|ECONNRESET/);
    expect(await agree(address, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).toMatch(/^ERR_SSL_/);
    const both = 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384';
    expect(await agree(address, { maxVersion: 'TLSv1.2', ciphers: both })).toBe(
      'TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384',
    );
  });

  it('uses a renewed certificate without a restart, and keeps the old one if the new one is unusable', async () => {
    const second = makeCertificate(folder, 'second');
    release('2', { cert: second.cert, key: certificate.key });
    while (!server.stdout().includes("the certificate can't be renewed")) await pause(200);
    expect(server.stdout()).toContain('that key belongs to another one');
    expect(await send(address, '/healthz')).toMatchObject({ status: 200, name: 'first' });
    release('3', second);
    while (!server.stdout().includes('the certificate was renewed')) await pause(200);
    expect(await send(address, '/healthz', { ca: second.ca })).toMatchObject({ status: 200, name: 'second' });
    await expect(send(address, '/healthz')).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const limits = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' } as const;
    expect(await agree(address, limits)).toMatch(/^ERR_SSL_/);
  });

  it('stops in time while a client never completes its handshake', async () => {
    const idle = await openConnection(address);
    idle.on('error', () => undefined);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    idle.destroy();
  });
});

it('does not start with a certificate that is missing', { timeout: START_MILLISECONDS }, async () => {
  const server = start({ cert: join(folder, 'gone.pem'), key: certificate.key }, { DATA_DIR: join(folder, 'never') });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.stderr()).toBe('TLS_CERT_FILE must be the path of a file that the server can read (ENOENT).\n');
});
