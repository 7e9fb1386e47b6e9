import type { Migration } from 'kysely';
import * as first from './0001-first.ts';

/** Every migration, in order. Forward only: a released one never changes. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
};
