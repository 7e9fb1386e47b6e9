import type { Database } from '../../../platform/database/database.ts';

const columns = ['id', 'handle', 'name', 'device', 'created_at', 'last_used_at'] as const;

export interface StoredSignIn {
  id: number;
  handle: string;
  name: string | null;
  device: string;
  created_at: Date;
  last_used_at: Date;
}

export function activeSignIns(db: Database, userId: number, now: Date): Promise<StoredSignIn[]> {
  return db
    .selectFrom('sign_ins')
    .select(columns)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns the renamed sign-in, or undefined if the user has no active sign-in with this id. */
export function renameSignIn(
  db: Database,
  { userId, id, name, now }: { userId: number; id: number; name: string | null; now: Date },
): Promise<StoredSignIn | undefined> {
  return db
    .updateTable('sign_ins')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst();
}

/** One sign-in, if it has this handle, or all but one. */
export type Which = { only: number; handle?: string } | { keep: string };

/** Ends a user's active sign-ins. Returns their handles. */
export async function endOwnSignIns(
  db: Database,
  { userId, now, ...which }: { userId: number; now: Date } & Which,
): Promise<string[]> {
  const handle = 'only' in which ? which.handle : undefined;
  const ended = await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where((row) => ('only' in which ? row('id', '=', which.only) : row('handle', '!=', which.keep)))
    .$call((query) => (handle === undefined ? query : query.where('handle', '=', handle)))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('handle')
    .execute();
  return ended.map(({ handle }) => handle);
}

export interface SignInRow {
  id: number;
  device: string;
  name: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

export const readSignIns = (
  db: Database,
  { userId, limit, after = 0 }: { userId: number; limit: number; after?: number | undefined },
): Promise<SignInRow[]> =>
  db
    .selectFrom('sign_ins')
    .select(['id', 'device', 'name', 'created_at', 'last_used_at', 'expires_at', 'ended_at'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
