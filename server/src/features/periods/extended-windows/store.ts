import { CORRECTION_HOURS, LATE_EDIT_HOURS, LATE_EDIT_MAX_DAYS } from '@hourshare/contract/limits';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Interval } from '../rules.ts';
import { closesAt } from '../sql.ts';

/** Seconds of a period that a stretch of time covers; 0 without one. */
const overlap = (period: string, stretch: Interval | undefined) =>
  stretch === undefined
    ? sql`0`
    : sql`greatest(0, extract(epoch from
        least(${sql.ref(`${period}.ends_at`)}, ${stretch.endedAt}::timestamptz)
        - greatest(${sql.ref(`${period}.starts_at`)}, ${stretch.startedAt}::timestamptz)))`;

interface SessionEdit {
  assetId: number;
  before: Interval;
  /** Undefined if the session was removed. */
  after: Interval | undefined;
  now: Date;
}

/** Condition: period `p` is an ended, open one of a session of which an edit leaves less in any open period. */
const losesUse = ({ assetId, before, after, now }: SessionEdit) => sql`
  p.asset_id = ${assetId} and p.closed_at is null and p.ends_at <= ${now}::timestamptz
  and ${closesAt} > ${now}::timestamptz and ${overlap('p', before)} + ${overlap('p', after)} > 0
  and exists (
    select 1 from periods each
    where each.asset_id = p.asset_id and each.closed_at is null
      and ${overlap('each', before)} > ${overlap('each', after)})`;

const dayAfter = (now: Date) => sql`${now}::timestamptz + make_interval(hours => ${LATE_EDIT_HOURS}::int)`;

/**
 * Keeps the ended periods of a session open for a day more if they close within a day and an edit leaves less of it in any
 * period, up to seven days in all. Returns whether there was one. Source: docs/how-costs-are-split.md.
 */
export async function extendWindows(db: Database, edit: SessionEdit): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update periods p set extended_until = least(
      ${dayAfter(edit.now)},
      p.ends_at + make_interval(hours => ${CORRECTION_HOURS}::int, days => ${LATE_EDIT_MAX_DAYS}::int)
    )
    where ${losesUse(edit)} and ${closesAt} <= ${dayAfter(edit.now)}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Returns whether an edit leaves less of a session in a period, and an ended one of the session closes within a day. */
export async function isTooLate(db: Database, edit: SessionEdit): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p where ${losesUse(edit)} and ${closesAt} < ${dayAfter(edit.now)} limit 1`.execute(db);
  return rows.length > 0;
}
