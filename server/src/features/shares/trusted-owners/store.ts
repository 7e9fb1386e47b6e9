import type { TrustedOwner } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * Records that a member accepts an owner's offers without being asked, or refuses them. Returns since when; undefined if either account
 * has just been deleted.
 */
export async function insertTrustedOwner(
  db: Database,
  choice: {
    memberId: number;
    ownerId: number;
    offers: TrustedOwner['offers'];
    maxCents: number | null;
    currency: string | null;
    now: Date;
  },
): Promise<Date | undefined> {
  const { memberId, ownerId, offers, maxCents, currency, now } = choice;
  const { rows } = await sql<{ created_at: Date }>`
    insert into trusted_owners as known (member_id, owner_id, offers, max_cents, currency, created_at)
    select member.id, owner.id, ${offers}, ${maxCents}::bigint, ${currency}::text, ${now}::timestamptz
    from users member, users owner
    where member.id = ${memberId} and owner.id = ${ownerId}
    -- waits for an account that is being deleted, as the foreign key would, which fails then
    for key share of owner
    on conflict (member_id, owner_id) do update set offers = excluded.offers, max_cents = excluded.max_cents,
      currency = excluded.currency,
      created_at = case when known.offers = excluded.offers then known.created_at else excluded.created_at end
    returning created_at`.execute(db);
  return rows[0]?.created_at;
}

/** Returns whether the member had made a choice about that owner. */
export async function deleteTrustedOwner(
  db: Database,
  { memberId, username }: { memberId: number; username: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from trusted_owners t using users o
    where o.id = t.owner_id and t.member_id = ${memberId} and lower(o.username) = lower(${username})`.execute(db);
  return numAffectedRows === 1n;
}

export interface StoredTrustedOwner {
  id: number;
  username: string;
  offers: TrustedOwner['offers'];
  max_cents: number | null;
  currency: string | null;
  created_at: Date;
}

/** Returns the owners whose offers a member accepts or refuses without being asked, by username, after one. */
export async function readTrustedOwners(
  db: Database,
  { memberId, limit, after = '' }: { memberId: number; limit: number; after?: string | undefined },
): Promise<StoredTrustedOwner[]> {
  const { rows } = await sql<StoredTrustedOwner>`
    select o.id, o.username, t.offers, t.max_cents, t.currency, t.created_at
    from trusted_owners t join users o on o.id = t.owner_id
    where t.member_id = ${memberId} and lower(o.username) > lower(${after})
    order by lower(o.username) limit ${limit}`.execute(db);
  return rows;
}
