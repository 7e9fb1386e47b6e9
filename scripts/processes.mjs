import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Starts other programs, and leaves none running. Hand-written because `npm start` runs without development packages
// such as execa, and close-with-grace aborts its cleanup at the second Control-C.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns whether a file is the started program, even through a link. @param {string} file */
export const isMain = (file) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === file;

/** Returns the file of an installed tool. Running it lets a signal reach the tool instead of a wrapper. @param {string} name */
export const tool = (name) => join(root, 'node_modules', '.bin', name);

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** Once set, nothing starts any more, and programs that end have no result. */
let isEnding = false;
/** @type {(() => Promise<void> | void)[]} */
const cleanUps = [];

/** @typedef {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean }} Options `quiet` returns the output instead of showing it */
/** Runs a program to its end. @param {string} command @param {string[]} args @param {Options} [options] @returns {Promise<{ code: number, output: string }>} */
export function run(command, args, { env = process.env, cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    if (isEnding) return;
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // npm and the tools are .cmd files on Windows, which only a shell can start.
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

const MOST_SECONDS_TO_END = 20;

/** Lets a program clean up and report. @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function endChild(child, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(child.kill('SIGKILL')), MOST_SECONDS_TO_END * 1000);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.kill(signal);
  });
}

/** On a signal, passes it to running programs, cleans up, and exits with its code. @param {() => Promise<void> | void} cleanUp */
export function onSignal(cleanUp) {
  cleanUps.push(cleanUp);
  if (cleanUps.length > 1) return;
  /** @param {'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT'} signal */
  const end = async (signal) => {
    // Control-C arrives twice: from the terminal, and from npm, which passes it on.
    if (isEnding) return;
    isEnding = true;
    await Promise.all([...running].map((child) => endChild(child, signal)));
    await Promise.allSettled(cleanUps.map(async (each) => each()));
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']))
    process.on(signal, () => void end(signal));
}
