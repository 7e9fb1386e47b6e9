import { z } from 'zod';
import { CYCLE_MAX, DEADLINE_DAYS_MAX, REMINDERS_MAX } from './limits.ts';
import { issue } from './sentences.ts';

/** Of dates that are calculated with, here and in the database. */
export const YEARS = /^(?:19|20|21)\d\d-/;

const dateRule = issue('plan_date_rule');
const everyRule = issue('whole_number_rule', { min: 1, max: CYCLE_MAX });

/** How often a price is paid. Renewals are counted from the anchor, and fall on a month's last day where that day is missing. */
export const Cycle = z
  .strictObject(
    {
      every: z.int(everyRule).min(1, everyRule).max(CYCLE_MAX, everyRule),
      unit: z.enum(['month', 'year'], issue('cycle_rule')),
      /** The date of any renewal, past or to come. */
      anchor: z.iso.date(dateRule).regex(YEARS, dateRule),
    },
    issue('cycle_rule'),
  )
  .meta({ id: 'Cycle' });
export type Cycle = z.infer<typeof Cycle>;

const daysRule = issue('whole_number_rule', { min: 0, max: DEADLINE_DAYS_MAX });
const DeadlineDays = z.int(daysRule).min(0, daysRule).max(DEADLINE_DAYS_MAX, daysRule);
const remindersRule = `reminder_days must have at most ${REMINDERS_MAX} numbers`;
const PlanDate = z.iso.date(dateRule).regex(YEARS, dateRule);

/** How an asset is paid. Omitted fields stay as they are; a new asset is paid each calendar month. */
export const planChanges = {
  /** Null for a price per calendar month. */
  cycle: Cycle.nullable().optional(),
  /** False charges all of a cycle in the month in which it starts. Like a price, it applies from a cycle of which no month has ended. */
  spread: z.boolean('spread must be true or false').optional(),
  /** The last day that costs nothing. */
  trial_until: PlanDate.nullable().optional(),
  /** From this day on it is archived, and cycles that would start then cost nothing. */
  ends_on: PlanDate.nullable().optional(),
  /** How many days before a renewal it can be canceled for the last time. */
  cancel_by_days: DeadlineDays.nullable().optional(),
  /** Whether it renews unless it is canceled. Otherwise, it ends with its next renewal unless its owner renews it, or sets another end. */
  auto_renews: z.boolean('auto_renews must be true or false').optional(),
  /** How many days before the last day to cancel, or before a renewal without one, members are reminded. */
  reminder_days: z.array(DeadlineDays, remindersRule).max(REMINDERS_MAX, remindersRule).optional(),
};

export type PlanChanges = z.infer<z.ZodObject<typeof planChanges>>;

export const planFields = {
  cycle: Cycle.nullable(),
  spread: z.boolean(),
  /** The start of the first cycle that `spread` applies to; those before are paid the other way. Null if it applies to all. */
  spread_from: z.iso.date().nullable(),
  trial_until: z.iso.date().nullable(),
  ends_on: z.iso.date().nullable(),
  cancel_by_days: z.int().nullable(),
  auto_renews: z.boolean(),
  reminder_days: z.array(z.int()),
  /** The price of a calendar month, on average if it is paid in other cycles. */
  price_per_month: z.number(),
};

/** A price per cycle, and how it spreads over months. */
export const PaidPlan = z
  .object({
    price: z.number(),
    /** Null for calendar months, of which the first ones may be free. */
    cycle: Cycle.nullable(),
    spread: z.boolean(),
    /** The start of the first cycle that `spread` applies to; null if it applies to all. */
    spread_from: z.iso.date().nullable(),
    trial_until: z.iso.date().nullable(),
    /** The first day of a plan that began with its asset; null if there may have been cycles before. */
    started_on: z.iso.date().nullable(),
  })
  .meta({ id: 'PaidPlan' });
export type PaidPlan = z.infer<typeof PaidPlan>;

/** Returns how many months a cycle has. */
export const monthsOf = ({ every, unit }: Pick<Cycle, 'every' | 'unit'>): number => every * (unit === 'year' ? 12 : 1);

/** Returns what a month costs on average, in whole minor units rounded half up, at a price per cycle. */
export const averageMonth = (price: number, cycle: Pick<Cycle, 'every' | 'unit'> | null): number =>
  cycle ? Math.floor((2 * price + monthsOf(cycle)) / (2 * monthsOf(cycle))) : price;
