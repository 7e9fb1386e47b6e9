import type { NoticeKind } from '@hourshare/contract/notifications';
import { sql } from 'kysely';

/** Condition: row `u` of `users` is an account that can be notified. */
export const canBeNotified = (u: string) =>
  sql<boolean>`(${sql.id(u)}.email is not null and ${sql.id(u)}.disabled_at is null)`;

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

export const noticeColumns = (n: string, actor: string) => sql`
  ${sql.id(n)}.id, ${sql.id(n)}.kind, ${sql.id(n)}.created_at, ${sql.id(n)}.read_at is not null as read, ${sql.id(n)}.actor_id, ${sql.id(actor)}.username as actor, ${sql.id(n)}.asset_id, ${sql.id(n)}.asset_name,
  ${sql.id(n)}.share_id, ${sql.id(n)}.data::text as data`;
