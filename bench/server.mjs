import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MAIN = join(import.meta.dirname, '..', 'server', 'dist', 'main.js');

/**
 * Starts the built server as a process on a free port of the loopback interface.
 *
 * @param {Record<string, string>} settings
 * @param {string} [main] the built server to start, by default this checkout's
 * @param {string[]} [nodeOptions]
 */
export async function startServer(settings, main = MAIN, nodeOptions = []) {
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(child.stdout, 'data');
  const url = /http:\/\/[^/\s]+/.exec(String(printed))?.[0];
  if (!url) throw new Error(`The server printed no address: ${String(printed)}`);
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url, pid: child.pid, stop };
}

/** @param {number[]} values */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the CPU milliseconds of a process so far, optionally with its ended children's. @param {number} pid */
export function cpuOf(pid, withChildren = false) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return 10 * fields.slice(11, withChildren ? 15 : 13).reduce((sum, ticks) => sum + ticks, 0);
}
