import type { Analytics } from '@hourshare/contract/analytics';
import { useId } from 'react';
import { formatNumber, formatPercent } from '../../lib/formatting.ts';
import { Card } from '../../ui/card.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';

function Figure({ name, value, unit, over }: { name: string; value: string; unit: string; over?: boolean }) {
  return (
    <Card as="li">
      <p className="text-[14px] text-muted">{name}</p>
      <p className={`figures mt-1 font-display text-[28px] leading-tight font-bold ${over ? 'text-over-text' : ''}`}>
        {value}
        <span className="ml-1 font-sans text-[15px] font-medium text-muted">{unit}</span>
      </p>
    </Card>
  );
}

export function AnalyticsSummary({ analytics, past }: { analytics: Analytics; past: boolean }) {
  const over = analytics.utilization_percentage > 100;
  return (
    <ul role="list" className="grid gap-3.5 sm:grid-cols-3">
      <Figure name="Total Allocation" value={formatNumber(analytics.total_allocation)} unit="hrs" />
      <Figure
        name={past ? 'Used That Month' : 'Used This Month'}
        value={formatNumber(analytics.total_usage)}
        unit="hrs"
        over={over}
      />
      <Figure name="Utilization" value={formatPercent(analytics.utilization_percentage)} unit="%" over={over} />
    </ul>
  );
}

export function UsageStatistics({ analytics }: { analytics: Analytics }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <Card>
        <h2 id={headingId} className="mb-1 font-semibold">
          Usage Statistics
        </h2>
        <DefinitionList>
          <Definition name="Total Sessions">{formatNumber(analytics.total_sessions)}</Definition>
          <Definition name="Avg. Session Duration">
            {formatNumber(analytics.avg_session_duration_minutes)} mins
          </Definition>
          <Definition name="Remaining Hours">{formatNumber(analytics.remaining_hours)} hrs</Definition>
          <Definition name="Active Session">
            <span className="inline-flex items-center gap-2">
              <span
                aria-hidden
                className={`size-2.5 rounded-full ${analytics.active_session ? 'bg-m2' : 'bg-line-field'}`}
              />
              {analytics.active_session ? 'Yes' : 'No'}
            </span>
          </Definition>
        </DefinitionList>
      </Card>
    </section>
  );
}
