import type { Generated, Kysely, Transaction } from 'kysely';

// The tables as the query builder sees them; migrations are their only source. Ids are bigint identities read as
// numbers, instants are Dates, money is whole cents.

interface UsersTable {
  id: Generated<number>;
  username: string;
  email: string;
  password_hash: string;
  time_zone: string;
  email_notifications: Generated<boolean>;
  usage_reminders: Generated<boolean>;
  created_at: Date;
}

/** One sign-in on one device, from login until sign-out, expiry or a replayed refresh token. */
interface SignInsTable {
  id: Generated<number>;
  user_id: number;
  /** Unguessable name of the sign-in inside its tokens; ids come back after a restored backup, this never does. */
  handle: string;
  /** Which refresh token of this sign-in is the current one, counted from 0. */
  generation: Generated<number>;
  /** SHA-256 of the current refresh token. */
  refresh_hash: string;
  replaced_at: Date | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** The User-Agent it was made with, cut to 200 characters. */
  device: string;
}

export interface AssetsTable {
  id: Generated<number>;
  owner_id: number;
  name: string;
  description: string;
  currency: Generated<string>;
  time_zone: string;
  split_method: Generated<'usage' | 'allocation' | 'equal'>;
  base_percent: Generated<number>;
  owner_hours: Generated<number>;
  max_session_hours: Generated<number>;
  archived_at: Date | null;
  created_at: Date;
}

/** What an asset costs a month, from a given usage month on. */
interface PricesTable {
  asset_id: number;
  /** First day of the month, `YYYY-MM-01`. */
  from_month: string;
  price_cents: number;
}

interface SharesTable {
  id: Generated<number>;
  asset_id: number;
  member_id: number;
  monthly_hours_allocated: number;
  created_at: Date;
  ended_at: Date | null;
}

interface SessionsTable {
  id: Generated<number>;
  share_id: number;
  started_at: Date;
  ended_at: Date | null;
  /** The instant at which the asset's limit ends the session if nobody does. */
  ends_by: Date;
}

/** Answers kept for 24 hours, so that a repeated request gets the same bytes instead of being done twice. */
interface IdempotencyKeysTable {
  user_id: number;
  key: string;
  /** SHA-256 of method, path and body. */
  request_hash: string;
  status: number;
  body: string;
  created_at: Date;
}

export interface Tables {
  users: UsersTable;
  sign_ins: SignInsTable;
  assets: AssetsTable;
  prices: PricesTable;
  shares: SharesTable;
  sessions: SessionsTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** The database or a transaction in it: stores take either, and code in a transaction passes on the one it was given. */
export type Database = Kysely<Tables> | Transaction<Tables>;
