import type { Statement } from '@hourshare/contract/statements';
import { useState } from 'react';
import { sumAmounts } from '../../platform/format/money.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { costProblem, readMoney } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { TextField } from '../../ui/field.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAssetStatements } from './api.ts';
import { plainHours } from './rules.ts';

const MONTHS = 12;
const SECONDS_PER_HOUR = 3600;

/** Adds up what each person paid of the price, and used, in the last twelve closed months that the reader sees. */
function sumYear(statements: readonly Statement[], currency: string) {
  const closed = statements.filter((statement) => statement.closed).slice(0, MONTHS);
  const lines = closed.flatMap((statement) => statement.lines);
  const people = [...new Set(lines.map(({ username }) => username))].map((username) => {
    const own = lines.filter((line) => line.username === username);
    return {
      username,
      hue: own[0]?.hue ?? null,
      role: own[0]?.role,
      months: own.length,
      // What they paid of other costs, or got back, says nothing about the plan.
      amount: sumAmounts(
        own.map(({ price_amount: amount }) => amount),
        currency,
      ),
      seconds: own.reduce((sum, { used_seconds: used }) => sum + used, 0),
    };
  });
  const unused = closed.reduce(
    (sum, { total_hours: hours, used_seconds: used }) => sum + Math.max(0, hours * SECONDS_PER_HOUR - used),
    0,
  );
  return { months: closed.length, people, unused };
}

/** What an asset cost and gave each in its last twelve closed months: what people can base a vote on. */
export function LastYear({ assetId }: { assetId: number }) {
  const { data, isPending, refetch } = useAssetStatements(assetId);
  if (isPending) return <Spinner label={t('Loading costs')} className="mt-4 h-40 w-full justify-center" />;
  if (!data)
    return (
      <Banner className="mt-4" onRetry={() => void refetch()}>
        {t("Couldn't load costs. Please try again later.")}
      </Banner>
    );
  const [first] = data;
  if (!first) return null;
  const { months, people, unused } = sumYear(data, first.currency);
  if (months === 0) return null;
  const [reader, ...others] = people;
  return (
    <div className="mt-4">
      <FiguresTable
        dense
        caption={t('The last {count, plural, one {closed month} other {# closed months}}', { count: months })}
        titles={[
          t('Last {count, plural, one {month} other {# months}}', { count: months }),
          t('Paid'),
          t('Used'),
          t('Cost per hour'),
        ]}
      >
        {people.map(({ username, hue, amount, seconds }) => (
          <FiguresRow key={username} name={<Person name={username} hue={hue} />}>
            <Figure>{formatMoney(amount, first.currency)}</Figure>
            <Figure>{plainHours(seconds)}</Figure>
            <Figure>{seconds === 0 ? '–' : formatMoney((amount * SECONDS_PER_HOUR) / seconds, first.currency)}</Figure>
          </FiguresRow>
        ))}
      </FiguresTable>
      {reader?.role === 'member' && others.length === 0 && (
        <Alone months={reader.months} paid={reader.amount} currency={first.currency} />
      )}
      {first.measured && others.length > 0 && (
        <p className="mt-1 text-small text-muted">{t('Unused: {hours}', { hours: plainHours(unused) })}</p>
      )}
    </div>
  );
}

const Person = ({ name, hue }: { name: string; hue: number | null }) => (
  <span className="flex items-center gap-2">
    <Avatar name={name} hue={hue} size="small" />
    <bdi className="truncate">{name}</bdi>
  </span>
);

interface AloneProps {
  months: number;
  paid: number;
  currency: string;
}

/** Compares what a member paid with a plan of their own. */
function Alone({ months, paid, currency }: AloneProps) {
  const [typed, setTyped] = useState('');
  const problem = costProblem(typed, currency);
  const price = problem === undefined ? readMoney(typed, currency) : undefined;
  const saved = price !== undefined && sumAmounts([...Array<number>(months).fill(price), -paid], currency);
  return (
    <div className="mt-2 grid items-end gap-3.5 sm:grid-cols-2">
      <TextField
        label={t('A plan of your own, a month')}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={problem}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p role="status" className="figures font-semibold sm:pb-3">
        {saved !== false &&
          (saved < 0
            ? t('Sharing cost you {amount} more.', { amount: formatMoney(-saved, currency) })
            : t('You saved {amount} by sharing.', { amount: formatMoney(saved, currency) }))}
      </p>
    </div>
  );
}
