import { sql, type RawBuilder } from 'kysely';
import type { MessageKind } from './rules.ts';

export type { SessionEndCause } from './rules.ts';

// Expressions that statements of other stores may include. Only this folder writes the outbox.

interface MessageOfRows {
  kind: MessageKind;
  /** Over the rows: what the message is about, if it is. */
  assetId?: RawBuilder<unknown>;
  shareId?: RawBuilder<unknown>;
  actorId?: number | undefined;
  /** The facts, as jsonb. */
  data: RawBuilder<unknown>;
  happenedAt: Date;
}

/**
 * A statement that adds a message for each of some rows, for a common table expression of the statement that changes them: measured
 * ones can't afford a second. Its caller has to wake the dispatcher.
 */
export const addMessages = (
  rows: RawBuilder<unknown>,
  { kind, assetId = sql`null::bigint`, shareId = sql`null::bigint`, actorId, data, happenedAt }: MessageOfRows,
): RawBuilder<unknown> => sql`
  insert into outbox (kind, asset_id, share_id, actor_id, data, happened_at)
  select ${kind}, ${assetId}, ${shareId}, ${actorId ?? null}::bigint, ${data}, ${happenedAt}::timestamptz from ${rows}`;

/** A delete of messages, for a common table expression of the statement that passes them on. */
export const deleteMessages = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`delete from outbox where id = any(${ids}::bigint[])`;
