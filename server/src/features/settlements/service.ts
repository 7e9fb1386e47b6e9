import { Username } from '@hourshare/contract/accounts';
import type { MarkedLine } from '@hourshare/contract/statements';
import type { Balance, Settlement, SettleRequest } from '@hourshare/contract/settlements';
import { Id } from '@hourshare/contract/fields';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { findUser, lockUsers } from '../accounts/service.ts';
import { markedLine, closeDue, ofUser, statusOf } from '../statements/service.ts';
import {
  lineNotFound,
  lineSettled,
  linesChanged,
  markNotAllowed,
  nothingToSettle,
  severalCurrencies,
} from './errors.ts';
import { netOf } from './rules.ts';
import * as store from './store.ts';
import { toBalance, toOwed, toSettlement } from './wire.ts';

/**
 * Marks a closed line: its member says that they have sent the money, or takes that back; the owner says that it has
 * come, or takes that back. What a settlement has covered stays.
 */
export function markLine(
  deps: Deps,
  userId: number,
  lineId: number,
  status: 'due' | 'sent' | 'paid',
): Promise<Result<MarkedLine>> {
  return inTransaction(deps.db, async (db) => {
    const line = await store.lockLine(db, { lineId, userId });
    if (!line) return lineNotFound();
    const now = statusOf(line);
    if (line.settled) return lineSettled();
    if (now === status) return ok(markedLine(line));
    const isOwner = line.statement_owner === userId;
    // The owner decides whether it is paid; without that, whether it was sent is the member's to say.
    const allowed = isOwner ? status === 'paid' || now === 'paid' : status !== 'paid' && now !== 'paid';
    if (!allowed || (isOwner && status === 'sent' && !line.sent)) return markNotAllowed();
    if (isOwner) await store.setMark(db, lineId, { paid_at: status === 'paid' ? deps.clock() : null });
    else await store.setMark(db, lineId, { sent_at: status === 'sent' ? deps.clock() : null });
    const marked = await store.lockLine(db, { lineId, userId });
    return marked ? ok(markedLine(marked)) : lineNotFound();
  });
}

// Only names and currencies that can exist: a forged one could hold what the database refuses to compare.
const BalanceKey = z.tuple([Username, z.string().regex(/^[A-Z]{3}$/), z.int().min(0)]);

/** What a user and each other user owe one another, by currency, over all assets and closed months. */
export function listBalances(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Balance>>> {
  return readPage(request, {
    key: BalanceKey,
    keyOf: ([line]): store.BalanceKey => (line ? store.balanceKey(line) : ['', '', 0]),
    toItem: toBalance,
    read: async (page) => {
      await closeDue(deps, ofUser(userId));
      return ok(await store.openBalances(deps.db, { userId, ...page }));
    },
  });
}

/** A user's settlements, newest first. */
export function listSettlements({ db }: Deps, userId: number, request: PageRequest): Promise<Result<Page<Settlement>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toSettlement,
    read: async ({ limit, after }) => ok(await store.settlementsOf(db, { userId, before: after, limit })),
  });
}

/**
 * Records that two users have settled the open lines between them in one currency, in both directions, with one payment
 * of what is left when they are set off against one another. Either of the two may record it, and both see who did.
 */
export async function settle(
  deps: Deps,
  userId: number,
  { username, currency, lines: named }: SettleRequest,
): Promise<Result<Settlement>> {
  await closeDue(deps, ofUser(userId));
  // An unknown username answers as one does with whom nothing is open, so that usernames can't be guessed here.
  const other = await findUser(deps, username);
  return inTransaction(deps.db, async (db) => {
    const present = await lockUsers(db, other ? [userId, other.id] : [userId]);
    const found = await store.lockOpenLines(db, {
      userId,
      otherId: other && present.has(other.id) ? other.id : null,
      otherName: username,
    });
    const wanted = new Set(named);
    const lines = found.filter(
      (line) => (currency === undefined || line.currency === currency) && (!named || wanted.has(line.id)),
    );
    if (named && lines.length !== wanted.size) return linesChanged();
    const [first] = lines;
    if (!first) return nothingToSettle();
    if (lines.some((line) => line.currency !== first.currency)) return severalCurrencies();
    const { net } = netOf(lines.map(toOwed));
    const self = { id: userId, name: first.own_name };
    const them = { id: first.other_id, name: first.other_name };
    const settlementId = await store.insertSettlement(db, {
      payer: net < 0 ? self : them,
      payee: net < 0 ? them : self,
      recordedBy: first.own_name,
      amountCents: Math.abs(net),
      currency: first.currency,
      lineIds: lines.map(({ id }) => id),
      now: deps.clock(),
    });
    const [settlement] = await store.settlementsOf(db, { userId, settlementId, limit: 1 });
    return settlement ? ok(toSettlement(settlement)) : nothingToSettle();
  });
}
