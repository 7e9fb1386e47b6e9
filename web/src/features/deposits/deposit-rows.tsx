import type { Deposit } from '@hourshare/contract/deposits';
import { formatMoney } from '../../platform/format/numbers.ts';
import { dayText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { DepositActions } from './deposit-actions.tsx';
import { heldText, statusText } from './deposit-text.ts';

const SHOWN_AT_ONCE = 5;
const isOver = ({ status }: Deposit) => status === 'returned';

/** Deposits, those that were given back last. */
export function DepositRows({ deposits }: { deposits: Deposit[] }) {
  const ordered = [...deposits.filter((each) => !isOver(each)), ...deposits.filter(isOver)];
  const { shown, itemProps, showAll } = useShowAll(ordered, SHOWN_AT_ONCE);
  return (
    <>
      <ul role="list" className="divide-y divide-line">
        {shown.map((deposit, index) => (
          <li key={deposit.id} className="py-2.5" {...itemProps(index)}>
            <p className="figures [overflow-wrap:anywhere]">
              {isOver(deposit) ? (
                <>
                  <bdi>{deposit.username}</bdi> · {formatMoney(deposit.amount, deposit.currency)}
                </>
              ) : (
                heldText([deposit])
              )}{' '}
              {deposit.status !== 'held' && <Badge>{statusText(deposit)}</Badge>}
            </p>
            <p className="text-[14px] text-muted">
              <bdi>{deposit.asset_name}</bdi> · {dayText(deposit.return_confirmed_at ?? deposit.recorded_at)}
            </p>
            <DepositActions deposit={deposit} look="soft" />
          </li>
        ))}
      </ul>
      {showAll}
    </>
  );
}
