import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { remedyFor } from '../data-folder.ts';
import { StartupError } from '../startup-error.ts';
import type { DatabaseLog } from './open-database.ts';
import { syncFolder } from './sync-folder.ts';

const unfinishedName = /^database\.new-/;

const creator = fileURLToPath(new URL('./create-embedded.js', import.meta.url));

/**
 * Makes sure that the folder, whose lock the caller holds, contains a database. A new one is created beside its place
 * and renamed, so it appears complete or not at all, and the next start removes what a killed one left.
 */
export async function ensureCreated(dataDir: string, folder: string, log: DatabaseLog): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (unfinishedName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  if (existsSync(folder)) return rejectForeignFolder(folder);
  log.info('Creating the database …');
  // A unique name, because the child of a killed process may still be writing to the previous one.
  const unfinished = join(dataDir, `database.new-${process.pid}-${Date.now()}`);
  try {
    await create(unfinished);
  } catch (error) {
    // The unfinished database may be what filled the disk.
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
  await rename(unfinished, folder);
  syncFolder(dataDir);
}

async function rejectForeignFolder(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new StartupError(`${folder} doesn't contain a database; move it away, or set DATA_DIR to another folder.`);
  }
}

async function create(unfinished: string): Promise<void> {
  // Optimizing the engine's code takes a third of this short process's time.
  const child = fork(creator, [unfinished], {
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4_000)));
  await once(child, 'close');
  const { exitCode: code, signalCode: signal } = child;
  if (code === 0) return;
  const reason = /^(?:\w*Error|FATAL|PANIC): .*$/m.exec(stderr)?.[0];
  const end = signal ? `was killed by ${signal}` : `exited with code ${code}`;
  const remedy =
    remedyFor(reason ?? '') ?? 'make sure that 1 GB of memory and 100 MB of disk space are free, then start again';
  throw new StartupError(
    `The process that creates the embedded database ${end}${reason ? ` (${reason})` : ''}; ${remedy}.`,
  );
}
