import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { extendPeriods } from '../features/periods/service.ts';
import { extendPeriods as addPeriods, insertPeriods, lockShortAssets } from '../features/periods/store.ts';
import { endExpiredSessions } from '../features/sessions/service.ts';
import { closeDuePeriods } from '../features/statements/service.ts';
import { addUse } from '../features/usage/sql.ts';
import type { Database } from '../platform/database/database.ts';

// Rows as they stand once what they are about has been lived through.

const addPeriodsUntil = async (db: Database, now: Date) =>
  addPeriods(db, await lockShortAssets(db, { now, after: 0, limit: 1_000_000 }), now);

interface RecordedAsset {
  owner_id: number;
  name?: string;
  created_at: Date;
  priceCents?: number;
  method?: 'usage' | 'allocation' | 'equal';
}

/** Writes assets in UTC, with their periods up to the month after `now`; gives their ids. */
export async function recordAssets(db: Database, assets: RecordedAsset[], now: Date): Promise<number[]> {
  const rows = await db
    .insertInto('assets')
    .values(assets.map(({ owner_id, name = 'Gym', created_at }) => ({ owner_id, name, description: '', created_at })))
    .returning('id')
    .execute();
  for (const [index, { id }] of rows.entries()) {
    const { priceCents = 1000, method = 'usage', created_at: added = now } = assets[index] ?? {};
    const terms = { method, basePercent: 0, ownerHours: 0 };
    await insertPeriods(db, { assetId: id, timeZone: 'UTC', priceCents, terms, now: added });
  }
  await addPeriodsUntil(db, now);
  return rows.map(({ id }) => id);
}

interface RecordedSession {
  share_id: number;
  started_at: Date;
  ended_at?: Date | null;
  ends_by: Date;
}

/** Writes sessions, and the ended ones into the days of use; gives their ids. */
export async function recordSessions(db: Database, sessions: RecordedSession[]): Promise<number[]> {
  if (sessions.length === 0) return [];
  const rows = await db.insertInto('sessions').values(sessions).returning('id').execute();
  const ids = rows.map(({ id }) => id);
  await addPeriodsUntil(db, new Date(Math.max(...sessions.map(({ ends_by }) => ends_by.getTime()))));
  await addUse(sql`(
    select sh.asset_id, s.share_id, s.started_at, s.ended_at
    from sessions s join shares sh on sh.id = s.share_id
    where s.id = any(${ids}::bigint[]) and s.ended_at is not null
  )`).execute(db);
  return ids;
}

/** Runs every job of the schedule once. */
export async function runScheduledJobs(deps: Deps): Promise<void> {
  await endExpiredSessions(deps);
  await extendPeriods(deps);
  await closeDuePeriods(deps);
}
