import { useState } from 'react';
import { AnalyticsCharts } from '../../../features/analytics/charts.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { HourStrip, Swatch, toneAt, type StripTone } from '../../../ui/progress.tsx';
import { Ring } from '../../../ui/ring.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const single: [tone: StripTone, part: number][] = [
  ['accent', 0],
  ['accent', 0.62],
  ['live', 0.73],
  ['over', 1.2],
];
const members = [0.3, 0.2, 0.15, 0.1];
const HALF_PAST_ONE_MS = 5_400_000;

const month = {
  asset_name: 'Films',
  month: '2026-05',
  total_allocation: 20,
  total_usage: 14.5,
  remaining_hours: 5.5,
  utilization_percentage: 72.5,
  total_sessions: 3,
  avg_session_duration_minutes: 290,
  active_session: false,
  weekly_usage: [
    { week: 1, hours: 4.5 },
    { week: 2, hours: 10 },
  ],
  daily_usage: { '2026-05-02': 4.5, '2026-05-09': 6, '2026-05-10': 4 },
  pace: null,
};

export function Measures() {
  const [since] = useState(() => new Date(Date.now() - HALF_PAST_ONE_MS).toISOString());
  return (
    <Specimens title="Measures">
      <div className="grid gap-4 sm:grid-cols-2">
        {single.map(([tone, part]) => (
          <HourStrip
            key={`${tone} ${part}`}
            label={`HourStrip, ${tone}`}
            valueText={`${part * 20} of 20 hours`}
            segments={[{ key: tone, part, tone }]}
          />
        ))}
        <HourStrip
          label="HourStrip of four members"
          valueText="75 of 100 hours"
          segments={members.map((part, position) => ({ key: position, part, tone: toneAt(position) }))}
        />
      </div>
      <Specimen name="Swatch, by position">
        {members.map((_, position) => (
          <Swatch key={position} tone={toneAt(position)} />
        ))}
      </Specimen>
      <Specimen name="Ring">
        <Ring part={0} tone="accent" size={120} />
        <Ring part={0.73} tone="accent" />
        <Ring part={0.73} tone="live" />
        <Ring part={1.2} tone="over" />
      </Specimen>
      <Specimen name="Clock">
        <Clock since={since} className="text-[22px] font-bold text-live-text" />
      </Specimen>
      <AnalyticsCharts analytics={month} />
    </Specimens>
  );
}
