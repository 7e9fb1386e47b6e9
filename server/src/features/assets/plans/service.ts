import { monthsOf, type Cycle, type PlanChanges } from '@hourshare/contract/cycles';
import { sentence } from '@hourshare/contract/sentences';
import { failField, type Failure } from '../../../platform/result.ts';
import {
  hasSameRenewals,
  isRenewal,
  isSamePlan,
  REMINDED_MONTHS,
  storedPlan,
  unrenewedEnd,
  type Plan,
} from './rules.ts';

export {
  cycleStartOf,
  hasSameCycles,
  isOtherLength,
  monthCents,
  nextRenewal,
  partsOfMonth,
  spreadStart,
  sumOfParts,
  unrenewedEnd,
  type Plan,
} from './rules.ts';

/** A plan of an asset, and the days by which people act. */
interface KnownPlan {
  plan: Plan | null;
  reminderDays: number[];
  endsOn: string | null;
  autoRenews: boolean;
  /** In the asset's time zone, YYYY-MM-DD. */
  today: string;
}

export const NO_PLAN: Plan = { cycle: null, spread: true, spreadFrom: null, trialUntil: null, startedOn: null };

/** Of a long cycle whose owner has chosen none. */
const REMINDER_DAYS = [30, 7, 1];
/** Of a trial without a cycle, for which nothing else is to be reminded of. */
const TRIAL_REMINDER_DAYS = [7, 1];

/** What a request changes: undefined is left as it is. */
export interface ChangedPlan {
  plan: Plan | null | undefined;
  /** Columns of the asset, apart from `ends_on`. */
  columns: { cancel_by_days?: number | null; auto_renews?: boolean; reminder_days?: number[] };
  endsOn: string | null | undefined;
}

/** Returns what a request changes of how an asset is paid, or why it can't. */
export function changePlan(
  asset: KnownPlan,
  changes: PlanChanges,
  { isPriced, isAdded = false }: { isPriced: boolean; isAdded?: boolean },
): ChangedPlan | { problem: Failure } {
  const { plan: before, reminderDays, today } = asset;
  const known = before ?? NO_PLAN;
  // Written otherwise, the same renewals would count as others.
  const isKept = changes.cycle === undefined || hasSameRenewals(known, changes.cycle);
  const cycle = isKept ? known.cycle : (changes.cycle ?? null);
  const endsOn = changes.ends_on;
  if (changes.spread === false && !cycle) return { problem: failField('spread', sentence('cycle_rule')) };
  if (!isPriced && isOtherRhythm(known.cycle, cycle))
    return { problem: failField('subscription_cost', sentence('cycle_needs_price')) };
  if (typeof endsOn === 'string' && endsOn <= today) return { problem: failField('ends_on', sentence('plan_ended')) };
  const isStart = cycle !== null && cycle.anchor <= today && (isAdded || known.startedOn === known.cycle?.anchor);
  const plan = storedPlan({
    // When another `spread` applies is up to the months.
    spreadFrom: known.spreadFrom,
    cycle: cycle && { every: cycle.every, unit: cycle.unit, anchor: cycle.anchor },
    spread: changes.spread ?? known.spread,
    trialUntil: changes.trial_until === undefined ? known.trialUntil : changes.trial_until,
    startedOn: isStart ? cycle.anchor : null,
  });
  const isLong = isReminded(cycle) && !isReminded(known.cycle);
  const isTrial = !cycle && plan !== null && plan.trialUntil !== null && known.trialUntil === null;
  const usual = isLong ? REMINDER_DAYS : isTrial ? TRIAL_REMINDER_DAYS : undefined;
  const reminders = changes.reminder_days ?? (reminderDays.length === 0 ? usual : undefined);
  return {
    plan: isSamePlan(plan, before) ? undefined : plan,
    columns: {
      ...(changes.cancel_by_days !== undefined && { cancel_by_days: changes.cancel_by_days }),
      ...(changes.auto_renews !== undefined && { auto_renews: changes.auto_renews }),
      ...(reminders && { reminder_days: [...new Set(reminders)].toSorted((one, other) => other - one) }),
    },
    endsOn: changedEnd(asset, changes, plan),
  };
}

/** Returns when an asset ends by a change, if that changes: what doesn't renew by itself ends with its next renewal, unless a day is set. */
function changedEnd(
  { plan: before, endsOn, autoRenews, today }: KnownPlan,
  { ends_on: asked, auto_renews: renews = autoRenews, cycle, trial_until: trial }: PlanChanges,
  plan: Plan | null,
): string | null | undefined {
  if (asked === undefined && renews === autoRenews && cycle === undefined && trial === undefined) return undefined;
  const isSet = endsOn !== null && (autoRenews || !isRenewal(before ?? NO_PLAN, endsOn));
  if (typeof asked === 'string' || (asked === undefined && isSet)) return asked;
  const isKept =
    asked === undefined &&
    endsOn !== null &&
    !renews &&
    plan !== null &&
    isRenewal(plan, endsOn) &&
    (plan.trialUntil ?? '') < endsOn;
  const end = isKept ? endsOn : renews ? null : unrenewedEnd(plan, today);
  return end === endsOn ? undefined : end;
}

const isReminded = (cycle: Cycle | null): boolean => cycle !== null && monthsOf(cycle) >= REMINDED_MONTHS;

const isOtherRhythm = (one: Cycle | null, other: Cycle | null): boolean =>
  one?.every !== other?.every || one?.unit !== other?.unit;
