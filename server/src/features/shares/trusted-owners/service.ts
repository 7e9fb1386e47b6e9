import { toAmount, toMinor } from '@hourshare/contract/money';
import type { TrustedOwner, TrustOwnerRequest } from '@hourshare/contract/shares';
import { Username } from '@hourshare/contract/users';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { findUser } from '../../users/service.ts';
import { trustSelf, userNotFound } from '../errors.ts';
import { endShares } from '../endings/service.ts';
import { openShares } from '../endings/store.ts';
import { lockMember } from '../store.ts';
import * as store from './store.ts';

/** Returns the owners whose offers a member accepts or refuses without being asked. */
export function listTrustedOwners(
  { db }: Deps,
  memberId: number,
  request: PageRequest,
): Promise<Result<Page<TrustedOwner>>> {
  return readPage(request, {
    key: Username,
    keyOf: ({ username }) => username,
    toItem: toTrustedOwner,
    read: async (page) => ok(await store.readTrustedOwners(db, { memberId, ...page })),
  });
}

/** From now on accepts an owner's offers, up to an amount, without asking the member, or refuses them, also those that are open. */
export async function trustOwner(
  deps: Deps,
  memberId: number,
  { username, offers, monthly_amount: amount, currency }: TrustOwnerRequest,
): Promise<Result<TrustedOwner>> {
  const owner = await findUser(deps, username);
  if (!owner) return userNotFound(username);
  if (owner.id === memberId) return trustSelf();
  const limit =
    amount === undefined || currency === undefined
      ? { maxCents: null, currency: null }
      : { maxCents: toMinor(amount, currency), currency };
  const choice = { memberId, ownerId: owner.id, offers, ...limit, now: deps.clock() };
  const since = await transaction(deps, async (deps) => {
    // Locks what offers lock, so that none slips through.
    await lockMember(deps.db, memberId);
    const inserted = await store.insertTrustedOwner(deps.db, choice);
    if (offers === 'refuse') {
      const end = { at: choice.now, told: 'share.declined', actorId: memberId } as const;
      await endShares(deps, openShares.offersOfOwner(choice), end);
    }
    return inserted;
  });
  if (!since) return userNotFound(username);
  return ok(
    toTrustedOwner({
      username: owner.username,
      offers,
      max_cents: limit.maxCents,
      currency: limit.currency,
      created_at: since,
    }),
  );
}

/** Has a member asked again about an owner's offers. */
export async function distrustOwner({ db }: Deps, memberId: number, username: string): Promise<Result<undefined>> {
  return (await store.deleteTrustedOwner(db, { memberId, username })) ? ok(undefined) : userNotFound(username);
}

const toTrustedOwner = ({
  username,
  offers,
  max_cents: max,
  currency,
  created_at,
}: Omit<store.StoredTrustedOwner, 'id'>): TrustedOwner => ({
  username,
  offers,
  monthly_amount: max === null || currency === null ? null : toAmount(max, currency),
  currency,
  since: created_at.toISOString(),
});
