import type { Analytics } from '@hourshare/contract/analytics';
import { useId } from 'react';
import { formatNumber, percentText, roundHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Card } from '../../ui/card.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';

function Figure({ name, value, unit, over }: { name: string; value: string; unit?: string; over?: boolean }) {
  return (
    <li className="flex min-w-0 flex-col justify-between p-3 md:px-5 md:py-3.5">
      <p className="text-[12px] text-muted hyphens-auto md:text-small">{name}</p>
      <p
        className={`figures mt-0.5 font-display text-[20px] leading-tight font-bold md:text-[24px] ${over ? 'text-over-text' : ''}`}
      >
        {value}
        {unit !== undefined && <span className="ms-1 font-sans text-[13px] font-medium text-muted">{unit}</span>}
      </p>
    </li>
  );
}

/** The last row of a card. */
export function AnalyticsSummary({ analytics, past }: { analytics: Analytics; past: boolean }) {
  const over = analytics.utilization_percentage > 100;
  return (
    <ul
      role="list"
      className="-mx-4 mt-3.5 -mb-4 grid grid-cols-3 divide-x divide-line border-t border-line md:-mx-5 md:-mb-5"
    >
      <Figure name={t('Total Allocation')} value={formatNumber(analytics.total_allocation)} unit={t('hrs [[unit]]')} />
      <Figure
        name={past ? t('Used that month') : t('Used This Month')}
        value={formatNumber(roundHours(analytics.total_usage))}
        unit={t('hrs [[unit]]')}
        over={over}
      />
      <Figure name={t('Utilization')} value={percentText(analytics.utilization_percentage)} over={over} />
    </ul>
  );
}

export function UsageStatistics({ analytics }: { analytics: Analytics }) {
  const headingId = useId();
  return (
    <Card as="section" labelledBy={headingId}>
      <h2 id={headingId} className="mb-1 font-semibold">
        {t('Usage Statistics')}
      </h2>
      <DefinitionList>
        <Definition name={t('Total Sessions')}>{formatNumber(analytics.total_sessions)}</Definition>
        <Definition name={t('Avg. Session Duration')}>
          {t('{minutes} mins', { minutes: formatNumber(analytics.avg_session_duration_minutes) })}
        </Definition>
        <Definition name={t('Remaining Hours')}>
          {t('{hours} hrs', { hours: formatNumber(roundHours(analytics.remaining_hours)) })}
        </Definition>
        <Definition name={t('Active Session')}>
          <span className="inline-flex items-center gap-2">
            <span
              aria-hidden
              className={`size-2.5 rounded-full ${analytics.active_session ? 'bg-m2' : 'bg-line-field'}`}
            />
            {analytics.active_session ? t('Yes') : t('No')}
          </span>
        </Definition>
      </DefinitionList>
    </Card>
  );
}
