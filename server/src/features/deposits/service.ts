import type { ConfirmDepositRequest, Deposit } from '@hourshare/contract/deposits';
import { amountProblem, Id } from '@hourshare/contract/fields';
import { DEPOSITS_MAX } from '@hourshare/contract/limits';
import { toMinor } from '@hourshare/contract/money';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound, ownerOnly } from '../assets/errors.ts';
import { appendMessage, type OutboxMessages } from '../outbox/service.ts';
import { shareNotFound, userNotFound } from '../shares/errors.ts';
import { lockUsers } from '../users/service.ts';
import { badAmount, depositChanged, depositNotFound, tooManyDeposits } from './errors.ts';
import { canConfirm, isOpen, isOwnStep, statusOf } from './rules.ts';
import * as store from './store.ts';
import type { DepositPlace, StoredDeposit } from './store.ts';
import { toDeposit } from './wire.ts';

/** Returns the deposits that a user gave or holds, newest first. */
export function listDeposits(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Deposit>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toDeposit,
    read: async ({ limit, after }) => ok(await store.readDeposits(deps.db, { userId, before: after, limit })),
  });
}

/**
 * Records that a member gave the owner of an asset a deposit, as either of them. The other has to confirm it, unless they have no
 * account.
 */
export function addDeposit(deps: Deps, userId: number, place: DepositPlace, amount: number): Promise<Result<Deposit>> {
  const notFound = 'assetId' in place ? assetNotFound : shareNotFound;
  return transaction(deps, async (deps) => {
    const found = await store.findRoom(deps.db, place, userId);
    if (!found) return notFound();
    await store.lockHolder(deps.db, found.holder_id);
    await lockUsers(deps.db, found.giver_id === null ? [userId] : [userId, found.giver_id]);
    await store.lockAsset(deps.db, found.id);
    // Again, because access, the asset, or an account may have ended during the wait for the locks.
    const room = await store.findRoom(deps.db, place, userId);
    if (!room || room.holder_id !== found.holder_id) return notFound();
    const byGiver = 'shareId' in place;
    if (!byGiver && !room.owned) return ownerOnly();
    const { giver_id: giverId, giver_name: giverName, holder_id: holderId, currency } = room;
    if (giverId === null || giverName === null) return userNotFound('username' in place ? place.username : '');
    const problem = amountProblem(amount, currency);
    if (problem) return badAmount(problem);
    if ((await store.countOpen(deps.db, { giverId, holderId })) >= DEPOSITS_MAX) return tooManyDeposits();
    const depositId = await store.insertDeposit(deps.db, {
      assetId: room.id,
      assetName: room.name,
      giver: { id: giverId, name: giverName },
      holder: { id: holderId, name: room.holder_name },
      amountCents: toMinor(amount, currency),
      currency,
      byGiver,
      confirmed: !byGiver && !room.has_account,
      now: deps.clock(),
    });
    const [deposit] = await store.readDeposits(deps.db, { userId, depositId, limit: 1 });
    if (!deposit) return notFound();
    await tell(deps, { userId, deposit, change: 'recorded' });
    return ok(toDeposit(deposit));
  });
}

/** Confirms what the other person recorded. Confirming it again changes nothing, and so does confirming something else than was seen. */
export const confirm = (
  deps: Deps,
  userId: number,
  id: number,
  { status: seen }: ConfirmDepositRequest,
): Promise<Result<Deposit>> =>
  changeDeposit(deps, { userId, id }, async (deps, deposit) => {
    const status = statusOf(deposit);
    if (!isOpen(status)) return answerWith(deps, { userId, id });
    if ((seen !== undefined && seen !== status) || !canConfirm(deposit)) return depositChanged();
    await store.confirmStep(deps.db, id, deps.clock());
    await tell(deps, { userId, deposit, change: status === 'recorded' ? 'confirmed' : 'return_confirmed' });
    return answerWith(deps, { userId, id });
  });

/** Records that a deposit was given back, which is confirmed once both have said so, or if there is only one to say it. */
export const giveBack = (deps: Deps, userId: number, id: number): Promise<Result<Deposit>> =>
  changeDeposit(deps, { userId, id }, async (deps, deposit) => {
    const now = deps.clock();
    switch (statusOf(deposit)) {
      case 'recorded':
        return depositChanged();
      case 'held':
        await store.setReturn(deps.db, id, { byGiver: deposit.gave, confirmed: deposit.is_alone, now });
        await tell(deps, { userId, deposit, change: 'returned' });
        break;
      case 'returning':
        if (!canConfirm(deposit)) break;
        await store.confirmStep(deps.db, id, now);
        await tell(deps, { userId, deposit, change: 'return_confirmed' });
        break;
      case 'returned':
        break;
    }
    return answerWith(deps, { userId, id });
  });

/** Takes back or refuses the step that waits: what was recorded disappears, and what was to be given back is held again. */
export const withdraw = (deps: Deps, userId: number, id: number): Promise<Result<undefined>> =>
  changeDeposit(deps, { userId, id }, async (deps, deposit) => {
    const status = statusOf(deposit);
    if (!isOpen(status)) return depositChanged();
    if (status === 'recorded') await store.deleteDeposit(deps.db, id);
    else await store.setReturn(deps.db, id, null);
    await tell(deps, { userId, deposit, change: isOwnStep(deposit) ? 'withdrawn' : 'refused' });
    return ok(undefined);
  });

/** Runs a change of a locked deposit that is one of the user's. */
function changeDeposit<T>(
  deps: Deps,
  { userId, id }: { userId: number; id: number },
  change: (deps: Deps, deposit: StoredDeposit) => Promise<Result<T>>,
): Promise<Result<T>> {
  return transaction(deps, async (deps) => {
    // Users first, because deleting an account locks its user before its deposits.
    await lockUsers(deps.db, await store.partiesOf(deps.db, { id, userId }));
    await store.lockDeposit(deps.db, id);
    const [deposit] = await store.readDeposits(deps.db, { userId, depositId: id, limit: 1 });
    return deposit ? change(deps, deposit) : depositNotFound();
  });
}

async function answerWith(deps: Deps, { userId, id }: { userId: number; id: number }): Promise<Result<Deposit>> {
  const [deposit] = await store.readDeposits(deps.db, { userId, depositId: id, limit: 1 });
  return deposit ? ok(toDeposit(deposit)) : depositNotFound();
}

/** Tells both people what one of them did. */
async function tell(
  deps: Deps,
  {
    userId,
    deposit,
    change,
  }: { userId: number; deposit: StoredDeposit; change: OutboxMessages['deposit.changed']['change'] },
): Promise<void> {
  const { id, other_id: otherId, is_alone: isAlone, amount_cents: amount, currency, asset_name } = deposit;
  const userIds = isAlone || otherId === null ? [userId] : [userId, otherId];
  await appendMessage(
    deps,
    'deposit.changed',
    { actorId: userId, userIds },
    { deposit_id: id, change, amount, currency, asset_name },
  );
}

/** Replaces the name of an account that is being deleted in deposits, if it is to be hidden. */
export async function hideNameInDeposits(
  { db }: Deps,
  { userId, names, seenBy }: Causes['accountDeleting'],
): Promise<void> {
  if (names) await store.hideName(db, userId, names);
  for (const id of await store.usersWithDeposits(db, userId)) seenBy.add(id);
}

/** Gives the deposits of a person without an account to the member whom they have become, if they accept what was recorded. */
export async function moveDepositsOfGuest(
  { db }: Deps,
  { guestId, memberId, accepted }: Causes['guestClaimed'],
): Promise<void> {
  if (accepted) await store.moveDeposits(db, { from: guestId, to: memberId });
}
