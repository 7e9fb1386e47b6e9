import type { Balance, Settlement } from '@hourshare/contract/settlements';
import { hueOf } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import { takesCurrency, type PaymentMethod } from '@hourshare/contract/payment-methods';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { lineStatus } from '../statements/service.ts';
import { toPaymentDetails } from '../users/service.ts';
import { canConfirm, counts, netBalance, openUndoRequest, undoStep, type Payment, type PaymentStep } from './rules.ts';
import type { BalanceLineRow, OwedLine, StoredSettlement } from './store.ts';

/** A balance's open lines, and how to pay the other user where that is shown. */
export interface BalanceRow {
  lines: BalanceLineRow[];
  methods: PaymentMethod[] | null;
}

export function toBalance({ lines, methods }: BalanceRow): Balance {
  const { owedToUser, owedByUser, net } = netBalance(lines.map(toOwed));
  const currency = lines[0]?.currency ?? '';
  const sent = (cents: (line: BalanceLineRow) => number) =>
    netBalance(lines.map((line) => ({ cents: cents(line), owedToUser: line.owed_to_user }))).net;
  const [theySent, youSent] = [
    sent((line) => line.sent_cents - line.sent_by_user_cents),
    -sent((line) => line.sent_by_user_cents),
  ];
  return {
    username: lines[0]?.other_name ?? '',
    hue: typeof lines[0]?.other_id === 'number' ? hueOf(lines[0].other_id) : null,
    account_deleted: lines[0]?.other_id === null,
    they_owe: toAmount(owedToUser, currency),
    you_owe: toAmount(owedByUser, currency),
    net: toAmount(net, currency),
    // Not negative, though a mark may have taken away a charge that one of these payments offset.
    they_sent: toAmount(Math.max(0, theySent), currency),
    you_sent: toAmount(Math.max(0, youSent), currency),
    currency,
    lines: lines.map((line) => ({
      ...toChargeLine(line, currency),
      open_amount: toAmount(openCents(line), currency),
      sent_amount: toAmount(line.sent_cents, currency),
      your_mark: line.marks_paid ? ('paid' as const) : ('sent' as const),
      status: lineStatus({ ...line, marked_paid: false }),
      status_since: line.since?.toISOString() ?? null,
    })),
    payment_details: methods && toPaymentDetails(methods.filter(({ kind }) => takesCurrency(kind, currency))),
  };
}

const openCents = ({ amount_cents, settled_cents }: Pick<OwedLine, 'amount_cents' | 'settled_cents'>) =>
  amount_cents - settled_cents;

/** Returns what is owed of an open line, sent or not. */
export const toOwed = (line: Pick<OwedLine, 'amount_cents' | 'settled_cents' | 'owed_to_user'>) => ({
  cents: openCents(line),
  owedToUser: line.owed_to_user,
});

/** Returns what no payment covers yet of an open line. */
export const toUncovered = ({ id, month, sent_cents: sent, ...line }: OwedLine) => ({
  id,
  month,
  cents: openCents(line) - sent,
  owedToUser: line.owed_to_user,
});

const toChargeLine = (
  line: Pick<OwedLine, 'id' | 'asset_id' | 'asset_name' | 'month' | 'amount_cents' | 'owed_to_user'>,
  currency: string,
) =>
  ({
    id: line.id,
    asset_id: line.asset_id,
    asset_name: line.asset_name,
    month: line.month,
    amount: toAmount(line.amount_cents, currency),
    direction: line.owed_to_user ? 'they_owe' : 'you_owe',
  }) as const;

/** Returns a stored payment as its rules see it. */
export const toPayment = (settlement: StoredSettlement): Payment => ({
  status: settlement.status,
  steps: settlement.steps.map(({ kind, by_payer: byPayer, at }) => ({ kind, byPayer, at: new Date(at) })),
  asPayer: settlement.paid_by_user,
  isAlone: settlement.other_is_gone,
});

export function toSettlement(settlement: StoredSettlement, now: Date): Settlement {
  const { own_name: own, other_name: other, status } = settlement;
  const payment = toPayment(settlement);
  const request = openUndoRequest(payment);
  const isOwn = ({ byPayer }: PaymentStep) => byPayer === payment.asPayer;
  const since = settlement.status_since.toISOString();
  return {
    id: settlement.id,
    username: other,
    direction: settlement.paid_by_user ? 'you_paid' : 'they_paid',
    amount: toAmount(settlement.amount_cents, settlement.currency),
    currency: settlement.currency,
    settled_at: settlement.settled_at.toISOString(),
    recorded_by: settlement.recorded_by,
    status,
    confirmed_at: status === 'paid' ? since : null,
    undone_at: counts(payment) ? null : since,
    undo_asked_by: request ? (isOwn(request) ? own : other) : null,
    events: payment.steps.map((step) => ({
      kind: step.kind,
      username: isOwn(step) ? own : other,
      at: step.at.toISOString(),
    })),
    can: {
      confirm: canConfirm(payment),
      reject: status === 'sent' && !payment.asPayer,
      undo: request && isOwn(request) ? null : undoStep(payment, now),
      withdraw: request !== undefined && isOwn(request),
    },
    lines: settlement.lines.map((line) => ({
      ...toChargeLine(line, settlement.currency),
      covered_amount: toAmount(line.covered_cents, settlement.currency),
    })),
  };
}

/** Returns a row for each open line. */
export const balancesTable = ({ results, next }: Page<Balance>): Table =>
  tableOf(
    ['balances'],
    results.flatMap((balance) => balance.lines.map((line) => ({ balance, line }))),
    {
      username: ({ balance }) => balance.username,
      asset_name: ({ line }) => line.asset_name,
      month: ({ line }) => line.month,
      direction: ({ line }) => line.direction,
      amount: ({ line }) => line.amount,
      currency: ({ balance }) => balance.currency,
      status: ({ line }) => line.status,
      status_since: ({ line }) => line.status_since,
      open_amount: ({ line }) => line.open_amount,
      sent_amount: ({ line }) => line.sent_amount,
    },
    next,
  );

/** Returns a row for each line that a settlement covers, each with the amount of the whole payment. */
export const settlementsTable = ({ results, next }: Page<Settlement>): Table =>
  tableOf(
    ['settlements'],
    results.flatMap((settlement) => settlement.lines.map((line) => ({ settlement, line }))),
    {
      settlement: ({ settlement }) => settlement.id,
      settled_at: ({ settlement }) => settlement.settled_at,
      recorded_by: ({ settlement }) => settlement.recorded_by,
      username: ({ settlement }) => settlement.username,
      paid: ({ settlement }) => settlement.direction,
      paid_amount: ({ settlement }) => settlement.amount,
      currency: ({ settlement }) => settlement.currency,
      asset_name: ({ line }) => line.asset_name,
      month: ({ line }) => line.month,
      direction: ({ line }) => line.direction,
      amount: ({ line }) => line.amount,
      covered_amount: ({ line }) => line.covered_amount,
      status: ({ settlement }) => settlement.status,
      confirmed_at: ({ settlement }) => settlement.confirmed_at,
      undone_at: ({ settlement }) => settlement.undone_at,
      undo_asked_by: ({ settlement }) => settlement.undo_asked_by,
    },
    next,
  );
