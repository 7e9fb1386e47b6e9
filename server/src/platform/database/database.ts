import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../schema.ts';

/** The database or a transaction. Stores take either, and code inside a transaction passes on the one it was given. */
export type Database = Kysely<Tables> | Transaction<Tables>;
