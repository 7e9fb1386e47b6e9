import type { Statement } from '@hourshare/contract/statements';
import { useState } from 'react';
import { OWN_PRICES } from '../../platform/auth/sign-in.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { costProblem, readMoney } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { TextField } from '../../ui/field.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { hueOf } from '../../ui/hue.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Swatch } from '../../ui/swatch.tsx';
import { useAssetStatements } from './api.ts';
import { plainHours } from './rules.ts';
import { YearBars } from './year-bars.tsx';
import { sumYear } from './year-sums.ts';

const SECONDS_PER_HOUR = 3600;

/** What an asset cost and gave each in its last twelve closed months: what people can base a vote on. */
export function LastYear({ assetId }: { assetId: number }) {
  const { data, isPending, refetch } = useAssetStatements(assetId);
  if (isPending) return <Spinner label={t('Loading costs')} className="h-40 w-full justify-center" />;
  if (!data) return <Banner onRetry={() => void refetch()}>{t("Couldn't load costs. Please try again later.")}</Banner>;
  const [first] = data;
  return first && data.some(({ closed }) => closed) ? (
    <Year assetId={assetId} newest={first} statements={data} />
  ) : null;
}

interface YearProps {
  assetId: number;
  newest: Statement;
  statements: Statement[];
}

function Year({ assetId, newest: { currency, measured }, statements }: YearProps) {
  const { months, people, price, usedSeconds, hours } = sumYear(statements, { currency, measured });
  const money = (amount: number) => formatMoney(amount, currency);
  const hourText = (amount: number, seconds: number) =>
    seconds === 0 ? '–' : money((amount * SECONDS_PER_HOUR) / seconds);
  const title = t('Last {count, plural, one {month} other {# months}}', { count: months.length });
  const [reader] = people;
  return (
    <div className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-2">
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        <dl className="mt-2 mb-4 flex flex-wrap gap-x-7 gap-y-2 text-small text-muted">
          {measured && (
            <Fact
              figure={plainHours(usedSeconds)}
              text={t('used of {hours}', { hours: plainHours(hours * SECONDS_PER_HOUR) })}
            />
          )}
          {measured && usedSeconds > 0 ? (
            <Fact figure={hourText(price, usedSeconds)} text={t('an hour used')} />
          ) : (
            <Fact figure={money(price)} text={t('Paid')} />
          )}
        </dl>
        <YearBars months={months} people={people} measured={measured && usedSeconds > 0} currency={currency} />
      </div>
      <div className="min-w-0 max-[359px]:[&_tr>:nth-child(4)]:hidden">
        <FiguresTable
          dense
          titles={measured ? [t('Who'), t('Used'), t('Paid'), t('Cost per hour')] : [t('Who'), t('Paid')]}
        >
          {people.map(({ key, name, hue, amount, seconds }) => (
            <FiguresRow
              key={key}
              name={
                <span className="flex items-center gap-2">
                  <Swatch tone={hueOf(hue)} />
                  <bdi className="truncate">{name ?? t('Others')}</bdi>
                </span>
              }
            >
              {measured && <Figure>{plainHours(seconds)}</Figure>}
              <Figure>{money(amount)}</Figure>
              {measured && <Figure>{hourText(amount, seconds)}</Figure>}
            </FiguresRow>
          ))}
        </FiguresTable>
        {reader?.role === 'member' && (
          <Alone key={assetId} assetId={assetId} months={reader.months} paid={reader.amount} currency={currency} />
        )}
      </div>
    </div>
  );
}

const Fact = ({ figure, text }: { figure: string; text: string }) => (
  <div className="flex flex-col-reverse">
    <dt>{text}</dt>
    <dd className="figures font-display text-[26px] leading-tight font-bold text-ink">{figure}</dd>
  </div>
);

interface AloneProps {
  assetId: number;
  months: number;
  paid: number;
  currency: string;
}

/** Compares what a member paid with a plan of their own, whose price stays on the device until they sign out. */
function Alone({ assetId, months, paid, currency }: AloneProps) {
  const key = `${OWN_PRICES}${assetId}`;
  const [typed, setTyped] = useState(() => localStorage.getItem(key) ?? '');
  const problem = costProblem(typed, currency);
  const price = problem === undefined ? readMoney(typed, currency) : undefined;
  const saved = price !== undefined && sumAmounts([...Array<number>(months).fill(price), -paid], currency);
  return (
    <div className="mt-3 grid gap-2">
      <TextField
        label={t('A plan of your own, a month')}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={problem}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '') localStorage.removeItem(key);
          else localStorage.setItem(key, target.value);
        }}
      />
      <p role="status" className="figures font-semibold">
        {saved !== false &&
          (saved < 0
            ? t('Sharing cost you {amount} more.', { amount: formatMoney(-saved, currency) })
            : t('You saved {amount} by sharing.', { amount: formatMoney(saved, currency) }))}
      </p>
    </div>
  );
}
