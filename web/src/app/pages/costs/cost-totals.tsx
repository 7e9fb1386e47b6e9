import { useBalances } from '../../../features/settlements/api.ts';
import { openTotals } from '../../../features/settlements/rules.ts';
import { useMonthStatements } from '../../../features/statements/api.ts';
import { findOwnLine } from '../../../features/statements/rules.ts';
import { t } from '../../../lib/messages.ts';
import { moneyText } from '../../../lib/money.ts';
import { Card } from '../../../ui/card.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

/** What the user owes, is owed, and pays this month so far. */
export function CostTotals({ username }: { username: string }) {
  const balances = useBalances();
  const running = useMonthStatements();
  const nets = balances.data?.map(({ lines, currency }) => ({ amount: openTotals(lines, currency).net, currency }));
  const own = running.data?.map((each) => ({
    amount: findOwnLine(each, username)?.amount ?? 0,
    currency: each.currency,
  }));
  const youOwe = nets?.filter(({ amount }) => amount < 0).map((each) => ({ ...each, amount: -each.amount }));
  return (
    <ul role="list" className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-3.5">
      <Total name={t('You owe')} amounts={youOwe} loading={balances.isPending} />
      <Total name={t("You're owed")} amounts={nets?.filter(({ amount }) => amount > 0)} loading={balances.isPending} />
      <Total name={t('Your share this month')} amounts={own} loading={running.isPending} />
    </ul>
  );
}

interface TotalProps {
  name: string;
  /** Undefined when they failed to load. */
  amounts: { amount: number; currency: string }[] | undefined;
  loading: boolean;
}

const Total = ({ name, amounts, loading }: TotalProps) => (
  <Card as="li" className="p-3.5 last:max-sm:col-span-2 sm:p-4.5">
    <p className="text-[14px] text-muted">{name}</p>
    <p className="figures mt-0.5 flex min-h-9 items-center font-display text-[clamp(19px,6.2vw,26px)] leading-tight font-bold">
      {loading ? <Spinner label={t('Loading: {name}', { name })} /> : amounts === undefined ? '–' : moneyText(amounts)}
    </p>
  </Card>
);
