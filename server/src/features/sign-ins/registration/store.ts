import type { Database } from '../../../platform/database/database.ts';

/** A link with which one person may create an account. */
interface RegistrationLink {
  tokenHash: string;
  now: Date;
}

export async function insertRegistrationLink(
  db: Database,
  { tokenHash, now, expiresAt }: RegistrationLink & { expiresAt: Date },
): Promise<void> {
  const link = { token_hash: tokenHash, created_at: now, expires_at: expiresAt };
  await db.insertInto('registration_links').values(link).execute();
}

/** Locks the link with this token, so that two people can't use it. Returns whether there is one. Needs a transaction. */
export async function lockRegistrationLink(db: Database, { tokenHash, now }: RegistrationLink): Promise<boolean> {
  const link = await db
    .selectFrom('registration_links')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  return link !== undefined;
}

export async function deleteRegistrationLink(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('registration_links').where('token_hash', '=', tokenHash).execute();
}

export async function deleteExpiredLinks(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('registration_links').where('expires_at', '<=', passedTime).execute();
}
