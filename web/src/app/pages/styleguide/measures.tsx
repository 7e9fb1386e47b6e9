import { useState } from 'react';
import { AnalyticsCharts } from '../../../features/analytics/charts.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { HourStrip } from '../../../ui/progress.tsx';
import { hueOf } from '../../../ui/hue.ts';
import { Swatch } from '../../../ui/swatch.tsx';
import { Ring } from '../../../ui/ring.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const ALLOWANCE = 20;
const uses: [name: string, used: number, running: number][] = [
  ['unused', 0, 0],
  ['used', 12.4, 0],
  ['running', 13, 1.4],
  ['full', 20, 0],
  ['over', 28.8, 0],
];
const members = [12, 9, 8, 7, 7, 6, 6, 5];
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
  metered_usage: { '2026-05-09': 6 },
  pace: null,
};

const monthOver = { total_allocation: 12, total_usage: 14.5, remaining_hours: 0, utilization_percentage: 120.8 };

export function Measures() {
  const [running] = useState(() => [new Date(Date.now() - HALF_PAST_ONE_MS).toISOString()] as const);
  return (
    <Specimens title="Measures">
      <div className="grid gap-4 sm:grid-cols-2">
        {uses.map(([name, used, running]) => (
          <HourStrip
            key={name}
            label={`HourStrip, ${name}`}
            valueText={`${used} of ${ALLOWANCE} hours`}
            segments={[
              { key: 'used', hours: used - running, tone: 'accent' },
              { key: 'running', hours: running, tone: 'live' },
            ]}
            allowance={ALLOWANCE}
            today={0.69}
          />
        ))}
        {[80, 50].map((allowance) => (
          <HourStrip
            key={allowance}
            label={`HourStrip of eight members, ${allowance} hours`}
            valueText={`60 of ${allowance} hours`}
            segments={members.map((hours, position) => ({ key: position, hours, tone: hueOf(position) }))}
            allowance={allowance}
            today={0.69}
          />
        ))}
      </div>
      <Specimen name="Swatch, by hue">
        {members.map((_, position) => (
          <Swatch key={position} tone={hueOf(position)} />
        ))}
      </Specimen>
      <Specimen name="Ring">
        {uses.map(([name, used, running]) => (
          <Ring key={name} part={used / ALLOWANCE} running={running / ALLOWANCE}>
            {used > ALLOWANCE ? `${used - ALLOWANCE} h over` : `${ALLOWANCE - used} h left`}
          </Ring>
        ))}
      </Specimen>
      <Specimen name="Clock">
        <Clock since={running[0]} className="text-[22px] font-bold text-live-text" />
      </Specimen>
      <AnalyticsCharts analytics={month} past={false} runningSince={running} />
      <AnalyticsCharts analytics={{ ...month, ...monthOver }} past={false} runningSince={[]} />
    </Specimens>
  );
}
