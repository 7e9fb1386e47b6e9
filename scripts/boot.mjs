import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './processes.mjs';

// Starts the app as the README says, on empty data, asks it for a few things, and ends it as a service manager would.

const READY_WITHIN_MS = 120_000;
const EXIT_WITHIN_MS = 15_000;

/** @type {{ path: string, status: number, type: string, holds: string }[]} */
const ANSWERS = [
  { path: '/', status: 200, type: 'text/html', holds: 'Get Started Free</a>' },
  { path: '/about', status: 200, type: 'text/html', holds: 'About HourShare</h1>' },
  { path: '/licenses.txt', status: 200, type: 'text/plain', holds: 'SIL OPEN FONT LICENSE' },
  { path: '/dashboard', status: 200, type: 'text/html', holds: '<div id="root"></div>' },
  { path: '/healthz', status: 200, type: 'application/json', holds: '' },
  { path: '/readyz', status: 200, type: 'application/json', holds: '' },
  { path: '/api/nope/', status: 404, type: 'application/json', holds: '"not_found"' },
  { path: '/api/me/', status: 401, type: 'application/json', holds: '"not_signed_in"' },
];

const folder = mkdtempSync(join(tmpdir(), 'hourshare-boot-'));
const { DATABASE_URL: _database, APP_URL: _address, ...environment } = process.env;
const child = spawn('npm', ['start'], {
  cwd: root,
  env: { ...environment, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'pipe'],
  // A group of its own: should npm die before the server, the server can still be ended.
  detached: true,
});
let log = '';
const exited = once(child, 'exit');

/** @returns {Promise<string>} */
function address() {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ what) => reject(new Error(`npm start ${what}`));
    const timer = setTimeout(() => fail(`printed no address within ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        log += text;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(log);
        if (!found) return;
        clearTimeout(timer);
        resolve(found[0]);
      });
    }
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? `code ${code}`}`);
    });
  });
}

/** @param {string} url */
async function askFor(url) {
  for (const { path, status, type, holds } of ANSWERS) {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    const answered = `${response.status} ${response.headers.get('content-type')}`;
    const isRight = response.status === status && answered.includes(type) && body.includes(holds);
    if (!isRight) throw new Error(`GET ${path} answered ${answered}: ${body.slice(0, 200)}`);
    console.log(`GET ${path} → ${status}`);
  }
}

async function end() {
  child.kill('SIGTERM');
  const timer = setTimeout(() => killGroup(), EXIT_WITHIN_MS);
  const [code, signal] = await exited;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`after SIGTERM npm start ended with ${signal ?? `code ${code}`}`);
  console.log('SIGTERM → exit 0');
}

/** @param {string} url */
async function isGone(url) {
  const answered = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answered) throw new Error('the server outlived npm start');
}

function killGroup() {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

try {
  const url = await address();
  await askFor(url);
  await end();
  await isGone(url);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\nIt printed:\n${log}`);
  process.exitCode = 1;
} finally {
  killGroup();
  rmSync(folder, { recursive: true, force: true });
}
