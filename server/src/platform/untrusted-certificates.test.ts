import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { certificateFolder, makeCertificate, type TestCertificate } from '../testing/certificates.ts';
import { openPostgresql } from './database/postgresql.ts';
import { createMailer } from './mail.ts';
import { createOpenIdProvider } from './sign-in-providers.ts';

// A server that someone else answers for, with a certificate that no known authority issued.

/** With this, PostgreSQL's clients ask for TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const SELF_SIGNED = 'DEPTH_ZERO_SELF_SIGNED_CERT';

const { folder, remove } = certificateFolder();
const sockets = new Set<Socket>();
let certificate: TestCertificate;
/** What clients sent after the handshake. */
let received = '';
const server = createServer((socket) => {
  sockets.add(socket.on('error', () => undefined));
  socket.once('data', (first) => {
    socket.pause();
    if (first.equals(SSL_REQUEST)) socket.write('S');
    else socket.unshift(first);
    const secured = new TLSSocket(socket, {
      isServer: true,
      cert: readFileSync(certificate.cert),
      key: readFileSync(certificate.key),
    });
    secured
      .on('error', () => undefined)
      .on('data', (data) => {
        received += data.toString('latin1');
        secured.destroy();
      });
  });
});
let host: string;
beforeAll(async () => {
  certificate = makeCertificate(folder, 'untrusted');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = '';
});
afterAll(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
  remove();
});

it('a sign-in provider with an untrusted certificate is not called', async () => {
  const faults: unknown[] = [];
  const provider = createOpenIdProvider({
    label: 'Home',
    issuer: `https://${host}`,
    client: { id: 'id', secret: 'hush' },
    canRequireLogin: true,
    log: pino({}, { write: (line) => void faults.push((JSON.parse(line) as { fault: unknown }).fault) }),
  });
  const secrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(44) };
  const options = { returnAddress: 'https://hours.example.org/sign-in/oidc', requireLogin: false };
  expect(await provider.begin(secrets, options)).toEqual({ ok: false, reason: 'unreachable' });
  expect(faults).toMatchObject([{ code: SELF_SIGNED }]);
  expect(received).toBe('');
});

it('a mail server with an untrusted certificate gets no message and no password', async () => {
  const mailer = createMailer({ url: `smtps://hours:hush@${host}`, from: 'hours@example.org' });
  const mail = { to: 'zoe@example.org', subject: 'a', text: 'b', html: '<p>b</p>' };
  await expect(mailer.send(mail, 'id', AbortSignal.timeout(60_000))).rejects.toThrow('self-signed certificate');
  expect(received).toBe('');
});

const openDatabase = (settings: string) =>
  openPostgresql(`postgresql://hours:hush@${host}/hours?sslmode=verify-full${settings}`, {
    poolSize: 1,
    prepare: false,
    log: { info: () => undefined, warn: () => undefined },
  });

it('PostgreSQL with an untrusted certificate is not signed in to', async () => {
  await expect(openDatabase('')).rejects.toThrow('self-signed certificate');
  expect(received).toBe('');
});

it('PostgreSQL with a certificate of the named authority is signed in to', async () => {
  const opened = openDatabase(`&sslrootcert=${certificate.cert}`);
  await expect(opened).rejects.not.toThrow('self-signed certificate');
  expect(received).toContain('hours');
});
