import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { useId, useState } from 'react';
import { formatHours, formatPercent } from '../../lib/formatting.ts';
import { Select } from '../../ui/select.tsx';
import { MonthFigures, MonthView } from './analytics-view.tsx';
import { useAssetAnalytics } from './api.ts';

const EVERYBODY = '';

/** An owned asset's month: all use of it, and each member's. */
export function AssetAnalyticsView({ assetId }: { assetId: number }) {
  const [month, setMonth] = useState<string>();
  const [member, setMember] = useState(EVERYBODY);
  const current = useAssetAnalytics(assetId);
  const shown = useAssetAnalytics(assetId, month);
  return (
    <MonthView month={month} current={current} shown={shown} onMonth={setMonth}>
      {(analytics) => (
        <AssetMonth analytics={analytics} past={month !== undefined} member={member} onMember={setMember} />
      )}
    </MonthView>
  );
}

interface AssetMonthProps {
  analytics: AssetAnalytics;
  past: boolean;
  member: string;
  onMember: (username: string) => void;
}

function AssetMonth({ analytics, past, member, onMember }: AssetMonthProps) {
  // Somebody chosen in one month may have had no share in another.
  const chosen = analytics.members.find(({ username }) => username === member);
  return (
    <div className="grid gap-3.5">
      {analytics.members.length > 1 && (
        <Select
          label="Whose use"
          value={chosen?.username ?? EVERYBODY}
          onChange={onMember}
          options={[
            { value: EVERYBODY, text: 'Everybody' },
            ...analytics.members.map(({ username }) => ({ value: username, text: username })),
          ]}
        />
      )}
      {/* A chart is drawn once for what it shows, so another person's is another. */}
      <MonthFigures key={chosen?.username} analytics={chosen ?? analytics} past={past} />
      {!chosen && analytics.members.length > 0 && <MemberTable members={analytics.members} />}
    </div>
  );
}

function MemberTable({ members }: { members: AssetAnalytics['members'] }) {
  const headingId = useId();
  const head = 'py-2 pl-3 text-right text-[13.5px] font-medium text-muted first:pl-0 first:text-left';
  const cell = 'figures py-2 pl-3 text-right first:pl-0 first:text-left';
  return (
    <section aria-labelledby={headingId} className="min-w-0 rounded-card border border-line bg-surface p-4.5">
      <h2 id={headingId} className="font-semibold">
        By member
      </h2>
      <table className="mt-1 w-full table-fixed">
        <thead>
          <tr className="border-b border-line">
            {['Who', 'Used', 'Allocation', 'Utilization'].map((title) => (
              <th key={title} scope="col" className={head}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.username} className="border-b border-line last:border-b-0">
              <th scope="row" className={`${cell} truncate font-medium`}>
                {member.username}
              </th>
              <td className={cell}>{formatHours(member.total_usage)}</td>
              <td className={cell}>{formatHours(member.total_allocation)}</td>
              <td className={`${cell} ${member.utilization_percentage > 100 ? 'text-over-text' : ''}`}>
                {formatPercent(member.utilization_percentage)} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
