import { randomUUID } from 'node:crypto';
import { link, open, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from './error-details.ts';
import { isRunning, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { StartupError } from '../startup-error.ts';

// Two processes on one embedded database destroy it, and only this file, database-<number>.lock, prevents that. A
// takeover creates the next number, which only one process can, so a process that judged an old lock too late finds
// a higher number and gives up. The lock names its own file, so that a copy or a snapshot of the folder isn't taken for
// the folder itself.

const beatMs = 1_000;
// Whether a holder on another machine or in another container runs, or still uses this copy, shows only in its heartbeat.
const watchMs = 3_500;

/** The process that holds a lock, and the file it locked. */
interface Holder extends ProcessIdentity {
  file: string;
}

export interface FolderLock {
  release: () => Promise<void>;
}

/** Locks the folder for this process, or throws a StartupError that names the process that holds it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (;;) {
    const last = (await numbersIn(folder)).at(-1) ?? 0;
    if (last > 0) await rejectIfHeld(folder, last);
    const own = last + 1;
    if (!(await create(folder, own))) continue;
    const numbers = await numbersIn(folder);
    if (numbers.at(-1) !== own) {
      await rm(pathOf(folder, own), { force: true });
      continue;
    }
    await tidy(folder, own);
    return holdLock(pathOf(folder, own));
  }
}

function holdLock(path: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs).unref();
  return {
    release: async () => {
      clearInterval(beat);
      // Emptied instead of removed, so that the numbers keep growing.
      await replace(path, '');
    },
  };
}

async function rejectIfHeld(folder: string, number: number): Promise<void> {
  const path = pathOf(folder, number);
  const holder = await readHolder(path);
  if (!holder) return;
  const running = isRunning(holder);
  if (running === false) return;
  const isKnown = running === true && holder.file === (await fileAt(path));
  if (!isKnown && !(await hasHeartbeat(path))) return;
  const where = holder.space === thisProcess().space ? '' : ` on ${holder.space.split(' ')[0]}`;
  throw new StartupError(
    `The data folder ${folder} is in use by process ${holder.pid}${where}; stop that process first, or set DATA_DIR to another folder.`,
  );
}

/** Returns the process named in the lock, or undefined if the lock was released or isn't one. */
async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    // A lock that can't be read may be held.
    throw error;
  });
  try {
    const holder: unknown = JSON.parse(text);
    if (typeof holder !== 'object' || holder === null) return undefined;
    if (!('pid' in holder && 'started' in holder && 'space' in holder && 'file' in holder)) return undefined;
    const { pid, started, space, file } = holder;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    if (typeof started !== 'string' || typeof space !== 'string' || typeof file !== 'string') return undefined;
    return { pid, started, space, file };
  } catch {
    return undefined;
  }
}

/** Returns what tells a file from its copies and snapshots, but not from itself under another path. */
const identify = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

async function fileAt(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && identify(stats);
}

async function hasHeartbeat(path: string): Promise<boolean> {
  const before = await lastBeat(path);
  await pause(watchMs);
  return (await lastBeat(path)) !== before;
}

async function lastBeat(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

/**
 * Creates the lock with its content in one step, so that no one sees half of it. Returns false when it already exists.
 */
async function create(folder: string, number: number): Promise<boolean> {
  const prepared = join(folder, `database-lock-${randomUUID()}.new`);
  await writeIdentity(prepared);
  try {
    await link(prepared, pathOf(folder, number));
    return true;
  } catch (error) {
    // EEXIST: another process has the number. ENOENT: another process won and removed the prepared file.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    throw error;
  } finally {
    await rm(prepared, { force: true });
  }
}

async function writeIdentity(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const holder: Holder = { ...thisProcess(), file: identify(await file.stat({ bigint: true })) };
    await file.writeFile(JSON.stringify(holder));
  } finally {
    await file.close();
  }
}

async function replace(path: string, content: string): Promise<void> {
  const prepared = `${path}.new`;
  await writeFile(prepared, content, { mode: 0o600 });
  await rename(prepared, path);
}

/** Removes old locks, except the last, which others may be reading, and files that killed processes prepared. */
async function tidy(folder: string, own: number): Promise<void> {
  for (const number of await numbersIn(folder)) if (number < own - 1) await rm(pathOf(folder, number), { force: true });
  for (const name of await readdir(folder)) {
    if (/^database-.*\.new$/.test(name)) await rm(join(folder, name), { force: true });
  }
}

async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  const numbers = names.map((name) => Number(/^database-([1-9]\d*)\.lock$/.exec(name)?.[1]));
  return numbers.filter((number) => !Number.isNaN(number)).toSorted((a, b) => a - b);
}

function pathOf(folder: string, number: number): string {
  return join(folder, `database-${number}.lock`);
}
