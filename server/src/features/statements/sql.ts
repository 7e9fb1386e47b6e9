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
  | 'place'
  | 'amount_cents'
  | 'sent_cents'
  | 'settled_cents'
> & {
  /** As `since`. */
  objected_at: Date | string | null;
  /** `YYYY-MM` */
  month: string;
  /** Whether its member, or the owner, marked it. */
  marked_sent: boolean;
  marked_paid: boolean;
  /** When its status last changed; null while it is due. Text, because the instant comes from JSON. */
  since: Date | string | null;
};

/** When a closed line `l` was paid or sent, by a mark or by the last payment it took; null while it is due. */
export const lineSince = sql<Date | null>`
  case
    when l.paid_at is not null then l.paid_at
    when l.amount_cents > 0 and l.sent_cents + l.settled_cents = l.amount_cents then (
      select max(s.status_since) from settlement_parts part join settlements s on s.id = part.settlement_id
      where part.line_id = l.id and s.status in ('sent', 'paid'))
    else l.sent_at
  end`;
