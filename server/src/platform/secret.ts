import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asStartupError, closeTree, prepareDataFolder } from './data-folder.ts';
import { codeOf } from './database/error-details.ts';
import { syncFolder } from './database/sync-folder.ts';
import { StartupError } from './startup-error.ts';

/**
 * Returns whether a text can be random: long enough, with enough different characters, and not one repeated pattern.
 */
export function isUsableSecret(text: string): boolean {
  if (text.length < 32 || new Set(text).size < 8) return false;
  // A text with period n equals its own start once its first n characters are cut off.
  const periods = Array.from({ length: Math.floor(text.length / 2) }, (_, index) => index + 1);
  return !periods.some((period) => text.startsWith(text.slice(period)));
}

/** Returns 64 hexadecimal digits that identify a secret without revealing anything about it. */
export const secretFingerprint = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'hourshare secret fingerprint', 32)).toString('hex');

/**
 * Returns the secret stored in a data folder, created at the first start and readable by its owner only. When two
 * processes create one concurrently, the first to link it into place wins and both use that one.
 */
export function loadOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  try {
    return readOrMake(dataDir, file);
  } catch (error) {
    throw asStartupError(error, "Can't keep the secret in DATA_DIR", 'set DATA_DIR to another folder, or set SECRET');
  }
}

/**
 * Stores the secret of a database that is about to be restored in a data folder. A restore commits in the database, so the
 * secret waits under another name until that shows which of the two secrets is right.
 */
export function stageSecret(dataDir: string, secret: string): void {
  prepareDataFolder(dataDir);
  // In one step, so that one staged before is never half overwritten.
  const draft = draftOf(join(dataDir, 'secret'));
  writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, stagedIn(dataDir));
  syncFolder(dataDir);
}

/** Makes a staged secret the secret of a data folder if the database was used with it, and removes it otherwise. */
export function resolveStagedSecret(dataDir: string, fingerprint: string | undefined): void {
  const staged = stagedIn(dataDir);
  try {
    const secret = readFileSync(staged, 'utf8').trim();
    if (secretFingerprint(secret) === fingerprint) renameSync(staged, join(dataDir, 'secret'));
    else rmSync(staged, { force: true });
    syncFolder(dataDir);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw asStartupError(error, "Can't keep the secret in DATA_DIR");
  }
}

const stagedIn = (dataDir: string) => join(dataDir, 'secret.restored');

// A random name, because processes that share a volume from separate containers may all be process 1.
const draftOf = (file: string) => `${file}.${randomBytes(8).toString('hex')}`;

function readOrMake(dataDir: string, file: string): string {
  prepareDataFolder(dataDir);
  try {
    return read(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const draft = draftOf(file);
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(file);
}

function read(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (!isUsableSecret(secret))
    throw new StartupError(
      `The file ${file} doesn't contain a usable secret; restore it, or delete it to create a new one.`,
    );
  closeTree(file);
  return secret;
}
