import type { OwnedAsset } from '@hourshare/contract/assets';
import type { PlanChanges } from '@hourshare/contract/cycles';
import { readNumber } from '../../platform/forms/request-form.ts';

/** How an asset is paid, as it is typed. */
export interface PlanValues {
  /** Empty for calendar months. */
  cycle_unit: string;
  cycle_every: string;
  cycle_anchor: string;
  spread: boolean;
  trial_until: string;
  ends_on: string;
  cancel_by_days: string;
  auto_renews: boolean;
  reminder_days: string;
}

export const PLAN_NAMES = [
  'cycle_every',
  'cycle_unit',
  'cycle_anchor',
  'spread',
  'trial_until',
  'ends_on',
  'cancel_by_days',
  'reminder_days',
] as const;

export const NO_PLAN: PlanValues = {
  cycle_unit: '',
  cycle_every: '1',
  cycle_anchor: '',
  spread: true,
  trial_until: '',
  ends_on: '',
  cancel_by_days: '',
  auto_renews: true,
  reminder_days: '',
};

export const typedPlan = (asset: OwnedAsset): PlanValues => ({
  cycle_unit: asset.cycle?.unit ?? '',
  cycle_every: String(asset.cycle?.every ?? 1),
  cycle_anchor: asset.cycle?.anchor ?? '',
  spread: asset.spread,
  trial_until: asset.trial_until ?? '',
  ends_on: asset.ends_on ?? '',
  cancel_by_days: asset.cancel_by_days === null ? '' : String(asset.cancel_by_days),
  auto_renews: asset.auto_renews,
  reminder_days: asset.reminder_days.join(', '),
});

const dateOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** Returns what is typed as a request has it. */
export const readPlan = (typed: PlanValues) => ({
  cycle: typed.cycle_unit
    ? { every: readNumber(typed.cycle_every), unit: typed.cycle_unit, anchor: typed.cycle_anchor }
    : null,
  spread: typed.cycle_unit === '' || typed.spread,
  trial_until: dateOrNull(typed.trial_until),
  ends_on: dateOrNull(typed.ends_on),
  // Without a cycle or a trial, their fields aren't shown, and what is typed there can't be corrected.
  ...(typed.cycle_unit !== '' && {
    cancel_by_days: typed.cancel_by_days.trim() === '' ? null : readNumber(typed.cancel_by_days),
  }),
  ...((typed.cycle_unit !== '' || typed.trial_until !== '') && {
    reminder_days: typed.reminder_days
      .split(/[\s,;،、]+/)
      .filter((each) => each !== '')
      .map(readNumber),
  }),
  auto_renews: typed.auto_renews,
});

type Dirty = Partial<Record<string, unknown>>;

/** Returns which fields of the request were edited, by those that were typed. A price counts with its cycle. */
export function editedPlan(dirty: Dirty): Dirty {
  const isCycle = ['cycle_unit', 'cycle_every', 'cycle_anchor'].some((name) => dirty[name] === true);
  return { ...dirty, ...(isCycle && { cycle: true, spread: true, subscription_cost: true }) };
}

/** Returns what a new asset is created with: only what isn't as usual. */
export function newPlan(typed: PlanValues): Partial<Record<keyof PlanChanges, unknown>> {
  const { reminder_days: reminders = [], ...plan } = readPlan(typed);
  const usual = { ...readPlan(NO_PLAN), cancel_by_days: null };
  const changed = Object.entries({ ...plan }).filter(
    ([name, value]) => value !== usual[name as keyof typeof plan], // oxlint-disable-line no-unsafe-type-assertion
  );
  return { ...Object.fromEntries(changed), ...(reminders.length > 0 && { reminder_days: reminders }) };
}
