import type { PaymentMethod } from '@hourshare/contract/payment-methods';
import { Username, type User } from '@hourshare/contract/users';
import { sql, type NotNull } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { violates } from '../../platform/database/failure.ts';

const paymentMethods = sql<PaymentMethod[]>`payment_methods`.as('payment_methods');

const userColumns = [
  'id',
  'username',
  'email',
  'time_zone',
  'language',
  'email_notifications',
  'usage_reminders',
  paymentMethods,
  sql<User['email_change']>`(
    select json_build_object('email', change.email,
      'expires_at', to_char(change.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from email_changes change where change.user_id = users.id
  )`.as('email_change'),
  sql<boolean>`email_confirmed_at is not null`.as('email_confirmed'),
  sql<boolean>`two_step_since is not null`.as('two_step'),
  sql<boolean>`administrator_since is not null`.as('administrator'),
] as const;

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  time_zone: string;
  language: User['language'];
  email_notifications: boolean;
  usage_reminders: boolean;
  payment_methods: PaymentMethod[];
  email_change: User['email_change'];
  email_confirmed: boolean;
  two_step: boolean;
  administrator: boolean;
}

/** People without an account and stand-ins of deleted accounts are users, too, but no call treats them as accounts. */
const accountsIn = (db: Database) => db.selectFrom('users').where('email', 'is not', null);

/** Returns the number of accounts. */
export async function countAccounts(db: Database): Promise<number> {
  const { count } = await accountsIn(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns undefined if the username or email address is taken. The unique indexes decide, so concurrent inserts are
 * safe.
 */
export function insertUser(
  db: Database,
  user: {
    username: string;
    email: string;
    /** Null if a passkey or a provider signs in instead. */
    passwordHash: string | null;
    timeZone: string;
    language: User['language'];
    createdAt: Date;
  },
): Promise<StoredUser | undefined> {
  return db
    .insertInto('users')
    .values({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      time_zone: user.timeZone,
      language: user.language,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(userColumns)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

export async function findTaken(
  db: Database,
  { username, email }: { username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const rows = await db
    .selectFrom('users')
    .select([
      sql<boolean>`lower(username) = lower(${username})`.as('username'),
      sql<boolean>`coalesce(lower(email) = lower(${email}), false)`.as('email'),
    ])
    .where(sql<boolean>`lower(username) = lower(${username}) or lower(email) = lower(${email})`)
    .execute();
  return { username: rows.some((row) => row.username), email: rows.some((row) => row.email) };
}

export function userById(db: Database, id: number): Promise<StoredUser | undefined> {
  return accountsIn(db).select(userColumns).where('id', '=', id).$narrowType<{ email: NotNull }>().executeTakeFirst();
}

/**
 * Returns the user with a name, in any case. Impossible names are skipped: the database rejects NUL and lowercases some
 * foreign letters (U+0130, U+212A) to ours, which would give one account many names, each with its own rate limits.
 */
export async function userByName(
  db: Database,
  username: string,
): Promise<(StoredUser & { password_hash: string | null; disabled_at: Date | null }) | undefined> {
  if (!Username.safeParse(username).success) return undefined;
  return accountsIn(db)
    .select([...userColumns, 'password_hash', 'disabled_at'])
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

export function userWithPassword(
  db: Database,
  id: number,
): Promise<(StoredUser & { password_hash: string | null }) | undefined> {
  return accountsIn(db)
    .select([...userColumns, 'password_hash'])
    .where('id', '=', id)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

/**
 * Updates a user. Returns undefined if there is no such user or they are disabled, and `taken` if the email address belongs to another
 * account.
 */
export async function updateUser(
  db: Database,
  id: number,
  changes: Partial<
    Pick<StoredUser, 'email' | 'time_zone' | 'language' | 'email_notifications' | 'usage_reminders'> & {
      email_confirmed_at: null;
      /** As JSON. */
      payment_methods: string;
    }
  >,
): Promise<StoredUser | 'taken' | undefined> {
  try {
    return await db
      .updateTable('users')
      .set(changes)
      .where('id', '=', id)
      .where('disabled_at', 'is', null)
      .returning(userColumns)
      .$narrowType<{ email: NotNull }>()
      .executeTakeFirst();
  } catch (error) {
    if (violates(error, 'users_email_unique')) return 'taken';
    throw error;
  }
}

/** Returns how to pay these users, by id. */
export async function paymentMethodsOf(db: Database, ids: number[]): Promise<Map<number, PaymentMethod[]>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', paymentMethods])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
  return new Map(rows.map(({ id, payment_methods: methods }) => [id, methods]));
}

/** Returns a user's ways to be paid, which no one else changes until the transaction ends. */
export async function lockPaymentMethods(db: Database, id: number): Promise<PaymentMethod[]> {
  const user = await db
    .selectFrom('users')
    .select(paymentMethods)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user?.payment_methods ?? [];
}

/** Returns which of these users exist; none of them can be deleted until the transaction ends. */
export async function lockUsers(db: Database, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}
