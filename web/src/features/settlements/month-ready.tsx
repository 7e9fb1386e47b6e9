import type { Balance } from '@hourshare/contract/settlements';
import { signedMoney } from '../../platform/format/numbers.ts';
import { monthName } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { unsentLines, unsentTotals } from './rules.ts';

interface MonthReadyProps {
  month: string;
  /** What it cost the user. */
  cost: string;
  balances: Balance[];
  onSee: () => void;
}

/** A month that has just closed: what it cost, and who sends how much to whom. */
export function MonthReady({ month, cost, balances, onSee }: MonthReadyProps) {
  const name = monthName(month);
  const people = balances
    .map(({ username, hue, currency, lines }) => {
      const ofMonth = unsentLines(lines).filter((line) => line.month === month);
      return { username, hue, currency, net: unsentTotals(ofMonth, currency).net };
    })
    .filter(({ net }) => net !== 0)
    .toSorted((a, b) => a.net - b.net);
  return (
    <section aria-labelledby="ready" className="mb-6 rounded-card bg-accent-soft p-5 md:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="ready" className="title-2 text-accent-text">
            {t('{month} is ready', { month: name })}
          </h2>
          <p className="figures mt-1">{t('It cost you {amount}.', { amount: cost })}</p>
        </div>
        <Button size="large" className="max-sm:w-full" onClick={onSee}>
          {t('See {month}', { month: name })}
        </Button>
      </div>
      {people.length > 0 && (
        <ul
          role="list"
          className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-px overflow-clip rounded-control bg-line"
        >
          {people.map(({ username, hue, currency, net }) => (
            <li key={`${username} ${currency}`} className="flex min-w-0 items-center gap-3 bg-surface p-3">
              <Avatar name={username} hue={hue} />
              <p className="min-w-0 leading-tight">
                <span className="sr-only">{username}: </span>
                <span className={`figures block font-semibold ${net < 0 ? 'text-over-text' : 'text-accent-text'}`}>
                  {signedMoney(net, currency)}
                </span>
                <span className="text-[13px] text-muted">{net < 0 ? t('you send') : t('you get')}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
