import type { AssetHistory, Finding, HistoryMonth } from '@hourshare/contract/insights';
import { formatCount, formatHours, formatMoney, formatPercent } from '../../lib/formatting.ts';
import { dateText, thisMonth } from '../../lib/months.ts';

/** Returns ": $191.88 a year"; empty when it costs nothing. */
const yearlyCostText = ({ yearly_cost: cost, currency }: { yearly_cost: number; currency: string }): string =>
  cost === 0 ? '' : `: ${formatMoney(cost, currency)} a year`;

/** Returns an insight as one sentence, with its evidence and what it costs. */
export function insightText(insight: Finding): string {
  const asset = insight.asset_name;
  const months = formatCount(insight.months, 'month');
  if (insight.kind === 'limit_reached')
    return `${insight.username} reached the limit of ${asset} in ${insight.months_reached} of ${months}.`;
  if (insight.kind === 'low_use')
    return `${insight.username} used ${formatPercent(insight.percentage)}% of ${formatHours(insight.allocated_hours)} of ${asset} in ${months}.`;
  const cost = yearlyCostText(insight);
  if (insight.kind === 'idle')
    return `${formatPercent(insight.percentage)}% of the hours of ${asset} went unused in ${months}${cost}.`;
  return insight.since === null
    ? `Nobody has used ${asset} yet${cost}.`
    : `Nobody used ${asset} since ${dateText(insight.since, thisMonth().slice(0, 4))}${cost}.`;
}

export const insightKey = ({ kind, asset_id, username }: Finding): string => `${kind}/${asset_id}/${username}`;

/** Returns everyone with hours in any of the months, by name; their position selects their color. */
export const listMembers = (months: readonly HistoryMonth[]): string[] =>
  [...new Set(months.flatMap(({ members }) => members.map(({ username }) => username)))].toSorted((left, right) =>
    left.toLowerCase() < right.toLowerCase() ? -1 : 1,
  );

export const memberHours = ({ members }: HistoryMonth, username: string): number =>
  members.find((member) => member.username === username)?.used_hours ?? 0;

const MONTHS_COMPARED = 3;

/** Compares the last three whole months with the three before; empty with fewer than six. */
export function trendText({ months }: Pick<AssetHistory, 'months'>): string {
  const whole = months.filter((month) => month.whole).toReversed();
  const before = whole.slice(MONTHS_COMPARED, MONTHS_COMPARED * 2);
  if (before.length < MONTHS_COMPARED) return '';
  const now = meanHours(whole.slice(0, MONTHS_COMPARED));
  const then = meanHours(before);
  const change = then === 0 ? '' : ` (${changeText(now, then)})`;
  return `${formatHours(now)} a month over the last ${MONTHS_COMPARED} months, ${formatHours(then)} over the ${MONTHS_COMPARED} before${change}.`;
}

const meanHours = (months: readonly HistoryMonth[]): number =>
  Math.round((months.reduce((sum, { used_hours }) => sum + used_hours, 0) * 10) / months.length) / 10;

function changeText(now: number, then: number): string {
  const percentage = Math.round(((now - then) / then) * 100);
  return percentage === 0 ? 'as much' : `${percentage > 0 ? '+' : '−'}${formatPercent(Math.abs(percentage))}%`;
}
