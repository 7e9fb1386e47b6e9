import type { Statement } from '@hourshare/contract/statements';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { useAssetStatements } from './api.ts';
import { plainHours } from './rules.ts';

const MONTHS = 12;
const SECONDS_PER_HOUR = 3600;

interface PersonYear {
  username: string;
  amount: number;
  seconds: number;
}

/** Adds up what each person paid and used in the last twelve closed months that the reader sees. */
function sumYear(statements: readonly Statement[]) {
  const closed = statements.filter((statement) => statement.closed).slice(0, MONTHS);
  const people = new Map<string, PersonYear>();
  for (const { lines } of closed)
    for (const { username, amount, used_seconds: seconds } of lines) {
      const before = people.get(username) ?? { username, amount: 0, seconds: 0 };
      people.set(username, { username, amount: before.amount + amount, seconds: before.seconds + seconds });
    }
  const unused = closed.reduce(
    (sum, { total_hours: hours, used_seconds: used }) => sum + Math.max(0, hours * SECONDS_PER_HOUR - used),
    0,
  );
  return { months: closed.length, people: [...people.values()], unused };
}

/** What an asset cost and gave each in its last twelve closed months: what people can base a vote on. */
export function LastYear({ assetId }: { assetId: number }) {
  const { data = [] } = useAssetStatements(assetId);
  const { months, people, unused } = sumYear(data);
  const [first] = data;
  if (!first || months === 0) return null;
  return (
    <div className="mt-4">
      <FiguresTable
        dense
        caption={t('The last {count, plural, one {closed month} other {# closed months}}', { count: months })}
        titles={[
          t('Last {count, plural, one {month} other {# months}}', { count: months }),
          t('Paid'),
          t('Used'),
          t('An hour cost'),
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
