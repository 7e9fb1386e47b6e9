import { DEFAULT_TERMS } from '../features/periods/rules.ts';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { extendPeriods } from '../features/periods/upkeep/service.ts';
import { extendPeriods as addPeriods, insertPeriods, lockAssetsToExtend } from '../features/periods/upkeep/store.ts';
import { endExpiredSessions } from '../features/sessions/presses/service.ts';
import { closeDuePeriods } from '../features/statements/closing/service.ts';
import { insertFirstAllowance } from '../features/shares/allowances/store.ts';
import { addUse } from '../features/usage/sql.ts';
import type { Database } from '../platform/database/database.ts';

// Writes rows as the app would have stored them over time.

async function addPeriodsThrough(db: Database, now: Date): Promise<void> {
  const { ids } = await lockAssetsToExtend(db, { now, after: 0, limit: 1_000_000 });
  await addPeriods(db, ids, now);
}

interface RecordedAsset {
  owner_id: number;
  name?: string;
  created_at: Date;
  priceCents?: number;
  method?: 'usage' | 'allocation' | 'equal';
}

/** Adds assets in UTC, with their periods up to two months after `now`. Returns their ids. */
export async function recordAssets(db: Database, assets: RecordedAsset[], now: Date): Promise<number[]> {
  const rows = await db
    .insertInto('assets')
    .values(assets.map(({ owner_id, name = 'Gym', created_at }) => ({ owner_id, name, description: '', created_at })))
    .returning('id')
    .execute();
  for (const [
    index,
    { owner_id: ownerId, priceCents = 1000, method = 'usage', created_at: added },
  ] of assets.entries()) {
    const id = rows[index]?.id ?? NaN;
    const terms = { ...DEFAULT_TERMS, method };
    await insertPeriods(db, { assetId: id, ownerId, timeZone: 'UTC', priceCents, terms, now: added });
  }
  await addPeriodsThrough(db, now);
  return rows.map(({ id }) => id);
}

interface RecordedSession {
  share_id: number;
  started_at: Date;
  ended_at?: Date | null;
  ends_by: Date;
  was_started_at?: Date;
  was_ended_at?: Date;
  edited_at?: Date;
  source?: 'metered';
}

/** Adds sessions, and the ended ones to the days of use. Returns their ids. */
export async function recordSessions(db: Database, sessions: RecordedSession[]): Promise<number[]> {
  if (sessions.length === 0) return [];
  const rows = await db.insertInto('sessions').values(sessions).returning('id').execute();
  const ids = rows.map(({ id }) => id);
  await addPeriodsThrough(db, new Date(Math.max(...sessions.map(({ ends_by }) => ends_by.getTime()))));
  await addUse(sql`(
    select sh.asset_id, s.share_id, s.started_at, s.ended_at
    from sessions s join shares sh on sh.id = s.share_id
    where s.id = any(${ids}::bigint[]) and s.ended_at is not null
  )`).execute(db);
  return ids;
}

/** Adds the first allowances of accepted shares that tests added as rows. */
export async function recordAllowances(db: Database): Promise<void> {
  await sql`${insertFirstAllowance(sql`shares sh`)}
    where accepted_at is not null and not exists (select 1 from allowances where share_id = sh.id)`.execute(db);
}

/** Runs every scheduled job once. */
export async function runScheduledJobs(deps: Deps): Promise<void> {
  await endExpiredSessions(deps);
  await extendPeriods(deps);
  await closeDuePeriods(deps);
}
