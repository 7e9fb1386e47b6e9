import type { AssetAnalytics } from '@hourshare/contract/analytics';
import { useMemo, useState } from 'react';
import { formatHours, percentText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Select } from '../../ui/select.tsx';
import { useAssets } from '../assets/api.ts';
import { useOwnShares } from '../shares/api.ts';
import { MonthView } from './analytics-view.tsx';
import { assetAnalyticsFile, useAssetAnalytics } from './api.ts';
import { startsOf } from './rules.ts';

const ALL_MEMBERS = '';

/** Analytics of an owned asset for one month, in total and per member. */
export function AssetAnalyticsView({ assetId }: { assetId: number }) {
  const [month, setMonth] = useState<string>();
  const [member, setMember] = useState(ALL_MEMBERS);
  const current = useAssetAnalytics(assetId);
  const shown = useAssetAnalytics(assetId, month);
  const total = shown.data;
  const members = total?.members ?? [];
  // A member selected in one month may have had no share in another.
  const chosen = members.find(({ username }) => username === member);
  const runningSince = useRunningSince(assetId, chosen?.username);
  return (
    <div className="grid grid-cols-1 gap-3.5">
      {members.length > 1 && (
        <Select
          label={t('Member')}
          value={chosen?.username ?? ALL_MEMBERS}
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
        figures={total ? { analytics: chosen ?? total, user: chosen ?? onlyOne(members) ?? 'members' } : null}
        onMonth={setMonth}
        file={() => assetAnalyticsFile(assetId, month)}
        runningSince={runningSince}
      >
        {!chosen && members.length > 0 && <MemberTable members={members} />}
      </MonthView>
    </div>
  );
}

const onlyOne = (members: AssetAnalytics['members']) => (members.length === 1 ? members[0] : undefined);

function useRunningSince(assetId: number, member: string | undefined): readonly string[] {
  const asset = useAssets().data?.find(({ id }) => id === assetId);
  const own = useOwnShares().find(({ id }) => id === asset?.own_share_id)?.active_since ?? null;
  const entries = asset?.shared_with;
  return useMemo(() => startsOf(entries ?? [], own, member), [entries, own, member]);
}

const MemberTable = ({ members }: { members: AssetAnalytics['members'] }) => (
  <Card className="mt-3.5">
    <Disclosure heading="h2" summary={t('By member')} className="-my-2">
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
    </Disclosure>
  </Card>
);
