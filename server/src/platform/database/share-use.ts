import { sql, type RawBuilder } from 'kysely';
import { monthOfBegins } from './asset-months.ts';
import { wholeSeconds } from './calendar.ts';

// No session is longer, so those of a month begin no earlier than this before it: an index range bounds every sum.
const LONGEST_SESSION = sql`interval '744 hours'`;

/** When a session in `sessions s` ends, or would end by its limit. */
export const sessionEnd = sql`coalesce(s.ended_at, s.ends_by)`;

/** Sessions `s` that overlap a stretch; those begun in it count even while they have no length yet. */
export const overlaps = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  s.started_at >= ${from} - ${LONGEST_SESSION} and s.started_at < ${to}
  and (${sessionEnd} > ${from} or s.started_at >= ${from})`;

/** Whether session `s` runs at an instant: nobody has ended it, and its limit has not either. */
export const isActive = (now: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(s.ended_at is null and s.ends_by > ${now})`;

/**
 * A lateral table of one row: `used_seconds` of a share in the current usage month of its asset `a` up to now, and
 * `active_since`, null when no session runs.
 */
export const usedThisMonth = (shareId: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => {
  const at = sql`${now}::timestamptz`;
  return sql`lateral (
    select
      coalesce(sum(${wholeSeconds(sql`greatest(s.started_at, m.begins)`, sql`least(${sessionEnd}, ${at})`)}), 0)::bigint
        as used_seconds,
      max(s.started_at) filter (where ${isActive(at)}) as active_since
    from (select ${monthOfBegins(at)} as begins offset 0) m
    join sessions s on s.share_id = ${shareId} and ${overlaps(sql`m.begins`, sql`(${at} + interval '1 second')`)}
  )`;
};

/** What a share `sh` allots in the month that begins with a date: what it said until a later month changed it. */
export const allocationIn = (firstDay: RawBuilder<unknown>): RawBuilder<number> => sql<number>`coalesce(
  (
    select past.monthly_hours_allocated from past_allocations past
    where past.share_id = sh.id and past.before_month > ${firstDay}
    order by past.before_month limit 1
  ),
  sh.monthly_hours_allocated
)`;
