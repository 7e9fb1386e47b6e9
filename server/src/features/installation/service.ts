import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import { loadOrCreateSecret, resolveStagedSecret, secretFingerprint } from '../../platform/secret.ts';
import { StartupError } from '../../platform/startup-error.ts';
import * as store from './store.ts';

export type { StoredPushKeys } from './store.ts';
export {
  forgetBackupFailure,
  readBackupByHand,
  readLastBackup,
  readPeriodExtension,
  readPushKeys,
  recordBackup,
  recordBackupByHand,
  recordBackupFailure,
  recordPeriodExtension,
  replacePushKeys,
  storedRegistration,
  storeRegistration,
} from './store.ts';

/** Returns the secret that the settings give or DATA_DIR keeps, also after a restore that was killed just before its end. */
export async function readSecret(
  { SECRET: secret, SECRET_PREVIOUS: previous, DATA_DIR: dataDir = '' }: Config,
  db: Database,
): Promise<string> {
  if (secret !== undefined) return secret;
  resolveStagedSecret(dataDir, await store.findSecretFingerprint(db));
  const kept = loadOrCreateSecret(dataDir);
  if (kept === previous)
    throw new StartupError(
      'SECRET_PREVIOUS must be the secret that the one in DATA_DIR replaced, and not that one itself.',
    );
  return kept;
}

/**
 * Records at the first start which secret signs this database's tokens. Throws a StartupError for a server with another
 * secret, unless it knows the recorded one as the previous secret, or has the code that the error asks for.
 */
export async function requireSameSecret(
  db: Database,
  secret: string,
  {
    SECRET_PREVIOUS: previous,
    REPLACE_SECRET: replaceCode,
  }: Partial<Pick<Config, 'SECRET_PREVIOUS' | 'REPLACE_SECRET'>> = {},
): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  const recorded = await store.recordSecretFingerprint(db, fingerprint);
  if (recorded === fingerprint) return;
  // Derived from the replaced secret, so that a leftover REPLACE_SECRET does nothing at the next start.
  const code = recorded.slice(0, 8);
  const isPrevious = previous !== undefined && secretFingerprint(previous) === recorded;
  if (isPrevious || replaceCode === code) {
    await store.replaceSecretFingerprint(db, recorded, fingerprint);
    // Another server may have been first, with the same secret.
    if ((await store.findSecretFingerprint(db)) === fingerprint) return;
  }
  throw new StartupError(
    `This database was used with another secret (SECRET, or the file secret in DATA_DIR); restore that secret, or, to change it, set it as SECRET_PREVIOUS, or, if it is lost, stop all servers of this database and start one with REPLACE_SECRET=${code}.`,
  );
}
