import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';
import { NODE_FLAGS } from './node-flags.ts';

/** A test's child process, read line by line. */
export interface Process {
  pid: number;
  /** All lines printed so far. */
  lines: string[];
  /** Returns the next line. */
  line: () => Promise<string>;
  kill: (signal: NodeJS.Signals) => void;
  /** Closes its input, which asks it to exit. */
  finish: () => Promise<void>;
  /** Its exit code, once all output has been read. */
  ended: Promise<number | null>;
}

/** Starts a file of testing/processes, which ends with the test at the latest. */
export function start(file: string, args: string[], command: string[] = [process.execPath, ...NODE_FLAGS]): Process {
  const path = fileURLToPath(new URL(`./processes/${file}`, import.meta.url));
  const [program, ...before] = [...command, path, ...args] as [string, ...string[]];
  const child: ChildProcess = spawn(program, before, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_BUILD: inject('databaseBuild') },
  });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let read = 0;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    while (waiting.length > 0 && read < lines.length) waiting.shift()!(lines[read++]!);
  });
  const ended = once(child, 'close').then(([code]) => {
    while (waiting.length > 0) waiting.shift()!('(ended)');
    return code as number | null;
  });
  const started: Process = {
    pid: child.pid!,
    lines,
    line: () =>
      read < lines.length
        ? Promise.resolve(lines[read++]!)
        : child.exitCode !== null || child.signalCode !== null
          ? ended.then(() => lines[read++] ?? '(ended)')
          : new Promise((resolve) => waiting.push(resolve)),
    kill: (signal) => child.kill(signal),
    finish: async () => {
      child.stdin!.end();
      await ended;
    },
    ended,
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return started;
}

/** Creates an empty folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}

/** Waits until a condition is true, and fails after a generous time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  atMostMs = 120_000,
): Promise<void> {
  const end = Date.now() + atMostMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain for: ${what}`);
    await pause(5);
  }
}

/** Returns the child processes of a process; empty where /proc doesn't tell. */
export async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Imports the database's built code, which alone can create an embedded database. */
export async function built<Module>(path: string): Promise<Module> {
  return (await import(/* @vite-ignore */ new URL(path, inject('databaseBuild')).href)) as Module;
}

export const hasProc = existsSync('/proc/self/stat');

/** Returns a generator of numbers from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
