import type { AssetHistory, Finding, HistoryMonth } from '@hourshare/contract/insights';
import { countOf, formatHours, formatMoney, formatPercent } from '../../lib/formatting.ts';
import { dateText, thisMonth } from '../../lib/months.ts';

/** ": $191.88 a year"; empty without a cost. */
const aYear = ({ yearly_cost: cost, currency }: Finding): string =>
  cost === null || cost === 0 ? '' : `: ${formatMoney(cost, currency)} a year`;

const percent = (percentage: number | null) => `${formatPercent(percentage ?? 0)}%`;

const sentences: Record<Finding['kind'], (finding: Finding) => string> = {
  unused: (each) =>
    each.since === null
      ? `Nobody has used ${each.asset_name} yet${aYear(each)}.`
      : `Nobody used ${each.asset_name} since ${dateText(each.since, thisMonth().slice(0, 4))}${aYear(each)}.`,
  idle: (each) =>
    `${percent(each.percentage)} of the hours of ${each.asset_name} went unused in ${countOf(each.months, 'month')}${aYear(each)}.`,
  limit_reached: (each) =>
    `${each.username} reached the limit of ${each.asset_name} in ${each.months_reached} of ${countOf(each.months, 'month')}.`,
  low_use: (each) =>
    `${each.username} used ${percent(each.percentage)} of ${formatHours(each.allocated_hours ?? 0)} of ${each.asset_name} in ${countOf(each.months, 'month')}.`,
};

/** An insight in one sentence, with its evidence and what it costs. */
export const insightText = (finding: Finding): string => sentences[finding.kind](finding);

export const insightKey = ({ kind, asset_id, username }: Finding): string => `${kind}/${asset_id}/${username}`;

/** Everyone with hours in any of the months, by name; their position selects their color. */
export const peopleIn = (months: readonly HistoryMonth[]): string[] =>
  [...new Set(months.flatMap(({ members }) => members.map(({ username }) => username)))].toSorted((left, right) =>
    left.toLowerCase() < right.toLowerCase() ? -1 : 1,
  );

export const hoursOf = ({ members }: HistoryMonth, username: string): number =>
  members.find((member) => member.username === username)?.used_hours ?? 0;

const MONTHS_COMPARED = 3;

/** Compares the last three whole months with the three before; empty until there are six. */
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
