import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { formatHours } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthPassed } from '../../platform/format/months.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { hueOf } from '../../ui/hue.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { memberUse, runningUse, type MemberUse } from './rules.ts';

/** How many members a card names; more would push the price off the screen. The dialog lists them all. */
const MAX_NAMED = 4;

interface MemberStripProps {
  asset: OwnedAsset;
  /** The owner's share of it, if they take part. */
  own: SharedAsset | undefined;
  /** Without the hours of each, which the bar shows. */
  brief: boolean;
}

/** Returns each member's hours, of which those of a running session are amber. */
const memberSegments = (members: MemberUse['members']) =>
  members.flatMap((member) => {
    const { id, hue, hours } = member;
    const running = runningUse(member);
    return [
      { key: id, hours: hours - running, tone: hueOf(hue) },
      { key: -id, hours: running, tone: 'live' as const },
    ];
  });

/** This month's use of an asset: one segment per member, relative to the available hours, and their faces. */
export function MemberStrip({ asset, own, brief }: MemberStripProps) {
  const { members, available } = memberUse(asset, own);
  const inWords = members.map(({ name, hours }) => t('{name} {hours}', { name, hours: formatHours(hours) }));
  const segments = memberSegments(members);
  // Of many, those come first whose hours there are.
  const isLong = members.length > MAX_NAMED;
  const users = isLong ? members.filter(({ hours, activeSince }) => hours > 0 || activeSince !== null) : members;
  const named = users.slice(0, MAX_NAMED);
  const more = users.length - named.length;
  const idle = members.length - users.length;
  return (
    <>
      <HourStrip
        label={t('Hours used on {asset} this month', { asset: asset.name })}
        valueText={listFormat({ type: 'unit' }).format(inWords) || t('No hours used')}
        segments={segments}
        allowance={available}
        today={monthPassed()}
      />
      <ul
        role="list"
        className="mt-2.5 flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1.5 md:gap-x-3.5 text-small"
      >
        {named.map(({ id, name, hue, hours, activeSince: since }) => (
          <li key={id} className="flex max-w-full min-w-0 items-center gap-1 md:gap-1.5">
            <Avatar
              name={id === own?.id ? own.owner : name}
              hue={hue}
              size="small"
              live={since !== null}
              className={since === null ? undefined : 'mx-1'}
            />
            <bdi className="truncate text-muted">{name}</bdi>
            <span className={brief ? 'sr-only' : 'figures shrink-0 font-semibold'}>{formatHours(hours)}</span>
            {since !== null && <span className="shrink-0 font-semibold text-live-text">{t('now [[in use]]')}</span>}
          </li>
        ))}
        {more > 0 && <li className="text-muted">{t('and {count} more', { count: more })}</li>}
        {idle > 0 && (
          <li className="text-muted">
            {t('{count, plural, one {# person} other {# people}}, no usage', { count: idle })}
          </li>
        )}
      </ul>
    </>
  );
}
