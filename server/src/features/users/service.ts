import type { User } from '@hourshare/contract/users';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { notSignedIn } from './errors.ts';
import { toPaymentDetails } from './rules.ts';
import * as store from './store.ts';

export { toPaymentDetails, updatedMethods } from './rules.ts';
export type { StoredUser } from './store.ts';
export {
  countAccounts,
  findTaken,
  insertUser,
  lockPaymentMethods,
  lockUsers,
  paymentMethodsOf,
  updateUser,
  userById,
  userByName,
  userWithPassword,
} from './store.ts';

export const toUser = ({ payment_methods: methods, ...user }: store.StoredUser): User => ({
  ...user,
  payment_details: toPaymentDetails(methods),
});

/** Returns the signed-in user; fails as not signed in if the account was deleted. */
export async function me(deps: Deps, userId: number): Promise<Result<User>> {
  const user = await store.userById(deps.db, userId);
  return user ? ok(toUser(user)) : notSignedIn();
}

/** Returns the user with a name, in any case, for features that let users name each other. */
export async function findUser(deps: Deps, username: string): Promise<{ id: number; username: string } | undefined> {
  const user = await store.userByName(deps.db, username);
  return user && { id: user.id, username: user.username };
}
