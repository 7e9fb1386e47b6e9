import type { AdminAction } from '@hourshare/contract/security-events';
import type { AdministeredAccount, Administration } from '@hourshare/contract/administration';
import type { AnswerOf } from '@hourshare/contract/endpoints';
import type { Registration } from '@hourshare/contract/fields';
import { PASSWORD_RESET_MINUTES, REGISTRATION_LINK_DAYS } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { undoableTransaction } from '../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { VERSION } from '../../platform/version.ts';
import { disableAccount, enableAccount, lockAdministrator, resetPassword } from '../accounts/administration/service.ts';
import { backUpByHand } from '../backups/service.ts';
import { readAccount, readDatabaseVersion } from '../insights/installation/service.ts';
import { readBackupByHand, readLastBackup } from '../installation/service.ts';
import { sendTestMail } from '../mail/service.ts';
import { logCommand, recordCommand, type Administrator } from '../security-events/service.ts';
import { registrationClosed } from '../sign-ins/errors.ts';
import { chooseRegistration, createRegistrationLink, registrationOf } from '../sign-ins/registration/service.ts';
import { userById } from '../users/service.ts';
import { accountNotFound, administratorProtected, registrationSet } from './errors.ts';

// What administrators do in the app, with the functions of the commands.

type MadeLink = AnswerOf<'POST /api/administration/invitations/'>;
type Attempt = AnswerOf<'POST /api/administration/backups/'>;

/** Returns the state of the server. */
export async function readAdministration(deps: Deps): Promise<Administration> {
  const { config, db, mailer, metrics } = deps;
  const [daily, byHand, database] = [
    await readLastBackup(db),
    await readBackupByHand(db),
    await readDatabaseVersion(deps),
  ];
  const made = [daily.madeAt, byHand].filter((each) => each !== null).toSorted((a, b) => b.getTime() - a.getTime());
  return {
    registration: await registrationOf(deps),
    registration_set: config.REGISTRATION !== undefined,
    mail: mailer !== undefined,
    backups: {
      folder: config.BACKUP_DIR !== undefined,
      made_at: made[0]?.toISOString() ?? null,
      failing_since: daily.failedAt?.toISOString() ?? null,
    },
    jobs: metrics.jobs().map(({ name, everyMilliseconds, lastRunAt, lastSuccessAt, failing }) => ({
      name,
      every_seconds: everyMilliseconds / 1000,
      last_run_at: lastRunAt?.toISOString() ?? null,
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      failing,
    })),
    versions: {
      hourshare: VERSION,
      node: process.versions.node,
      database: `PostgreSQL ${database.version}${config.DATABASE_URL === undefined ? ', embedded' : ''}`,
      migration: database.migration,
    },
  };
}

/** Chooses who may create an account. */
export async function setRegistration(
  deps: Deps,
  registration: Registration,
  by: Administrator,
): Promise<Result<Administration>> {
  return administer(deps, { by, command: 'registration', userId: null }, async (deps) => {
    if (deps.config.REGISTRATION !== undefined) return registrationSet();
    await chooseRegistration(deps, registration, by);
    return ok(await readAdministration(deps));
  });
}

/** Makes a link with which one person can create an account. */
export const invite = (deps: Deps, by: Administrator): Promise<Result<MadeLink>> =>
  administer(deps, { by, command: 'invite', userId: null }, async (deps) => {
    if ((await registrationOf(deps)) === 'closed') return registrationClosed();
    return ok(toMadeLink(await createRegistrationLink(deps, { days: REGISTRATION_LINK_DAYS })));
  });

const toMadeLink = ({ link, expiresAt }: { link: string; expiresAt: Date }): MadeLink => ({
  link,
  expires_at: expiresAt.toISOString(),
});

/** Disables or enables an account. */
export const setDisabled = (
  deps: Deps,
  { userId, disabled }: { userId: number; disabled: boolean },
  by: Administrator,
): Promise<Result<AdministeredAccount>> =>
  administer(deps, { by, command: disabled ? 'disable' : 'enable', userId }, async (deps) => {
    const refused = await refuseProtected(deps, userId);
    if (refused) return refused;
    await (disabled ? disableAccount(deps, userId, by) : enableAccount(deps, userId, by));
    const account = await readAccount(deps, userId);
    return account ? ok(account) : accountNotFound();
  });

/** Makes a link with which the user of an account can set a new password. */
export const makeResetLink = (deps: Deps, userId: number, by: Administrator): Promise<Result<MadeLink>> =>
  administer(deps, { by, command: 'reset-password', userId }, async (deps) => {
    const refused = await refuseProtected(deps, userId);
    if (refused) return refused;
    const expiresAt = new Date(deps.clock().getTime() + PASSWORD_RESET_MINUTES * 60_000);
    const link = await resetPassword(deps, userId, by);
    return link === undefined ? accountNotFound() : ok(toMadeLink({ link, expiresAt }));
  });

/** Locks an account. Refuses one that is gone, or an administrator's: whoever takes over one sign-in must not get at the others. */
async function refuseProtected({ db }: Deps, userId: number): Promise<Failure | undefined> {
  const isAdministrator = await lockAdministrator(db, userId);
  if (isAdministrator === undefined) return accountNotFound();
  return isAdministrator ? administratorProtected() : undefined;
}

/** Sends a test message to the address of the administrator. */
export async function tryMail(deps: Deps, by: Administrator): Promise<Result<Attempt>> {
  const user = await userById(deps.db, by.administratorId);
  if (!user) return accountNotFound();
  const problem = deps.mailer ? await sendTestMail(deps, user.email) : 'SMTP_URL is not set.';
  return recordAttempt(deps, { by, command: 'test-mail' }, problem);
}

/** Makes a backup in the server's folder for them. */
export const makeBackup = async (deps: Deps, by: Administrator): Promise<Result<Attempt>> =>
  recordAttempt(deps, { by, command: 'backup' }, await backUpByHand(deps));

/** Records what was done outside of the database. `problem` is why it failed, if it did. */
async function recordAttempt(
  deps: Deps,
  about: { by: Administrator; command: AdminAction },
  problem: string | undefined,
): Promise<Result<Attempt>> {
  await recordCommand(deps, { ...about, userId: null, code: problem === undefined ? 0 : 1 });
  return ok({ problem: problem ?? null });
}

/** Does what an administrator asks for, and records it, all or nothing. Logs it even if it fails. */
async function administer<T>(
  deps: Deps,
  about: { by: Administrator; command: AdminAction; userId: number | null },
  work: (deps: Deps) => Promise<Result<T>>,
): Promise<Result<T>> {
  let isDone = false;
  try {
    const result = await undoableTransaction(deps, async (deps) => {
      const worked = await work(deps);
      if (worked.ok) await recordCommand(deps, about);
      return worked;
    });
    isDone = result.ok;
    return result;
  } finally {
    if (!isDone) logCommand(deps, { ...about, code: 1 });
  }
}
