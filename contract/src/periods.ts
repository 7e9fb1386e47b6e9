import { z } from 'zod';
import { ById, type EndpointTable } from './calls.ts';
import { Amount, listOf, Month, PageQuery } from './fields.ts';
import { OWNER_HOURS_MAX, SUBSCRIPTION_COST_MAX, SUBSCRIPTION_COST_MIN, SUBSCRIPTION_COST_STEP } from './limits.ts';

/** Dollars a month as a JSON number with at most two decimals; whole cents in the database. */
export const SubscriptionCost = z
  .number({
    error: (issue) =>
      issue.input === undefined
        ? 'Monthly subscription cost is required'
        : 'Monthly subscription cost must be a number',
  })
  .min(SUBSCRIPTION_COST_MIN, 'Monthly subscription cost must not be negative')
  .max(SUBSCRIPTION_COST_MAX, `Monthly subscription cost must be at most ${SUBSCRIPTION_COST_MAX}`)
  .multipleOf(SUBSCRIPTION_COST_STEP, 'Monthly subscription cost must have at most two decimals');

export const SplitMethod = z.enum(['usage', 'allocation', 'equal'], 'Split method must be usage, allocation or equal');
export type SplitMethod = z.infer<typeof SplitMethod>;

const BASE_PERCENT_RULE = 'Base part must be a whole number of percent from 0 to 100';
export const BasePercent = z.int(BASE_PERCENT_RULE).min(0, BASE_PERCENT_RULE).max(100, BASE_PERCENT_RULE);

const OWNER_HOURS_RULE = `Your own hours must be a whole number from 0 to ${OWNER_HOURS_MAX}`;
export const OwnerHours = z.int(OWNER_HOURS_RULE).min(0, OWNER_HOURS_RULE).max(OWNER_HOURS_MAX, OWNER_HOURS_RULE);

/** An asset's monthly price, starting with a month. */
export const Price = z
  .object({
    from_month: Month,
    subscription_cost: Amount,
    /** Whether it can still be changed, because its first month isn't closed. */
    open: z.boolean(),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof Price>;

/** Oldest first. */
export const PriceList = listOf(Price).meta({ id: 'PriceList' });

export const SetPriceRequest = z
  .strictObject({ from_month: Month, subscription_cost: SubscriptionCost })
  .meta({ id: 'SetPriceRequest' });
export type SetPriceRequest = z.infer<typeof SetPriceRequest>;

export const periodEndpoints = {
  'GET /api/assets/{id}/prices/': {
    summary: 'What an owned asset costs, from which month on, oldest first',
    params: ById,
    query: PageQuery,
    answers: { 200: PriceList },
  },
  'POST /api/assets/{id}/prices/': {
    summary: 'Set what an owned asset costs from a month on that is not closed; answers all prices',
    creates: true,
    params: ById,
    body: SetPriceRequest,
    answers: { 201: PriceList },
  },
} as const satisfies EndpointTable;
