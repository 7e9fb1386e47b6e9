import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './database/sync-folder.ts';

/** The end of the name that a file has until it is complete. */
export const UNFINISHED = /\.[\da-f]{8}\.partial$/;

/** The file exists, and isn't overwritten. */
export class FileExists extends Error {}

/**
 * Creates a file that only this user can read, under another name until all of it is on the disk. Throws `FileExists` if the
 * name is taken.
 */
export async function writeWholeFile<T>(path: string, write: (file: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw new FileExists(path);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    const result = await write(file.createWriteStream({ flush: true }));
    if (existsSync(path)) throw new FileExists(path);
    await rename(unfinished, path);
    syncFolder(dirname(path));
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}
