import { Username } from '@hourshare/contract/accounts';
import { Id } from '@hourshare/contract/fields';
import type { Balance, Settlement, SettleRequest } from '@hourshare/contract/settlements';
import type { MarkedLine } from '@hourshare/contract/statements';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { findUser, lockUsers } from '../accounts/service.ts';
import { closeDueInScope, lineStatus, toMarkedLine, userScope } from '../statements/service.ts';
import {
  lineNotFound,
  lineSettled,
  linesChanged,
  markNotAllowed,
  nothingToSettle,
  severalCurrencies,
} from './errors.ts';
import { netBalance } from './rules.ts';
import * as store from './store.ts';
import { toBalance, toOwed, toSettlement } from './wire.ts';

/**
 * Marks a closed line: its member marks it as sent, the owner marks it as paid, and each may undo their own mark. Lines
 * that a settlement has cleared can't be changed. Returns the line.
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
    const current = lineStatus(line);
    if (line.settled) return lineSettled();
    if (current === status) return ok(toMarkedLine(line, line.currency));
    const isOwner = line.statement_owner === userId;
    // The owner alone sets and clears `paid`; the member alone sets and clears `sent`, while the line isn't paid.
    const allowed = isOwner ? status === 'paid' || current === 'paid' : status !== 'paid' && current !== 'paid';
    if (!allowed || (isOwner && status === 'sent' && !line.sent)) return markNotAllowed();
    if (isOwner) await store.setMark(db, lineId, { paid_at: status === 'paid' ? deps.clock() : null });
    else await store.setMark(db, lineId, { sent_at: status === 'sent' ? deps.clock() : null });
    const marked = await store.lockLine(db, { lineId, userId });
    return marked ? ok(toMarkedLine(marked, marked.currency)) : lineNotFound();
  });
}

// Accepts only names and currencies that can exist: PostgreSQL refuses to compare some texts that a forged key could
// contain.
const BalanceKey = z.tuple([Username, z.string().regex(/^[A-Z]{3}$/), z.int().min(0)]);

/** Returns what a user and each other user owe each other, by currency, over all assets and closed months. */
export function listBalances(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Balance>>> {
  return readPage(request, {
    key: BalanceKey,
    keyOf: ([line]): store.BalanceKey => (line ? store.balanceKey(line) : ['', '', 0]),
    toItem: toBalance,
    read: async (page) => {
      await closeDueInScope(deps, userScope(userId));
      return ok(await store.openBalances(deps.db, { userId, ...page }));
    },
  });
}

/** Returns a user's settlements, newest first. */
export function listSettlements({ db }: Deps, userId: number, request: PageRequest): Promise<Result<Page<Settlement>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toSettlement,
    read: async ({ limit, after }) => ok(await store.readSettlements(db, { userId, before: after, limit })),
  });
}

/**
 * Records one payment of the net amount of the open lines between two users in one currency, and clears those lines.
 * Either of the two may record it. Returns the settlement.
 */
export async function settle(
  deps: Deps,
  userId: number,
  { username, currency, lines: requestedIds }: SettleRequest,
): Promise<Result<Settlement>> {
  await closeDueInScope(deps, userScope(userId));
  // An unknown username gets the answer of a user with no open lines, so that usernames can't be guessed here.
  const counterpart = await findUser(deps, username);
  return inTransaction(deps.db, async (db) => {
    const existing = await lockUsers(db, counterpart ? [userId, counterpart.id] : [userId]);
    const openLines = await store.lockOpenLines(db, {
      userId,
      otherId: counterpart && existing.has(counterpart.id) ? counterpart.id : null,
      otherName: username,
    });
    const wanted = new Set(requestedIds);
    const lines = openLines.filter(
      (line) => (currency === undefined || line.currency === currency) && (!requestedIds || wanted.has(line.id)),
    );
    if (requestedIds && lines.length !== wanted.size) return linesChanged();
    const [first] = lines;
    if (!first) return nothingToSettle();
    if (lines.some((line) => line.currency !== first.currency)) return severalCurrencies();
    const { net } = netBalance(lines.map(toOwed));
    const caller = { id: userId, name: first.own_name };
    const other = { id: first.other_id, name: first.other_name };
    const settlementId = await store.insertSettlement(db, {
      payer: net < 0 ? caller : other,
      payee: net < 0 ? other : caller,
      recordedBy: first.own_name,
      amountCents: Math.abs(net),
      currency: first.currency,
      lineIds: lines.map(({ id }) => id),
      now: deps.clock(),
    });
    const [settlement] = await store.readSettlements(db, { userId, settlementId, limit: 1 });
    return settlement ? ok(toSettlement(settlement)) : nothingToSettle();
  });
}
