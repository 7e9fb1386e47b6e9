import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the entries of a folder last: a new or renamed file is only sure to be there after a crash when this is done. */
export function syncFolder(folder: string): void {
  // Windows can't open a folder, and needs no sync of one.
  if (process.platform !== 'win32') syncFile(folder);
}

/** Makes everything in a folder last. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncFile(path);
  }
  syncFolder(folder);
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
