import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import {
  isAgreedShare,
  isManageableShare,
  isExpiredOffer,
  isShareOfMember,
  type ManagedShare,
  offerExpiry,
  type ShareOfMember,
} from '../sql.ts';

/** Which open shares and offers `sh` end. */
export const openShares = {
  /** One about which a user may decide. */
  managed: (share: ManagedShare, now: Date) => isManageableShare('sh', share, now),
  /** A member's; with `offered`, only if they haven't accepted it. An owner doesn't leave, but takes no part. */
  leaving: ({ offered = false, ...share }: ShareOfMember & { offered?: boolean }, now: Date) =>
    sql<boolean>`(${isShareOfMember('sh', share, now)} and not sh.own and ${offered ? sql`sh.accepted_at is null` : sql`true`})`,
  /** The owner's own. */
  ofOwner: (assetId: number) => sql<boolean>`(sh.asset_id = ${assetId} and sh.own)`,
  ofMember: (memberId: number) => sql<boolean>`sh.member_id = ${memberId}`,
  ofAsset: (assetId: number) => sql<boolean>`sh.asset_id = ${assetId}`,
  /** A person's to assets that are archived, about which someone who joins hasn't been asked. */
  archived: (guestId: number) => sql<boolean>`(sh.member_id = ${guestId}
    and exists (select 1 from assets a where a.id = sh.asset_id and a.archived_at is not null))`,
  /** What an owner gave since an instant: offers, access that began then, and access of people whom they added. */
  gifts: ({ assetId, ownerId, since }: { assetId: number; ownerId: number; since: Date }) => sql<boolean>`(
    sh.asset_id = ${assetId} and not sh.own and (sh.accepted_at is null or sh.accepted_at >= ${since}::timestamptz
      or exists (select 1 from users m where m.id = sh.member_id and m.host_id = ${ownerId})))`,
  offers: ({ assetId, memberId }: { assetId: number; memberId: number }) => sql<boolean>`(
    sh.asset_id = ${assetId} and sh.member_id = ${memberId} and sh.accepted_at is null)`,
  offersOfOwner: ({ ownerId, memberId }: { ownerId: number; memberId: number }) => sql<boolean>`(
    sh.member_id = ${memberId} and not ${isAgreedShare('sh')}
    and exists (select 1 from assets a where a.id = sh.asset_id and a.owner_id = ${ownerId}))`,
  expiredOffers: (now: Date) => isExpiredOffer('sh', now),
  some: (shareIds: number[]) => sql<boolean>`sh.id = any(${shareIds}::bigint[])`,
};

export interface EndedShare {
  shareId: number;
  assetId: number;
}

/** Ends shares and offers at an instant: none before it began, and no offer after it expired. Returns them. */
export async function endShares(db: Database, which: RawBuilder<boolean>, at: Date): Promise<EndedShare[]> {
  const { rows } = await sql<EndedShare>`
    update shares sh set ended_at = case when not ${isAgreedShare('sh')}
      then least(${offerExpiry('sh')}, greatest(sh.created_at, ${at}::timestamptz))
      else greatest(sh.created_at, sh.accepted_at, ${at}::timestamptz) end
    where sh.ended_at is null and ${which}
    returning sh.id as "shareId", sh.asset_id as "assetId"`.execute(db);
  return rows;
}
