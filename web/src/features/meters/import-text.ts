import { METER_NAMES_MAX } from '@hourshare/contract/limits';
import type { EventReason, ImportAnswer, Meter } from '@hourshare/contract/meters';
import { t } from '../../platform/i18n/messages.ts';
import type { FileProblem } from './files/read-file.ts';

export function problemText(problem: FileProblem): string {
  const texts: Record<FileProblem, () => string> = {
    unreadable: () => t("This file can't be read. Unpack a ZIP file first."),
    unknown: () =>
      t('This file is of another kind. Choose one of those above, or a table with names, starts, and ends.'),
    no_rows: () => t('This file has no use with a name, a start, and an end.'),
    too_many_rows: () => t('This file has too many rows. Export fewer months.'),
    too_many_names: () => t('This file has more than {count, number} names.', { count: METER_NAMES_MAX }),
  };
  return texts[problem]();
}

/** Says why rows don't count. */
export function reasonText(reason: EventReason): string {
  const texts: Record<EventReason, () => string> = {
    other_session: () => t('Overlaps other use'),
    unknown_name: () => t('Name not matched yet'),
    not_agreed: () => t('Waiting for them to agree'),
    refused: () => t('They said no'),
    too_old: () => t('Too old'),
    in_future: () => t('Not over yet'),
    end_before_start: () => t('Ends before it starts'),
    month_closed: () => t('In a closed month'),
    no_access: () => t('No access at the time'),
    archived: () => t('While the asset was archived'),
    not_measured: () => t('In a month in which use is not measured'),
    allowance_used: () => t('Beyond the allowance'),
    not_counted: () => t('Too short'),
    replaced: () => t('Replaced by a later total'),
    wrong_kind: () => t('This meter counts days, not sessions'),
  };
  return texts[reason]();
}

export interface MemberHours {
  name: string;
  counted: number;
  known: number;
  waiting: number;
}

/** Returns the hours by member, in their order; names that mean nobody are on their own. */
export function hoursByMember({ names }: ImportAnswer, members: Meter['members']): MemberHours[] {
  const sums = new Map<string, MemberHours>();
  for (const { external_name: external, share_id: id, parts } of names) {
    const name = members.find((each) => each.share_id === id)?.username ?? external;
    const sum = sums.get(name) ?? { name, counted: 0, known: 0, waiting: 0 };
    sums.set(name, sum);
    for (const { result, hours } of parts)
      if (result === 'counted' || result === 'known' || result === 'waiting') sum[result] += hours;
  }
  return [...sums.values()].filter(({ counted, known, waiting }) => counted + known + waiting > 0);
}

/** Returns the rows and hours that don't count, by why, with most rows first. */
export function lossesOf({ names }: ImportAnswer): { reason: EventReason; rows: number; hours: number }[] {
  const sums = new Map<EventReason, { reason: EventReason; rows: number; hours: number }>();
  for (const { result, reason, rows, hours } of names.flatMap(({ parts }) => parts)) {
    if (reason === null || result === 'waiting') continue;
    const sum = sums.get(reason) ?? { reason, rows: 0, hours: 0 };
    sums.set(reason, { reason, rows: sum.rows + rows, hours: sum.hours + hours });
  }
  return [...sums.values()].toSorted((one, other) => other.rows - one.rows || other.hours - one.hours);
}
