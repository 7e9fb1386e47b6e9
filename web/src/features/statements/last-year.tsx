import type { Statement } from '@hourshare/contract/statements';
import { sumAmounts } from '../../platform/format/money.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
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
        {people.map(({ username, amount, seconds }) => (
          <FiguresRow key={username} name={<bdi>{username}</bdi>}>
            <Figure>{formatMoney(amount, first.currency)}</Figure>
            <Figure>{plainHours(seconds)}</Figure>
            <Figure>{seconds === 0 ? '–' : formatMoney((amount * SECONDS_PER_HOUR) / seconds, first.currency)}</Figure>
          </FiguresRow>
        ))}
      </FiguresTable>
      {first.measured && people.length > 1 && (
        <p className="mt-1 text-small text-muted">{t('Unused: {hours}', { hours: plainHours(unused) })}</p>
      )}
    </div>
  );
}
