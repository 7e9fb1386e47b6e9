import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { secretFingerprint } from '../../../platform/secret.ts';
import { UNFINISHED } from '../../../platform/atomic-file.ts';
import { readSecret } from '../../accounts/service.ts';
import { writeBackup } from '../service.ts';
import * as store from '../store.ts';

/** With the code of the secret, so that installations that share a folder only remove their own. */
const NAME = /^hourshare-(?<day>\d{4}-\d\d-\d\d)-\d{6}-(?<code>[\da-f]{8})\.gz$/;

/** Returns when the last daily backup was made, and since when making one has failed; null if never. */
export const readLastBackup = ({ db }: Deps) => store.readLastBackup(db);

/** Registers what Prometheus learns about backups. */
export function defineMetrics({ db, metrics }: Deps): void {
  metrics.gauge(
    'hourshare_last_backup_timestamp_seconds',
    'Time of the last daily backup since 1970; 0 if never.',
    async () => {
      const { madeAt } = await store.readLastBackup(db);
      return madeAt ? madeAt.getTime() / 1000 : 0;
    },
  );
}

/** Makes the backup of this day, in UTC, unless this server or another one has, and removes the oldest ones. */
export async function backUpDaily(deps: Deps, signal: AbortSignal): Promise<void> {
  const { BACKUP_DIR: dir, BACKUP_KEEP: keep } = deps.config;
  if (dir === undefined) return;
  const folder = resolve(dir);
  const now = deps.clock();
  let made: Made | undefined;
  try {
    if (!isDue(await store.readLastBackup(deps.db), now)) return;
    made = await makeBackup(deps, { folder, now, signal });
  } catch (error) {
    if (signal.aborted) return;
    await store.recordFailure(deps.db, now).catch(() => undefined);
    throw error;
  }
  if (!made) return;
  deps.log.info({ file: join(folder, made.name), rows: made.rows }, 'made the daily backup');
  await removeOld(folder, { keep, name: made.name }).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'old backups could not be removed, and are removed after the next backup'),
  );
}

/** The name of a backup, and how many rows it has. */
interface Made {
  name: string;
  rows: number;
}

/** Writes and records a backup. Returns undefined, and leaves no file, if another server is making or has made it. */
async function makeBackup(
  deps: Deps,
  { folder, now, signal }: { folder: string; now: Date; signal: AbortSignal },
): Promise<Made | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  const name = `hourshare-${time}-${secretFingerprint(await readSecret(deps.config, deps.db)).slice(0, 8)}.gz`;
  const path = join(folder, name);
  let isWritten = false;
  try {
    const written = await store.inSnapshot(deps.db, async (db) => {
      if (!(await store.lockDailyBackup(db))) return undefined;
      const last = await store.readLastBackup(db);
      if (!isDue(last, now)) return undefined;
      const { rows } = await writeBackup({ ...deps, db }, path, signal);
      isWritten = true;
      return { rows, last: last.madeAt };
    });
    if (!written) return undefined;
    // Outside of the snapshot, which may be older than what another server has recorded.
    if (await store.recordBackup(deps.db, { madeAt: now, last: written.last })) return { name, rows: written.rows };
    await rm(path, { force: true });
    return undefined;
  } catch (error) {
    // Unless the database may have recorded it and only its answer was lost.
    if (isWritten && !(await mayBeRecorded(deps, now))) await rm(path, { force: true });
    throw error;
  }
}

async function mayBeRecorded({ db }: Deps, time: Date): Promise<boolean> {
  const last = await store.readLastBackup(db).catch(() => undefined);
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
