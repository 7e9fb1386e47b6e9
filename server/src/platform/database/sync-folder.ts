import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the entries of a folder durable. Until then, a new or renamed file may be missing after a crash. */
export function syncFolder(folder: string): void {
  // Windows can't open a folder, and doesn't need to sync one.
  if (process.platform !== 'win32') syncFile(folder);
}

/** Makes everything in a folder durable. */
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
