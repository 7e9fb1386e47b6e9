import { z } from 'zod';
import { claimAnswer, InvitationToken } from './fields.ts';
import { OwnedAsset } from './assets.ts';
import { PaidPlan } from './cycles.ts';
import { ById, type EndpointTable, NoContent, READABLE, READABLE_BY_SHARE } from './calls.ts';
import {
  Amount,
  Currency,
  Hours,
  Hue,
  Id,
  Instant,
  line,
  listOf,
  MeterKind,
  Month,
  nameUpTo,
  NextPrice,
  NextTerms,
  pageFields,
  PageQuery,
  PathId,
  paymentProblem,
  SeenOffer,
  SeenTerms,
  SplitMethod,
  StartsOn,
  termChanges,
  Terms,
} from './fields.ts';
import {
  ACCESS_TOKEN_DAYS_DEFAULT,
  ACCESS_TOKEN_DAYS_MAX,
  ALLOCATION_MAX_HOURS,
  ALLOCATION_MIN_HOURS,
  DEVICE_NAME_MAX_LENGTH,
  LIST_PAGE_SIZE,
  METERS_MAX,
  PERSON_NAME_MAX_LENGTH,
} from './limits.ts';
import { PRICE_MAX_MINOR, toAmount } from './money.ts';
import { issue, issueOf } from './sentences.ts';

const usernameAndHoursRequired = issue('username_and_hours_required');
const monthlyHoursRule = issue('monthly_hours_rule', { min: ALLOCATION_MIN_HOURS, max: ALLOCATION_MAX_HOURS });

export const MonthlyHours = z
  .int(monthlyHoursRule)
  .min(ALLOCATION_MIN_HOURS, monthlyHoursRule)
  .max(ALLOCATION_MAX_HOURS, monthlyHoursRule);

/** Terms to change along with giving someone access, as `PATCH /api/assets/{id}/` does; only as the owner. */
export const FirstTerms = z.strictObject({
  owner_hours: termChanges.owner_hours,
  max_price_per_hour: termChanges.max_price_per_hour,
  extra_cost_limit: termChanges.extra_cost_limit,
});
export type FirstTerms = z.infer<typeof FirstTerms>;

export const ShareFields = z.strictObject({
  username: line({ required: issue('username_required'), characters: issue('username_characters') })
    .trim()
    .min(1, usernameAndHoursRequired)
    .max(200, issue('username_too_long')),
  /** May be left out if the asset isn't measured, where hours mean nothing. */
  monthly_hours_allocated: MonthlyHours.optional(),
  starts_on: StartsOn.optional(),
  terms: FirstTerms.optional(),
});

/** Without a username either, it names both fields. */
export const ShareRequest = ShareFields.refine(
  ({ username, monthly_hours_allocated: hours }) => username !== undefined || hours !== undefined,
  {
    path: ['monthly_hours_allocated'],
    error: monthlyHoursRule,
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
).meta({ id: 'ShareRequest' });
export type ShareRequest = z.infer<typeof ShareRequest>;

export const UpdateShareRequest = z
  .strictObject({
    monthly_hours_allocated: MonthlyHours.optional(),
    /** Only the owner can make a member a co-manager; the co-manager can end the role, too. */
    manager: z.boolean('manager must be true or false').optional(),
  })
  .refine(({ monthly_hours_allocated: hours, manager }) => hours !== undefined || manager !== undefined, {
    path: ['monthly_hours_allocated'],
    error: usernameAndHoursRequired,
  })
  .meta({ id: 'UpdateShareRequest' });
export type UpdateShareRequest = z.infer<typeof UpdateShareRequest>;

export const CreateInvitationRequest = z
  .strictObject({
    /** May be left out if the asset isn't measured. */
    monthly_hours_allocated: MonthlyHours.optional(),
    starts_on: StartsOn.optional(),
    terms: FirstTerms.optional(),
  })
  .meta({ id: 'CreateInvitationRequest' });
export type CreateInvitationRequest = z.infer<typeof CreateInvitationRequest>;

/** Someone without an account. The same name again is the same person. */
export const AddPersonRequest = z
  .strictObject({
    name: nameUpTo(PERSON_NAME_MAX_LENGTH),
    /** May be left out if the asset isn't measured. */
    monthly_hours_allocated: MonthlyHours.optional(),
    starts_on: StartsOn.optional(),
    terms: FirstTerms.optional(),
  })
  .meta({ id: 'AddPersonRequest' });
export type AddPersonRequest = z.infer<typeof AddPersonRequest>;

/** What an asset costs and how it is split, for someone who may join. */
const Pricing = z.object({
  /** The current month's, or that of the month in which access begins. */
  price: Amount,
  /** Of which `price` is that of a cycle; without it, `price` is that of a month. */
  plan: PaidPlan.optional(),
  currency: z.string(),
  split_method: SplitMethod,
  base_percent: z.int(),
  owner_hours: z.int(),
  next_price: NextPrice.nullable(),
  /** How many members have accepted so far. */
  members: z.int(),
});

export type Pricing = z.infer<typeof Pricing>;

/** What a member agrees to by becoming the owner, whose reserved hours are then the ones they have now. */
const HandoverTerms = Pricing.extend({
  accepted: z.boolean(),
  offered_at: Instant,
  /** The month that the other figures are for; for an offer, the first month if the member accepts now. */
  from_month: Month,
  max_session_hours: z.int(),
  time_zone: z.string(),
  max_price_per_hour: Amount.nullable(),
  owner_takes_part: z.boolean(),
  measured: z.boolean(),
  /** The current owner's monthly hours as a member after the handover; null if they leave. */
  stay_hours: z.int().nullable(),
  /** Null once accepted. */
  expires_at: Instant.nullable(),
  /** Changes whenever one of the figures above does. */
  version: z.string(),
});

const OfferTerms = Pricing.extend({ expires_at: Instant });

/** What would record the member's use if they accept. */
const OfferedMeter = z.object({ id: Id, name: z.string(), kind: MeterKind });

/** What joining costs. Counts only current members and the person joining. */
const joiningFields = {
  measured: z.boolean(),
  terms: Terms,
  /** What all of that costs at most: every hour of the allowance, or a place. */
  cost_of_all: Amount,
  /** First day of access if it begins later; null if it begins at once. */
  starts_on: z.iso.date().nullable(),
};

/** What a member sees of a share; its id is the one in `/api/shared-assets/{id}/`. */
export const SharedAsset = z
  .object({
    id: Id,
    asset_name: z.string(),
    owner: z.string(),
    owner_hue: Hue,
    /** Nothing is charged for an offer until it is accepted, or used for the first time. */
    status: z.enum(['offered', 'accepted', 'past']),
    /** Since when the member co-manages the asset, through `/api/assets/{id}/`; null if they don't. */
    manager_since: Instant.nullable(),
    /** Whether the member said yes, also to an offer that gives access later. */
    accepted: z.boolean(),
    /** First day of access if that is still to come; null otherwise. */
    starts_on: z.iso.date().nullable(),
    /** The day on which the asset ends; null if no end is set. */
    ends_on: z.iso.date().nullable(),
    /** Null once access has begun. */
    offer: OfferTerms.extend({ meters: z.array(OfferedMeter) }).nullable(),
    next_terms: NextTerms.nullable(),
    /** Whether it is the share of an owner who uses their own asset; listed with `own=include`. */
    own: z.boolean(),
    measured: z.boolean(),
    /** The meter that counts what the caller uses, so that there is nothing to start; null without one. */
    recorded_by: z.string().nullable(),
    /** What the running month costs the caller; for an offer, if they accept it now. Null for past shares. */
    terms: Terms.nullable(),
    /** What all of that costs at most: every hour of the allowance, or a place. Null like the terms. */
    cost_of_all: Amount.nullable(),
    /** What the caller last said yes to: no month costs them more than that. Null for an offer, and on servers that don't ask. */
    agreed: Terms.nullable(),
    /** Whether `terms` cost more than that. Until the caller agrees to them, the owner covers the difference. */
    asked: z.boolean(),
    /** The handover of the asset to the caller; null if there is none. */
    handover: HandoverTerms.nullable(),
    /** The owner starting in a later month, as all members see; null if no one has accepted. */
    next_owner: z.object({ username: z.string(), from_month: Month }).nullable(),
    /** When the owner offered access. */
    shared_at: Instant,
    /** When access ended; null while it lasts, or while the asset is archived. */
    ended_at: Instant.nullable(),
    monthly_hours_allocated: z.int(),
    current_usage: Hours,
    usage_this_month: Hours,
    active_session: z.boolean(),
    /** Start of the active session, so that a card can show its clock without another call. */
    active_since: Instant.nullable(),
    /** End of the latest ended session, in any month; null before the first. */
    last_used_at: Instant.nullable(),
    asset: z.object({ id: Id, name: z.string(), description: z.string(), owner: z.string() }),
  })
  .meta({ id: 'SharedAsset' });
export type SharedAsset = z.infer<typeof SharedAsset>;

/**
 * `past` lists shares without access whose sessions the caller can still edit; by default, open shares and offers. `own` also lists those
 * of assets that the caller owns, or owned, and takes part in.
 */
export const SharesQuery = z
  .strictObject({
    status: z.enum(['open', 'past'], 'status must be open or past').optional(),
    own: z.literal('include', 'own must be include').optional(),
    ...pageFields(LIST_PAGE_SIZE),
  })
  .transform(({ limit = LIST_PAGE_SIZE, cursor, ...query }) => ({ ...query, limit, cursor }));

export const SharedAssetList = listOf(SharedAsset).meta({ id: 'SharedAssetList' });

/** With the meters that were shown, accepting lets these record the member's use, and none that came since. */
export const AcceptOfferRequest = SeenOffer.extend({
  meters: z
    .array(Id, 'meters must be a list of ids')
    .max(METERS_MAX, `There are at most ${METERS_MAX} meters`)
    .optional(),
}).meta({ id: 'AcceptOfferRequest' });
export type AcceptOfferRequest = z.infer<typeof AcceptOfferRequest>;

/** The terms that were shown. If they cost more by now, nothing is agreed to. */
export const AgreeRequest = z.strictObject({ terms: SeenTerms }).meta({ id: 'AgreeRequest' });

/** What an invitation offers to anyone with its link. */
export const Invitation = OfferTerms.extend({
  next_terms: NextTerms.nullable(),
  asset_name: z.string(),
  owner: z.string(),
  monthly_hours_allocated: z.int(),
  ...joiningFields,
}).meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

/** An asset with the invitation just made. Its link can't be read again. */
export const InvitedAsset = OwnedAsset.extend({
  invitation: z.object({ id: Id, link: z.string(), expires_at: Instant, monthly_hours_allocated: z.int() }),
}).meta({ id: 'InvitedAsset' });
export type InvitedAsset = z.infer<typeof InvitedAsset>;

/** An asset with the link just made for a person without an account. It can't be read again. */
export const AssetToClaim = OwnedAsset.extend({
  claim: z.object({ link: z.string(), expires_at: Instant }),
}).meta({ id: 'AssetToClaim' });
export type AssetToClaim = z.infer<typeof AssetToClaim>;

/** What an owner recorded for a person without an account, and what joining costs, as anyone with the link may read. */
export const Claim = z
  .object({
    /** As the owner wrote it. */
    name: z.string(),
    owner: z.string(),
    /** What the person has access to now, and gets as a member. */
    assets: z.array(
      Pricing.extend({
        next_terms: NextTerms.nullable(),
        asset_name: z.string(),
        monthly_hours_allocated: z.int(),
        ...joiningFields,
      }),
    ),
    /** How many sessions were recorded, on any asset, and how long they were. */
    sessions: z.int(),
    hours: Hours,
    /** The last of them, newest first. */
    latest_sessions: z.array(z.object({ asset_name: z.string(), start_time: Instant, end_time: Instant })),
    /** How many charges of closed months aren't paid yet, and what they come to. */
    charges: z.int(),
    open_charges: z.array(z.object({ currency: z.string(), amount: Amount })),
    expires_at: Instant,
    /** Another one as soon as anything above differs. */
    version: z.string(),
  })
  .meta({ id: 'Claim' });
export type Claim = z.infer<typeof Claim>;

export const ClaimRequest = z.strictObject(claimAnswer).meta({ id: 'ClaimRequest' });
export type ClaimRequest = z.infer<typeof ClaimRequest>;

const AnyUsername = line({ required: issue('username_required'), characters: issue('username_characters') })
  .trim()
  .min(1, issue('username_required'))
  .max(200, issue('username_too_long'));

/** Offers the asset to a current member. If the hours are omitted, the owner leaves when the asset is theirs. */
export const OfferHandoverRequest = z
  .strictObject({
    username: AnyUsername,
    stay_hours: MonthlyHours.nullable().default(null),
  })
  .meta({ id: 'OfferHandoverRequest' });
export type OfferHandoverRequest = z.infer<typeof OfferHandoverRequest>;

/** The version that the member has read. */
export const AcceptHandoverRequest = z
  .strictObject({ version: z.string('version must be text').min(1).max(100) })
  .meta({ id: 'AcceptHandoverRequest' });
export type AcceptHandoverRequest = z.infer<typeof AcceptHandoverRequest>;

/** What happens to offers of someone, without the member being asked. */
const OfferChoice = z.enum(['accept', 'refuse'], 'offers must be accept or refuse');

/** An owner whose offers the caller accepts, or refuses, without being asked. */
export const TrustedOwner = z
  .object({
    username: z.string(),
    offers: OfferChoice,
    /** The most that all of an offer may cost to be accepted without asking, in this currency; null if offers are refused. */
    monthly_amount: Amount.nullable(),
    currency: z.string().nullable(),
    since: Instant,
  })
  .meta({ id: 'TrustedOwner' });
export type TrustedOwner = z.infer<typeof TrustedOwner>;

/** By username. */
export const TrustedOwnerList = listOf(TrustedOwner).meta({ id: 'TrustedOwnerList' });

/** Without being asked, no one says yes to just any amount: offers that cost more than this one wait for an answer. */
export const TrustOwnerRequest = z
  .strictObject({
    username: AnyUsername,
    offers: OfferChoice.default('accept'),
    monthly_amount: z.number(issue('amount_not_number')).optional(),
    currency: Currency.optional(),
  })
  .superRefine(({ monthly_amount: amount, currency, offers }, context) => {
    const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (offers === 'refuse') {
      if (amount !== undefined || currency !== undefined) add('monthly_amount', 'Only offers to accept have an amount');
      return;
    }
    if (amount === undefined) add('monthly_amount', issue('amount_not_number'));
    if (currency === undefined) add('currency', issue('currency_rule'));
    if (amount === undefined || currency === undefined) return;
    const problem = paymentProblem(amount, toAmount(PRICE_MAX_MINOR, currency), currency);
    if (problem) add('monthly_amount', issueOf(problem));
  })
  .meta({ id: 'TrustOwnerRequest' });
export type TrustOwnerRequest = z.infer<typeof TrustOwnerRequest>;

const ByToken = z.strictObject({ token: InvitationToken });

const ByShare = z.strictObject({ id: PathId, share_id: PathId });

/** What a user's script signs in with. */
export const AccessToken = z
  .object({
    id: Id,
    name: z.string(),
    /**
     * `share`: starts, ends, and reads the sessions of one share. `account`: reads assets, use, and costs, and hears what happens.
     * `events`: hears what happens, and reads notifications.
     */
    scope: z.enum(['share', 'account', 'events']),
    /** With scope `share`: the share, its asset, and whether access has ended, which makes the token useless. */
    share_id: Id.nullable(),
    asset_name: z.string().nullable(),
    share_ended: z.boolean(),
    created_at: Instant,
    /** Accurate to a minute. */
    last_used_at: Instant.nullable(),
    expires_at: Instant,
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

/** Few enough not to need pagination. */
export const AccessTokens = z.object({ access_tokens: z.array(AccessToken) }).meta({ id: 'AccessTokens' });

/** The token itself is shown only once. */
export const CreatedAccessToken = AccessToken.extend({ token: z.string() }).meta({ id: 'CreatedAccessToken' });
export type CreatedAccessToken = z.infer<typeof CreatedAccessToken>;

const tokenDaysRule = `expires_in_days must be a whole number from 1 to ${ACCESS_TOKEN_DAYS_MAX}`;

export const CreateAccessTokenRequest = z
  .strictObject({
    name: nameUpTo(DEVICE_NAME_MAX_LENGTH),
    /** The share whose sessions it starts, ends, and reads. */
    share_id: z.int('share_id must be the id of a share').positive('share_id must be the id of a share').optional(),
    /** What a token for no share can do; by default, read the account. */
    scope: z.enum(['account', 'events']).optional(),
    expires_in_days: z
      .int(tokenDaysRule)
      .min(1, tokenDaysRule)
      .max(ACCESS_TOKEN_DAYS_MAX, tokenDaysRule)
      .default(ACCESS_TOKEN_DAYS_DEFAULT),
  })
  .refine(({ share_id: share, scope }) => share === undefined || scope === undefined, {
    path: ['scope'],
    error: 'A token for a share has no other scope',
  })
  .meta({ id: 'CreateAccessTokenRequest' });
export type CreateAccessTokenRequest = z.infer<typeof CreateAccessTokenRequest>;

export const shareEndpoints = {
  'POST /api/assets/{id}/share/': {
    summary: 'Share an owned asset with a user; returns the updated asset',
    idempotent: true,
    params: ById,
    body: ShareRequest,
    answers: { 201: OwnedAsset },
  },
  'PATCH /api/assets/{id}/share/{share_id}/': {
    summary: "Change a member's monthly hours, or whether they co-manage the asset; returns the updated asset",
    params: ByShare,
    body: UpdateShareRequest,
    answers: { 200: OwnedAsset },
  },
  'DELETE /api/assets/{id}/share/{share_id}/': {
    summary: 'End a share and its active session; returns the updated asset',
    params: ByShare,
    answers: { 200: OwnedAsset },
  },
  'POST /api/assets/{id}/invitations/': {
    summary: 'Invite someone by link; returns the updated asset and the link, which is shown only once',
    idempotent: true,
    secret: true,
    params: ById,
    body: CreateInvitationRequest,
    answers: { 201: InvitedAsset },
  },
  'DELETE /api/assets/{id}/invitations/{invitation_id}/': {
    summary: 'Revoke an invitation; returns the updated asset',
    params: z.strictObject({ id: PathId, invitation_id: PathId }),
    answers: { 200: OwnedAsset },
  },
  'GET /api/invitations/{token}/': {
    summary: 'Get what an invitation offers',
    public: true,
    params: ByToken,
    answers: { 200: Invitation },
  },
  'POST /api/invitations/{token}/': {
    summary: 'Accept an invitation; charges begin now',
    idempotent: true,
    params: ByToken,
    body: AcceptOfferRequest,
    answers: { 201: SharedAsset },
  },
  'POST /api/assets/{id}/people/': {
    summary: "Share an owned asset with someone who doesn't have an account; returns the updated asset",
    idempotent: true,
    params: ById,
    body: AddPersonRequest,
    answers: { 201: OwnedAsset },
  },
  'POST /api/assets/{id}/share/{share_id}/claim/': {
    summary:
      'Make the link with which a person without an account joins; it replaces an earlier one, and is shown only once',
    idempotent: true,
    secret: true,
    params: ByShare,
    answers: { 201: AssetToClaim },
  },
  'DELETE /api/assets/{id}/share/{share_id}/claim/': {
    summary: 'Revoke the link to join; returns the updated asset',
    params: ByShare,
    answers: { 200: OwnedAsset },
  },
  'GET /api/claims/{token}/': {
    summary: 'Get what was recorded for a person without an account, and what joining costs',
    public: true,
    params: ByToken,
    answers: { 200: Claim },
  },
  'POST /api/claims/{token}/': {
    summary: "Join, and accept what was recorded in the caller's name or object to it; charges begin now",
    idempotent: true,
    params: ByToken,
    body: ClaimRequest,
    answers: { 201: Claim },
  },
  'GET /api/shared-assets/': {
    scripts: READABLE,
    summary: 'List assets shared with or offered to the caller, or past ones whose sessions they can still edit',
    query: SharesQuery,
    answers: { 200: SharedAssetList },
  },
  'GET /api/shared-assets/{id}/': {
    scripts: READABLE_BY_SHARE,
    summary: 'Get an asset shared with the caller',
    params: ById,
    answers: { 200: SharedAsset },
  },
  'POST /api/shared-assets/{id}/accept/': {
    summary: 'Accept an offered asset; charges begin now',
    params: ById,
    body: AcceptOfferRequest,
    answers: { 200: SharedAsset },
  },
  'POST /api/shared-assets/{id}/agree/': {
    summary: 'Agree to terms of a shared asset that cost more than before',
    params: ById,
    body: AgreeRequest,
    answers: { 200: SharedAsset },
  },
  'POST /api/assets/{id}/share/{share_id}/confirm/': {
    summary: 'Confirm hours or a member that a co-manager added, as the owner; returns the updated asset',
    params: ByShare,
    answers: { 200: OwnedAsset },
  },
  'POST /api/shared-assets/{id}/decline/': {
    summary: 'Decline an offered asset',
    params: ById,
    answers: { 204: NoContent },
  },
  'POST /api/shared-assets/{id}/leave/': {
    summary: 'Leave a shared asset; ends the active session, and use until now is still charged',
    params: ById,
    answers: { 204: NoContent },
  },
  'POST /api/assets/{id}/handover/': {
    summary: 'Offer a member to become the owner, starting next month; returns the updated asset',
    idempotent: true,
    params: ById,
    body: OfferHandoverRequest,
    answers: { 201: OwnedAsset },
  },
  'DELETE /api/assets/{id}/handover/': {
    summary: 'Call off a handover, even if it was accepted; returns the updated asset',
    params: ById,
    answers: { 200: OwnedAsset },
  },
  'POST /api/shared-assets/{id}/handover/accept/': {
    summary: 'Accept to become the owner of a shared asset, starting next month',
    params: ById,
    body: AcceptHandoverRequest,
    answers: { 200: SharedAsset },
  },
  'POST /api/shared-assets/{id}/handover/decline/': {
    summary: 'Decline to become the owner, even after accepting',
    params: ById,
    answers: { 200: SharedAsset },
  },
  'GET /api/trusted-owners/': {
    scripts: READABLE,
    summary: 'List owners whose offers the caller accepts or refuses without being asked, by username',
    query: PageQuery,
    answers: { 200: TrustedOwnerList },
  },
  'POST /api/trusted-owners/': {
    summary: "Accept an owner's future offers up to an amount without being asked, or refuse all of them",
    idempotent: true,
    body: TrustOwnerRequest,
    answers: { 201: TrustedOwner },
  },
  'DELETE /api/trusted-owners/{username}/': {
    summary: "Be asked about an owner's offers again",
    params: z.strictObject({ username: AnyUsername }),
    answers: { 204: NoContent },
  },
  'GET /api/me/access-tokens/': {
    summary: 'List access tokens for scripts, newest first',
    answers: { 200: AccessTokens },
  },
  'POST /api/me/access-tokens/': {
    summary: 'Create an access token for a script, which is shown only once',
    recentCheck: true,
    idempotent: true,
    secret: true,
    body: CreateAccessTokenRequest,
    answers: { 201: CreatedAccessToken },
  },
  'DELETE /api/me/access-tokens/{id}/': {
    summary: 'Revoke an access token',
    params: ById,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
