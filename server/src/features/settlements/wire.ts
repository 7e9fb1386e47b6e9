import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import { toAmount } from '@hourshare/contract/money';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { netBalance } from './rules.ts';
import type { OwedLine, StoredSettlement } from './store.ts';

export function toBalance(lines: OwedLine[]): Balance {
  const { owedToUser, owedByUser, net } = netBalance(lines.map(toOwed));
  const currency = lines[0]?.currency ?? '';
  return {
    username: lines[0]?.other_name ?? '',
    they_owe: toAmount(owedToUser, currency),
    you_owe: toAmount(owedByUser, currency),
    net: toAmount(net, currency),
    currency,
    lines: lines.map((line) => ({
      ...toBalanceLine(line, currency),
      status: line.sent_at ? 'sent' : 'due',
      status_since: line.sent_at?.toISOString() ?? null,
    })),
  };
}

export const toOwed = (line: Pick<OwedLine, 'amount_cents' | 'owed_to_user'>) => ({
  cents: line.amount_cents,
  owedToUser: line.owed_to_user,
});

const toBalanceLine = (
  line: Pick<OwedLine, 'id' | 'asset_id' | 'asset_name' | 'month' | 'amount_cents' | 'owed_to_user'>,
  currency: string,
): Omit<BalanceLine, 'status' | 'status_since'> => ({
  id: line.id,
  asset_id: line.asset_id,
  asset_name: line.asset_name,
  month: line.month,
  amount: toAmount(line.amount_cents, currency),
  direction: line.owed_to_user ? 'they_owe' : 'you_owe',
});

export const toSettlement = (settlement: StoredSettlement): Settlement => ({
  id: settlement.id,
  username: settlement.other_name,
  direction: settlement.paid_by_user ? 'you_paid' : 'they_paid',
  amount: toAmount(settlement.amount_cents, settlement.currency),
  currency: settlement.currency,
  settled_at: settlement.settled_at.toISOString(),
  recorded_by: settlement.recorded_by,
  lines: settlement.lines.map((line) => toBalanceLine(line, settlement.currency)),
});

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
    },
    next,
  );

/** Returns a row for each line that a settlement cleared, each with the amount of the whole payment. */
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
    },
    next,
  );
