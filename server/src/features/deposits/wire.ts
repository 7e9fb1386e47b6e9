import type { Deposit } from '@hourshare/contract/deposits';
import { hueOf } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { canConfirm, isOpen, statusOf } from './rules.ts';
import type { StoredDeposit } from './store.ts';

export function toDeposit(deposit: StoredDeposit): Deposit {
  const { gave, own_name: own, other_name: other, other_id: otherId } = deposit;
  const status = statusOf(deposit);
  const nameOf = (byGiver: boolean) => (byGiver === gave ? own : other);
  return {
    id: deposit.id,
    username: other,
    hue: otherId === null ? null : hueOf(otherId),
    account_deleted: otherId === null,
    direction: gave ? 'they_hold' : 'you_hold',
    held_by: nameOf(false),
    asset_id: deposit.asset_id,
    asset_name: deposit.asset_name,
    amount: toAmount(deposit.amount_cents, deposit.currency),
    currency: deposit.currency,
    status,
    recorded_by: nameOf(deposit.recorded_by_giver),
    recorded_at: deposit.recorded_at.toISOString(),
    confirmed_at: deposit.confirmed_at?.toISOString() ?? null,
    returned_by: deposit.returned_by_giver === null ? null : nameOf(deposit.returned_by_giver),
    returned_at: deposit.returned_at?.toISOString() ?? null,
    return_confirmed_at: deposit.return_confirmed_at?.toISOString() ?? null,
    can: { confirm: canConfirm(deposit), withdraw: isOpen(status), give_back: status === 'held' },
  };
}

export const depositsTable = ({ results, next }: Page<Deposit>): Table =>
  tableOf(
    ['deposits'],
    results,
    {
      deposit: ({ id }) => id,
      username: ({ username }) => username,
      held_by: ({ held_by: holder }) => holder,
      asset_name: ({ asset_name: asset }) => asset,
      amount: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      status: ({ status }) => status,
      recorded_by: ({ recorded_by: by }) => by,
      recorded_at: ({ recorded_at: at }) => at,
      confirmed_at: ({ confirmed_at: at }) => at,
      returned_by: ({ returned_by: by }) => by,
      returned_at: ({ returned_at: at }) => at,
      return_confirmed_at: ({ return_confirmed_at: at }) => at,
    },
    next,
  );
