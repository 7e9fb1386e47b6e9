import { z } from 'zod';
import { ById, type EndpointTable, READABLE } from './calls.ts';
import { Amount, listOf, Month, PageQuery, SubscriptionCost } from './fields.ts';

/** An asset's monthly price, starting with a month. */
export const Price = z
  .object({
    from_month: Month,
    subscription_cost: Amount,
    /** Whether it can still be changed because its first month isn't closed. */
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
    scripts: READABLE,
    summary: 'List the monthly prices of an owned asset, oldest first',
    params: ById,
    query: PageQuery,
    answers: { 200: PriceList },
  },
  'POST /api/assets/{id}/prices/': {
    summary: 'Set the price of an owned asset starting with an open month; returns all prices',
    idempotent: true,
    params: ById,
    body: SetPriceRequest,
    answers: { 201: PriceList },
  },
} as const satisfies EndpointTable;
