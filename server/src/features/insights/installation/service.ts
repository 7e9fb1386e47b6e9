import type { AdministeredAccount } from '@hourshare/contract/administration';
import { Id } from '@hourshare/contract/fields';
import type { Deps } from '../../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import * as store from './store.ts';

const PAGE_SIZE = 500;

/** Returns all accounts whose name or email address contains a text, ignoring case. */
export async function* findUsers({ db }: Deps, search: string): AsyncGenerator<store.UserRow> {
  for (let after = 0; ;) {
    const users = await store.users(db, { search, inEmail: true, after, limit: PAGE_SIZE });
    yield* users;
    const last = users.at(-1);
    if (!last || users.length < PAGE_SIZE) return;
    after = last.id;
  }
}

/** Returns accounts whose name contains a text, ignoring case, oldest first, for administrators in the app. */
export const listAccounts = (
  { db }: Deps,
  { search, ...request }: PageRequest & { search: string },
): Promise<Result<Page<AdministeredAccount>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: store.UserRow) => id,
    toItem: toAccount,
    read: async ({ limit, after = 0 }) => ok(await store.users(db, { search, inEmail: false, after, limit })),
  });

/** Returns an account; undefined if it is gone. */
export async function readAccount({ db }: Deps, userId: number): Promise<AdministeredAccount | undefined> {
  const [user] = await store.users(db, { search: '', inEmail: false, after: userId - 1, limit: 1 });
  return user?.id === userId ? toAccount(user) : undefined;
}

const day = (time: Date) => time.toISOString().slice(0, 10);

const toAccount = ({
  id,
  username,
  assets,
  disabled,
  administrator,
  ...times
}: store.UserRow): AdministeredAccount => ({
  id,
  username,
  created_on: day(times.created_at),
  last_used_on: times.last_used_at && day(times.last_used_at),
  assets,
  disabled,
  administrator,
});

/** Returns totals of what is in the database. */
export const readTotals = ({ db, clock }: Deps): Promise<store.Totals> => store.totals(db, clock());

/** Returns the product and the version of the database, and its newest migration. */
export const readDatabaseVersion = ({ db }: Deps) => store.databaseVersion(db);

/** Returns how many assets a user owns, and how many assets of others they have access to or were offered. */
export const readHoldings = ({ db }: Deps, userId: number) => store.holdings(db, userId);
