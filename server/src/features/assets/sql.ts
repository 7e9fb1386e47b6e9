import { sql, type RawBuilder } from 'kysely';

// Expressions over assets that any store may join. Only this folder's store writes assets.

/** Condition: asset `a` is a user's own, deleted or not. What the open periods of a deleted one count can still be corrected. */
export const belongsTo = (a: string, ownerId: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.id(a)}.owner_id = ${ownerId}`;

/** Condition: asset `a` is a user's own. A deleted one is no one's, though its open periods are still to be closed. */
export const isOwnedBy = (a: string, ownerId: number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.id(a)}.owner_id = ${ownerId} and ${sql.id(a)}.deleted_at is null)`;

/** Condition: a user co-manages asset `a`. Deleting the asset ends all shares, so it then has no co-managers. */
export const isCoManagedBy = (
  a: string,
  userId: number | RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from shares managing
  where managing.asset_id = ${sql.id(a)}.id and managing.member_id = ${userId} and managing.manager_since is not null
    and managing.ended_at is null)`;

/**
 * Condition: a user may act for a current or former owner of asset `a`: as that owner, or for the current one as a co-manager.
 * Source: docs/decisions/0059-consent.md.
 */
export const actsFor = (a: string, userId: number, owner: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${owner} = ${userId} or (${owner} = ${sql.id(a)}.owner_id and ${isCoManagedBy(a, userId)}))`;

/** Condition: asset `a` isn't deleted, or a later owner than the user deleted it, which leaves the user's months as they are. */
export const isKeptFor = (a: string, userId: number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.id(a)}.deleted_at is null or ${sql.id(a)}.owner_id <> ${userId})`;

/** Condition: a user owns asset `a`, deleted or not, or co-manages it. */
export const belongsToManager = (a: string, userId: number): RawBuilder<boolean> =>
  sql<boolean>`(${belongsTo(a, userId)} or ${isCoManagedBy(a, userId)})`;

/** Condition: a user may manage asset `a`, as its owner or a co-manager. */
export const isManagedBy = (a: string, userId: number): RawBuilder<boolean> =>
  sql<boolean>`(${belongsToManager(a, userId)} and ${sql.id(a)}.deleted_at is null)`;
