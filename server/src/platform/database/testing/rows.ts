import type { Database } from '../database.ts';

// Minimal rows for this folder's tests. Features create theirs through their services.

const now = new Date('2026-03-01T10:00:00.000Z');

export async function insertUser(db: Database, username: string): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ username, email: `${username}@example.org`, password_hash: '', time_zone: 'UTC', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertAsset(db: Database, ownerId: number): Promise<number> {
  const { id } = await db
    .insertInto('assets')
    .values({
      owner_id: ownerId,
      name: 'Asset',
      description: '',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertShare(db: Database, assetId: number, memberId: number): Promise<number> {
  const { id } = await db
    .insertInto('shares')
    .values({ asset_id: assetId, member_id: memberId, monthly_hours_allocated: 100, created_at: now, accepted_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertActiveSession(db: Database, shareId: number): Promise<number> {
  const { id } = await db
    .insertInto('sessions')
    .values({ share_id: shareId, started_at: now, ends_by: new Date(now.getTime() + 3_600_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
