import { sql, type RawBuilder } from 'kysely';
import { dayStart } from '../../../platform/database/calendar.ts';
import type { Database } from '../../../platform/database/database.ts';
import { belongsToManager } from '../../assets/sql.ts';
import { closesAt, hasOwned, ownedTimes } from '../../periods/sql.ts';
import { sessionEnd } from '../../usage/sql.ts';
import {
  anyOwnShare,
  disputedPeriod,
  isAccepted,
  isActive,
  lastObjection,
  lastRequest,
  objectionsEnd,
  openShare,
  type ShareOfMember,
  type StoredObjection,
  type StoredRequest,
  type StoredSession,
} from '../sql.ts';

/** A session as lists show it. */
export interface ListedSession extends StoredSession {
  recorded_by_owner: boolean;
}

const endUnlessActive = (now: Date) =>
  sql<Date | null>`case when ${isActive('s', now)} then null else ${sessionEnd('s', now)} end`;

/** A session's start in milliseconds since 1970, and its id; lists are in this order, newest first. */
export type SessionKey = [startedAt: number, id: number];

interface Page {
  now: Date;
  limit: number;
  /** The session after which the page starts; the newest comes first when undefined. */
  after: SessionKey | undefined;
  /** Reads no other session. */
  only?: number;
}

/** A row of a left join, whose columns are null without a match. */
type OrEmpty<Row> = { [Column in keyof Row]: Row[Column] | null };

export interface StoredLoggedSession extends ListedSession {
  member_id: number;
  username: string;
  share_id: number;
  person: boolean;
  edited_at: Date | null;
  was_started_at: Date | null;
  was_ended_at: Date | null;
  restored_at: Date | null;
  external_id: string | null;
  meter_id: number | null;
  meter: string | null;
  silent: boolean;
  removed: boolean;
  /** Of what a meter counted of a day: that day, what counts, and what doesn't; null for sessions. */
  day: string | null;
  counted_seconds: number | null;
  uncounted_seconds: number | null;
  /** When the month that the edit changes closes; null if that is closed, or there is none. */
  open_until: Date | null;
  /** Until when the edit can be objected to; null if it can't. */
  objection_until: Date | null;
  objection: StoredObjection | null;
  request: StoredRequest | null;
}

/**
 * A table: what meters counted of share `sh`, each day as if it were one session from its midnight on. A removed one has what it had
 * counted.
 */
const daysAsSessions = sql`(
  select d.id, d.meter_id, d.day, d.refused_at, d.told_seconds, bounds.started_at, d.refused_at is not null as removed,
    case when d.refused_at is null then d.seconds else d.told_seconds end as counted_seconds,
    bounds.started_at + make_interval(secs => case when d.refused_at is null then d.seconds else d.told_seconds end) as ended_at
  from metered_days d join periods p on p.asset_id = sh.asset_id and p.month = date_trunc('month', d.day)::date
  cross join lateral (
    select case when d.day = p.month then p.starts_at else ${dayStart(sql`d.day::timestamp`, sql`p.time_zone`)} end as started_at
    offset 0
  ) bounds
  where d.share_id = sh.id and (d.told_seconds > 0 or d.refused_at is not null)
)`;

/**
 * Sessions of share `sh` and days that meters counted, newest first, including removed ones that meet a condition on `s`: all, or those that were recorded at or
 * edited to certain times. The newest rows of each table are enough, and its index finds them without reading the rest.
 */
const newestSessions = (
  { now, limit, after, only }: Page,
  { removed = sql`true`, during }: { removed?: RawBuilder<unknown>; during?: RawBuilder<unknown> },
) => {
  const isAt = (startedAt: RawBuilder<unknown>, endedAt: RawBuilder<unknown>) =>
    sql`(${startedAt} is not null and (${during} @> ${startedAt} or ${during} && tstzrange(${startedAt}, ${endedAt})))`;
  const page = sql`
    ${after ? sql`and (s.started_at, s.id) < (${new Date(after[0])}::timestamptz, ${after[1]}::bigint)` : sql``}
    ${only === undefined ? sql`` : sql`and s.id = ${only}`}
    order by s.started_at desc, s.id desc limit ${limit}`;
  return sql`
    (select s.id, s.started_at, ${endUnlessActive(now)} as ended_at, s.edited_at, s.was_started_at, s.was_ended_at,
        s.restored_at, s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, (s.silent or s.alive_at is not null and s.ends_by <= ${now}::timestamptz) as silent, false as removed, null as day, null::int as counted_seconds, null::int as uncounted_seconds
      from sessions s where s.share_id = sh.id ${
        during
          ? sql`and (${isAt(sql`s.started_at`, sessionEnd('s', now))} or ${isAt(sql`s.was_started_at`, sql`s.was_ended_at`)})`
          : sql``
      } ${page})
    union all
    (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, null,
        s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, false, true, null, null, null
      from removed_sessions s where s.share_id = sh.id and ${removed} ${
        during ? sql`and ${isAt(sql`s.started_at`, sql`s.ended_at`)}` : sql``
      } ${page})
    union all
    (select s.id, s.started_at, s.ended_at, s.refused_at, case when s.removed then s.started_at end,
        case when s.removed then s.ended_at end, null, false, null, 'metered', null, s.meter_id, false, s.removed,
        s.day::text, s.counted_seconds, s.told_seconds - s.counted_seconds
      from ${daysAsSessions} s where (not s.removed or ${removed}) ${
        during ? sql`and ${isAt(sql`s.started_at`, sql`s.ended_at`)}` : sql``
      } ${page})`;
};

/** The history of session `page` of asset `a`. */
const trace = (now: Date) =>
  sql`(select name from meters where id = page.meter_id) as meter, disputed.open_until, disputed.objection_until, ${lastObjection('a', 'page')} as objection, ${lastRequest('page', now)} as request`;

/** A lateral table `disputed`: until when the edit of session `page` of asset `a` can change, and be objected to. */
const disputed = (now: Date) => sql`lateral (
  select ${closesAt('p')} as open_until,
    case when ${objectionsEnd('p')} > ${now}::timestamptz and not page.recorded_by_owner
      and not (page.removed and page.source = 'metered')
      and not ${isAccepted(sql`page.id`, sql`page.edited_at`)} then ${objectionsEnd('p')} end as objection_until
  from ${disputedPeriod({
    assetId: sql`a.id`,
    recorded: sql`tstzrange(page.was_started_at, page.was_ended_at)`,
    counted: sql`case when page.removed then 'empty' else tstzrange(page.started_at, page.ended_at) end`,
  })} p
  where page.edited_at is not null and ${closesAt('p')} > ${now}::timestamptz
) disputed`;

/**
 * Returns a share's sessions after a key, newest first; undefined if the member has and had no such share. Of the removed ones
 * only those to which the owner objects.
 */
export async function readSessions(
  db: Database,
  share: ShareOfMember,
  page: Page,
): Promise<StoredLoggedSession[] | undefined> {
  const isObjected = sql`exists (select 1 from objections ob where ob.session_id = s.id and ob.status = 'open')`;
  const { rows } = await sql<OrEmpty<StoredLoggedSession>>`
    select page.*, a.name as asset_name, ${trace(page.now)}
    from shares sh join assets a on a.id = sh.asset_id
    left join lateral (
      select s.*, m.id as member_id, m.username, sh.id as share_id, m.host_id is not null as person
      from (${newestSessions(page, { removed: isObjected })}) s join users m on m.id = sh.member_id
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    left join ${disputed(page.now)} on true
    where ${openShare('a', 'sh', share, page.now)} or ${anyOwnShare('sh', share)}
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}

/**
 * Returns all members' sessions in the months of an asset that a user manages as `readSessions` does, including all removed ones;
 * undefined if they manage none of it.
 */
export const readAssetSessions = (
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
  page: Page,
): Promise<StoredLoggedSession[] | undefined> =>
  readInTimes(
    db,
    {
      assetId,
      scope: sql`(${hasOwned('a', userId)} or ${belongsToManager('a', userId)})`,
      shares: sql`not sh.own`,
      times: ownedTimes('a', userId),
    },
    page,
  );

/** Returns a session of an asset, also a removed one, regardless of the reader. */
export async function readAnySession(
  db: Database,
  { assetId, sessionId }: { assetId: number; sessionId: number },
  now: Date,
): Promise<StoredLoggedSession | undefined> {
  const all = { assetId, scope: sql`true`, shares: sql`true`, times: sql`'{(,)}'::tstzmultirange` };
  return (await readInTimes(db, all, { now, limit: 1, after: undefined, only: sessionId }))?.[0];
}

/** Returns the sessions of some shares of an asset in some times, if the asset meets a condition. */
async function readInTimes(
  db: Database,
  { assetId, scope, shares, times }: { assetId: number } & Record<'scope' | 'shares' | 'times', RawBuilder<unknown>>,
  page: Page,
): Promise<StoredLoggedSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredLoggedSession>>`
    select page.*, a.name as asset_name, ${trace(page.now)}
    from assets a cross join lateral (select ${times} as times) owned
    left join lateral (
      select s.*, m.id as member_id, m.username, sh.id as share_id, m.host_id is not null as person
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (${newestSessions(page, { during: sql`owned.times` })}) s
      where sh.asset_id = a.id and ${shares}
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    left join ${disputed(page.now)} on true
    where a.id = ${assetId} and ${scope}
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}
