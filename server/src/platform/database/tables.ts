import type { Generated, Kysely, Selectable, Transaction } from 'kysely';

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
  max_session_hours: Generated<number>;
  archived_at: Date | null;
  created_at: Date;
}

/** A billing period: one calendar month of an asset. Everything that can differ from month to month is here. */
export interface PeriodsTable {
  asset_id: number;
  /** First day of the month, `YYYY-MM-01`. */
  month: string;
  time_zone: string;
  /** Where the period before ends; the end is the start of the next month in this period's zone. */
  starts_at: Date;
  ends_at: Date;
  price_cents: number;
  /** The month from which that price was set. */
  price_since: string;
  split_method: 'usage' | 'allocation' | 'equal';
  base_percent: number;
  owner_hours: number;
  /** Whether the asset was added, archived or restored within it. */
  partial: Generated<boolean>;
  /** The asset's name when the period was due to close, if it has been renamed since; null otherwise. */
  asset_name: string | null;
  closed_at: Date | null;
}

/** What ended sessions of a share come to on one day of the asset's period. */
interface UsageDaysTable {
  share_id: number;
  /** `YYYY-MM-DD` */
  day: string;
  seconds: number;
  /** Sessions that began on it and, on a period's first day, the one that ran on into the period. */
  sessions: number;
}

/** What a share allots from an instant on. */
interface AllowancesTable {
  share_id: number;
  since: Date;
  monthly_hours: number;
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
  /** How it stood before its member first corrected it; null, as the next two, while nobody has. */
  was_started_at: Date | null;
  was_ended_at: Date | null;
  edited_at: Date | null;
}

/** A session that its member has removed, as it first stood. */
interface RemovedSessionsTable {
  id: number;
  share_id: number;
  started_at: Date;
  ended_at: Date;
  removed_at: Date;
}

/** A closed month of an asset; written once, never changed. */
interface StatementsTable {
  id: Generated<number>;
  asset_id: number | null;
  asset_name: string;
  /** `YYYY-MM-01` */
  month: string;
  owner_id: number | null;
  owner_name: string;
  price_cents: number;
  currency: string;
  split_method: 'usage' | 'allocation' | 'equal';
  base_percent: number;
  owner_hours: number;
  offered_seconds: number;
  closes_at: Date;
  closed_at: Date;
}

/** What one participant pays of a closed month, and what it was made from. Only the marks and the settlement change. */
interface StatementLinesTable {
  id: Generated<number>;
  statement_id: number;
  owner_id: number | null;
  user_id: number | null;
  username: string;
  role: 'owner' | 'member';
  allocation_hours: number;
  used_seconds: number;
  days: number;
  /** The part of the amount that comes from the base part of the price. */
  base_cents: number;
  /** The part of the amount that comes from rounding. */
  odd_cents: number;
  amount_cents: number;
  sent_at: Date | null;
  paid_at: Date | null;
  settlement_id: number | null;
}

/** A line of a statement as it is read: without when it was marked and by which settlement. */
export type StoredLine = Pick<
  Selectable<StatementLinesTable>,
  | 'id'
  | 'user_id'
  | 'username'
  | 'role'
  | 'allocation_hours'
  | 'used_seconds'
  | 'days'
  | 'base_cents'
  | 'odd_cents'
  | 'amount_cents'
> & {
  sent: boolean;
  paid: boolean;
  settled: boolean;
  /** When it became what it is, null while it is due; inside JSON an instant is text. */
  since: Date | string | null;
};

interface SettlementsTable {
  id: Generated<number>;
  payer_id: number | null;
  payer_name: string;
  payee_id: number | null;
  payee_name: string;
  recorded_by: string;
  amount_cents: number;
  currency: string;
  settled_at: Date;
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
  periods: PeriodsTable;
  shares: SharesTable;
  sessions: SessionsTable;
  removed_sessions: RemovedSessionsTable;
  allowances: AllowancesTable;
  usage_days: UsageDaysTable;
  statements: StatementsTable;
  statement_lines: StatementLinesTable;
  settlements: SettlementsTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** The database or a transaction in it: stores take either, and code in a transaction passes on the one it was given. */
export type Database = Kysely<Tables> | Transaction<Tables>;
