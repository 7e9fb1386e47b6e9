import { z } from 'zod';
import { InvitationToken } from './fields.ts';
import { AnyFormat, ById, type EndpointTable, READABLE } from './calls.ts';
import { CostSplit } from './costs.ts';
import {
  Amount,
  BasePercent,
  Format,
  Hours,
  Hue,
  Id,
  Instant,
  listOf,
  MaxPricePerHour,
  Month,
  NextPrice,
  OwnerHours,
  pageFields,
  pageOrFile,
  PageOrFileQuery,
  PathId,
  SplitMethod,
  SubscriptionCost,
  Terms,
} from './fields.ts';
import { LIST_PAGE_SIZE } from './limits.ts';
import { Renewal, RenewalVote } from './periods.ts';
import { ObjectionStatus, RequestOnStatement, SessionEdit, SessionSource } from './sessions.ts';
import { MonthlyHours } from './shares.ts';

const Role = z.enum(['owner', 'member'], 'role must be owner or member');

export const LineStatus = z.enum(['due', 'sent', 'paid']);
export type LineStatus = z.infer<typeof LineStatus>;

/**
 * How a part of an amount was calculated: `price` × `part` ÷ `whole` = `amount`, both in `unit`, and exact. `allowances`
 * are added up over the days of the month. `rest`: what the others don't pay is the owner's. `capped`: an hour costs at most
 * `price`. `lowest`: the month once had that price. `agreed`: what they last said yes to gives that amount.
 * `rounding` is the direction of rounding to whole cents.
 */
export const Explanation = z
  .object({
    method: SplitMethod,
    kind: z.enum([
      ...(['free', 'used', 'overused', 'used_nothing', 'allowance', 'by_day', 'even', 'days', 'share'] as const),
      ...(['rest', 'capped', 'lowest', 'agreed'] as const),
    ]),
    price: Amount,
    amount: Amount,
    part: z.number(),
    whole: z.number(),
    unit: z.enum(['hours', 'seconds', 'allowances', 'days', 'places']),
    rounding: z.enum(['up', 'down']).nullable(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/** Use that was pressed, added afterwards, or recorded by a meter; `meter` is null once that is deleted. */
export const UseSource = z
  .object({ source: SessionSource, meter: z.string().nullable(), seconds: z.int() })
  .meta({ id: 'UseSource' });
export type UseSource = z.infer<typeof UseSource>;

/**
 * A cost of a month beside its price. `proposed`: it counts once the owner says so. `date` is in an earlier month if it was entered
 * after that had ended.
 */
export const StatementCost = z
  .object({
    id: Id,
    /** Of what it is now, which an answer names; null once the month is closed. */
    version: z.int().nullable(),
    date: z.iso.date(),
    text: z.string(),
    amount: Amount,
    split: CostSplit,
    status: z.enum(['proposed', 'counted']),
    /** Usernames of people with a line on the statement; null for anyone else. */
    paid_by: z.string().nullable(),
    /** Whose it is if it isn't split. */
    person: z.string().nullable(),
    author: z.string().nullable(),
  })
  .meta({ id: 'StatementCost' });
export type StatementCost = z.infer<typeof StatementCost>;

/**
 * One participant's part of a cost that counts; none for who had no access on its date. `asked`: it is above their limit, and theirs
 * only with their yes. `refused`: they said no. Then `split_amount` is what the owner bears for them.
 */
export const CostOnLine = z
  .object({
    id: Id,
    amount: Amount,
    split_amount: Amount,
    standing: z.enum(['charged', 'asked', 'refused']),
    /** `price` × `part` ÷ `whole`, as for the price; empty for the owner, who pays what the others don't. */
    explanation: z.array(Explanation.omit({ kind: true, rounding: true })),
  })
  .meta({ id: 'CostOnLine' });
export type CostOnLine = z.infer<typeof CostOnLine>;

/**
 * One participant's charge for a month. `base_amount` comes from the base share (of `agreed`, if that limits it), `odd_cents`
 * from leftover cents, of which a limited charge has none; the owner's line has no status, and an estimate's lines have neither status nor id.
 */
export const StatementLine = z
  .object({
    id: Id.nullable(),
    username: z.string(),
    /** The participant's color; null once their account is deleted. */
    hue: Hue.nullable(),
    role: Role,
    used_hours: Hours,
    used_seconds: z.int(),
    /** What recorded that use, most first. */
    sources: z.array(UseSource),
    /** Their last allowance; for the owner, the reserved hours. */
    allocated_hours: z.int(),
    /** `summed_hours` in seconds, divided by the days of the month, rounded. */
    available_seconds: z.int(),
    days: z.int(),
    /** The largest allowance, held and agreed to, of each day with access, added up; the owner's reserved hours, on all days. */
    summed_hours: z.int(),
    /** `price_amount` + `costs_amount` − `costs_paid`; negative if that is owed to the member. */
    amount: Amount,
    /** Their part of the price. */
    price_amount: Amount,
    /** Their parts of costs, and what they paid of them. */
    costs_amount: Amount,
    costs_paid: Amount,
    base_amount: Amount,
    odd_cents: z.int(),
    /** What the member last said yes to, and the most that this month costs them by that; null if it doesn't limit them. */
    agreed: Terms.nullable(),
    maximum: Amount.nullable(),
    /** What the owner covers, because the split gives more than that maximum, or than a lower price since that yes. */
    covered: Amount,
    /** Whether the member is asked to agree to what costs them more, and can. Nothing ends what is covered of any other line. */
    asked: z.boolean(),
    /** The base share first, if there is one. */
    explanation: z.array(Explanation).min(1),
    costs: z.array(CostOnLine),
    /** When the member said that they have nothing to edit in this ended month; null if they haven't, or once it is closed. */
    confirmed_at: Instant.nullable(),
    status: LineStatus.nullable(),
    /** When it was marked or settled; null while due. */
    status_since: Instant.nullable(),
    /** When someone who joined later said that this isn't theirs, so that the owner bears it; else null. */
    objected_at: Instant.nullable(),
    /** Whether confirmed payments cover all of it. */
    settled: z.boolean(),
    /** What is paid, by payments or by the owner's mark; null like the status. */
    paid_amount: Amount.nullable(),
    /** What is still owed: the amount without what is paid. */
    open_amount: Amount.nullable(),
    /** The part of the open amount that payments cover that aren't confirmed yet. */
    sent_amount: Amount.nullable(),
  })
  .meta({ id: 'StatementLine' });
export type StatementLine = z.infer<typeof StatementLine>;

/** A line after its status changed, without the explanation, which stays the same. */
export const MarkedLine = StatementLine.omit({ explanation: true, costs: true }).meta({ id: 'MarkedLine' });
export type MarkedLine = z.infer<typeof MarkedLine>;

/** A change of a month's price since the month began. */
export const PriceChange = z.object({ at: Instant, from: Amount, to: Amount }).meta({ id: 'PriceChange' });
export type PriceChange = z.infer<typeof PriceChange>;

/** What a cycle adds to the price of a month. */
const PricePart = z
  .object({
    every: z.int(),
    unit: z.enum(['month', 'year']),
    /** First day of the cycle. */
    cycle_from: z.iso.date(),
    cycle_days: z.int(),
    cycle_price: Amount,
    /** Days of the month that are in the cycle and aren't free. */
    days: z.int(),
    /** The price of those days or, not spread, of the cycle if it starts in the month. */
    amount: Amount,
    /** What the cycle has cost up to then. */
    so_far: Amount,
    spread: z.boolean(),
  })
  .meta({ id: 'PricePart' });

/** A session of a month that its member edited or removed, or whose recorded times were restored since. */
export const EditedSession = z
  .object({
    session_id: Id,
    username: z.string(),
    /** Whether the owner changed it, who recorded it for someone without an account. */
    by_owner: z.boolean(),
    /** `requested`: its times are as recorded, and an edit was asked for. */
    kind: z.enum([...SessionEdit.shape.kind.options, 'requested']),
    at: Instant,
    recorded_start: Instant,
    recorded_end: Instant,
    /** The times that count; null if it was removed. */
    start_time: Instant.nullable(),
    end_time: Instant.nullable(),
    /** What became of the last objection; null without one. */
    objection: ObjectionStatus.nullable(),
    /** Who raised the open objection; null without one. */
    objected_by: z.string().nullable(),
    /** The last edit that was requested after the month had ended; null without one. */
    request: RequestOnStatement.nullable(),
  })
  .meta({ id: 'EditedSession' });
export type EditedSession = z.infer<typeof EditedSession>;

/**
 * The split of an asset's price for one month, an estimate until the month is closed. The owner gets every line, their
 * own first, then members by username; a member only gets their own.
 */
export const Statement = z
  .object({
    /** Null when the asset has been deleted. */
    asset_id: Id.nullable(),
    asset_name: z.string(),
    owner: z.string(),
    month: Month,
    /** Whether the month has ended, closed or not. */
    ended: z.boolean(),
    closed: z.boolean(),
    /** The end of the month, or when the asset was deleted in it. */
    ends_at: Instant,
    /** When the asset was deleted, if that ended this month: use and days count up to then. */
    deleted_at: Instant.nullable(),
    /** Whether the price is 0 because the owner chose not to bill the month when archiving or deleting the asset. */
    unbilled: z.boolean(),
    /** 72 hours after its end. */
    closes_at: Instant,
    price: Amount,
    /** What each cycle adds to the price, in order; empty for a price per calendar month. */
    price_parts: z.array(PricePart),
    /** What members wanted and the owner decided about a renewal in the month; null if no one said anything. */
    renewal: Renewal.pick({ on: true, decision: true })
      .extend({ votes: z.array(RenewalVote) })
      .nullable(),
    price_changes: z.array(PriceChange),
    /** Null unless the month is running and the price is to change. */
    next_price: NextPrice.nullable(),
    /** Oldest edit first; the owner gets those of all members, a member only their own unless the split is `share_of_use`. */
    edited_sessions: z.array(EditedSession),
    /** When meters sent nothing for 24 hours or longer, as far as it was in the month. */
    silences: z.array(z.object({ meter: z.string(), since: Instant, until: Instant })),
    currency: z.string(),
    split_method: SplitMethod,
    base_percent: z.int(),
    owner_hours: z.int(),
    max_price_per_hour: Amount.nullable(),
    owner_takes_part: z.boolean(),
    measured: z.boolean(),
    /** The allowances at the fullest moment of the month, with the owner's reserved hours: an hour costs the price ÷ these. */
    total_hours: z.int(),
    /** The members at the fullest moment, and the owner: a place costs the price ÷ these. */
    places: z.int(),
    /** Total use of all participants. */
    used_seconds: z.int(),
    /** In the order in which they were entered; a member gets those dated when they had access, and their own. */
    costs: z.array(StatementCost),
    lines: z.array(StatementLine),
  })
  .meta({ id: 'Statement' });
export type Statement = z.infer<typeof Statement>;

export const StatementList = listOf(Statement).meta({ id: 'StatementList' });

/**
 * `month` defaults to the current one in each asset's time zone; omit `role` to list both. With `role` `member`, `proposed` adds the
 * statements of the caller's own assets with a cost that they can count or decline.
 */
export const StatementsQuery = pageOrFile(
  z.strictObject({
    month: Month.optional(),
    role: Role.optional(),
    proposed: z.literal('include', 'proposed must be include').optional(),
    format: Format,
    ...pageFields(LIST_PAGE_SIZE),
  }),
  LIST_PAGE_SIZE,
  LIST_PAGE_SIZE,
);

/** Omitted terms stay as they were in each month. `allocations` are monthly hours by username. */
export const SplitPreviewRequest = z
  .strictObject({
    split_method: SplitMethod.optional(),
    base_percent: BasePercent.optional(),
    owner_hours: OwnerHours.optional(),
    max_price_per_hour: MaxPricePerHour.nullable().optional(),
    price: SubscriptionCost.optional(),
    allocations: z.record(z.string(), MonthlyHours, 'allocations must map usernames to monthly hours').optional(),
  })
  .meta({ id: 'SplitPreviewRequest' });
export type SplitPreviewRequest = z.infer<typeof SplitPreviewRequest>;

/** A statement's line without its id, explanation and payment status. */
export const SplitLine = StatementLine.omit({
  id: true,
  sources: true,
  asked: true,
  explanation: true,
  costs: true,
  confirmed_at: true,
  status: true,
  status_since: true,
  objected_at: true,
  settled: true,
  paid_amount: true,
  open_amount: true,
  sent_amount: true,
}).meta({
  id: 'SplitLine',
});
export type SplitLine = z.infer<typeof SplitLine>;

/** One month's split under its actual terms and under the ones to try. */
export const SplitPreview = z
  .object({
    month: Month,
    price: Amount,
    currency: z.string(),
    before: z.array(SplitLine),
    after: z.array(SplitLine),
  })
  .meta({ id: 'SplitPreview' });
export type SplitPreview = z.infer<typeof SplitPreview>;

/** The current month first, then ended months with use, newest first. */
export const SplitPreviewList = listOf(SplitPreview).meta({ id: 'SplitPreviewList' });

/** Another plan to try on closed months. Omitted, everything stays as it was in each. */
export const ReplayRequest = z
  .strictObject({
    /** Of a month. */
    price: SubscriptionCost.optional(),
    /** Of the other plan, by which its price is divided. */
    hours: z.int('hours must be a whole number').min(1, 'hours must be at least 1').max(100_000).optional(),
    split_method: SplitMethod.optional(),
    base_percent: BasePercent.optional(),
    /** Instead of a plan, each pays for their hours. */
    price_per_hour: SubscriptionCost.optional(),
    /** Instead of sharing, each pays for a plan of their own. */
    price_alone: SubscriptionCost.optional(),
    /** A member who isn't there, so that the others share with one seat fewer. */
    without: z.string().optional(),
  })
  .meta({ id: 'ReplayRequest' });
export type ReplayRequest = z.infer<typeof ReplayRequest>;

/** What members try. That a certain one isn't there would tell how much that one used. */
export const MemberReplayRequest = ReplayRequest.omit({ without: true }).meta({ id: 'MemberReplayRequest' });
export type MemberReplayRequest = z.infer<typeof MemberReplayRequest>;

const ReplayedPerson = z
  .object({ username: z.string(), hue: Hue.nullable(), paid: Amount, replayed: Amount })
  .meta({ id: 'ReplayedPerson' });

/**
 * What the last twelve closed months cost, and what they would have cost under another plan. As on statements, a member gets those in
 * which they have a line, and no one else's amounts.
 */
export const ReplayedYear = z
  .object({
    currency: z.string(),
    /** Newest first; in each the owner first. */
    months: z.array(
      z.object({
        month: Month,
        /** Used hours that the other plan wouldn't have had. */
        unfit_hours: Hours,
        people: z.array(ReplayedPerson),
      }),
    ),
    /** Over all of them. */
    people: z.array(ReplayedPerson),
    /** Of everyone; null for a member if it would tell how many others there were. */
    total: ReplayedPerson.omit({ username: true, hue: true }).nullable(),
  })
  .meta({ id: 'ReplayedYear' });
export type ReplayedYear = z.infer<typeof ReplayedYear>;

/** What the months that aren't closed would cost that person so far, by asset, newest first. */
export const ClaimEstimate = z
  .object({
    months: z.array(
      z.object({ asset_name: z.string(), month: Month, ended: z.boolean(), amount: Amount, currency: z.string() }),
    ),
  })
  .meta({ id: 'ClaimEstimate' });
export type ClaimEstimate = z.infer<typeof ClaimEstimate>;

const ByMonth = z.strictObject({ id: PathId, month: Month });

export const statementEndpoints = {
  'GET /api/assets/{id}/statements/': {
    scripts: READABLE,
    summary: 'List statements of an asset, current month first; members only see their own line',
    csv: true,
    params: ById,
    query: PageOrFileQuery,
    answers: { 200: StatementList },
  },
  'GET /api/assets/{id}/statements/{month}/': {
    scripts: READABLE,
    summary: 'Get the statement of a month, an estimate until it is closed',
    csv: true,
    params: ByMonth,
    query: AnyFormat,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/replay/': {
    summary: 'Calculate what the last twelve closed months of an owned asset would have cost under another plan',
    params: ById,
    body: ReplayRequest,
    answers: { 200: ReplayedYear },
  },
  'POST /api/shared-assets/{id}/replay/': {
    summary:
      'Calculate what the last twelve closed months of a shared asset would have cost the caller under another plan',
    params: ById,
    body: MemberReplayRequest,
    answers: { 200: ReplayedYear },
  },
  'POST /api/assets/{id}/statements/{month}/close/': {
    summary:
      'Close an ended month and any open ones before it early, once no one has anything to edit or objects to an edit',
    params: ByMonth,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/statements/{month}/confirm/': {
    summary:
      'Confirm as a member that there is nothing to edit in an ended month, so that the owner can close it early',
    params: ByMonth,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/split-preview/': {
    summary: 'Preview other split terms on the current month and the last three with use; changes nothing',
    params: ById,
    body: SplitPreviewRequest,
    answers: { 200: SplitPreviewList },
  },
  'GET /api/claims/{token}/estimate/': {
    summary: 'Estimate what the open months would cost a person without an account so far',
    public: true,
    params: z.strictObject({ token: InvitationToken }),
    answers: { 200: ClaimEstimate },
  },
  'GET /api/statements/': {
    scripts: READABLE,
    summary: 'List the statements of a month, by default the current one, for all assets that the caller owns or used',
    csv: true,
    query: StatementsQuery,
    answers: { 200: StatementList },
  },
} as const satisfies EndpointTable;
