import type { HistoryMonth } from '@hourshare/contract/insights';
import { lazy } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { Chart } from '../../ui/chart.tsx';
import { hueOf } from '../../ui/hue.ts';
import { Swatch } from '../../ui/swatch.tsx';
import { allowedHours, memberHours, listMembers } from './rules.ts';

const HistoryDrawing = lazy(async () => ({ default: (await import('./history-drawing.tsx')).HistoryDrawing }));

/** Each member's hours by month. */
export function HistoryChart({ months }: { months: HistoryMonth[] }) {
  const people = listMembers(months);
  return (
    <Chart
      title={t('Hours by member')}
      table={{
        head: [t('Month'), ...people.map(({ username }) => username), t('Allowance')],
        rows: months.map((month) => [
          monthText(month.month),
          ...people.map(({ username }) => formatHours(memberHours(month, username))),
          formatHours(allowedHours(month)),
        ]),
      }}
      legend={
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[14px]">
          {people.map(({ username, hue }) => (
            <li key={username} className="flex min-w-0 items-center gap-2">
              <Swatch tone={hueOf(hue)} />
              <span className="truncate">{username}</span>
            </li>
          ))}
        </ul>
      }
    >
      <HistoryDrawing months={months} />
    </Chart>
  );
}
