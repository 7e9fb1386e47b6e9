import { sql, type RawBuilder } from 'kysely';

// Expressions over assets that any store may join. Only this folder's store writes assets.

/** Condition: asset `a` is a user's own, deleted or not. What the open periods of a deleted one count can still be corrected. */
export const belongsTo = (ownerId: number): RawBuilder<boolean> => sql<boolean>`a.owner_id = ${ownerId}`;

/** Condition: asset `a` is a user's own. A deleted one is no one's, though its open periods are still to be closed. */
export const isOwnedBy = (ownerId: number): RawBuilder<boolean> =>
  sql<boolean>`(a.owner_id = ${ownerId} and a.deleted_at is null)`;
