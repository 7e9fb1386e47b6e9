import type { Deps } from '../../../deps.ts';
import * as store from './store.ts';

const PAGE_SIZE = 500;

/** Returns all accounts whose name or email address contains a text, ignoring case. */
export async function* findUsers({ db }: Deps, search: string): AsyncGenerator<store.UserRow> {
  for (let after = 0; ;) {
    const users = await store.users(db, { search, after, limit: PAGE_SIZE });
    yield* users;
    const last = users.at(-1);
    if (!last || users.length < PAGE_SIZE) return;
    after = last.id;
  }
}

/** Returns totals of what is in the database. */
export const readTotals = ({ db, clock }: Deps): Promise<store.Totals> => store.totals(db, clock());

/** Returns how many assets a user owns, and how many assets of others they have access to or were offered. */
export const readHoldings = ({ db }: Deps, userId: number) => store.holdings(db, userId);
