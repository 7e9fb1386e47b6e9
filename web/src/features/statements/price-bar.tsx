import type { Statement } from '@hourshare/contract/statements';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { fills } from '../../ui/swatch.tsx';
import type { Payer } from './payers.ts';

/** The price, divided by who pays what. The table below says the same, also to screen readers. */
export function PriceBar({ statement, payers }: { statement: Statement; payers: Payer[] }) {
  const { price, currency } = statement;
  const covered = payers.find(({ line }) => line?.role === 'owner');
  return (
    <div aria-hidden>
      <div className="statement-bar flex h-11 overflow-hidden rounded-control bg-surface inset-ring inset-ring-line-field">
        {payers.map(
          ({ key, name, tone, amount }) =>
            amount > 0 && (
              <div
                key={key}
                className={classes(
                  '@container flex min-w-1 items-center not-last:border-e-2 not-last:border-surface',
                  tone && fills[tone],
                )}
                style={{ width: `${(amount / price) * 100}%` }}
              >
                <span className="figures flex w-full min-w-0 justify-between gap-2 px-2 text-[14px] *:min-w-0 *:rounded-[5px] *:bg-surface *:px-1.5">
                  <bdi className="hidden truncate @min-[70px]:block">{name}</bdi>
                  <b className="hidden shrink-0 font-semibold @min-[130px]:block">{formatMoney(amount, currency)}</b>
                </span>
              </div>
            ),
        )}
      </div>
      <p className="figures mt-1.5 flex justify-between gap-4 text-[13.5px] text-muted">
        <span>{formatMoney(0, currency)}</span>
        {covered && (
          <span>
            {covered.isYou
              ? t('You cover {amount}', { amount: formatMoney(covered.amount, currency) })
              : t('{name} covers {amount}', { name: covered.name, amount: formatMoney(covered.amount, currency) })}
          </span>
        )}
        <span className="font-semibold text-ink">{formatMoney(price, currency)}</span>
      </p>
    </div>
  );
}
