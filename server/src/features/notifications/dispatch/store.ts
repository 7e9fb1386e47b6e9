import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { deleteMessages } from '../../outbox/sql.ts';
import type { DispatchedMessage, People } from './rules.ts';

/** Takes the dispatcher's turn until the transaction ends: waits for another server's. */
export async function lockDispatcher(db: Database): Promise<void> {
  const lock = () => db.selectFrom('dispatcher').select('only_row').forUpdate().executeTakeFirst();
  if (await lock()) return;
  // Only the first time. Not added by the migration, because a restore fills a new database.
  await sql`insert into dispatcher default values on conflict do nothing`.execute(db);
  await lock();
}

/**
 * Returns the people around messages of the outbox, by the messages' ids. Persons without an account and disabled accounts have no
 * one who could hear of it.
 */
export async function readPeople(db: Database, messageIds: number[]): Promise<Map<number, People>> {
  // Materialized, it would read every account.
  const { rows } = await sql<People & { id: number }>`
    with hearing as not materialized (select id from users where host_id is null and former_id is null and disabled_at is null),
    e as (
      select o.id, coalesce(o.asset_id, sh.asset_id) as asset_id, o.share_id, o.actor_id, o.user_ids
      from outbox o left join shares sh on sh.id = o.share_id where o.id = any(${messageIds}::bigint[])
    )
    select e.id, e.asset_id,
      (select sh.member_id from shares sh where sh.id = e.share_id and sh.member_id in (select id from hearing)) as member_id,
      (select a.owner_id from assets a where a.id = e.asset_id and a.owner_id in (select id from hearing)) as owner_id,
      coalesce((
        select array_agg(sh.member_id order by sh.member_id) from shares sh
        where sh.asset_id = e.asset_id and sh.ended_at is null and sh.manager_since is not null
          and sh.member_id in (select id from hearing)
      ), '{}') as manager_ids,
      coalesce((
        select array_agg(sh.member_id order by sh.member_id) from shares sh
        where sh.asset_id = e.asset_id and not sh.own and sh.ended_at is null and sh.member_id in (select id from hearing)
      ), '{}') as member_ids,
      coalesce((
        select array_agg(id order by id) from hearing where id = any(e.user_ids)
      ), '{}') as named_ids,
      (select id from hearing where id = e.actor_id) as actor_id
    from e`.execute(db);
  return new Map(rows.map(({ id, ...people }) => [id, people]));
}

/** Moves messages from the outbox to what streams send, in their order, and tells all servers once the transaction commits. */
export async function moveToLiveUpdates(
  db: Database,
  messages: (Pick<DispatchedMessage, 'id' | 'kind' | 'happened_at' | 'audience'> & { live: Record<string, unknown> })[],
): Promise<void> {
  const rows = messages.map(({ kind, audience, live, happened_at: at }) => ({ kind, audience, live, at }));
  await sql`
    with moved as (
      ${deleteMessages(messages.map(({ id }) => id))}
    ), added as (
      insert into live_updates (kind, user_ids, data, happened_at)
      select e.value ->> 'kind', array(select jsonb_array_elements_text(e.value -> 'audience')::bigint), e.value -> 'live',
        (e.value ->> 'at')::timestamptz
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as e(value, n)
      order by e.n
    )
    ${notify('')}`.execute(db);
}

/** The channel on which servers that share a PostgreSQL database tell each other of new live updates. */
export const CHANNEL = 'hourshare_live_updates';

const notify = (payload: string) => sql`select pg_notify(${CHANNEL}, ${payload})`;

/** Tells all servers of new live updates once the transaction commits, so that they read them. */
export async function notifyServers(db: Database, payload = ''): Promise<void> {
  await notify(payload).execute(db);
}

/** Returns whether messages wait. */
export async function hasMessages(db: Database): Promise<boolean> {
  const row = await db.selectFrom('outbox').select('id').where('failed_at', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Deletes old live updates, but never the newest, whose id says how far streams are. */
export async function deleteLiveUpdates(db: Database, before: Date): Promise<void> {
  await sql`
    delete from live_updates
    where happened_at < ${before}::timestamptz and id < (select max(id) from live_updates)`.execute(db);
}
