import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../schema.ts';

/** The database or a transaction in it: stores take either, and code in a transaction passes on the one it was given. */
export type Database = Kysely<Tables> | Transaction<Tables>;
