import type { Statement } from '@hourshare/contract/statements';
import { formatHours } from '../../lib/formatting.ts';
import { HourStrip, toneAt } from '../../ui/progress.tsx';
import { usedParts } from './rules.ts';

/** A month's use relative to the available hours, with one segment per member. */
export function UseStrip({ statement }: { statement: Statement }) {
  const members = statement.lines.filter(({ role }) => role === 'member');
  const inWords = members.map(({ username, used_hours }) => `${username} ${formatHours(used_hours)}`);
  return (
    <HourStrip
      label={`Hours used of ${statement.asset_name}`}
      valueText={`${inWords.join(', ') || 'No hours used'} of ${formatHours(statement.offered_hours)} on offer`}
      segments={usedParts(statement.lines, statement.offered_hours).map(({ username, part }, index) => ({
        key: username,
        part,
        tone: toneAt(index),
      }))}
    />
  );
}
