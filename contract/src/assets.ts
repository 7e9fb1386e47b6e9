import { z } from 'zod';
import { planChanges, planFields } from './cycles.ts';
import { TimeZone } from './users.ts';
import { ById, type EndpointTable, NoContent, READABLE } from './calls.ts';
import {
  Amount,
  Currency,
  Hours,
  Hue,
  Id,
  Instant,
  listOf,
  Month,
  nameUpTo,
  NextTerms,
  PageQuery,
  priceProblem,
  SubscriptionCost,
  termChanges,
  termFields,
  Terms,
  text,
} from './fields.ts';
import { ASSET_DESCRIPTION_MAX_LENGTH, ASSET_NAME_MAX_LENGTH } from './limits.ts';
import { DEFAULT_CURRENCY } from './money.ts';
import { issue, issueOf } from './sentences.ts';

const AssetName = nameUpTo(ASSET_NAME_MAX_LENGTH);

const AssetDescription = text({
  notText: 'Description must be text',
  characters: issue('description_characters'),
}).max(ASSET_DESCRIPTION_MAX_LENGTH, issue('description_too_long', { max: ASSET_DESCRIPTION_MAX_LENGTH }));

/** One member's entry on an owned asset. An invitation has no member or hours yet. */
export const SharedWithEntry = z
  .object({
    id: Id,
    /** Whether access hasn't begun. */
    pending: z.boolean(),
    /** Whether the member said yes, also to an offer that gives access later. */
    accepted: z.boolean(),
    /** First day of access if that is still to come; null otherwise. */
    starts_on: z.iso.date().nullable(),
    /** Set for an invitation by link; no share has its id. */
    invitation_id: Id.nullable(),
    shared_with_username: z.string().nullable(),
    /** The member's color; null for an invitation. */
    hue: Hue.nullable(),
    /** Whether it is someone without an account, for whom the owner records sessions. */
    person: z.boolean(),
    /** Whether this member co-manages the asset. */
    manager: z.boolean(),
    /** Until when that person can join by a link; null without one. */
    claim_expires_at: Instant.nullable(),
    monthly_hours_allocated: z.int().nullable(),
    usage_this_month: Hours.nullable(),
    active_session: z.boolean().nullable(),
    /** Start of the active session, so that a card can say who uses the asset and since when. */
    active_since: Instant.nullable(),
    /** When an offer or invitation expires; null once accepted. */
    expires_at: Instant.nullable(),
    /** What they last said yes to: no month costs them more than that. Null for an offer, and on servers that don't ask. */
    agreed: Terms.nullable(),
    /**
     * Whether they are asked to agree to terms that cost them more. Until they do, the owner covers the difference, as always for a
     * person without an account, who can't be asked. False if they can't answer: the asset is archived, or their account disabled.
     */
    asked: z.boolean(),
    /** Hours or a place that a co-manager added, which count in the split once the owner confirms them. */
    unconfirmed: z.boolean(),
  })
  .meta({ id: 'SharedWithEntry' });
export type SharedWithEntry = z.infer<typeof SharedWithEntry>;

/** The handover of an asset to a member. */
const Handover = z.object({
  username: z.string(),
  accepted: z.boolean(),
  /** The first month of the new owner; for an offer, their first month if they accept now. */
  from_month: Month,
  /** The owner's monthly hours as a member after the handover; null if they leave. */
  stay_hours: z.int().nullable(),
  /** Null once accepted. */
  expires_at: Instant.nullable(),
});

export const OwnedAsset = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    /** The price of a cycle or, without one, of a calendar month. */
    subscription_cost: Amount,
    ...planFields,
    currency: z.string(),
    /** The zone of the current month. */
    time_zone: z.string(),
    /** The zone that applies from the next month; null when it doesn't change. */
    next_time_zone: z.object({ time_zone: z.string(), from_month: Month }).nullable(),
    ...termFields,
    /** Whether someone chose `max_price_per_hour`. Otherwise it was the price ÷ all allowances, and first sharing counts the new hours. */
    max_price_chosen: z.boolean(),
    /** The hours and places that the running month's price is divided by, at its fullest moment so far. */
    total_hours: z.int(),
    places: z.int(),
    next_terms: NextTerms.nullable(),
    archived: z.boolean(),
    /** Whether the current month costs no one anything, because the owner archived the asset and chose so. */
    unbilled: z.boolean(),
    /** Whether any member, also a former one, has had a session. The owner's own and removed ones don't count. */
    used: z.boolean(),
    owner: z.string(),
    /** A co-manager can do almost everything that the owner can. */
    your_role: z.enum(['owner', 'manager']),
    /** The owner's own share, with which they start and end sessions; null for others, and while the owner doesn't take part. */
    own_share_id: Id.nullable(),
    /** Null unless the owner is handing it over. */
    handover: Handover.nullable(),
    shared_with: z.array(SharedWithEntry),
  })
  .meta({ id: 'OwnedAsset' });
export type OwnedAsset = z.infer<typeof OwnedAsset>;

export const OwnedAssetList = listOf(OwnedAsset).meta({ id: 'OwnedAssetList' });

/** A co-manager's change in place of the owner. */
export const ManagerChange = z
  .object({
    id: Id,
    /** Null once the account and its stand-in are deleted. */
    username: z.string().nullable(),
    kind: z.enum([
      'details',
      'price',
      'terms',
      'archived',
      'restored',
      'shared',
      'hours',
      'removed',
      'invited',
      'revoked',
      'objected',
      'withdrawn',
      'replied',
    ]),
    /** The member whose hours, access, or edit it was about; null if none. */
    member: z.string().nullable(),
    at: Instant,
  })
  .meta({ id: 'ManagerChange' });
export type ManagerChange = z.infer<typeof ManagerChange>;

export const ManagerChangeList = listOf(ManagerChange).meta({ id: 'ManagerChangeList' });

export const CreateAssetRequest = z
  .strictObject({
    name: AssetName,
    description: AssetDescription.default(''),
    subscription_cost: SubscriptionCost,
    time_zone: TimeZone.optional(),
    currency: Currency.optional(),
    ...planChanges,
    ...termChanges,
  })
  .superRefine(
    ({ subscription_cost: cost, currency = DEFAULT_CURRENCY }, context) => {
      const problem = priceProblem(cost, currency);
      if (problem) context.addIssue({ code: 'custom', path: ['subscription_cost'], message: issueOf(problem) });
    },
    // Reported along with what is wrong elsewhere.
    { when: ({ value }) => SubscriptionCost.safeParse(Object(value).subscription_cost).success },
  )
  .meta({ id: 'CreateAssetRequest' });
export type CreateAssetRequest = z.infer<typeof CreateAssetRequest>;

/**
 * Whether the running month is billed when its asset is archived or deleted. Without an answer it stays as it is: billed, unless its
 * owner has said otherwise. A month that isn't billed stays so.
 */
const Bill = z.enum(['until_today', 'nothing'], 'bill must be until_today or nothing');
export type Bill = z.infer<typeof Bill>;

export const UpdateAssetRequest = z
  .strictObject({
    name: AssetName.optional(),
    description: AssetDescription.optional(),
    /**
     * Applies from the current month; with a new currency, to every month with the current price. With a cycle, from the running one
     * or, once one of its months has ended, from the next.
     */
    subscription_cost: SubscriptionCost.optional(),
    /** Applies to all months, and only until someone else has had access; amounts keep their digits. */
    currency: Currency.optional(),
    /** Applies from the next month. */
    time_zone: TimeZone.optional(),
    /** `cycle`, `spread`, and `trial_until` apply from the current month. */
    ...planChanges,
    ...termChanges,
    archived: z.boolean('archived must be true or false').optional(),
    /** Only when archiving. */
    bill: Bill.optional(),
  })
  .meta({ id: 'UpdateAssetRequest' });
export type UpdateAssetRequest = z.infer<typeof UpdateAssetRequest>;

export const assetEndpoints = {
  'GET /api/assets/': {
    scripts: READABLE,
    summary: 'List owned assets with their members',
    query: PageQuery,
    answers: { 200: OwnedAssetList },
  },
  'POST /api/assets/': {
    summary: 'Add an asset',
    idempotent: true,
    body: CreateAssetRequest,
    answers: { 201: OwnedAsset },
  },
  'GET /api/assets/{id}/': {
    scripts: READABLE,
    summary: 'Get an asset that the caller owns or co-manages',
    params: ById,
    answers: { 200: OwnedAsset },
  },
  'GET /api/assets/{id}/manager-changes/': {
    scripts: READABLE,
    summary: "List co-managers' changes to an asset that the caller owns or co-manages, newest first",
    params: ById,
    query: PageQuery,
    answers: { 200: ManagerChangeList },
  },
  'PATCH /api/assets/{id}/': {
    summary: 'Change an owned asset',
    params: ById,
    body: UpdateAssetRequest,
    answers: { 200: OwnedAsset },
  },
  'DELETE /api/assets/{id}/': {
    summary:
      'Delete an owned asset; its open months still close, the current one ends now and is billed unless told otherwise',
    params: ById,
    query: z.strictObject({ bill: Bill.optional() }),
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
