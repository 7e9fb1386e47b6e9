import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { UNFINISHED } from '../../../platform/whole-file.ts';
import { writeBackup } from '../service.ts';
import * as store from '../store.ts';

const NAME = /^hourshare-\d{4}-\d\d-\d\d-\d{6}\.gz$/;

const HOUR_MILLISECONDS = 3_600_000;

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
  try {
    if (!isDue(await store.readLastBackup(deps.db), now)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `hourshare-${now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.gz`);
    const summary = await store.inSnapshot(deps.db, async (db) => {
      if (!(await store.lockDailyBackup(db)) || !isDue(await store.readLastBackup(db), now)) return undefined;
      const written = await writeBackup({ ...deps, db }, path, signal);
      await store.recordBackup(db, now);
      return written;
    });
    if (!summary) return;
    deps.log.info({ file: path, rows: summary.rows }, 'made the daily backup');
    await removeOld(folder, keep);
  } catch (error) {
    if (signal.aborted) return;
    await store.recordFailure(deps.db, now).catch(() => undefined);
    throw error;
  }
}

/** Also if the last one is in the future, because the clock was wrong then. */
function isDue({ madeAt }: { madeAt: Date | null }, now: Date): boolean {
  if (madeAt === null || madeAt.getTime() > now.getTime() + HOUR_MILLISECONDS) return true;
  return madeAt.toISOString().slice(0, 10) < now.toISOString().slice(0, 10);
}

/** Removes all but the newest backups, and what killed servers left unfinished. Other files stay. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const names = await readdir(folder);
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  const unfinished = names.filter((name) => UNFINISHED.test(name) && NAME.test(name.replace(UNFINISHED, '')));
  for (const name of [...old, ...unfinished]) await rm(join(folder, name), { force: true });
}
