import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from './database/error-details.ts';
import { StartupError } from './startup-error.ts';

// The data folder holds password hashes and the secret that signs tokens, so only the server's own user may access
// it. Windows has no such permissions; a folder's access control list decides there.
// Source: docs/decisions/0002-durable-embedded-engine.md.
const hasModes = process.platform !== 'win32';

const othersMayUse = 0o077;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/** The socket on which the server accepts commands. The server removes it itself, and replaces a leftover one. */
export const SOCKET_NAME = 'admin.sock';

/** Names of the server's own files, finished or not. */
const ownName =
  /^(?:admin\.sock|database|database\.new-[\d-]+|database-[1-9]\d*\.lock(?:\.new)?|database-lock-[\da-f-]+\.new|secret|secret\.(?:[\da-f]+|restored))$/;

/** The folder of the embedded database in the data folder. */
export const DATABASE_NAME = 'database';

/** Returns whether there is an embedded database in a data folder. */
export const hasDatabase = (folder: string): boolean => existsSync(join(folder, DATABASE_NAME));

/**
 * Makes sure that the data folder exists, belongs to this user, and can't be changed by anyone else. A folder with only
 * the server's files is closed to other users; one with more may stay readable.
 */
export function prepareDataFolder(folder: string): void {
  createFolder(folder);
  const stats = statSync(folder);
  if (!stats.isDirectory()) throw new StartupError(`${folder} isn't a folder; set DATA_DIR to another folder.`);
  if (!hasModes) return;
  refuseForeign(folder, stats);
  if ((stats.mode & othersMayUse) === 0) return;
  const isSticky = (stats.mode & sticky) !== 0;
  if (!isSticky && readdirSync(folder).every((name) => ownName.test(name))) return setMode(folder, 0o700);
  if ((stats.mode & othersMayWrite) === 0) return;
  // Never suggested for folders such as /tmp, which every user needs.
  const chmod = isSticky ? '' : ', or run chmod go-w on this one';
  throw new StartupError(
    `Other users can write to the data folder ${folder}, and it contains other files; set DATA_DIR to a folder of its own${chmod}.`,
  );
}

/** Closes all of the server's files in the data folder to other users. Returns how many were open. */
export function closeDataFolder(folder: string): number {
  if (!hasModes) return 0;
  const own = readdirSync(folder).filter((name) => ownName.test(name) && name !== SOCKET_NAME);
  return own.reduce((count, name) => count + closeTree(join(folder, name)), 0);
}

/** Closes a file, or a folder and everything below it, to other users. Returns how many were open. */
export function closeTree(path: string): number {
  if (!hasModes) return 0;
  const stats = lstatSync(path);
  const isFolder = stats.isDirectory();
  // chmod follows symbolic links, so another user could plant one to change the mode of its target.
  if (!isFolder && !stats.isFile()) {
    throw new StartupError(`${path} is neither a file nor a folder; move it away, or set DATA_DIR to another folder.`);
  }
  refuseForeign(path, stats);
  const wasOpen = (stats.mode & othersMayUse) !== 0;
  // A folder comes before its contents, so that no other user can replace an entry between lstat and chmod.
  if (wasOpen) setMode(path, isFolder ? 0o700 : 0o600);
  const below = isFolder ? readdirSync(path) : [];
  return below.reduce((count, name) => count + closeTree(join(path, name)), wasOpen ? 1 : 0);
}

/**
 * Creates one level at a time: Node's recursive mkdir hangs where the system creates no folders, as in /proc, and
 * reports a full disk as a missing parent.
 */
function createFolder(path: string, hasParent = false): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || hasParent || existsSync(dirname(path))) throw error;
    createFolder(dirname(path));
    createFolder(path, true);
  }
}

function refuseForeign(path: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (uid === own) return;
  throw new StartupError(
    `${path} belongs to another user (uid ${uid}, but the server runs as ${own}); run the server as that user, or set DATA_DIR to a folder of this user.`,
  );
}

function setMode(path: string, mode: number): void {
  let reason = "the file system doesn't support permissions";
  try {
    chmodSync(path, mode);
    if ((statSync(path).mode & othersMayUse) === 0) return;
  } catch (error) {
    reason = messageOf(error);
  }
  throw new StartupError(
    `Can't keep other users out of ${path} (${reason}); set DATA_DIR to a folder on another file system.`,
  );
}

const otherFolder = 'set DATA_DIR to another folder';
const remedies: [RegExp, string][] = [
  [/ENOSPC|EDQUOT|no space left|quota exceeded/i, `free space on the disk that holds DATA_DIR, or ${otherFolder}`],
  [/EROFS|read-only file system/i, `make its file system writable, or ${otherFolder}`],
  [
    /EACCES|EPERM|permission denied|not permitted/i,
    `let the user that runs the server read and write there, or ${otherFolder}`,
  ],
  [/ENAMETOOLONG|name too long/i, 'set DATA_DIR to a shorter path'],
  [/ENOMEM|(?:allocate|out of) memory/i, 'free memory, then start again'],
];

/** Returns the failure as one sentence with advice: what its reason calls for, or `otherwise`. */
export function asStartupError(error: unknown, problem: string, otherwise = otherFolder): StartupError {
  if (error instanceof StartupError) return error;
  const reason = messageOf(error);
  return new StartupError(`${problem} (${reason}); ${remedyFor(reason) ?? otherwise}.`, { cause: error });
}

/** Returns the advice for a failure with this reason from the system or the engine, or undefined if there is none. */
export function remedyFor(reason: string): string | undefined {
  return remedies.find(([pattern]) => pattern.test(reason))?.[1];
}
