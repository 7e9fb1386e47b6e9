import { constants } from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Email } from '@hourshare/contract/users';
import type { Deps } from '../../../deps.ts';
import { messageOf } from '../../../platform/database/error-details.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { secretFingerprint } from '../../../platform/secret.ts';
import { UNFINISHED } from '../../../platform/atomic-file.ts';
import { queueMail } from '../../mail/service.ts';
import { writeBackup } from '../service.ts';
import * as installation from '../../installation/service.ts';
import * as store from '../store.ts';

/** With the code of the secret, so that installations that share a folder only remove their own. */
const NAME = /^hourshare-(?<day>\d{4}-\d\d-\d\d)-\d{6}-(?<code>[\da-f]{8})\.gz$/;

/** Registers what Prometheus learns about backups. */
export function defineMetrics({ db, metrics }: Deps): void {
  metrics.gauge(
    'hourshare_last_backup_timestamp_seconds',
    'Time of the last daily backup since 1970; 0 if never.',
    async () => {
      const { madeAt } = await installation.readLastBackup(db);
      return madeAt ? madeAt.getTime() / 1000 : 0;
    },
  );
}

/** Registers how the administrator is told that backups fail. Without translations, because it is for them alone. */
export function defineMails({ mails }: Deps): void {
  mails.define('backupFailed', async ({ config, server }, { reason }) => {
    const to = Email.safeParse(config.CONTACT);
    if (!to.success) return undefined;
    return {
      to: to.data,
      language: 'en',
      subject: 'HourShare could not make its daily backup',
      paragraphs: [
        `The server at ${server.address} could not write the daily backup to ${config.BACKUP_DIR}: ${reason}`,
        'It tries again every ten minutes. The command "admin stats" says when it has succeeded.',
      ],
    };
  });
}

/**
 * Makes the backup of this day, in UTC, unless this server or another one has, and removes the oldest ones. When a server starts,
 * it also makes one if the last one isn't in its folder, because the setting may have changed.
 */
export async function backUpDaily(deps: Deps, signal: AbortSignal, { isStart = false } = {}): Promise<void> {
  const { BACKUP_DIR: dir, BACKUP_KEEP: keep } = deps.config;
  if (dir === undefined) return;
  const folder = resolve(dir);
  const now = deps.clock();
  let made: Made | undefined;
  try {
    // Even if none is due, so that a folder that can't be used is noticed before the next day.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    const last = await installation.readLastBackup(deps.db);
    const isMissing = isStart && !(await readdir(folder)).includes(await nameOf(deps, last.madeAt ?? now));
    if (!isDue(last, now) && !isMissing)
      return last.failedAt ? await installation.forgetBackupFailure(deps.db) : undefined;
    made = await makeBackup(deps, { folder, now, signal, missing: isMissing ? last.madeAt : null });
  } catch (error) {
    if (signal.aborted) return;
    await noteFailure(deps, now, error).catch(() => undefined);
    throw error;
  }
  if (!made) return;
  deps.log.info({ file: join(folder, made.name), rows: made.rows }, 'made the daily backup');
  await removeOld(folder, { keep, name: made.name }).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'old backups could not be removed, and are removed after the next backup'),
  );
}

/** Records a failure, and sends word of it unless the last attempt failed, too. */
const noteFailure = (deps: Deps, now: Date, error: unknown): Promise<void> =>
  transaction(deps, async (deps) => {
    if (!(await installation.recordBackupFailure(deps.db, now))) return;
    await queueMail(deps, 'backupFailed', { reason: messageOf(error) }, null);
  });

async function nameOf({ config, db }: Deps, time: Date): Promise<string> {
  const second = time.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  return `hourshare-${second}-${secretFingerprint(await installation.readSecret(config, db)).slice(0, 8)}.gz`;
}

/** The name of a backup, and how many rows it has. */
interface Made {
  name: string;
  rows: number;
}

/**
 * Writes and records a backup. Returns undefined, and leaves no file, if another server is making or has made it: one after
 * `missing`, which isn't in the folder.
 */
async function makeBackup(
  deps: Deps,
  { folder, now, signal, missing }: { folder: string; now: Date; signal: AbortSignal; missing: Date | null },
): Promise<Made | undefined> {
  const name = await nameOf(deps, now);
  const path = join(folder, name);
  let isWritten = false;
  try {
    const written = await store.inSnapshot(deps.db, async (db) => {
      if (!(await store.lockDailyBackup(db))) return undefined;
      const last = await installation.readLastBackup(db);
      if (!isDue(last, now) && last.madeAt?.getTime() !== missing?.getTime()) return undefined;
      const { rows } = await writeBackup({ ...deps, db }, path, signal);
      isWritten = true;
      return { rows, last: last.madeAt };
    });
    if (!written) return undefined;
    // Outside of the snapshot, which may be older than what another server has recorded.
    if (await installation.recordBackup(deps.db, { madeAt: now, last: written.last }))
      return { name, rows: written.rows };
    await rm(path, { force: true });
    return undefined;
  } catch (error) {
    // Unless the database may have recorded it and only its answer was lost.
    if (isWritten && !(await mayBeRecorded(deps, now))) await rm(path, { force: true });
    throw error;
  }
}

async function mayBeRecorded({ db }: Deps, time: Date): Promise<boolean> {
  const last = await installation.readLastBackup(db).catch(() => undefined);
  return last === undefined || last.madeAt?.getTime() === time.getTime();
}

/** Returns whether a backup is due. A last backup dated in the future means the clock was wrong, so it doesn't count. */
function isDue({ madeAt }: { madeAt: Date | null }, now: Date): boolean {
  if (madeAt === null || madeAt.getTime() > now.getTime() + 3_600_000) return true;
  return madeAt.toISOString().slice(0, 10) < now.toISOString().slice(0, 10);
}

/**
 * Removes all but the newest backups of this installation, and what killed servers left unfinished on earlier days. The one
 * just made, `name`, stays; later ones go first, because the clock was wrong when they were made. Other files stay.
 */
async function removeOld(folder: string, { keep, name }: { keep: number; name: string }): Promise<void> {
  const own = partsOf(name);
  const names = (await readdir(folder)).toSorted().filter((each) => partsOf(each)?.code === own?.code);
  const others = names.filter((each) => !UNFINISHED.test(each) && each !== name);
  const ranked = [...others.filter((each) => each > name), ...others.filter((each) => each < name)];
  const old = ranked.slice(0, Math.max(0, ranked.length + 1 - keep));
  // Another server may still be writing one of this day.
  const unfinished = names.filter((each) => UNFINISHED.test(each) && partsOf(each)?.day !== own?.day);
  for (const each of [...old, ...unfinished]) await rm(join(folder, each), { force: true });
}

/** Returns the day and the code in the name of a backup, finished or not; undefined for other files. */
const partsOf = (name: string) => NAME.exec(name.replace(UNFINISHED, ''))?.groups;
