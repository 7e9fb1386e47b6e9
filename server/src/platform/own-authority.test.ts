import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateFolder, makeCertificate, type TestCertificate } from '../testing/certificates.ts';

// The settings of Node.js with which docs/operations.md limits trust to one authority, in a separate process.

const { folder, remove } = certificateFolder();
const noAuthorities = join(folder, 'none');
const servers: Server[] = [];
let ours: TestCertificate;
let theirs: TestCertificate;

async function listen({ cert, key }: TestCertificate): Promise<Server> {
  const files = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer(files, (_, response) => response.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return server;
}

beforeAll(async () => {
  ours = makeCertificate(folder, 'ours');
  theirs = makeCertificate(folder, 'theirs');
  mkdirSync(noAuthorities);
  await listen(ours);
  await listen(theirs);
});
afterAll(() => {
  for (const server of servers) server.close();
  remove();
});

/** Connects as sign-in providers are called, and as the mailer does, which uses Node's TLS with its defaults. Prints the outcomes. */
const PROGRAM = `
import { createRequire } from 'node:module';
const { createTransport } = createRequire(process.argv[2])('nodemailer');
const port = process.argv[3];
const codeOf = (error) => error.cause?.code ?? error.code;
const fetched = await fetch('https://localhost:' + port).then((answer) => answer.text(), codeOf);
const mailer = createTransport({ url: 'smtps://localhost:' + port, greetingTimeout: 500 });
// The server speaks HTTP, so a trusted connection fails only after the handshake.
const mailed = await mailer.verify().then(() => '', (error) => error.message);
console.log(JSON.stringify({ fetched, mailed }));
`;

async function connect(server: Server | undefined, env: Record<string, string>) {
  const program = join(folder, 'connect.mjs');
  writeFileSync(program, PROGRAM);
  const { port } = server!.address() as AddressInfo;
  const settings = { env: { PATH: process.env['PATH'], ...env } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, import.meta.filename, String(port)],
    settings,
  );
  return JSON.parse(stdout) as { fetched: string; mailed: string };
}

describe('with the authorities of OpenSSL and an authority of our own', { timeout: 60_000 }, () => {
  const settings = () => ({ NODE_OPTIONS: '--use-openssl-ca', SSL_CERT_FILE: ours.cert, SSL_CERT_DIR: noAuthorities });

  it('calls to providers and the mailer trust its certificates', async () => {
    const { fetched, mailed } = await connect(servers[0], settings());
    expect(fetched).toBe('answered');
    expect(mailed).not.toMatch(/certificate/i);
  });

  it('neither trusts those of another authority', async () => {
    const { fetched, mailed } = await connect(servers[1], settings());
    expect(fetched).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(mailed).toMatch(/self-signed certificate/i);
  });

  it('without them, neither trusts the own authority', async () => {
    const { fetched, mailed } = await connect(servers[0], {});
    expect(fetched).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(mailed).toMatch(/self-signed certificate/i);
  });
});
