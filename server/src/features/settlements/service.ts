import { Id, paymentProblem } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { Balance, Settlement, PaymentStepKind, SettleRequest, UndoRequest } from '@hourshare/contract/settlements';
import type { MarkedLine } from '@hourshare/contract/statements';
import { z } from 'zod';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { findGuest } from '../accounts/guests/service.ts';
import { lockUsers, paymentMethodsOf, findUser } from '../users/service.ts';
import { appendMessage } from '../outbox/service.ts';
import { isCovered, lineStatus, toMarkedLine, userScope } from '../statements/service.ts';
import { closeDueInScope } from '../statements/closing/service.ts';
import {
  chargesMarkedSent,
  invalidAmount,
  lineNotFound,
  lineSettled,
  linesChanged,
  markFinal,
  markNotAllowed,
  nothingToSettle,
  paymentChanged,
  paymentConfirmed,
  paymentNotFound,
  paymentNotYours,
  paymentUndone,
  severalCurrencies,
  undoNotAllowed,
} from './errors.ts';
import {
  canConfirm,
  counts,
  isUndoable,
  netBalance,
  openUndoRequest,
  statusAfter,
  takeFromOldest,
  undoneAlone,
  undoStep,
  type Payment,
} from './rules.ts';
import * as store from './store.ts';
import { toBalance, toOwed, toPayment, toSettlement, toUncovered, type BalanceRow } from './wire.ts';

/**
 * Marks a closed line: its member marks it as sent, the owner marks it as paid (of a negative one, the other way around), and each may undo their own mark, the
 * owner for 72 hours, unless the member has no account. Lines that payments cover, sent or confirmed, can't be changed. Returns the line. Source:
 * docs/decisions/0022-bills.md.
 */
export function markLine(
  deps: Deps,
  userId: number,
  lineId: number,
  status: 'due' | 'sent' | 'paid',
): Promise<Result<MarkedLine>> {
  return transaction(deps, async (deps) => {
    const line = await store.lockLine(deps.db, { lineId, userId });
    if (!line) return lineNotFound();
    const current = lineStatus(line);
    // A line that a payment covers in part can only lose a mark: that payment may be undone, and then all of it is due.
    if (line.objected_at || line.sent_cents > 0 || isCovered(line) || (line.settled_cents > 0 && status !== 'due'))
      return lineSettled();
    if (current === status) return ok(toMarkedLine(line, line.currency));
    const isOwner = line.statement_owner === userId;
    // Who is owed: the member if the line is negative, for whom the owner answers if they have no account.
    const isCreditor = line.amount_cents < 0 && line.has_account ? !isOwner : isOwner;
    // Who is owed alone sets and clears `paid`; who owes alone sets and clears `sent`, while the line isn't paid.
    const allowed = isCreditor ? status === 'paid' || current === 'paid' : status !== 'paid' && current !== 'paid';
    if (!allowed || (isCreditor && status === 'sent' && !line.marked_sent)) return markNotAllowed();
    const now = deps.clock();
    if (current === 'paid' && line.has_account && line.since && !isUndoable(new Date(line.since), now))
      return markFinal();
    if (isCreditor) await store.setMark(deps.db, lineId, { paid_at: status === 'paid' ? now : null });
    else await store.setMark(deps.db, lineId, { sent_at: status === 'sent' ? now : null });
    const userIds = await store.partiesOfLine(deps.db, lineId);
    await appendMessage(deps, 'lines.marked', { actorId: userId, userIds }, { line_ids: [lineId], status });
    const marked = await store.lockLine(deps.db, { lineId, userId });
    return marked ? ok(toMarkedLine(marked, marked.currency)) : lineNotFound();
  });
}

// Accepts only names and currencies that can be compared: PostgreSQL refuses some texts that a forged key could contain.
const BalanceKey = z.tuple([
  z.string().regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u),
  z.string().regex(/^[A-Z]{3}$/),
  z.int().min(0),
]);

/** Returns what a user and each other user owe each other, by currency, over all assets and closed months. */
export function listBalances(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Balance>>> {
  return readPage(request, {
    key: BalanceKey,
    keyOf: ({ lines: [line] }): store.BalanceKey => (line ? store.balanceKey(line) : ['', '', 0]),
    toItem: toBalance,
    read: async (page) => {
      await closeDueInScope(deps, userScope(userId));
      return ok(await withDetails(deps, await store.openBalances(deps.db, { userId, ...page })));
    },
  });
}

/** Adds how to pay the other user to the balances in which the caller owes. No one else sees it. */
async function withDetails(deps: Deps, balances: store.BalanceLineRow[][]): Promise<BalanceRow[]> {
  const creditors = balances.map((lines) =>
    netBalance(lines.map(toOwed)).net < 0 ? (lines[0]?.other_id ?? null) : null,
  );
  const methods = await paymentMethodsOf(
    deps.db,
    creditors.filter((id) => id !== null),
  );
  return balances.map((lines, index) => ({ lines, methods: methods.get(creditors[index] ?? 0) ?? null }));
}

/** Returns a user's settlements, newest first. */
export function listSettlements(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Settlement>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: (settlement: store.StoredSettlement) => toSettlement(settlement, deps.clock()),
    read: async ({ limit, after }) => ok(await store.readSettlements(deps.db, { userId, before: after, limit })),
  });
}

/**
 * Records one payment between two users in one currency: of the net amount of their open lines, which it clears, or of
 * a smaller amount, which it takes from the payer's oldest lines. It is paid at once if the payee records it, and else
 * sent until they confirm it. Returns the settlement.
 */
export async function settle(
  deps: Deps,
  userId: number,
  { username, currency, lines: requestedIds, amount, net: seenNet }: SettleRequest,
): Promise<Result<Settlement>> {
  await closeDueInScope(deps, userScope(userId));
  // An unknown username gets the answer of a user with no open lines, so that usernames can't be guessed here.
  const account = await findUser(deps, username);
  const counterpart = account ?? (await findGuest(deps.db, { hostId: userId, username }));
  return transaction(deps, async (deps) => {
    const existing = await lockUsers(deps.db, counterpart ? [userId, counterpart.id] : [userId]);
    const linesWith = (otherId: number | null) =>
      store.lockOpenLines(deps.db, { userId, otherId, otherName: username, ids: requestedIds });
    const found = counterpart && existing.has(counterpart.id) ? await linesWith(counterpart.id) : undefined;
    // A person's name may also be on charges that were taken over by someone whose account was deleted since.
    const isGone = found === undefined || (found.length === 0 && !account);
    const openLines = isGone ? await linesWith(null) : found;
    const wanted = new Set(requestedIds);
    const lines = openLines.filter(
      (line) => (currency === undefined || line.currency === currency) && (!requestedIds || wanted.has(line.id)),
    );
    if (requestedIds && lines.length !== wanted.size) return linesChanged();
    const [first] = lines;
    if (!first) return nothingToSettle();
    if (lines.some((line) => line.currency !== first.currency)) return severalCurrencies();
    const uncovered = lines.map(toUncovered);
    const { net } = netBalance(uncovered);
    if (seenNet !== undefined && toMinor(seenNet, first.currency) !== net) return linesChanged();
    const owed = Math.abs(net);
    const problem =
      amount === undefined ? undefined : paymentProblem(amount, toAmount(owed, first.currency), first.currency);
    if (problem !== undefined) return invalidAmount(problem);
    const amountCents = amount === undefined ? owed : toMinor(amount, first.currency);
    const isPayer = net < 0;
    // Nor can a person without an account, for whom the owner records it.
    const isFinal = !isPayer || first.other_id === null || (!account && counterpart !== undefined);
    // Offset against a charge that may have been paid already, the caller's own debts would be gone for nothing.
    const isOffset = isFinal && lines.some((line) => !line.owed_to_user) && amountCents === owed;
    if (isOffset && lines.some((line) => line.owed_to_user && line.marked_sent)) return chargesMarkedSent();
    const caller = { id: userId, name: first.own_name };
    const other = { id: first.other_id, name: first.other_name };
    const settlementId = await store.insertSettlement(deps.db, {
      payer: isPayer ? caller : other,
      payee: isPayer ? other : caller,
      recordedBy: first.own_name,
      // No one can confirm a payment to someone whose account was deleted.
      status: isFinal ? 'paid' : 'sent',
      byPayer: isPayer,
      amountCents,
      currency: first.currency,
      parts:
        amountCents < owed
          ? takeFromOldest(
              uncovered.filter(({ owedToUser }) => owedToUser !== isPayer),
              amountCents,
            )
          : uncovered.map(({ id, cents }) => ({ lineId: id, cents })),
      now: deps.clock(),
    });
    await appendMessage(
      deps,
      'settlement.changed',
      { actorId: userId, userIds: first.other_id === null ? [userId] : [userId, first.other_id] },
      {
        settlement_id: settlementId,
        change: isFinal ? 'paid' : 'sent',
        amount: amountCents,
        currency: first.currency,
        payer_id: isPayer ? userId : first.other_id,
      },
    );
    const [settlement] = await store.readSettlements(deps.db, { userId, settlementId, limit: 1 });
    return settlement ? ok(toSettlement(settlement, deps.clock())) : nothingToSettle();
  });
}

/** Confirms a payment that was sent to the user. Confirming it again changes nothing. */
export const confirm = (deps: Deps, userId: number, id: number): Promise<Result<Settlement>> =>
  changeSettlement(deps, { userId, id }, (payment) => {
    if (!counts(payment)) return paymentUndone();
    if (payment.asPayer && !payment.isAlone) return paymentNotYours();
    return canConfirm(payment) ? 'confirmed' : null;
  });

/** Says that a sent payment didn't arrive, which makes its lines open again. */
export const reject = (deps: Deps, userId: number, id: number): Promise<Result<Settlement>> =>
  changeSettlement(deps, { userId, id }, (payment) => {
    if (payment.asPayer) return paymentNotYours();
    if (payment.status === 'paid') return paymentConfirmed();
    if (payment.status === 'undone') return paymentUndone();
    return payment.status === 'sent' ? 'not_received' : null;
  });

/**
 * Undoes what the user did to a payment in the last 72 hours. Later, and for what the other did, asks the other, or
 * agrees if they have asked. Repeating it changes nothing, and so does a step that has become another one.
 */
export const undo = (
  deps: Deps,
  userId: number,
  id: number,
  { step: seenStep }: UndoRequest,
): Promise<Result<Settlement>> =>
  changeSettlement(deps, { userId, id }, (payment) => {
    const step = undoStep(payment, deps.clock());
    if (seenStep !== undefined && step !== null && step !== seenStep) return paymentChanged();
    if (step === 'alone') return undoneAlone(payment);
    if (step === 'agree') return 'undone';
    if (step === 'ask') return openUndoRequest(payment) ? null : 'undo_asked';
    if (payment.status === 'not_received') return paymentUndone();
    return payment.status === 'undone' ? null : undoNotAllowed();
  });

/** Withdraws the user's request to undo a payment. Changes nothing if they haven't. */
export const withdrawUndo = (deps: Deps, userId: number, id: number): Promise<Result<Settlement>> =>
  changeSettlement(deps, { userId, id }, (payment) => {
    if (!counts(payment)) return paymentUndone();
    return openUndoRequest(payment)?.byPayer === payment.asPayer ? 'undo_withdrawn' : null;
  });

/** Adds what `decide` returns to the history of a payment, and applies it; null changes nothing. */
function changeSettlement(
  deps: Deps,
  { userId, id }: { userId: number; id: number },
  decide: (payment: Payment) => PaymentStepKind | null | Failure,
): Promise<Result<Settlement>> {
  return transaction(deps, async (deps) => {
    const parties = await store.partiesOf(deps.db, { id, userId });
    // Users first, because deleting an account locks its user before its payments.
    await lockUsers(deps.db, parties);
    await store.lockSettlement(deps.db, id);
    const read = async () => (await store.readSettlements(deps.db, { userId, settlementId: id, limit: 1 }))[0];
    const settlement = await read();
    if (!settlement) return paymentNotFound();
    const now = deps.clock();
    const payment = toPayment(settlement);
    const kind = decide(payment);
    if (kind === null) return ok(toSettlement(settlement, now));
    if (typeof kind === 'object') return kind;
    const to = statusAfter[kind];
    if (to !== undefined) await store.setStatus(deps.db, { id, from: payment.status, to, now });
    await store.insertPaymentStep(deps.db, { id, kind, byPayer: payment.asPayer, now });
    const { amount_cents: amount, currency } = settlement;
    const payerId = payment.asPayer ? userId : (parties.find((each) => each !== userId) ?? null);
    await appendMessage(
      deps,
      'settlement.changed',
      { actorId: userId, userIds: parties },
      { settlement_id: id, change: kind, amount, currency, payer_id: payerId },
    );
    const changed = await read();
    return changed ? ok(toSettlement(changed, now)) : paymentNotFound();
  });
}

/** Replaces the name of an account that is being deleted in payments, if it is to be hidden. */
export async function hideNameInPayments(
  { db }: Deps,
  { userId, names, seenBy }: Causes['accountDeleting'],
): Promise<void> {
  if (names) await store.hideName(db, userId, names);
  for (const id of await store.usersWithCharges(db, userId)) seenBy.add(id);
}

/** Gives a person's charges and payments to the member they have become, or leaves them to the owner. */
export const moveCharges = (
  { db, clock }: Deps,
  { guestId, memberId, accepted }: Causes['guestClaimed'],
): Promise<void> =>
  accepted ? store.moveCharges(db, { guestId, memberId }) : store.objectToCharges(db, guestId, clock());
