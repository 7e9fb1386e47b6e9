import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { MessageKind, OutboxMessage } from './rules.ts';

export interface NewMessage {
  kind: MessageKind;
  assetId: number | null;
  shareId: number | null;
  actorId: number | null;
  userIds: number[];
  data: object;
  happenedAt: Date;
}

export async function insertMessage(db: Database, message: NewMessage): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      kind: message.kind,
      asset_id: message.assetId,
      share_id: message.shareId,
      actor_id: message.actorId,
      user_ids: message.userIds,
      data: sql`${JSON.stringify(message.data)}::jsonb`,
      happened_at: message.happenedAt,
    })
    .execute();
}

/** Adds a message of the same kind for each of some users, in their order. */
export async function insertMessageForEach(
  db: Database,
  { kind, userIds, data, happenedAt }: Pick<NewMessage, 'kind' | 'userIds' | 'data' | 'happenedAt'>,
): Promise<void> {
  await sql`
    insert into outbox (kind, user_ids, data, happened_at)
    select ${kind}, array[u.id], ${JSON.stringify(data)}::jsonb, ${happenedAt}::timestamptz
    from unnest(${userIds}::bigint[]) with ordinality u (id, place)
    order by u.place`.execute(db);
}

const columns = ['id', 'kind', 'asset_id', 'share_id', 'actor_id', 'user_ids', 'data', 'happened_at'] as const;

/** Returns the oldest messages that wait, in order. */
export async function readMessages(db: Database, limit: number): Promise<OutboxMessage[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(columns)
    .where('failed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  // oxlint-disable-next-line no-unsafe-type-assertion -- only insertMessage and the statements of nouns write the kinds and their facts
  return rows as unknown as OutboxMessage[];
}

/** Deletes the messages that were set aside before an instant. */
export async function deleteSetAside(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('outbox').where('failed_at', '<=', before).execute();
}

/** Skips a message from now on. */
export async function setAside(db: Database, id: number, now: Date): Promise<void> {
  await db.updateTable('outbox').set({ failed_at: now }).where('id', '=', id).execute();
}

/** Returns how many messages wait, since when the oldest does, and how many are set aside. */
export async function countMessages(db: Database): Promise<{ waiting: number; oldest: Date | null; failed: number }> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; failed: number }>`
    select (count(*) filter (where failed_at is null))::int as waiting,
      min(happened_at) filter (where failed_at is null) as oldest,
      (count(*) filter (where failed_at is not null))::int as failed
    from outbox`.execute(db);
  return rows[0] ?? { waiting: 0, oldest: null, failed: 0 };
}
