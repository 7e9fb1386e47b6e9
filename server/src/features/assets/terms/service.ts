import { averageMonth, type PaidPlan } from '@hourshare/contract/cycles';
import type { NextTerms, Terms } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { Plan } from '../plans/rules.ts';
import type { AgreedTerms } from './rules.ts';

export { costOfAll, costsMore, type AgreedTerms } from './rules.ts';

/** Returns terms as the contract has them. */
export const toWireTerms = (terms: AgreedTerms, currency: string): Terms => ({
  split_method: terms.method,
  base_percent: terms.basePercent,
  price: toAmount(averageMonth(terms.priceCents, terms.plan?.cycle ?? null), currency),
  currency,
  total_hours: terms.totalHours,
  places: terms.places,
  monthly_hours: terms.monthlyHours,
  max_price_per_hour: terms.maxHourCents === null ? null : toAmount(terms.maxHourCents, currency),
  extra_cost_limit: toAmount(terms.extraCostCents, currency),
  ...(terms.plan && { plan: toWirePlan(terms.plan, terms.priceCents, currency) }),
});

/** Returns a price per cycle as the contract has it. */
export const toWirePlan = (plan: Plan, priceCents: number, currency: string): PaidPlan => ({
  price: toAmount(priceCents, currency),
  cycle: plan.cycle,
  spread: plan.spread,
  spread_from: plan.spreadFrom,
  trial_until: plan.trialUntil,
  started_on: plan.startedOn,
});

const fromWirePlan = (plan: PaidPlan): Plan => ({
  cycle: plan.cycle,
  spread: plan.spread,
  spreadFrom: plan.spread_from,
  trialUntil: plan.trial_until,
  startedOn: plan.started_on,
});

/** Returns terms as a client sent them, in the currency that they name. */
export const fromWireTerms = (terms: Terms): AgreedTerms => ({
  method: terms.split_method,
  basePercent: terms.base_percent,
  priceCents: toMinor(terms.plan ? terms.plan.price : terms.price, terms.currency),
  totalHours: terms.total_hours,
  places: terms.places,
  monthlyHours: terms.monthly_hours,
  maxHourCents: terms.max_price_per_hour === null ? null : toMinor(terms.max_price_per_hour, terms.currency),
  plan: terms.plan ? fromWirePlan(terms.plan) : null,
  extraCostCents: toMinor(terms.extra_cost_limit, terms.currency),
});

/** Returns later terms, stored in minor units, in units of their currency. */
export const toNextTerms = (
  {
    max_hour_cents: cap,
    extra_cost_cents: extra,
    ...terms
  }: Omit<NextTerms, 'max_price_per_hour' | 'extra_cost_limit'> & {
    max_hour_cents: number | null;
    extra_cost_cents: number;
  },
  currency: string,
): NextTerms => ({
  ...terms,
  max_price_per_hour: cap === null ? null : toAmount(cap, currency),
  extra_cost_limit: toAmount(extra, currency),
});
