import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { belongsToManager } from '../../assets/sql.ts';
import { closesAt, hasOwned, ownedTimes } from '../../periods/sql.ts';
import {
  anyOwnShare,
  firstPeriodOf,
  isActive,
  lastObjection,
  openShare,
  sessionEnd,
  type ShareOfMember,
  type StoredObjection,
  type StoredSession,
} from '../sql.ts';

/** A session as lists show it. */
export interface ListedSession extends StoredSession {
  recorded_by_owner: boolean;
}

const endUnlessActive = (now: Date) => sql<Date | null>`case when ${isActive(now)} then null else ${sessionEnd} end`;

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
  username: string;
  share_id: number;
  person: boolean;
  edited_at: Date | null;
  was_started_at: Date | null;
  was_ended_at: Date | null;
  restored_at: Date | null;
  removed: boolean;
  /** When the first of the months that it is or was recorded in closes; null if it is closed, or the session not edited. */
  open_until: Date | null;
  objection: StoredObjection | null;
}

/**
 * Sessions of share `sh`, newest first, including removed ones that meet a condition on `s`: all, or those that were recorded at or
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
        s.restored_at, s.recorded_by_owner, s.added_late, false as removed
      from sessions s where s.share_id = sh.id ${
        during
          ? sql`and (${isAt(sql`s.started_at`, sessionEnd)} or ${isAt(sql`s.was_started_at`, sql`s.was_ended_at`)})`
          : sql``
      } ${page})
    union all
    (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, null,
        s.recorded_by_owner, s.added_late, true
      from removed_sessions s where s.share_id = sh.id and ${removed} ${
        during ? sql`and ${isAt(sql`s.started_at`, sql`s.ended_at`)}` : sql``
      } ${page})`;
};

/** The history of session `page` of asset `a`. */
const trace = (now: Date) => sql`
  case when page.edited_at is not null then (
    select ${closesAt} from ${firstPeriodOf(sql`a.id`, sql`least(page.started_at, page.was_started_at)`)}
    where p.closed_at is null and ${closesAt} > ${now}::timestamptz
  ) end as open_until,
  ${lastObjection} as objection`;

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
      select s.*, m.username, sh.id as share_id, m.keeper_id is not null as person
      from (${newestSessions(page, { removed: isObjected })}) s join users m on m.id = sh.member_id
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    where ${openShare(share, page.now)} or ${anyOwnShare(share)}
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}

/**
 * Returns all members' sessions in the months of an asset that a user manages as `readSessions` does, including all removed ones;
 * undefined if they manage none of it.
 */
export async function readAssetSessions(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
  page: Page,
): Promise<StoredLoggedSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredLoggedSession>>`
    select page.*, a.name as asset_name, ${trace(page.now)}
    from assets a cross join lateral (select ${ownedTimes(userId)} as times) owned
    left join lateral (
      select s.*, m.username, sh.id as share_id, m.keeper_id is not null as person
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (${newestSessions(page, { during: sql`owned.times` })}) s
      where sh.asset_id = a.id
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    where a.id = ${assetId} and (${hasOwned(userId)} or ${belongsToManager(userId)})
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}
