import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { belongsToManager } from '../../assets/sql.ts';
import { addUse } from '../../usage/sql.ts';
import { lockShareToRecord, type ShareToRecord } from '../edits/store.ts';
import type { Interval } from '../rules.ts';

export interface ShareOfGuest {
  ownerId: number;
  assetId: number;
  shareId: number;
}

/** Condition: share `sh` of member `m` and asset `a` belongs to a person without an account, added by this owner. */
const isShareOfGuest = ({ ownerId, assetId, shareId }: ShareOfGuest) => sql`
  sh.id = ${shareId} and a.id = ${assetId} and m.host_id = ${ownerId}`;

/** Returns whether a user manages the asset of the share of a person without an account, which only the owner may change. */
export async function managesShareOfGuest(
  db: Database,
  { ownerId: userId, assetId, shareId }: ShareOfGuest,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where sh.id = ${shareId} and a.id = ${assetId} and ${belongsToManager('a', userId)} and m.host_id is not null`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns the person without an account whose share it is or was; undefined if the owner has no such share. */
export async function guestOf(db: Database, share: ShareOfGuest): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select m.id from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where ${isShareOfGuest(share)}`.execute(db);
  return rows[0]?.id;
}

/** As `lockSession`, for the share of a person without an account, in which a session shall be recorded. */
export const lockShareOfGuest = (
  db: Database,
  share: ShareOfGuest,
  times: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> => lockShareToRecord(db, isShareOfGuest(share), times);

/** Adds an ended session to a locked share: of a person without an account, by the owner, or by its member. Returns its id. */
export async function insertRecorded(
  db: Database,
  shareId: number,
  {
    startedAt,
    endedAt,
    limitHours,
    by,
    externalId = null,
  }: Interval & { limitHours: number; by: 'owner' | 'member'; externalId?: string | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recorded as (
      insert into sessions (share_id, started_at, ended_at, ends_by, recorded_by_owner, source, external_id)
      values (${shareId}, ${startedAt}::timestamptz, ${endedAt}::timestamptz,
        ${startedAt}::timestamptz + make_interval(hours => ${limitHours}::int), ${by === 'owner'}, 'added', ${externalId})
      returning id, share_id, started_at, ended_at
    ), stretch as (
      select sh.asset_id, recorded.* from recorded join shares sh on sh.id = recorded.share_id
    ), added as (${addUse(sql`stretch`)})
    select id from recorded`.execute(db);
  const [recorded] = rows;
  if (!recorded) throw new Error('The insert returned no session.');
  return recorded.id;
}
