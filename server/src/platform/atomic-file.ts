import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './database/error-details.ts';
import { syncFolder } from './database/sync-folder.ts';

/** The end of the name that a file has until it is complete. */
export const UNFINISHED = /\.[\da-f]{8}\.partial$/;

/** The file exists, and isn't overwritten. */
export class FileExists extends Error {}

/**
 * Creates a file that only this user can read, under another name until all of it is on the disk. Throws `FileExists` if the
 * name is taken.
 */
export async function writeAtomicFile<T>(path: string, write: (file: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw new FileExists(path);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    const result = await write(file.createWriteStream({ flush: true }));
    await giveName(unfinished, path);
    syncFolder(dirname(path));
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** What a file system without links reports. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Renames a complete file. A link fails if the name is taken, where renaming would overwrite the other file. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST' || (NO_LINKS.has(code) && existsSync(path))) throw new FileExists(path);
    if (!NO_LINKS.has(code)) throw error;
    return rename(unfinished, path);
  }
  await rm(unfinished);
}
