import type { AddedLate, EditRequestStatus, ObjectionStatus, SessionSource } from '@hourshare/contract/sessions';
import type { EditedSession } from '@hourshare/contract/statements';
import { OBJECTION_ENDS_HOURS } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import { closesAt, isDayOfPeriod, ownerAt } from '../periods/sql.ts';
import { isShareOfMember, type ShareOfMember } from '../shares/sql.ts';
import { sessionEnd } from '../usage/sql.ts';

export type { ShareOfMember } from '../shares/sql.ts';

// Expressions over sessions that any store may join. Only this folder writes sessions and objections.

/** A table `p`: the period of an asset in which a stretch of time starts. */
export const firstPeriodOf = (
  assetId: RawBuilder<unknown>,
  startedAt: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select * from periods each
  where each.asset_id = ${assetId} and each.starts_at <= ${startedAt} and each.ends_at > ${startedAt}
)`;

/**
 * A lateral table `p`: the period of an asset in which an edit can be objected to, the first open one that it takes time out of, or else
 * that it changes. `recorded` and `counted` are ranges of time. Source: docs/how-costs-are-split.md.
 */
export const disputedPeriod = ({
  assetId,
  recorded,
  counted,
}: Record<'assetId' | 'recorded' | 'counted', RawBuilder<unknown>>): RawBuilder<unknown> => sql`lateral (
  select each.*
  from periods each
  cross join lateral (
    select ${recorded} * tstzrange(each.starts_at, each.ends_at) as recorded,
      ${counted} * tstzrange(each.starts_at, each.ends_at) as counted
  ) part
  where each.asset_id = ${assetId} and each.closed_at is null and part.recorded <> part.counted
  order by part.recorded <@ part.counted, each.starts_at
  limit 1
)`;

/** Until when an edit in period `p` can be objected to. */
export const objectionsEnd = (p: string) =>
  sql<Date>`(${closesAt(p)} - make_interval(hours => ${OBJECTION_ENDS_HOURS}::int))`;

/** Condition: the last edit of a session was requested, and accepted. */
export const isAccepted = (sessionId: RawBuilder<unknown>, editedAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select 1 from edit_requests r where r.session_id = ${sessionId} and r.status = 'accepted' and r.resolved_at >= ${editedAt})`;

/** The recorded start of session `page`. */
const recordedStart = (page: string) => sql`coalesce(${sql.id(page)}.was_started_at, ${sql.id(page)}.started_at)`;

/** The open objection to a session, or else the last one; instants are as JSON writes them. */
export interface StoredObjection {
  status: ObjectionStatus;
  objected_at: string;
  username: string;
  messages: { username: string; text: string; at: string }[];
}

/** The name of the owner of asset `a` in the month of session `page`'s recorded start, who decides about its edits. */
const ownerOfSession = (a: string, page: string) => sql`(
  select coalesce(
    (select username from users where id = ${ownerAt(a, recordedStart(page))}),
    (select owner_name from statements st join ${firstPeriodOf(sql`${sql.id(a)}.id`, recordedStart(page))} p
      on st.asset_id = p.asset_id and st.month = p.month))
)`;

/** A JSON object: the open objection to session `page`, by its member's `username`, of asset `a`, or else the last one. */
export const lastObjection = (a: string, page: string) => sql`(
  select json_build_object(
    'status', ob.status, 'objected_at', ob.objected_at, 'username', coalesce(objector.username, owner.username),
    'messages', (
      select coalesce(json_agg(json_build_object(
        'username', case when msg.by_owner then coalesce(author.username, participant.username, owner.username)
          else ${sql.id(page)}.username end, 'text', msg.text, 'at', msg.sent_at
      ) order by msg.id), '[]')
      from objection_messages msg left join users author on author.id = msg.manager_id where msg.objection_id = ob.id
    )
  )
  from objections ob cross join lateral (select ${ownerOfSession(a, page)} as username) owner
  left join users participant on participant.id = ob.participant_id
  left join users objector on objector.id = coalesce(ob.participant_id, ob.manager_id)
  where ob.session_id = ${sql.id(page)}.id
  order by ob.status = 'open' desc, ob.id desc limit 1
)`;

/**
 * A table of those who have to accept request `r`: the owner of its month and, with `share_of_use`, everyone whose line it raises:
 * who used the asset in it, unless an hour already costs them the most that it can. Not the requester, nor participants whose account
 * is disabled. Source: docs/how-costs-are-split.md.
 */
export const whoAccepts = (r: string, now: Date) => sql`(
  select u.id, u.username
  from shares asked
  join users m on m.id = asked.member_id
  join periods p on p.asset_id = asked.asset_id and p.month = ${sql.id(r)}.month
  cross join lateral (
    select p.owner_id as id
    union
    select used.member_id
    from shares used
    cross join lateral (
      select least(p.price_cents, min(from_cents)) as cents from price_changes
      where asset_id = p.asset_id and month = p.month
    ) lowest
    cross join lateral (
      select sum(d.seconds) as seconds from shares each join usage_days d on d.share_id = each.id and ${isDayOfPeriod('p', sql`d.day`)}
      where each.asset_id = p.asset_id and (not each.own or p.owner_takes_part)
    ) everyone
    where p.split_method = 'share_of_use' and used.asset_id = p.asset_id and exists (
      select 1 from sessions s
      where s.share_id = used.id and s.started_at < p.ends_at
        and ${sessionEnd('s', now)} > greatest(p.starts_at, s.started_at)
      union all
      select 1 from metered_days d where d.share_id = used.id and d.seconds > 0 and ${isDayOfPeriod('p', sql`d.day`)})
      and (lowest.cents - (lowest.cents * p.base_percent + 50) / 100) * 3600 < everyone.seconds * least(p.max_hour_cents, (
        select case when terms.split_method = 'share_of_use' and terms.base_percent = p.base_percent then terms.max_hour_cents end
        from shares agreeing join agreements terms on terms.share_id = agreeing.id and terms.agreed_at < p.ends_at
        where agreeing.asset_id = p.asset_id and agreeing.member_id = used.member_id and agreeing.accepted_at is not null
        order by terms.agreed_at desc, terms.id desc limit 1))
  ) each
  join users u on u.id = each.id and (u.id = p.owner_id or u.email is not null and u.disabled_at is null)
  where asked.id = ${sql.id(r)}.share_id and u.id <> coalesce(m.host_id, m.id)
)`;

/** The last requested edit of a session; instants are as JSON writes them. */
export interface StoredRequest {
  status: EditRequestStatus;
  requested_at: string;
  started_at: string | null;
  ended_at: string | null;
  waits_for: string[];
}

const requestFields = (r: string) =>
  sql`'status', ${sql.id(r)}.status, 'requested_at', ${sql.id(r)}.requested_at, 'started_at', ${sql.id(r)}.started_at, 'ended_at', ${sql.id(r)}.ended_at`;

/** Tables `who`: those who have yet to answer request `r`; none unless it is open. */
const whoIsAsked = (r: string, now: Date) => sql`
  ${whoAccepts(r, now)} who
  where ${sql.id(r)}.status = 'open' and not exists (
    select 1 from request_acceptances done where done.request_id = ${sql.id(r)}.id and done.user_id = who.id)`;

/** A JSON object: the last requested edit of session `page`. */
export const lastRequest = (page: string, now: Date) => sql`(
  select json_build_object(${requestFields('r')}, 'waits_for', (
    select coalesce(json_agg(who.username order by lower(who.username)), '[]') from ${whoIsAsked('r', now)}
  ))
  from edit_requests r where r.session_id = ${sql.id(page)}.id
  order by r.id desc limit 1
)`;

/** An edited session on a statement; instants are as JSON writes them. */
export interface StoredEditedSession {
  session_id: number;
  member_id: number;
  username: string;
  /** Whether the owner recorded it, for someone without an account. */
  by_owner: boolean;
  kind: EditedSession['kind'];
  at: string;
  recorded_start: string;
  recorded_end: string;
  /** The times that count; null if it was removed. */
  started_at: string | null;
  ended_at: string | null;
  objection: ObjectionStatus | null;
  /** Null unless the objection is open. */
  objected_by: string | null;
  /** Those who have yet to answer it are ids. */
  request: (Omit<StoredRequest, 'waits_for'> & { waits_for: number[] }) | null;
}

const inPeriod = (p: string, startedAt: string, endedAt: string) =>
  sql`(${sql.ref(startedAt)} < ${sql.id(p)}.ends_at and ${sql.ref(endedAt)} >= ${sql.id(p)}.starts_at)`;

const isEdited = (s: string) => sql`(${sql.id(s)}.edited_at is not null
  and (${sql.id(s)}.restored_at is not null or (${sql.id(s)}.started_at, ${sql.id(s)}.ended_at) <> (${sql.id(s)}.was_started_at, ${sql.id(s)}.was_ended_at)))`;

/**
 * A JSON array: the sessions edited, removed, or restored that are or were recorded in period `p`, and those of which an edit was
 * requested, oldest edit first.
 */
export const editedSessions = (p: string, now: Date) => sql`coalesce((
  select jsonb_agg(jsonb_build_object(
    'session_id', each.id, 'member_id', sh.member_id, 'username', u.username, 'by_owner', u.host_id is not null, 'kind', each.kind,
    'at', each.at,
    'recorded_start', each.recorded_start, 'recorded_end', each.recorded_end,
    'started_at', each.started_at, 'ended_at', each.ended_at,
    'objection', (
      select ob.status from objections ob where ob.session_id = each.id order by ob.status = 'open' desc, ob.id desc limit 1),
    'objected_by', (
      select by.username from objections ob
      join users by on by.id = coalesce(ob.participant_id, ob.manager_id, ${sql.id(p)}.owner_id)
      where ob.session_id = each.id and ob.status = 'open' order by ob.id desc limit 1),
    'request', (
      select jsonb_build_object(${requestFields('r')}, 'waits_for', (
        select coalesce(jsonb_agg(who.id), '[]') from ${whoIsAsked('r', now)}))
      from edit_requests r
      where r.session_id = each.id and r.month = ${sql.id(p)}.month order by r.id desc limit 1)
  ) order by each.at, each.id)
  from shares sh
  join users u on u.id = sh.member_id
  cross join lateral (
    select s.id, case when s.restored_at is null then 'corrected' else 'restored' end as kind,
      coalesce(s.restored_at, s.edited_at) as at, s.was_started_at as recorded_start, s.was_ended_at as recorded_end,
      s.started_at, s.ended_at
    from sessions s
    where s.share_id = sh.id and ${isEdited('s')}
    union all
    select s.id, 'requested', max(r.requested_at), coalesce(s.was_started_at, s.started_at),
      coalesce(s.was_ended_at, s.ended_at), s.started_at, s.ended_at
    from edit_requests r join sessions s on s.id = r.session_id
    where r.share_id = sh.id and r.month = ${sql.id(p)}.month and not ${isEdited('s')}
    group by s.id
    union all
    select r.id, 'removed', r.removed_at, r.started_at, r.ended_at, null, null
    from removed_sessions r where r.share_id = sh.id
  ) each
  where sh.asset_id = ${sql.id(p)}.asset_id and (not sh.own or ${sql.id(p)}.split_method = 'share_of_use')
    and (${inPeriod(p, 'each.recorded_start', 'each.recorded_end')} or ${inPeriod(p, 'each.started_at', 'each.ended_at')})
), '[]')`;

/** Condition: session `s` is active at an instant, neither ended nor past its limit. */
export const isActive = (s: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.id(s)}.ended_at is null and ${sql.id(s)}.ends_by > ${now}::timestamptz)`;

export interface StoredSession {
  id: number;
  asset_name: string;
  started_at: Date;
  /** Null while active; once the limit has passed, that instant even if nothing has recorded the end. */
  ended_at: Date | null;
  added_late: AddedLate | null;
  source: SessionSource;
}

/** Condition: share `sh` of asset `a` is the member's, and not ended or archived. */
export const acceptedShare = (a: string, sh: string, { shareId, memberId }: ShareOfMember) => sql`
  ${sql.id(sh)}.id = ${shareId} and ${sql.id(sh)}.member_id = ${memberId} and ${sql.id(sh)}.accepted_at is not null and ${sql.id(sh)}.ended_at is null
  and ${sql.id(a)}.archived_at is null`;

/** Condition: share `sh` is or was the member's, also while the asset is archived. */
export const anyOwnShare = (sh: string, { shareId, memberId }: ShareOfMember) => sql`
  ${sql.id(sh)}.id = ${shareId} and ${sql.id(sh)}.member_id = ${memberId} and ${sql.id(sh)}.accepted_at is not null`;

/** As `acceptedShare`, for a share that may be only offered. */
export const openShare = (a: string, sh: string, share: ShareOfMember, now: Date) => sql`
  ${isShareOfMember(sh, share, now)} and ${sql.id(a)}.archived_at is null`;

/** A table: an ended session with its share and asset. */
export const wholeSession = (sessionId: number) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from sessions s join shares sh on sh.id = s.share_id
  where s.id = ${sessionId} and s.ended_at is not null
)`;
