import { z } from 'zod';
import { type EndpointTable, ById, NoContent, READABLE } from './calls.ts';
import { YEARS } from './cycles.ts';
import { Amount, Id, Instant, line, listOf, Month, name, PageOrFileQuery, PathId } from './fields.ts';
import { COST_TEXT_MAX_LENGTH, REPEAT_MONTHS_MAX } from './limits.ts';
import { issue } from './sentences.ts';

/**
 * How a cost is split: as the price of its month, by the month's use, evenly, by allowance, or not at all, because it is one
 * person's. By use without any use: by allowance; without allowances, the owner bears it.
 */
export const CostSplit = z.enum(
  ['month', 'usage', 'equal', 'allocation', 'person'],
  'split must be month, usage, equal, allocation, or person',
);
export type CostSplit = z.infer<typeof CostSplit>;

const Text = name({ required: issue('cost_text_required'), characters: issue('name_characters') }).max(
  COST_TEXT_MAX_LENGTH,
  issue('text_too_long', { max: COST_TEXT_MAX_LENGTH }),
);
const Username = line({ required: issue('username_required'), characters: issue('username_characters') })
  .trim()
  .min(1, issue('username_required'))
  .max(200, issue('username_too_long'));
const CostAmount = z.number(issue('amount_not_number')).positive(issue('amount_too_low'));
const dateRule = issue('cost_date_rule');
const CostDate = z.iso.date(dateRule).regex(YEARS, dateRule);

const EVERY_RULE = 'every must be a whole number of months from 1 to 36';
/** Repeats every `every` months on the same day, or on the last day of a month without that day; until a date, if given. */
const Repetition = z.strictObject({
  every: z.int(EVERY_RULE).min(1, EVERY_RULE).max(REPEAT_MONTHS_MAX, EVERY_RULE),
  until: CostDate.nullable().default(null),
});

/**
 * The date is today in the asset's zone if left out; it must be in a month that isn't closed. If that month has ended, the cost counts in
 * the running one. Without `paid_by`, the caller paid. `person` is whose it is, with `split` `person`.
 */
export const CostRequest = z
  .strictObject({
    amount: CostAmount,
    text: Text,
    date: CostDate.optional(),
    split: CostSplit.default('month'),
    paid_by: Username.optional(),
    person: Username.optional(),
    repeats: Repetition.optional(),
  })
  .meta({ id: 'CostRequest' });
export type CostRequest = z.infer<typeof CostRequest>;

/** Makes a new version. What a member changes has to be counted by the owner again, unless it only gets cheaper. */
export const CostChange = z
  .strictObject({
    amount: CostAmount.optional(),
    text: Text.optional(),
    date: CostDate.optional(),
    split: CostSplit.optional(),
    paid_by: Username.optional(),
    person: Username.optional(),
    /** Null ends it; alone, also once the month is closed. */
    repeats: Repetition.nullable().optional(),
  })
  .meta({ id: 'CostChange' });
export type CostChange = z.infer<typeof CostChange>;

const SeenVersion = z.int('version must be a whole number').optional();

/** The owner's answer to what a member entered, with a line. `version` is what they saw: if it has changed since, nothing is recorded. */
export const CostDecision = z
  .strictObject({
    answer: z.enum(['count', 'decline'], 'answer must be count or decline'),
    text: Text.optional(),
    version: SeenVersion,
  })
  .meta({ id: 'CostDecision' });
export type CostDecision = z.infer<typeof CostDecision>;

/**
 * A member's answer to a cost that counts and that someone else entered: `yes` to one above their limit, `no` to one that they
 * object to, so that the owner bears their part, or `none` to take that back. `version` is what they saw: if the cost has changed
 * since, nothing is recorded. `amount` is the part that they saw, and the most that they pay with a yes: others may use less, or
 * leave. Without it, a yes is to any part.
 */
export const CostAnswer = z
  .strictObject({
    answer: z.enum(['yes', 'no', 'none'], 'answer must be yes, no, or none'),
    amount: z.number(issue('amount_not_number')).min(0, 'amount must be 0 or more').optional(),
    text: Text.optional(),
    version: SeenVersion,
  })
  .meta({ id: 'CostAnswer' });
export type CostAnswer = z.infer<typeof CostAnswer>;

const CostVersion = z.object({
  version: z.int(),
  /** When it was written. */
  at: Instant,
  date: z.iso.date(),
  text: z.string(),
  amount: Amount,
  split: CostSplit,
  /** Null once that account is gone. */
  paid_by: z.string().nullable(),
  /** Whose it is if it isn't split. */
  person: z.string().nullable(),
});

/**
 * What an asset cost beside its price, as it is now. A member's is `proposed` until the owner counts or declines it; a proposal that is
 * still open when its month closes moves to the running month. Parts of it are on the statements.
 */
export const Cost = z
  .object({
    id: Id,
    ...CostVersion.shape,
    /** In which it counts; later than its date if it was entered after that month had ended. */
    month: Month,
    /** Whether that month is closed. */
    closed: z.boolean(),
    currency: z.string(),
    status: z.enum(['proposed', 'counted', 'declined', 'removed']),
    author: z.string().nullable(),
    /** What the owner wrote when they declined it. */
    reply: z.string().nullable(),
    /** When it comes again; only of the newest one. `next` is null once who paid it had no access in its month, which ends that. */
    repeats: z.object({ every: z.int(), until: z.iso.date().nullable(), next: z.iso.date().nullable() }).nullable(),
    /** What it was before, oldest first. */
    earlier: z.array(CostVersion),
    /** Answers to it as it is now; a member gets their own. */
    answers: z.array(
      z.object({
        username: z.string(),
        answer: z.enum(['yes', 'no']),
        /** With a yes, the part that it was said to; null for any. */
        amount: Amount.nullable(),
        text: z.string().nullable(),
        at: Instant,
      }),
    ),
    /** What the caller can do now. */
    can: z.object({ change: z.boolean(), remove: z.boolean(), decide: z.boolean(), answer: z.boolean() }),
  })
  .meta({ id: 'Cost' });
export type Cost = z.infer<typeof Cost>;

/** Newest first. */
export const CostList = listOf(Cost).meta({ id: 'CostList' });
export type CostList = z.infer<typeof CostList>;

const ByCost = z.strictObject({ id: PathId, cost_id: PathId });

export const costEndpoints = {
  'GET /api/assets/{id}/costs/': {
    scripts: READABLE,
    summary: "List an asset's costs beside its price, newest first",
    csv: true,
    params: ById,
    query: PageOrFileQuery,
    answers: { 200: CostList },
  },
  'POST /api/assets/{id}/costs/': {
    summary: "Add a cost beside the price; the owner's counts at once",
    idempotent: true,
    params: ById,
    body: CostRequest,
    answers: { 201: Cost },
  },
  'PATCH /api/assets/{id}/costs/{cost_id}/': {
    summary: 'Change a cost (author), until its month closes',
    params: ByCost,
    body: CostChange,
    answers: { 200: Cost },
  },
  'DELETE /api/assets/{id}/costs/{cost_id}/': {
    summary: 'Remove a cost (author), until its month closes',
    params: ByCost,
    answers: { 204: NoContent },
  },
  'POST /api/assets/{id}/costs/{cost_id}/answer/': {
    summary: 'Count or decline what a member entered (owner)',
    params: ByCost,
    body: CostDecision,
    answers: { 200: Cost },
  },
  'GET /api/shared-assets/{id}/costs/': {
    scripts: READABLE,
    summary: 'List the costs beside the price that were dated when the caller had access, and their own, newest first',
    csv: true,
    params: ById,
    query: PageOrFileQuery,
    answers: { 200: CostList },
  },
  'POST /api/shared-assets/{id}/costs/': {
    summary: 'Propose a cost beside the price, which the owner counts or declines',
    idempotent: true,
    params: ById,
    body: CostRequest,
    answers: { 201: Cost },
  },
  'PATCH /api/shared-assets/{id}/costs/{cost_id}/': {
    summary: 'Change a cost (author), until its month closes',
    params: ByCost,
    body: CostChange,
    answers: { 200: Cost },
  },
  'DELETE /api/shared-assets/{id}/costs/{cost_id}/': {
    summary: 'Remove a cost (author), until its month closes',
    params: ByCost,
    answers: { 204: NoContent },
  },
  'POST /api/shared-assets/{id}/costs/{cost_id}/answer/': {
    summary: 'Say yes to a cost above the limit, or object to one, until its month closes (member)',
    params: ByCost,
    body: CostAnswer,
    answers: { 200: Cost },
  },
} as const satisfies EndpointTable;
