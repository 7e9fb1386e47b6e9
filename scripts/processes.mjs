import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// What every script here needs to start other programs and to leave none of them behind.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A tool of the installed packages. Called by its file, so that a signal reaches the tool and not a wrapper of it. */
export const tool = (/** @type {string} */ name) => join(root, 'node_modules', '.bin', name);

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** Once told to end, nothing new is started and nothing that ended is taken for a result. */
let isEnding = false;

/**
 * Runs a program to its end. With `quiet` its output is kept and returned instead of shown.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { env = process.env, cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    if (isEnding) return;
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // npm and the tools are .cmd files there, which only a shell can start.
      shell: process.platform === 'win32',
    });
    running.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => {
      running.delete(child);
      resolve({ code: 127, output: `${output}${command}: ${error.message}\n` });
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      if (isEnding) return;
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), output });
    });
  });
}

/**
 * Ends on a signal as a program should: passes it to what runs, tidies up, and dies with the code of that signal.
 *
 * @param {() => Promise<void> | void} tidyUp
 */
export function onSignal(tidyUp) {
  /** @param {'SIGINT' | 'SIGTERM' | 'SIGHUP'} signal */
  const end = async (signal) => {
    // Control-C comes twice: from the terminal, and from npm, which passes on its own.
    if (isEnding) return;
    isEnding = true;
    for (const child of running) child.kill(signal);
    await tidyUp();
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', () => void end('SIGINT'));
  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGHUP', () => void end('SIGHUP'));
}
