import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from './error-details.ts';
import { isRunning, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { StartupError } from '../startup-error.ts';

// Two processes on one embedded database destroy it, and nothing but this file stops them. The lock is a file that names
// its holder, database-<number>.lock. A lock nobody holds any more is never reused or removed first: whoever takes over
// creates the next number, which only one of them can, and removes old ones afterwards. The numbers only grow, so a
// process that judged an old lock and then slept through several takeovers finds a higher number and gives way.

const beatMs = 1_000;
// A holder on another machine or in another container can't be asked whether it lives: it shows by its beat.
const watchMs = 3_500;

export interface FolderLock {
  release: () => Promise<void>;
}

/** Takes the folder for this process, or refuses with a StartupError that names the process that has it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (;;) {
    const last = (await numbersIn(folder)).at(-1) ?? 0;
    if (last > 0) await refuseIfHeld(folder, last);
    const own = last + 1;
    if (!(await create(folder, own))) continue;
    const numbers = await numbersIn(folder);
    if (numbers.at(-1) !== own) {
      await rm(pathOf(folder, own), { force: true });
      continue;
    }
    await tidy(folder, own);
    return hold(pathOf(folder, own));
  }
}

function hold(path: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs).unref();
  return {
    release: async () => {
      clearInterval(beat);
      // Emptied and not removed, so that the numbers go on growing.
      await replace(path, '');
    },
  };
}

async function refuseIfHeld(folder: string, number: number): Promise<void> {
  const path = pathOf(folder, number);
  const holder = await readHolder(path);
  if (!holder) return;
  const held = isRunning(holder) ?? (await beats(path));
  if (!held) return;
  const where = holder.space === thisProcess().space ? '' : ` on ${holder.space.split(' ')[0]}`;
  throw new StartupError(
    `The data folder ${folder} is in use by process ${holder.pid}${where}; stop that one first or set DATA_DIR to another folder.`,
  );
}

/** The process named in the lock; undefined when it was released, or is not a lock's content. */
async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    // One that can't be read may well be held.
    throw error;
  });
  try {
    const holder: unknown = JSON.parse(text);
    if (typeof holder !== 'object' || holder === null) return undefined;
    if (!('pid' in holder && 'started' in holder && 'space' in holder)) return undefined;
    const { pid, started, space } = holder;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    if (typeof started !== 'string' || typeof space !== 'string') return undefined;
    return { pid, started, space };
  } catch {
    return undefined;
  }
}

async function beats(path: string): Promise<boolean> {
  const before = await changed(path);
  await pause(watchMs);
  return (await changed(path)) !== before;
}

async function changed(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

/** Creates the lock with its content at once, so that nobody sees half of it. False when another has it already. */
async function create(folder: string, number: number): Promise<boolean> {
  const prepared = join(folder, `database-lock-${randomUUID()}.new`);
  await writeFile(prepared, JSON.stringify(thisProcess()), { mode: 0o600 });
  try {
    await link(prepared, pathOf(folder, number));
    return true;
  } catch (error) {
    // EEXIST: another has the number. ENOENT: another that has won has tidied up what was prepared.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    throw error;
  } finally {
    await rm(prepared, { force: true });
  }
}

async function replace(path: string, content: string): Promise<void> {
  const prepared = `${path}.new`;
  await writeFile(prepared, content, { mode: 0o600 });
  await rename(prepared, path);
}

/** Removes old locks, but for the last, which others may just be looking at, and what killed processes prepared. */
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
