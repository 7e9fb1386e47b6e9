import type { Balance } from '@hourshare/contract/settlements';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { useLeft } from './use-left.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { collapse } from '../../ui/collapse.ts';
import { classes } from '../../ui/class-names.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { textLink } from '../../ui/text-link.ts';
import { findLargestDebt, inOrder, unsentTotals } from './rules.ts';
import type { SettleDialog } from './settle-dialog.tsx';

/** How many people are named. */
const MAX_NAMED = 4;

interface Settling {
  balance: Balance;
  SettleDialog: typeof SettleDialog;
}

/** Whom the user owes, with a button that settles the largest debt: their own, else the largest owed to them. Empty if there is none. */
export function OweLine({ balances }: { balances: Balance[] }) {
  const [settling, setSettling] = useState<Settling | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const balance = useMemo(() => findLargestDebt(balances), [balances]);
  // Another debt takes its place at once.
  const [left] = useLeft(balance ? [balance] : [], () => 'debt');
  const shown = balance ?? left;
  const others = inOrder(balances).filter(
    ({ username, lines, currency }) =>
      !(username === shown?.username && currency === shown.currency) && unsentTotals(lines, currency).net !== 0,
  );

  const settle = async (balance: Balance) => {
    setChanged(null);
    try {
      const { SettleDialog } = await import('./settle-dialog.tsx');
      setSettling({ balance, SettleDialog });
    } catch {
      announce(t("Couldn't settle up. Please try again."), { failed: true });
    }
  };
  return (
    <>
      {changed !== null && (
        <Banner tone="note" className="mt-3.5">
          {changed}
        </Banner>
      )}
      {shown && (
        <div className={collapse(!balance)} inert={!balance}>
          <Debts
            balances={[shown, ...others].slice(0, MAX_NAMED)}
            areAll={others.length < MAX_NAMED}
            onSettle={() => void settle(shown)}
          />
        </div>
      )}
      {settling && (
        <settling.SettleDialog
          balance={settling.balance}
          onDone={() => setSettling(null)}
          onChanged={(sentence) => {
            setSettling(null);
            setChanged(sentence);
          }}
        />
      )}
    </>
  );
}

interface DebtsProps {
  /** The first can be settled here; the others are named where there is room. */
  balances: Balance[];
  areAll: boolean;
  onSettle: () => void;
}

function Debts({ balances, areAll, onSettle }: DebtsProps) {
  const [name] = balances.map(({ username }) => username);
  return (
    <section
      aria-label={t('Settle up')}
      className="flex items-center gap-x-3 rounded-card border border-line bg-surface py-2 ps-4 pe-3 shadow-lift xl:block xl:p-5"
    >
      <ul role="list" className="min-w-0 flex-1 divide-line xl:divide-y">
        {balances.map((balance, index) => (
          <Debt key={`${balance.username} ${balance.currency}`} balance={balance} isFirst={index === 0} />
        ))}
      </ul>
      <Button size="small" onClick={onSettle} className="shrink-0 xl:mt-3 xl:min-h-11! xl:w-full">
        <span>{rich('Settle up<hidden> with {name}</hidden>', { name: name ?? '', hidden })}</span>
      </Button>
      <Link
        to={paths.costs}
        className={classes(
          textLink,
          'inline-flex min-h-11 shrink-0 items-center justify-center text-[14px] max-md:sr-only xl:mt-1 xl:-mb-2.5 xl:w-full',
          areAll && 'xl:hidden',
        )}
      >
        {t('All balances')}
      </Link>
    </section>
  );
}

function Debt({ balance: { username: name, hue, currency, lines }, isFirst }: { balance: Balance; isFirst: boolean }) {
  const { net } = unsentTotals(lines, currency);
  const amount = formatMoney(Math.abs(net), currency);
  return (
    <li className={classes('flex min-h-11 items-center gap-3 py-2', !isFirst && 'max-xl:hidden')}>
      <Avatar name={name} hue={hue} />
      <p className="sr-only">
        {net < 0 ? t('You owe {name} {amount}', { name, amount }) : t('{name} owes you {amount}', { name, amount })}
      </p>
      <span aria-hidden className="min-w-0 flex-1 leading-tight">
        <bdi className="block truncate">{name}</bdi>
        <span className="block text-small text-muted">{net < 0 ? t('You owe') : t('Owes you')}</span>
      </span>
      <b aria-hidden className={`figures font-semibold ${net < 0 ? 'text-over-text' : 'text-accent-text'}`}>
        {amount}
      </b>
    </li>
  );
}
