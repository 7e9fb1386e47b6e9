import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { useId, useMemo, useState } from 'react';
import { formatHours, percentText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Select } from '../../ui/select.tsx';
import { useAssets } from '../assets/api.ts';
import { MonthView, type Shown } from './analytics-view.tsx';
import { assetAnalyticsFile, useAssetAnalytics } from './api.ts';

const ALL_MEMBERS = '';

/** Analytics of an owned asset for one month, in total and per member. */
export function AssetAnalyticsView({ assetId }: { assetId: number }) {
  const [month, setMonth] = useState<string>();
  const [member, setMember] = useState(ALL_MEMBERS);
  const current = useAssetAnalytics(assetId);
  const shown = useAssetAnalytics(assetId, month);
  const entries = useAssets().data?.find(({ id }) => id === assetId)?.shared_with;
  const runningSince = useMemo(
    () =>
      (entries ?? []).flatMap(({ shared_with_username: name, active_since: since }) =>
        since !== null && (member === ALL_MEMBERS || name === member) ? [since] : [],
      ),
    [entries, member],
  );
  const members = shown.data?.members ?? [];
  // A member selected in one month may have had no share in another.
  const find = (analytics: AssetAnalytics) => analytics.members.find(({ username }) => username === member);
  const select = (analytics: AssetAnalytics): Shown => {
    const chosen = find(analytics);
    return chosen ? { analytics: chosen, user: { username: chosen.username } } : { analytics, user: 'members' };
  };
  return (
    <div className="grid gap-3.5">
      {members.length > 1 && (
        <Select
          label={t('Member')}
          value={members.some(({ username }) => username === member) ? member : ALL_MEMBERS}
          onChange={setMember}
          options={[
            { value: ALL_MEMBERS, text: t('Everyone') },
            ...members.map(({ username }) => ({ value: username, text: username })),
          ]}
        />
      )}
      <MonthView
        month={month}
        current={current}
        shown={shown}
        onMonth={setMonth}
        file={() => assetAnalyticsFile(assetId, month)}
        select={select}
        runningSince={runningSince}
      >
        {(analytics) => !find(analytics) && analytics.members.length > 0 && <MemberTable members={analytics.members} />}
      </MonthView>
    </div>
  );
}

function MemberTable({ members }: { members: AssetAnalytics['members'] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="mt-3.5 min-w-0 rounded-card border border-line bg-surface p-4.5">
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
