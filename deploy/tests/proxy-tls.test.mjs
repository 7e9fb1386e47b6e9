import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, versionOf } from './deployment-tools.mjs';
import { root } from '../../scripts/processes.mjs';
import { clientOf } from './proxied-servers.mjs';
import { proxyInFrontOf } from './proxies.mjs';

// The lines of docs/operations.md with which proxies check the certificates of servers on other machines. What they pass
// on is tested in proxies.test.mjs; here, a server of the test answers.

const NAME = 'servers.hourshare.internal';
const operations = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');

/** Returns a block of the documentation. @param {string} language */
const blockOf = (language) => new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\``).exec(operations)?.[1] ?? '';

/** Runs the documented commands in a folder. @param {string} folder */
function makeFiles(folder) {
  const commands = operations.match(/^openssl req -x509 [^]*?-out cert\.pem$/m)?.[0] ?? '';
  execFileSync('sh', ['-ec', commands], { cwd: folder, stdio: 'ignore' });
  const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
  return { cert: read('cert.pem'), key: read('key.pem') };
}

/** What each proxy gets besides what is shipped. @type {Record<string, (authority: string) => [from: string, to: string][]>} */
const CHANGES = {
  nginx: (authority) => [
    ['proxy_pass http://hourshare;', 'proxy_pass https://hourshare;'],
    ['  server_tokens off;', `${blockOf('nginx').replace('/etc/nginx/authority.pem', authority)}  server_tokens off;`],
  ],
  haproxy: (authority) => [
    ['  server one ', `${blockOf('haproxy').replace('/etc/haproxy/authority.pem', authority)}  server one `],
  ],
  caddy: (authority) => [
    ['reverse_proxy 127.0.0.1', 'reverse_proxy https://127.0.0.1'],
    [' 127.0.0.1:', ' https://127.0.0.1:'],
    ['\t\ttransport http {\n', blockOf('caddyfile').replace('/etc/caddy/authority.pem', authority)],
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'hourshare-proxy-tls-'));
const folders = { ours: join(folder, 'ours'), theirs: join(folder, 'theirs') };
/** @type {import('node:https').Server[]} */
let servers;
beforeAll(async () => {
  servers = Object.values(folders).map((each) => {
    execFileSync('mkdir', [each]);
    return createServer(makeFiles(each), (_, response) => response.end(each)).listen(0, '127.0.0.1');
  });
  await Promise.all(servers.map((server) => once(server, 'listening')));
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (/** @type {import('node:https').Server | undefined} */ server) => {
  const address = server?.address();
  return typeof address === 'object' && address ? address.port : 0;
};

it('makes a certificate with the documented name and authority', () => {
  const args = ['verify', '-CAfile', 'authority.pem', '-verify_hostname', NAME, 'cert.pem'];
  expect(spawnSync('openssl', args, { cwd: folders.ours, encoding: 'utf8' }).stdout).toBe('cert.pem: OK\n');
});

// The documented configuration needs Caddy 2.8; Debian 12 has 2.6.
const [major = 0, minor = 0] = versionOf('caddy');

describe.each(Object.keys(CHANGES).filter(isInstalled))('%s', (name) => {
  /** @param {import('node:https').Server | undefined} server */
  async function ask(server) {
    const files = mkdtempSync(join(folder, name));
    const authority = join(folders.ours, 'authority.pem');
    const port = portOf(server);
    const proxy = await proxyInFrontOf(name, files, [port, port], { changes: CHANGES[name]?.(authority) ?? [] });
    const client = clientOf(proxy);
    try {
      return await client.send({ path: '/' });
    } finally {
      client.close();
      await proxy.stop();
    }
  }

  const isOld = name === 'caddy' && major === 2 && minor < 8;

  it.skipIf(isOld)('sends requests over TLS to a server whose certificate its authority issued', async () => {
    expect(await ask(servers[0])).toMatchObject({ status: 200, body: folders.ours });
  });

  it.skipIf(isOld)('sends nothing to a server with a certificate of another authority', async () => {
    const { status, body } = await ask(servers[1]);
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body).not.toContain(folders.theirs);
  });
});
