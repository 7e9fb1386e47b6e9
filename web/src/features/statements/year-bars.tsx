import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dateFormat } from '../../platform/i18n/language.ts';
import { hueOf } from '../../ui/hue.ts';
import { fills } from '../../ui/swatch.tsx';
import { plainHours } from './rules.ts';
import type { YearMonth, YearPerson } from './year-sums.ts';

/** '2026-11' → "N", in the page's language. */
const initialOf = (month: string): string =>
  dateFormat({ month: 'narrow', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));

interface YearBarsProps {
  months: YearMonth[];
  people: YearPerson[];
  /** Whether the bars are of hours; else they are of what each paid. */
  measured: boolean;
  currency: string;
}

/** A bar for each month, with a segment for each person; for screen readers, a table. */
export function YearBars({ months, people, measured, currency }: YearBarsProps) {
  const read = (part: YearMonth['parts'][number]) => Math.max(0, measured ? part.seconds : part.amount);
  const most = Math.max(...months.map(({ parts }) => parts.reduce((sum, part) => sum + read(part), 0)));
  const text = (value: number) => (measured ? plainHours(value) : formatMoney(value, currency));
  return (
    <figure className="min-w-0">
      <div aria-hidden className="flex h-36 gap-1.5">
        {months.map(({ month, parts }) => (
          <div key={month} className="flex max-w-10 min-w-0 flex-1 flex-col items-center gap-1">
            <div className="flex w-full flex-1 flex-col-reverse gap-0.5">
              {parts.map(
                (part, index) =>
                  read(part) > 0 && (
                    <div
                      key={people[index]?.key}
                      className={`part min-h-0.5 rounded-[3px] ${fills[hueOf(people[index]?.hue)]}`}
                      style={{ height: `${(100 * read(part)) / most}%` }}
                    />
                  ),
              )}
            </div>
            <span className="text-[12px] leading-none text-muted">{initialOf(month)}</span>
          </div>
        ))}
      </div>
      {/* A table alone would keep its height, and lengthen the page. */}
      <div className="sr-only">
        <table>
          <caption>{measured ? t('Hours by month') : t('Costs by month')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Month')}</th>
              {people.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name ?? t('Others')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, parts }) => (
              <tr key={month}>
                <th scope="row">{monthText(month)}</th>
                {parts.map((part, index) => (
                  <td key={people[index]?.key}>{text(read(part))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
