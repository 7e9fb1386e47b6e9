import type { NoticeKind } from '@hourshare/contract/notifications';
import { sql } from 'kysely';

/** Condition: row `u` of `users` is an account that can be notified. */
export const canBeNotified = sql<boolean>`(u.email is not null and u.disabled_at is null)`;

/** A notice as its reader sees it. */
export interface StoredNotice {
  id: number;
  kind: NoticeKind;
  created_at: Date;
  read: boolean;
  actor_id: number | null;
  actor: string | null;
  asset_id: number | null;
  asset_name: string | null;
  share_id: number | null;
  /** JSON of the facts of its kind. */
  data: string;
}

export const noticeColumns = sql`
  n.id, n.kind, n.created_at, n.read_at is not null as read, n.actor_id, actor.username as actor, n.asset_id, n.asset_name,
  n.share_id, n.data::text as data`;
