import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** What deliveries go to. */
export type Channel = 'push' | 'target';

export interface Delivery {
  id: number;
  notice_id: number;
  /** The id of the push subscription or the target. */
  receiver_id: number;
  /** How often it was attempted, this time included. */
  attempts: number;
  /** When it was first attempted. */
  tried_at: Date;
}

/** How long it waits after an attempt: each wait is `factor` times the one before. */
export interface Waits {
  firstSeconds: number;
  factor: number;
  maxSeconds: number;
}

/**
 * Condition: delivery `d` has a receiver that can get it now. A subquery for each, because with `exists`, the database would join all
 * that are due to find the first.
 */
const canBeSent = (channel: Channel, now: Date): RawBuilder<boolean> =>
  channel === 'push'
    ? sql<boolean>`(
        select true from push_subscriptions p join sign_ins s on s.id = p.sign_in_id
        where p.id = d.subscription_id and s.user_id = p.user_id and s.ended_at is null and s.expires_at > ${now}::timestamptz)`
    : // A target gets its notices in order, so one that fails or is slow has one attempt at a time.
      sql<boolean>`(
        select true from notice_targets t join users u on u.id = t.user_id
        where t.id = d.target_id and t.off_at is null and u.disabled_at is null)
        and d.id = (select min(first.id) from deliveries first where first.target_id = d.target_id)`;

/**
 * Takes the delivery that has been due the longest, and postpones it, so that it is tried again if this process ends. Servers that
 * query at the same time get different ones.
 */
export async function claimDelivery(
  db: Database,
  { channel, now, waits }: { channel: Channel; now: Date; waits: Waits },
): Promise<Delivery | undefined> {
  const receiver = sql.ref(channel === 'push' ? 'subscription_id' : 'target_id');
  const { rows } = await sql<Delivery>`
    update deliveries set attempts = attempts + 1, tried_at = coalesce(tried_at, ${now}::timestamptz),
      due_at = ${now}::timestamptz + make_interval(secs =>
        least(${waits.maxSeconds}::int, ${waits.firstSeconds}::int * ${waits.factor}::int ^ least(attempts, 20)))
    where id = (
      select d.id from deliveries d
      where ${sql.ref(channel === 'push' ? 'd.subscription_id' : 'd.target_id')} is not null and d.due_at <= ${now}::timestamptz
        and ${canBeSent(channel, now)}
      order by d.due_at, d.id limit 1 for update skip locked
    )
    returning id, notice_id, ${receiver} as receiver_id, attempts, tried_at`.execute(db);
  return rows[0];
}

/** Records that a notice has arrived, or isn't sent any more. */
export async function deleteDelivery(db: Database, id: number): Promise<void> {
  await db.deleteFrom('deliveries').where('id', '=', id).execute();
}
