import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { remedyFor } from '../data-folder.ts';
import { StartupError } from '../startup-error.ts';
import { syncFolder } from './sync-folder.ts';

const unfinishedName = /^database\.new-/;

const creator = fileURLToPath(new URL('./create-embedded.js', import.meta.url));

/**
 * Makes sure that there is a database in the folder, whose lock the caller holds. A new one appears complete or not at
 * all: it is made beside its place and renamed; what a killed attempt left is removed by the next.
 */
export async function ensureCreated(dataDir: string, folder: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (unfinishedName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  if (existsSync(folder)) return refuseStranger(folder);
  // A name of its own, because the child of a killed process may still be writing to the last one.
  const unfinished = join(dataDir, `database.new-${process.pid}-${Date.now()}`);
  try {
    await create(unfinished);
  } catch (error) {
    // It may be what has filled the disk.
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
  await rename(unfinished, folder);
  syncFolder(dataDir);
}

async function refuseStranger(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new StartupError(`${folder} holds no database; move it away or set DATA_DIR to another folder.`);
  }
}

async function create(unfinished: string): Promise<void> {
  const child = fork(creator, [unfinished], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-4_000)));
  await once(child, 'close');
  const { exitCode: code, signalCode: signal } = child;
  if (code === 0) return;
  const lastWords = /^(?:\w*Error|FATAL|PANIC): .*$/m.exec(complaint)?.[0];
  const end = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  const remedy = remedyFor(lastWords ?? '') ?? 'see that 1 GB of memory and 100 MB of disk are free, then start again';
  throw new StartupError(
    `The process that creates the embedded database ${end}${lastWords ? ` (${lastWords})` : ''}; ${remedy}.`,
  );
}
