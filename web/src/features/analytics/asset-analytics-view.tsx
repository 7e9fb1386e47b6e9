import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { useId, useState } from 'react';
import { formatHours, percentText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Select } from '../../ui/select.tsx';
import { MonthFigures, MonthView } from './analytics-view.tsx';
import { assetAnalyticsFile, useAssetAnalytics } from './api.ts';

const ALL_MEMBERS = '';

/** Analytics of an owned asset for one month, in total and per member. */
export function AssetAnalyticsView({ assetId }: { assetId: number }) {
  const [month, setMonth] = useState<string>();
  const [member, setMember] = useState(ALL_MEMBERS);
  const current = useAssetAnalytics(assetId);
  const shown = useAssetAnalytics(assetId, month);
  return (
    <MonthView
      month={month}
      current={current}
      shown={shown}
      onMonth={setMonth}
      file={() => assetAnalyticsFile(assetId, month)}
    >
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
  // A member selected in one month may have had no share in another.
  const chosen = analytics.members.find(({ username }) => username === member);
  return (
    <div className="grid gap-3.5">
      {analytics.members.length > 1 && (
        <Select
          label={t('Member')}
          value={chosen?.username ?? ALL_MEMBERS}
          onChange={onMember}
          options={[
            { value: ALL_MEMBERS, text: t('Everyone') },
            ...analytics.members.map(({ username }) => ({ value: username, text: username })),
          ]}
        />
      )}
      {/* The key forces new charts for another member. */}
      <MonthFigures
        key={chosen?.username}
        analytics={chosen ?? analytics}
        past={past}
        user={chosen ? { username: chosen.username } : 'members'}
      />
      {!chosen && analytics.members.length > 0 && <MemberTable members={analytics.members} />}
    </div>
  );
}

function MemberTable({ members }: { members: AssetAnalytics['members'] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="min-w-0 rounded-card border border-line bg-surface p-4.5">
      <h2 id={headingId} className="font-semibold">
        {t('By member')}
      </h2>
      <FiguresTable titles={[t('Who'), t('Used'), t('Allowance'), '%']}>
        {members.map((member) => (
          <FiguresRow key={member.username} name={member.username}>
            <Figure>{formatHours(member.total_usage)}</Figure>
            <Figure>{formatHours(member.total_allocation)}</Figure>
            <Figure className={member.utilization_percentage > 100 ? 'text-over-text' : ''}>
              {percentText(member.utilization_percentage)}
            </Figure>
          </FiguresRow>
        ))}
      </FiguresTable>
    </section>
  );
}
