import { z } from 'zod';
import { AnyFormat, ById, type EndpointTable } from './calls.ts';
import {
  Amount,
  Format,
  Hours,
  Id,
  Instant,
  listOf,
  Month,
  pageFields,
  pageOrFile,
  PageOrFileQuery,
  PathId,
} from './fields.ts';
import { LIST_PAGE_SIZE } from './limits.ts';
import { BasePercent, OwnerHours, SplitMethod } from './periods.ts';
import { MonthlyHours } from './shares.ts';

export const LineStatus = z.enum(['due', 'sent', 'paid']);
export type LineStatus = z.infer<typeof LineStatus>;

/**
 * What an amount was worked out from: `price` × `part` ÷ `whole` = `amount`, in figures of one `unit` that are exact as they
 * stand, so that the sum can be done by hand. `rounding` says which way the amount was rounded to whole cents. `kind` says
 * which case it is, by seconds and not by rounded hours; where there is nothing to divide, both figures are 0.
 */
export const Explanation = z
  .object({
    method: SplitMethod,
    kind: z.enum([
      ...(['free', 'used', 'overused', 'used_nothing', 'unused', 'all_used', 'nobody_used'] as const),
      ...(['allowance', 'allowance_days', 'no_own_hours', 'nobody_has_hours', 'alone', 'even', 'days'] as const),
    ]),
    price: Amount,
    amount: Amount,
    part: z.number(),
    whole: z.number(),
    unit: z.enum(['hours', 'seconds', 'hour_days', 'days', 'people']),
    rounding: z.enum(['up', 'down']).nullable(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/**
 * One participant's part of a month's price. `base_amount` is what of it comes from the base part, `odd_cents` how many
 * cents of it come from rounding. The owner's line has no status; an estimate's lines have neither status nor id.
 */
export const StatementLine = z
  .object({
    id: Id.nullable(),
    username: z.string(),
    role: z.enum(['owner', 'member']),
    used_hours: Hours,
    used_seconds: z.int(),
    allocated_hours: z.int(),
    /** What was theirs to use; the owner's is what they keep. */
    available_seconds: z.int(),
    days: z.int(),
    amount: Amount,
    base_amount: Amount,
    odd_cents: z.int(),
    /** Of the base part first, where there is one. */
    explanation: z.array(Explanation).min(1),
    status: LineStatus.nullable(),
    /** When it was marked so, or settled; null while it is due. */
    status_since: Instant.nullable(),
    settled: z.boolean(),
  })
  .meta({ id: 'StatementLine' });
export type StatementLine = z.infer<typeof StatementLine>;

/** A line after its status was changed. Its explanation is left out, because it stays the same. */
export const MarkedLine = StatementLine.omit({ explanation: true }).meta({ id: 'MarkedLine' });
export type MarkedLine = z.infer<typeof MarkedLine>;

/**
 * How an asset's price of one month is split. Not closed, it is an estimate of what has been used so far. The owner reads
 * every line, the owner's first, then members by username; a member reads their own alone.
 */
export const Statement = z
  .object({
    /** Null when the asset has been deleted. */
    asset_id: Id.nullable(),
    asset_name: z.string(),
    owner: z.string(),
    month: Month,
    /** Whether the month is over, whether or not it is closed. */
    ended: z.boolean(),
    closed: z.boolean(),
    closes_at: Instant,
    price: Amount,
    currency: z.string(),
    split_method: SplitMethod,
    base_percent: z.int(),
    owner_hours: z.int(),
    offered_hours: Hours,
    /** What all members used. */
    used_seconds: z.int(),
    /** What was everyone's to use, the owner's included; members may have used more. */
    available_seconds: z.int(),
    /** Each one's monthly hours times their days, the owner's included: what `allocation` divides by. */
    allotted_hour_days: z.int(),
    /** Everybody's days, the owner's whole month included: what `equal` divides by. */
    shared_days: z.int(),
    lines: z.array(StatementLine),
  })
  .meta({ id: 'Statement' });
export type Statement = z.infer<typeof Statement>;

export const StatementList = listOf(Statement).meta({ id: 'StatementList' });

/** Without a month: the current one of each asset's time zone. */
export const StatementsQuery = pageOrFile(
  z.strictObject({ month: Month.optional(), format: Format, ...pageFields(LIST_PAGE_SIZE) }),
  LIST_PAGE_SIZE,
  LIST_PAGE_SIZE,
);

/** What is not given stays as each month had it; `allocations` are monthly hours by username. */
export const SplitPreviewRequest = z
  .strictObject({
    split_method: SplitMethod.optional(),
    base_percent: BasePercent.optional(),
    owner_hours: OwnerHours.optional(),
    allocations: z.record(z.string(), MonthlyHours, 'allocations must be monthly hours by username').optional(),
  })
  .meta({ id: 'SplitPreviewRequest' });
export type SplitPreviewRequest = z.infer<typeof SplitPreviewRequest>;

/** One participant's part of a month's price, as a statement's line without its explanation and what marks and settles it. */
export const SplitLine = StatementLine.omit({
  id: true,
  explanation: true,
  status: true,
  status_since: true,
  settled: true,
}).meta({
  id: 'SplitLine',
});
export type SplitLine = z.infer<typeof SplitLine>;

/** How one month's price is split, and how it would be. */
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

/** The running month first, then ended months with use, newest first. */
export const SplitPreviewList = listOf(SplitPreview).meta({ id: 'SplitPreviewList' });

const ByMonth = z.strictObject({ id: PathId, month: Month });

export const statementEndpoints = {
  'GET /api/assets/{id}/statements/': {
    summary: 'Statements of an asset, the running month first: to the owner with every line, to a member with theirs',
    csv: true,
    params: ById,
    query: PageOrFileQuery,
    answers: { 200: StatementList },
  },
  'GET /api/assets/{id}/statements/{month}/': {
    summary: 'The statement of one month; an estimate until it is closed',
    csv: true,
    params: ByMonth,
    query: AnyFormat,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/statements/{month}/close/': {
    summary: 'Close an ended month, and any before it, before the 72 hours for corrections are over',
    params: ByMonth,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/split-preview/': {
    summary:
      'What other ways to split would come to, for the running month and the last three with use; changes nothing',
    params: ById,
    body: SplitPreviewRequest,
    answers: { 200: SplitPreviewList },
  },
  'GET /api/statements/': {
    summary:
      'Statements of one month for all assets that the caller owns or has used; without a month, the current one',
    csv: true,
    query: StatementsQuery,
    answers: { 200: StatementList },
  },
} as const satisfies EndpointTable;
