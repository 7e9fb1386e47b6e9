import { sql } from 'kysely';

/** Since when a closed line `l` is settled, paid or sent; null while it is due. */
export const lineSince = sql<Date | null>`
  coalesce((select settled_at from settlements where id = l.settlement_id), l.paid_at, l.sent_at)`;
