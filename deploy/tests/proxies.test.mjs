import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BODY_MAX_BYTES } from '@hourshare/contract/limits';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { queryDatabase } from '../../harness/databases.mjs';
import { build } from '../../scripts/build.mjs';
import { isInstalled } from './deployment-tools.mjs';
import { freePort } from '../../harness/free-port.mjs';
import { findPostgres } from '../../harness/postgres.mjs';
import { clientOf, METRICS_TOKEN, startLoad, startTwoServers } from './proxied-servers.mjs';
import { HOST, PROXIES, proxyInFrontOf } from './proxies.mjs';

// The proxies of deploy/ with TLS in front of two real servers on a real PostgreSQL server. scripts/ci.mjs reports those
// that aren't installed.

const installed = PROXIES.filter(isInstalled);
const CLIENTS = 12;
const SECRET_LINKS = [
  '/invite/',
  '/api/invitations/',
  '/claim/',
  '/api/claims/',
  '/api/calendar/',
  '/api/unsubscribe/',
].map((path) => `${path}sEcReTlInK/`);
/** Of answers that don't come from a server. */
const OWN_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
/** Those of nginx and UUIDs; the server's are shorter. */
const PROXY_ID = /^(?:[\da-f]{32}|[\da-f-]{36})$/;
/** How logs say when, with the time zone or in UTC. @type {Record<string, RegExp>} */
const TIME = {
  nginx: /\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\]/,
  haproxy: /\[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\]/,
  caddy: /"ts":\d{10}\.\d/,
};

/**
 * Sends a request over plain HTTP.
 *
 * @param {{ plainPort: number }} proxy
 * @param {string} path
 * @param {string} [method]
 */
async function sendPlain({ plainPort }, path, method = 'GET') {
  const sent = request({ host: '127.0.0.1', port: plainPort, method, path, headers: { host: HOST } });
  sent.end();
  const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/**
 * Returns the cipher that a proxy and a client of TLS 1.2 agree on, once the proxy has answered.
 *
 * @param {import('./proxied-servers.mjs').Proxy} proxy
 * @param {string} ciphers of the client
 */
async function agreedCipher({ port, ca }, ciphers) {
  const tls = { ca, servername: HOST, maxVersion: /** @type {const} */ ('TLSv1.2'), ciphers };
  const sent = get({ ...tls, agent: false, host: '127.0.0.1', port, path: '/metrics', headers: { host: HOST } });
  const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
  const { name } = /** @type {import('node:tls').TLSSocket} */ (answer.socket).getCipher();
  answer.resume();
  return name;
}

/** @type {import('../../harness/postgres.mjs').Server} */
let postgres;
beforeAll(async () => {
  if (!(await build())) throw new Error('The build failed.');
  const found = await findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  postgres = found;
}, 300_000);
afterAll(() => postgres?.stop());

describe.each(installed)('%s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-proxy-'));
  /** @type {Awaited<ReturnType<typeof startTwoServers>>} */
  let servers;
  /** @type {Awaited<ReturnType<typeof proxyInFrontOf>>} */
  let proxy;
  beforeAll(async () => {
    servers = await startTwoServers(postgres.url);
    proxy = await proxyInFrontOf(name, folder, servers.ports);
  }, 60_000);
  afterAll(async () => {
    await proxy?.stop();
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param {string} [address] of the client */
  function newClient(address) {
    const client = clientOf(proxy, address);
    onTestFinished(client.close);
    return client;
  }

  /** Starts the proxy without servers. @param {'ecdsa' | 'rsa'} [kind] of its key */
  async function startAlone(kind) {
    const own = mkdtempSync(join(tmpdir(), 'hourshare-proxy-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    const alone = await proxyInFrontOf(name, own, [await freePort(), await freePort()], { kind });
    onTestFinished(alone.stop);
    return alone;
  }

  it('passes on who asks for what, and nothing that a client made up', async () => {
    const client = newClient('127.0.0.9');
    const forged = {
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'for=192.0.2.7;host=evil.example;proto=http',
      'x-request-id': 'made-up-by-the-client',
    };
    const page = await client.send({ path: '/', headers: forged });
    expect(page.status).toBe(200);
    expect(page.body).toContain(`<link rel="canonical" href="https://${HOST}`);
    expect(page.body).not.toContain('evil.example');

    const body = JSON.stringify({ username: 'nobody', password: 'correct horse' });
    const refused = await client.send({ method: 'POST', path: '/api/login/', body, headers: forged });
    expect(refused.status).toBe(401);
    expect(servers.logs()).toMatch(/"network":"127\.0\.0\.9"/);
    expect(servers.logs()).not.toContain('192.0.2.7');
    expect(servers.logs()).not.toContain('Ignoring the forwarded address');

    const id = String(refused.headers['x-request-id']);
    expect(id).toMatch(PROXY_ID);
    expect(page.headers['x-request-id']).toMatch(PROXY_ID);
    expect(page.headers['x-request-id']).not.toBe(id);
    expect(servers.logs()).toContain(`"request_id":"${id}"`);
    expect(servers.logs()).not.toContain('made-up-by-the-client');
  });

  it('logs when each request came, and the id that the server logs', async () => {
    const { headers } = await newClient().send({ path: '/about' });
    // Caddy logs no requests.
    const id = name === 'caddy' ? '' : ` ${String(headers['x-request-id'])} `;
    await expect.poll(proxy.log).toContain(id);
    expect(proxy.log()).toMatch(/** @type {RegExp} */ (TIME[name]));
  });

  it('redirects plain HTTP to HTTPS', async () => {
    for (const path of ['/assets?a=b', '/apiary?a=b']) {
      const { status, headers } = await sendPlain(proxy, path);
      expect(status).toBe(301);
      expect(headers.location).toBe(`https://${HOST}${path}`);
    }
  });

  it('refuses calls over plain HTTP instead of redirecting them', async () => {
    for (const path of ['/api/me/', '/api/', '/%61pi/me/', '/api/me/?a=b'])
      for (const method of ['GET', 'POST']) {
        const { status, headers, body } = await sendPlain(proxy, path, method);
        expect({ status, location: headers.location }).toEqual({ status: 403, location: undefined });
        expect(headers['content-type']).toBe('text/plain; charset=utf-8');
        expect(body).toBe('Use HTTPS. What was sent here was not encrypted.');
      }
  });

  it('forbids scripts, frames, and content sniffing in its own answers', async () => {
    const client = newClient();
    const withoutServers = clientOf(await startAlone());
    onTestFinished(withoutServers.close);
    const answers = [
      await sendPlain(proxy, '/assets'),
      await sendPlain(proxy, '/api/me/'),
      await client.send({ path: '/metrics' }),
      await withoutServers.send({ path: '/' }),
    ];
    const statuses = [301, 403, 404, name === 'nginx' ? 502 : 503];
    // The other proxies leave it to the server to refuse long bodies.
    if (name === 'nginx') {
      const body = '{}'.padEnd(BODY_MAX_BYTES + 1, ' ');
      answers.push(await client.send({ method: 'POST', path: '/api/login/', body }));
      statuses.push(413);
    }
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const { headers } of answers) expect(headers).toMatchObject(OWN_HEADERS);
  });

  it("leaves the security headers of the server's answers as they are", async () => {
    const client = newClient();
    const [port] = servers.ports;
    for (const path of ['/', '/api/about/', '/api/me/', '/api/docs/', '/healthz']) {
      const passedOn = await client.send({ path });
      const direct = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([path, passedOn.status]).toEqual([path, direct.status]);
      for (const each of Object.keys(OWN_HEADERS)) expect(passedOn.headers[each]).toBe(direct.headers.get(each));
      expect(passedOn.headers).not.toMatchObject(OWN_HEADERS);
    }
    const { headers: first } = await client.send({ path: '/' });
    const { status, headers } = await client.send({ path: '/', headers: { 'if-none-match': String(first.etag) } });
    expect(status).toBe(304);
    for (const each of Object.keys(OWN_HEADERS)) expect(headers[each]).toBe(first[each]);
  });

  it('accepts only ciphers with forward secrecy and authenticated encryption', async () => {
    const [ecdsa, rsa] = [proxy, await startAlone('rsa')];
    const refusal = /alert handshake failure/;
    for (const cipher of ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA'])
      await expect(agreedCipher(ecdsa, cipher)).rejects.toThrow(refusal);
    for (const cipher of ['ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES128-SHA', 'AES128-GCM-SHA256', 'AES256-SHA'])
      await expect(agreedCipher(rsa, cipher)).rejects.toThrow(refusal);
    for (const cipher of ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'])
      expect(await agreedCipher(ecdsa, `AES128-SHA:${cipher}`)).toBe(cipher);
    expect(await agreedCipher(rsa, 'AES128-SHA:ECDHE-RSA-AES128-GCM-SHA256')).toBe('ECDHE-RSA-AES128-GCM-SHA256');
  });

  // Caddy's order is that of Go.
  it.skipIf(name === 'caddy')('prefers the strongest cipher', async () => {
    const strongest = 'ECDHE-ECDSA-AES256-GCM-SHA384';
    expect(await agreedCipher(proxy, `ECDHE-ECDSA-AES128-GCM-SHA256:${strongest}`)).toBe(strongest);
  });

  it('hides the metrics', async () => {
    const [port] = servers.ports;
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status).toBe(200);
    const client = newClient();
    for (const path of ['/metrics', '/metrics/', '/%6detrics', '/metrics?a=b'])
      expect(await client.send({ path, headers })).toMatchObject({ status: 404 });
  });

  it('logs neither links to invitations nor queries', async () => {
    const client = newClient();
    for (const path of SECRET_LINKS) await client.send({ path });
    await client.send({ path: '/about?code=sEcReTcOdE' });
    // Caddy logs no requests.
    const lastLine = name === 'caddy' ? '' : '"GET /about" ';
    await expect.poll(proxy.log).toContain(lastLine);
    expect(proxy.log()).not.toContain('sEcReT');
  });

  it('logs no link to an invitation while all servers are down', async () => {
    const alone = await startAlone();
    // Each may try for 10 s.
    const statuses = [...SECRET_LINKS, '/about'].map(async (path) => {
      const client = clientOf(alone);
      const { status } = await client.send({ path });
      client.close();
      return status;
    });
    for (const status of await Promise.all(statuses)) expect([502, 503]).toContain(status);
    for (const path of SECRET_LINKS) await sendPlain(alone, path);
    expect(alone.log()).toMatch(/\/about|connection refused|no upstreams available/);
    expect(alone.log()).not.toContain('sEcReT');
  });

  it('passes on the longest body, and refuses longer ones', async () => {
    const client = newClient();
    const post = async (/** @type {number} */ length) => {
      const body = '{}'.padEnd(length, ' ');
      return (await client.send({ method: 'POST', path: '/api/login/', body })).status;
    };
    expect(await post(BODY_MAX_BYTES)).toBe(400);
    expect(await post(BODY_MAX_BYTES + 1)).toBe(413);
    expect(await post(1_000_000)).toBe(413);
  });

  it('loses nothing while a server is restarted under load, or tells the client so', async () => {
    const endLoad = await startLoad(proxy, CLIENTS);
    const code = await servers.restart(proxy);
    const { sent, created, lost } = await endLoad();
    console.log(`${name}: ${sent} requests, ${created} assets created, ${lost.length} lost: ${lost.join(', ')}`);
    expect(code).toBe(0);
    // nginx doesn't learn that a server is stopping before its listener is closed. On a busy machine, that resets
    // connections that the server hasn't accepted, and nginx never repeats a write.
    const unexpected = name === 'nginx' ? lost.filter((request) => !/^(?:POST|PATCH) 502$/.test(request)) : lost;
    expect(unexpected).toEqual([]);
    const rows = await queryDatabase(servers.databaseUrl, 'select count(*)::int as assets from assets');
    expect(rows).toEqual([{ assets: created }]);
  });
});
