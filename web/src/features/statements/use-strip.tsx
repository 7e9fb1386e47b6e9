import type { Statement } from '@hourshare/contract/statements';
import { formatHours } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthPassed } from '../../platform/format/months.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { hueOf } from '../../ui/hue.ts';

/** A month's use, if it is measured, relative to the available hours, with one segment per member. */
export function UseStrip({ statement }: { statement: Statement }) {
  if (!statement.measured) return null;
  const members = statement.lines.filter(({ role }) => role === 'member');
  const total = formatHours(statement.total_hours);
  const used = members.map(({ username, used_hours }) =>
    t('{name} {hours}', { name: username, hours: formatHours(used_hours) }),
  );
  return (
    <HourStrip
      label={t('Hours used on {asset}', { asset: statement.asset_name })}
      valueText={
        used.length === 0
          ? t('No hours used of {total} available', { total })
          : t('{used} of {total} available', { used: listFormat({ type: 'unit' }).format(used), total })
      }
      segments={members.map(({ username, hue, used_hours: hours }) => ({
        key: username,
        hours,
        tone: hueOf(hue),
      }))}
      allowance={statement.total_hours}
      {...(!statement.ended && { today: monthPassed() })}
    />
  );
}
