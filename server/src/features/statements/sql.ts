import { sql, type Selectable } from 'kysely';
import type { StatementLines } from '../../schema.ts';

/** A line of a closed statement as read from the database. */
export type StoredLine = Pick<
  Selectable<StatementLines>,
  | 'id'
  | 'user_id'
  | 'username'
  | 'role'
  | 'allocation_hours'
  | 'used_seconds'
  | 'days'
  | 'hour_days'
  | 'base_cents'
  | 'odd_cents'
  | 'amount_cents'
> & {
  /** `YYYY-MM` */
  month: string;
  sent: boolean;
  paid: boolean;
  settled: boolean;
  /** When its status last changed; null while it is due. Text, because the instant comes from JSON. */
  since: Date | string | null;
};

/** When a closed line `l` was settled, paid, or sent; null while it is due. */
export const lineSince = sql<Date | null>`
  coalesce((select settled_at from settlements where id = l.settlement_id), l.paid_at, l.sent_at)`;
