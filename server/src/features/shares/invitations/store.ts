import { sql } from 'kysely';
import { OPEN_INVITATIONS_MAX } from '@hourshare/contract/limits';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { isManagedBy } from '../../assets/sql.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { shownTerms, termsAsJson, type StoredJoining } from '../agreements/sql.ts';
import { isOpenInvitation, memberCount, periodOfAccess, pricing, startsLater, type StoredPricing } from '../sql.ts';

/**
 * Locks an asset that a user manages until the transaction ends, so that its open invitations can be counted; returns undefined
 * if there is none.
 */
export async function lockAssetForInvitation(
  db: Database,
  { userId, assetId, now }: { userId: number; assetId: number; now: Date },
): Promise<{ archived: boolean; measured: boolean; isFull: boolean } | undefined> {
  const isAsset = sql`a.id = ${assetId} and ${isManagedBy('a', userId)}`;
  const [asset] = await lockThenRead(
    db,
    sql`select 1 from assets a where ${isAsset} for no key update of a`,
    sql<{ archived: boolean; measured: boolean; open: number }>`
      select a.archived_at is not null as archived, p.measured,
        (select count(*)::int from invitations i where i.asset_id = a.id and ${isOpenInvitation('a', 'i', now)}) as open
      from assets a cross join ${currentPeriod('a', now)} p
      where ${isAsset}`,
  );
  if (!asset) return undefined;
  const { open, ...known } = asset;
  return { ...known, isFull: open >= OPEN_INVITATIONS_MAX };
}

/** Adds an invitation to a locked asset and returns its id. */
export async function insertInvitation(
  db: Database,
  invitation: {
    assetId: number;
    makerId: number;
    tokenHash: string;
    allocationHours: number;
    startsOn: string | undefined;
    now: Date;
    expiresAt: Date;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('invitations')
    .values({
      asset_id: invitation.assetId,
      maker_id: invitation.makerId,
      token_hash: invitation.tokenHash,
      monthly_hours_allocated: invitation.allocationHours,
      starts_on: invitation.startsOn ?? null,
      created_at: invitation.now,
      expires_at: invitation.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns whether there was an open invitation with this id to an asset that the user manages. */
export async function deleteInvitation(
  db: Database,
  { userId, assetId, invitationId, now }: { userId: number; assetId: number; invitationId: number; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from invitations i using assets a
    where i.id = ${invitationId} and i.asset_id = ${assetId} and ${isOpenInvitation('a', 'i', now)}
      and a.id = i.asset_id and ${isManagedBy('a', userId)}`.execute(db);
  return numAffectedRows === 1n;
}

export interface StoredInvitation extends StoredPricing, StoredJoining {
  name: string;
  owner: string;
  archived: boolean;
  allocation_hours: number;
  expires_at: Date;
}

/** Returns what the open invitation with this token offers, this month or in the month in which access begins. */
export async function readInvitation(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<StoredInvitation | undefined> {
  const { rows } = await sql<StoredInvitation>`
    select a.name, o.username as owner, a.archived_at is not null as archived,
      i.monthly_hours_allocated as allocation_hours, ${pricing('a', 'p')}, i.expires_at, ${memberCount('a')} as members,
      p.measured, (select ${termsAsJson('shown')} from ${shownTerms('a', 'p', 'sh')} shown) as shown, ${startsLater('a', 'i', now)} as starts_on
    from invitations i
    join assets a on a.id = i.asset_id
    join users o on o.id = a.owner_id
    cross join ${periodOfAccess('a', 'i', now)} p
    -- the share that it leads to
    cross join lateral (
      select null::timestamptz as accepted_at, i.maker_id = a.owner_id as counted, i.monthly_hours_allocated
    ) sh
    where i.token_hash = ${tokenHash} and ${isOpenInvitation('a', 'i', now)}`.execute(db);
  return rows[0];
}

interface LockedInvitation {
  id: number;
  assetId: number;
  ownerId: number;
  makerId: number;
  archived: boolean;
  allocationHours: number;
  startsOn: string | null;
}

/**
 * Locks the open invitation with this token until the transaction ends, first its asset, in the order in which deleting the
 * asset locks both. Of concurrent uses, the others wait for the first and then find it gone.
 */
export async function lockInvitation(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<LockedInvitation | undefined> {
  const [invitation] = await lockThenRead(
    db,
    sql`
      select 1 from assets a join invitations i on i.asset_id = a.id
      where i.token_hash = ${tokenHash}
      for share of a`,
    sql<LockedInvitation>`
      select i.id, a.id as "assetId", a.owner_id as "ownerId", i.maker_id as "makerId",
        a.archived_at is not null as archived, i.monthly_hours_allocated as "allocationHours",
        i.starts_on as "startsOn"
      from invitations i join assets a on a.id = i.asset_id
      where i.token_hash = ${tokenHash} and ${isOpenInvitation('a', 'i', now)}
      for update of i`,
  );
  return invitation;
}

/** Deletes a locked invitation, because it has been used. */
export async function deleteUsedInvitation(db: Database, id: number): Promise<void> {
  await db.deleteFrom('invitations').where('id', '=', id).execute();
}

export async function deleteInvitationsOf(db: Database, assetId: number): Promise<void> {
  await db.deleteFrom('invitations').where('asset_id', '=', assetId).execute();
}

/** Deletes invitations to a user's assets, and those that they made as a co-manager. */
export async function deleteInvitationsOfUser(db: Database, userId: number): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where((row) =>
      row.or([
        row('maker_id', '=', userId),
        row('asset_id', 'in', (inner) => inner.selectFrom('assets').select('id').where('owner_id', '=', userId)),
      ]),
    )
    .execute();
}

export async function deleteExpiredInvitations(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<=', passedTime).execute();
}
