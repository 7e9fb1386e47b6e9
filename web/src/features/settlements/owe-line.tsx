import type { Balance } from '@hourshare/contract/settlements';
import { Link } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight, ChevronRight } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { useLeft } from './use-left.ts';
import { Banner } from '../../ui/banner.tsx';
import { collapse } from '../../ui/collapse.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { textLink } from '../../ui/text-link.ts';
import { findLargestDebt, unsentTotals } from './rules.ts';
import type { SettleDialog } from './settle-dialog.tsx';

const b = (text: ReactNode) => <strong className="figures font-semibold">{text}</strong>;

interface Settling {
  balance: Balance;
  SettleDialog: typeof SettleDialog;
}

/** The largest debt with a button that settles it: the user's own, else the largest owed to them. Empty if there is none. */
export function OweLine({ balances }: { balances: Balance[] }) {
  const [settling, setSettling] = useState<Settling | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const balance = useMemo(() => findLargestDebt(balances), [balances]);
  // Another debt takes its place at once.
  const [left] = useLeft(balance ? [balance] : [], () => 'debt');
  const shown = balance ?? left;

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
          <DebtLine balance={shown} onSettle={() => void settle(shown)} />
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

function DebtLine({ balance, onSettle }: { balance: Balance; onSettle: () => void }) {
  const { username: name, currency, lines } = balance;
  const { net } = unsentTotals(lines, currency);
  const amount = formatMoney(Math.abs(net), currency);
  const Arrow = net < 0 ? ArrowUpRight : ArrowDownLeft;
  return (
    <div className="mt-2.5 flex min-h-14 items-center gap-3 rounded-card border border-line bg-surface py-1.5 ps-3.5 pe-2 sm:mt-3.5">
      <span
        aria-hidden
        className={`inline-flex size-8 shrink-0 items-center justify-center rounded-full rtl:-scale-x-100 ${net < 0 ? 'bg-over-soft text-over-text' : 'bg-accent-soft text-accent-text'}`}
      >
        <Arrow size={17} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          {net < 0
            ? rich('You owe {name} <b>{amount}</b>', { name, amount, b })
            : rich('{name} owes you <b>{amount}</b>', { name, amount, b })}
        </p>
        <button type="button" className={`${textLink} min-h-11 md:min-h-9`} onClick={onSettle}>
          {rich('Settle up<hidden> with {name}</hidden>', { name, hidden })}
        </button>
      </div>
      <Link
        to={paths.costs}
        className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-control px-2 text-muted hover:text-ink"
      >
        <span className="max-sm:sr-only">{t('All balances')}</span>
        <ChevronRight aria-hidden size={16} className="rtl:-scale-x-100" />
      </Link>
    </div>
  );
}
