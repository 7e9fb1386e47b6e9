import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { ReactNode } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthPassed } from '../../platform/format/months.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { hueOf } from '../../ui/hue.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { memberUse } from './rules.ts';

/** How many members a card names; more would push the price off the screen. The dialog lists them all. */
const MAX_NAMED = 4;

interface MemberStripProps {
  asset: OwnedAsset;
  /** The owner's share of it, if they take part. */
  own: SharedAsset | undefined;
  children: ReactNode;
}

/** This month's use of an asset: one segment per member, relative to the available hours. Children end the legend. */
export function MemberStrip({ asset, own, children }: MemberStripProps) {
  const { members, available } = memberUse(asset, own);
  const inWords = members.map(({ name, hours }) => t('{name} {hours}', { name, hours: formatHours(hours) }));
  const unnamed = members.length - MAX_NAMED;
  return (
    <>
      <HourStrip
        label={t('Hours used on {asset} this month', { asset: asset.name })}
        valueText={listFormat({ type: 'unit' }).format(inWords) || t('No hours used')}
        segments={members.map(({ id, hue, hours }) => ({ key: id, hours, tone: hueOf(hue) }))}
        allowance={available}
        today={monthPassed()}
      />
      <ul role="list" className="mt-2 flex min-h-5 flex-wrap gap-x-3 gap-y-1 text-[13px] text-muted">
        {members.slice(0, MAX_NAMED).map(({ id, name, hue, hours, live }) => (
          <li key={id} className="flex max-w-full min-w-0 items-center gap-1.5">
            <Avatar name={name} hue={hue} size="small" live={live} />
            <span className="truncate">{name}</span>
            <span className="figures shrink-0">{formatHours(hours)}</span>
          </li>
        ))}
        {unnamed > 0 && <li>{t('and {count} more', { count: unnamed })}</li>}
        {members.length === 0 && <li>{t('No usage yet this month')}</li>}
        {children}
      </ul>
    </>
  );
}
