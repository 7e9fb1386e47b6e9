import { z } from 'zod';
import { ById, type EndpointTable, READABLE } from './calls.ts';
import { Cycle } from './cycles.ts';
import { Amount, Hue, Id, listOf, Month, PageQuery, SubscriptionCost, text } from './fields.ts';
import { OBJECTION_TEXT_MAX_LENGTH } from './limits.ts';
import { issue } from './sentences.ts';

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

const VoteChoice = z.enum(['keep', 'smaller', 'cancel'], 'choice must be keep, smaller, or cancel');

/** What a member says about a renewal. */
export const RenewalVote = z.object({ username: z.string(), choice: VoteChoice, line: z.string() });

/** What happens to a plan: it renews, its free days end, which is voted on like a renewal, or it ends. */
export const Renewal = z
  .object({
    asset_id: Id,
    /** The caller's share as a member; null for its owner. */
    share_id: Id.nullable(),
    asset_name: z.string(),
    owner: z.string(),
    your_role: z.enum(['owner', 'manager', 'member']),
    kind: z.enum(['renewal', 'trial', 'end']),
    on: z.iso.date(),
    /** The last day to cancel; null without one. */
    cancel_by: z.iso.date().nullable(),
    /** Of the cycle that begins. */
    price: Amount,
    currency: z.string(),
    cycle: Cycle.nullable(),
    auto_renews: z.boolean(),
    /** Whether the day of the first reminder has come. */
    near: z.boolean(),
    /** Whether members say what they want: from the first reminder to the last day to cancel. */
    open: z.boolean(),
    votes: z.array(RenewalVote.extend({ hue: Hue })),
    your_vote: VoteChoice.nullable(),
    decision: z.enum(['renewed', 'canceled']).nullable(),
  })
  .meta({ id: 'Renewal' });
export type Renewal = z.infer<typeof Renewal>;

const RenewsOn = z.iso.date(issue('plan_date_rule'));

const voteLineCharacters = issue('objection_text_characters');
export const VoteRequest = z
  .strictObject({
    renews_on: RenewsOn,
    choice: VoteChoice,
    line: text({ notText: voteLineCharacters, characters: voteLineCharacters })
      .max(OBJECTION_TEXT_MAX_LENGTH, issue('text_too_long', { max: OBJECTION_TEXT_MAX_LENGTH }))
      .optional(),
  })
  .meta({ id: 'VoteRequest' });
export type VoteRequest = z.infer<typeof VoteRequest>;

export const DecideRenewalRequest = z
  .strictObject({
    renews_on: RenewsOn,
    decision: z.enum(['renewed', 'canceled'], 'decision must be renewed or canceled'),
  })
  .meta({ id: 'DecideRenewalRequest' });
export type DecideRenewalRequest = z.infer<typeof DecideRenewalRequest>;

export const periodEndpoints = {
  'GET /api/renewals/': {
    scripts: READABLE,
    summary: "List the next twelve months' renewals of own and shared assets, in order",
    query: PageQuery,
    answers: { 200: listOf(Renewal).meta({ id: 'RenewalList' }) },
  },
  'POST /api/shared-assets/{id}/vote/': {
    summary: 'Say whether to keep a shared asset at its renewal; the owner decides',
    params: ById,
    body: VoteRequest,
    answers: { 200: Renewal },
  },
  'POST /api/assets/{id}/renewal/': {
    summary: "Record an owner's decision about a renewal; canceled, the asset ends with it",
    params: ById,
    body: DecideRenewalRequest,
    answers: { 200: Renewal },
  },
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
