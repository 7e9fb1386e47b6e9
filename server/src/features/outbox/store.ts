import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { EventKind } from './events.ts';

export interface NewEvent {
  kind: EventKind;
  assetId: number | null;
  shareId: number | null;
  actorId: number | null;
  userIds: number[];
  data: object;
  happenedAt: Date;
}

export async function insertEvent(db: Database, event: NewEvent): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      kind: event.kind,
      asset_id: event.assetId,
      share_id: event.shareId,
      actor_id: event.actorId,
      user_ids: event.userIds,
      data: sql`${JSON.stringify(event.data)}::jsonb`,
      happened_at: event.happenedAt,
    })
    .execute();
}

/** An event as the dispatcher reads it. */
export interface StoredEvent {
  id: number;
  kind: EventKind;
  asset_id: number | null;
  share_id: number | null;
  actor_id: number | null;
  user_ids: number[];
  data: Record<string, unknown>;
  happened_at: Date;
}
