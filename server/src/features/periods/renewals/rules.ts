import { monthsOf } from '@hourshare/contract/cycles';
import { addDays, cycleStartOf, isRenewal, nextRenewal, REMINDED_MONTHS, type Plan } from '../../assets/plans/rules.ts';

/** When an asset's plan renews, and what its owner wants to know before. Dates are local, YYYY-MM-DD. */
export interface Deadlines {
  plan: Plan;
  endsOn: string | null;
  /** Whether it ends then only if it isn't renewed: it doesn't renew by itself, and nothing is decided. */
  endsUnlessRenewed: boolean;
  cancelByDays: number | null;
  /** The most first. */
  reminderDays: readonly number[];
}

/** A renewal, the first day that isn't free, or the end of a plan. */
export interface PlanEvent {
  kind: 'renewal' | 'trial' | 'end';
  on: string;
  /** The last day to cancel it; null without one. */
  cancelBy: string | null;
  /** The deadline before it; none of the first renewal of a trial, nor of an end. */
  since: string;
}

const MONTHS = 12;
/** How long before a deadline without reminders it is near: of long cycles and ends, and of what comes more often. */
const NEAR_DAYS = 30;
const OFTEN_NEAR_DAYS = 7;
/** A reminder that wasn't sent for so long is left out. Notices are kept longer, so none is sent twice. */
const LATE_DAYS = 60;

/** Returns what happens to a plan from a day on, in the following twelve months, in order. */
export function upcomingEvents(
  { plan, endsOn, endsUnlessRenewed, cancelByDays }: Deadlines,
  today: string,
): PlanEvent[] {
  const until = `${Number(today.slice(0, 4)) + MONTHS / 12}${today.slice(4)}`;
  const isAsked = endsOn !== null && endsUnlessRenewed && isRenewal(plan, endsOn);
  const isOver = (on: string) => endsOn !== null && (isAsked ? on > endsOn : on >= endsOn);
  const events: PlanEvent[] = [];
  const { cycle, trialUntil } = plan;
  const firstPaid = trialUntil === null ? null : addDays(trialUntil, 1);
  if (firstPaid !== null && firstPaid >= today && firstPaid <= until && !isOver(firstPaid))
    events.push({ kind: 'trial', on: firstPaid, cancelBy: trialUntil, since: '' });
  if (cycle)
    for (let on = nextRenewal(cycle, addDays(today, -1)); on <= until && !isOver(on); on = nextRenewal(cycle, on)) {
      if (firstPaid !== null && on <= firstPaid) continue;
      const cancelBy = cancelByDays === null ? null : addDays(on, -cancelByDays);
      const since = addDays(cycleStartOf(cycle, addDays(on, -1)), -(cancelByDays ?? 0));
      events.push({ kind: 'renewal', on, cancelBy, since });
    }
  if (endsOn !== null && endsOn >= today && endsOn <= until && !events.some(({ on }) => on === endsOn))
    events.push({ kind: 'end', on: endsOn, cancelBy: null, since: '' });
  return events.toSorted((one, other) => (one.on < other.on ? -1 : Number(one.on > other.on)));
}

const deadlineOf = ({ on, cancelBy }: PlanEvent): string => cancelBy ?? on;

/** Returns the days of reminders of an event: those after the deadline before it, so that no two events are reminded of at once. */
const daysOf = (event: PlanEvent, { reminderDays }: Deadlines): number[] =>
  reminderDays.filter((days) => addDays(deadlineOf(event), -days) > event.since);

/** Returns from when on an event is near, so that members vote. */
export function nearSince(event: PlanEvent, deadlines: Deadlines): string {
  const { cycle } = deadlines.plan;
  const isRare = event.kind === 'end' || (cycle !== null && monthsOf(cycle) >= REMINDED_MONTHS);
  return addDays(deadlineOf(event), -(daysOf(event, deadlines)[0] ?? (isRare ? NEAR_DAYS : OFTEN_NEAR_DAYS)));
}

/** Returns whether members vote on a renewal, of which the end of a trial is the first, on a day. */
export const isVotedOn = (event: PlanEvent, deadlines: Deadlines, today: string): boolean =>
  event.kind !== 'end' && today >= nearSince(event, deadlines) && today <= deadlineOf(event);

/** Returns of how many days before its deadline people are to be reminded of an event on a day: the latest that is due. */
export function dueReminder(event: PlanEvent, deadlines: Deadlines, today: string): number | undefined {
  if (event.kind === 'end' || today > deadlineOf(event)) return undefined;
  const due = daysOf(event, deadlines).filter((days) => addDays(deadlineOf(event), -days) <= today);
  const latest = due.length === 0 ? undefined : Math.min(...due);
  return latest !== undefined && addDays(deadlineOf(event), LATE_DAYS - latest) >= today ? latest : undefined;
}
