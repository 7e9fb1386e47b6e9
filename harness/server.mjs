import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/processes.mjs';

// The built server as a process of its own. It gets these settings alone, not those of whoever starts it.

const CLOCK = pathToFileURL(join(root, 'e2e', 'moved-clock.mjs')).href;
const READY_WITHIN_MS = 300_000;
const STOPPED_WITHIN_MS = 20_000;

/** @typedef {ReturnType<typeof createServer>} Server */
/**
 * `checkout` is that of another built version; with `clockOffset`, in milliseconds, the clock can be moved.
 *
 * @typedef {{ checkout?: string, nodeOptions?: string[], clockOffset?: number | undefined }} Options
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param {string[]} command @param {NodeJS.ProcessEnv} settings @param {Options} options */
function spawnProgram([program = '', ...args], settings, { checkout = root, nodeOptions = [], clockOffset }) {
  const clock = clockOffset === undefined ? [] : ['--import', CLOCK];
  const child = spawn(
    process.execPath,
    [...nodeOptions, ...clock, join(checkout, 'server', 'dist', program), ...args],
    {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        ...settings,
        ...(clockOffset === undefined ? {} : { CLOCK_OFFSET_MS: String(clockOffset) }),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** @param {import('node:child_process').ChildProcess} child @param {(text: string) => void} listen */
function readOutput(child, listen) {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', listen);
}

/** Runs a program of the server to its end. @param {string[]} command such as `['admin.js', 'verify']` @param {NodeJS.ProcessEnv} settings @param {Options} [options] */
export async function runProgram(command, settings, options = {}) {
  const child = spawnProgram(command, settings, options);
  let output = '';
  readOutput(child, (text) => (output += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code: /** @type {number | null} */ (code), output };
}

/** Returns a server that doesn't run yet. It keeps the port of its first start. @param {NodeJS.ProcessEnv} settings @param {Options} [options] */
export function createServer(settings, { clockOffset, ...options } = {}) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let [url, log] = ['', ''];
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function start() {
    const port = url === '' ? {} : { PORT: new URL(url).port };
    const started = spawnProgram(['main.js'], { ...settings, ...port }, { ...options, clockOffset });
    child = started;
    let printed = '';
    await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`The server did not start. It printed:\n${printed}`));
      const timer = setTimeout(() => started.kill('SIGKILL'), READY_WITHIN_MS);
      let isReady = false;
      readOutput(started, (text) => {
        log += text;
        if (isReady) return;
        printed += text;
        const address = /^HourShare is ready at (\S+)$/m.exec(printed)?.[1];
        if (address === undefined) return;
        isReady = true;
        url = address;
        clearTimeout(timer);
        resolve(undefined);
      });
      // After the last of its output.
      started.once('close', () => {
        clearTimeout(timer);
        fail();
      });
    });
  }

  return {
    /** `http://127.0.0.1:<port>` */
    get url() {
      return url;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    /** Everything that it has printed. */
    get log() {
      return log;
    },
    isRunning,
    start,
    /** Sets its clock, also for later starts. @param {number} offset in milliseconds */
    setClock: async (offset) => {
      clockOffset = offset;
      if (!child || !isRunning()) return;
      const waiting = new AbortController();
      const { signal } = waiting;
      const moved = [once(child, 'message', { signal }), once(child, 'exit', { signal })];
      child.send(offset);
      await Promise.race(moved);
      waiting.abort();
      await Promise.allSettled(moved);
    },
    /** Ends it, if it runs. Returns its exit code. @param {NodeJS.Signals} [signal] */
    end: async (signal = 'SIGTERM') => {
      if (!child || !isRunning()) return child?.exitCode ?? null;
      const exited = once(child, 'exit');
      child.kill(signal);
      const isLate = await Promise.race([exited.then(() => false), pause(STOPPED_WITHIN_MS, true, { ref: false })]);
      if (!isLate) return child.exitCode;
      child.kill('SIGKILL');
      await exited;
      throw new Error(`The server had not stopped ${STOPPED_WITHIN_MS / 1000} s after ${signal}. It printed:\n${log}`);
    },
  };
}

/** @param {NodeJS.ProcessEnv} settings @param {Options} [options] */
export async function startServer(settings, options) {
  const server = createServer(settings, options);
  await server.start();
  return server;
}
