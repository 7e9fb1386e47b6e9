import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toolEnv } from './deployment-tools.mjs';
import { freePort } from '../../harness/free-port.mjs';
import { root } from '../../scripts/processes.mjs';

// Runs the proxies of deploy/ as shipped, except for addresses and certificates. Hand-written because each has its own
// format.

export const HOST = 'hours.example.org';

const KEYS = { ecdsa: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], rsa: ['rsa:2048'] };

/**
 * Makes a certificate for HOST that only this folder's clients trust.
 *
 * @param {string} folder
 * @param {keyof typeof KEYS} [kind] of its key
 */
export function makeCertificate(folder, kind = 'ecdsa') {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const args = ['req', '-x509', '-newkey', ...KEYS[kind], '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync('openssl', [...args, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  writeFileSync(join(folder, 'both.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  return { cert, key, both: join(folder, 'both.pem'), ca: readFileSync(cert, 'utf8') };
}

/**
 * Changes a shipped file for this machine. Throws if it doesn't contain what is to be replaced, so that the test always
 * runs the rest of it as shipped.
 *
 * @param {string} file in deploy/
 * @param {[from: string, to: string][]} changes
 */
export function adapt(file, changes) {
  let content = readFileSync(join(root, 'deploy', file), 'utf8');
  for (const [from, to] of changes) {
    if (!content.includes(from)) throw new Error(`deploy/${file} doesn't contain "${from}".`);
    content = content.replaceAll(from, () => to);
  }
  return content;
}

/** @param {number} port @param {() => boolean} hasEnded */
async function untilItListens(port, hasEnded) {
  while (!hasEnded()) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
}

/**
 * Starts a proxy and waits until it listens.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {number} port
 */
async function startProxy(command, args, port) {
  // Caddy keeps its own files in these folders.
  const env = { ...toolEnv, XDG_DATA_HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (output += chunk));
  const ended = once(child, 'close');
  await untilItListens(port, () => child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`${command} did not start:\n${output}`);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { output: () => output, stop };
}

/**
 * Writes the configuration of each proxy for servers on ports of this machine, and says how to start and check it.
 *
 * @type {Record<string, (at: { folder: string, port: number, plainPort: number, servers: number[],
 *   certificate: ReturnType<typeof makeCertificate>, changes: [from: string, to: string][] }) => { check: string[], start: string[] }>}
 */
const CONFIGURE = {
  nginx({ folder, port, plainPort, servers, certificate, changes }) {
    const site = adapt('nginx.conf', [
      [
        '  server 127.0.0.1:3000 max_fails=1 fail_timeout=5s;',
        servers.map((each) => `  server 127.0.0.1:${each} max_fails=1 fail_timeout=5s;`).join('\n'),
      ],
      ['  listen 80;\n  listen [::]:80;', `  listen 127.0.0.1:${plainPort};`],
      ['  listen 443 ssl http2;\n  listen [::]:443 ssl http2;', `  listen 127.0.0.1:${port} ssl http2;`],
      [`/etc/letsencrypt/live/${HOST}/fullchain.pem`, certificate.cert],
      [`/etc/letsencrypt/live/${HOST}/privkey.pem`, certificate.key],
      ['/var/log/nginx/hourshare.log', join(folder, 'access.log')],
      ...changes,
    ]);
    writeFileSync(join(folder, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
       http { ${temporary.join(' ')} include ${folder}/site.conf; }`,
    );
    const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    return { check: ['-t', ...args], start: args };
  },
  haproxy({ folder, port, plainPort, servers, certificate, changes }) {
    const [one, two] = servers;
    const file = join(folder, 'haproxy.cfg');
    const config = adapt('haproxy.cfg', [
      ['log /dev/log local0', 'log stdout format raw local0'],
      // Only root can become another user.
      ['  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy\n', ''],
      // Not every machine allows as many open files.
      ['maxconn 20000', 'maxconn 4000'],
      ['stats socket /run/haproxy/admin.sock', `stats socket ${join(folder, 'admin.sock')}`],
      ['bind [::]:80 v4v6', `bind 127.0.0.1:${plainPort}`],
      ['bind [::]:443 v4v6', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/hourshare.pem', certificate.both],
      ['10.0.0.11:3000', `127.0.0.1:${one}`],
      ['10.0.0.12:3000', `127.0.0.1:${two}`],
      ...changes,
    ]);
    writeFileSync(file, config);
    return { check: ['-c', '-f', file], start: ['-db', '-f', file] };
  },
  caddy({ folder, port, plainPort, servers, certificate, changes }) {
    const file = join(folder, 'Caddyfile');
    const config = adapt('Caddyfile', [
      ['{\n\t# Caddy logs', `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\t# Caddy logs`],
      [`\n\nhttp://${HOST} {`, `\n\nhttp://${HOST}:${plainPort} {\n\tbind 127.0.0.1`],
      [
        `\n\n${HOST} {`,
        `\n\nhttps://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.cert} ${certificate.key}`,
      ],
      ['reverse_proxy 127.0.0.1:3000', `reverse_proxy ${servers.map((each) => `127.0.0.1:${each}`).join(' ')}`],
      ...changes,
    ]);
    writeFileSync(file, config);
    const args = ['--config', file, '--adapter', 'caddyfile'];
    return { check: ['validate', ...args], start: ['run', ...args] };
  },
};
export const PROXIES = Object.keys(CONFIGURE);

/**
 * Starts one of the proxies in front of servers.
 *
 * @param {string} name
 * @param {string} folder for its files
 * @param {number[]} servers their ports
 * @param {{ changes?: [from: string, to: string][], kind?: keyof typeof KEYS | undefined }} [options] further changes of its file, and the kind
 *   of the certificate's key
 */
export async function proxyInFrontOf(name, folder, servers, { changes = [], kind = 'ecdsa' } = {}) {
  const [port, plainPort] = [await freePort(), await freePort()];
  const certificate = makeCertificate(folder, kind);
  const args = CONFIGURE[name]?.({ folder, port, plainPort, servers, certificate, changes });
  if (!args) throw new Error(`There is no proxy called ${name}.`);
  const checked = spawnSync(name, args.check, { env: toolEnv, encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`${name} rejects its configuration:\n${checked.stdout}${checked.stderr}`);
  const { output, stop } = await startProxy(name, args.start, port);
  const accessLog = join(folder, 'access.log');
  const log = () => output() + (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '');
  return { port, plainPort, ca: certificate.ca, log, stop };
}
