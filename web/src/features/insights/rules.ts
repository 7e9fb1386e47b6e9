import type { AssetHistory, Finding, HistoryMonth } from '@hourshare/contract/insights';
import { formatHours, formatMoney, percentText } from '../../platform/format/numbers.ts';
import { compareNames, numberFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { pastDateText } from '../../platform/format/months.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';

type HistoryMember = HistoryMonth['members'][number];

/** Returns an insight in a sentence or two, with its evidence and what it costs. */
export function insightText(insight: Finding): string {
  const { asset_name: asset, months } = insight;
  if (insight.kind === 'idle') return idleText(insight);
  if (insight.kind === 'unused') return unusedText(insight);
  if (insight.kind === 'limit_reached')
    return t(
      '{name} used up their {asset} allowance in {reached, number} of {months, plural, one {# month} other {# months}}.',
      { name: insight.username, asset, reached: insight.months_reached, months },
    );
  return t('{name} used {percent} of their {hours} on {asset} over {months, plural, one {# month} other {# months}}.', {
    name: insight.username,
    percent: percentText(insight.percentage),
    hours: formatHours(insight.allocated_hours),
    asset,
    months,
  });
}

function unusedText({
  asset_name: asset,
  since,
  yearly_cost: cost,
  currency,
}: Extract<Finding, { kind: 'unused' }>): string {
  return joinSentences(
    since === null
      ? t('No one has used {asset} yet.', { asset })
      : t('No one has used {asset} since {day}.', { asset, day: pastDateText(since) }),
    cost === 0 ? null : t('It costs {cost} per year.', { cost: formatMoney(cost, currency) }),
  );
}

function idleText({
  asset_name: asset,
  months,
  percentage,
  yearly_cost: cost,
  currency,
}: Extract<Finding, { kind: 'idle' }>): string {
  const percent = percentText(percentage);
  return cost === 0
    ? t('{percent} of {asset} hours went unused over {months, plural, one {# month} other {# months}}.', {
        percent,
        asset,
        months,
      })
    : t(
        '{percent} of {asset} hours went unused over {months, plural, one {# month} other {# months}}, about {cost} per year.',
        { percent, asset, months, cost: formatMoney(cost, currency) },
      );
}

export const insightKey = ({ kind, asset_id, username }: Finding): string => `${kind}/${asset_id}/${username}`;

/** Returns everyone with hours in any of the months, by name; their position selects their color. */
export const listMembers = (months: readonly HistoryMonth[]): Pick<HistoryMember, 'username' | 'hue'>[] =>
  [...new Map(months.flatMap(({ members }) => members.map((member) => [member.username, member]))).values()].toSorted(
    (one, other) => compareNames(one.username, other.username),
  );

export const memberHours = ({ members }: HistoryMonth, username: string): number =>
  members.find((member) => member.username === username)?.used_hours ?? 0;

/** Returns the hours available to all members. */
export const allowedHours = ({ members }: Pick<HistoryMonth, 'members'>): number =>
  Math.round(members.reduce((sum, { available_hours: hours }) => sum + hours, 0) * 100) / 100;

/** The sentences below say how many there are. */
const MONTHS_COMPARED = 3;

/** Compares the last three whole months with the three before; empty with fewer than six. */
export function trendText({ months }: Pick<AssetHistory, 'months'>): string {
  const whole = months.filter((month) => month.whole).toReversed();
  const before = whole.slice(MONTHS_COMPARED, MONTHS_COMPARED * 2);
  if (before.length < MONTHS_COMPARED) return '';
  const now = meanHours(whole.slice(0, MONTHS_COMPARED));
  const then = meanHours(before);
  const values = { now: formatHours(now), before: formatHours(then) };
  if (then === 0) return t('{now} per month over the last three months, {before} over the three before.', values);
  const change = Math.round(((now - then) / then) * 100) / 100;
  return change === 0
    ? t('{now} per month over the last three months, {before} over the three before (no change).', values)
    : t('{now} per month over the last three months, {before} over the three before ({change}).', {
        ...values,
        change: numberFormat({ style: 'percent', signDisplay: 'always' }).format(change),
      });
}

const meanHours = (months: readonly HistoryMonth[]): number =>
  Math.round((months.reduce((sum, { used_hours }) => sum + used_hours, 0) * 10) / months.length) / 10;
