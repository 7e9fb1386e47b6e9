import { z } from 'zod';
import { ById, type EndpointTable, NoContent, READABLE } from './calls.ts';
import { Amount, Hue, Id, Instant, line, listOf, PageOrFileQuery } from './fields.ts';
import { issue } from './sentences.ts';

const DepositAmount = z.number(issue('amount_not_number')).positive(issue('amount_too_low'));

/** Of a member, as it is given to the owner. The amount is in the currency of the asset. */
export const DepositRequest = z.strictObject({ amount: DepositAmount }).meta({ id: 'DepositRequest' });
export type DepositRequest = z.infer<typeof DepositRequest>;

/** Of an owner, who holds it. `username` is who gave it: someone who has accepted access, or had it. */
export const HeldDepositRequest = z
  .strictObject({
    username: line({ required: issue('username_required'), characters: issue('username_characters') })
      .trim()
      .min(1, issue('username_required'))
      .max(200, issue('username_too_long')),
    amount: DepositAmount,
  })
  .meta({ id: 'HeldDepositRequest' });
export type HeldDepositRequest = z.infer<typeof HeldDepositRequest>;

/** What the caller saw of a deposit that they confirm. If it has another status since, nothing happens. */
export const ConfirmDepositRequest = z
  .strictObject({ status: z.enum(['recorded', 'returning'], 'status must be recorded or returning').optional() })
  .meta({ id: 'ConfirmDepositRequest' });
export type ConfirmDepositRequest = z.infer<typeof ConfirmDepositRequest>;

/**
 * `recorded` until the other person confirms it, then `held`; `returning` once one of them says that it was given back, and `returned`
 * once the other confirms that.
 */
export const DepositStatus = z.enum(['recorded', 'held', 'returning', 'returned']);
export type DepositStatus = z.infer<typeof DepositStatus>;

/**
 * Money that one person holds for another, apart from everything that they owe each other. It outlives the access and the asset that it
 * was given for.
 */
export const Deposit = z
  .object({
    id: Id,
    /** The other person. */
    username: z.string(),
    /** The color of the other person; null once their account is deleted. */
    hue: Hue.nullable(),
    account_deleted: z.boolean(),
    direction: z.enum(['they_hold', 'you_hold']),
    held_by: z.string(),
    /** Null once the asset is deleted. */
    asset_id: Id.nullable(),
    /** What the asset was called. */
    asset_name: z.string(),
    amount: Amount,
    currency: z.string(),
    status: DepositStatus,
    recorded_by: z.string(),
    recorded_at: Instant,
    confirmed_at: Instant.nullable(),
    returned_by: z.string().nullable(),
    returned_at: Instant.nullable(),
    return_confirmed_at: Instant.nullable(),
    /** What the caller can do now: confirm the step that waits, take it back or refuse it, or say that it was given back. */
    can: z.object({ confirm: z.boolean(), withdraw: z.boolean(), give_back: z.boolean() }),
  })
  .meta({ id: 'Deposit' });
export type Deposit = z.infer<typeof Deposit>;

/** Newest first. */
export const DepositList = listOf(Deposit).meta({ id: 'DepositList' });
export type DepositList = z.infer<typeof DepositList>;

export const depositEndpoints = {
  'GET /api/deposits/': {
    scripts: READABLE,
    summary: 'List the deposits that the caller gave or holds, newest first',
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: DepositList },
  },
  'POST /api/assets/{id}/deposits/': {
    summary: 'Record that a member gave the caller a deposit (owner)',
    idempotent: true,
    params: ById,
    body: HeldDepositRequest,
    answers: { 201: Deposit },
  },
  'POST /api/shared-assets/{id}/deposits/': {
    summary: 'Record that the caller gave the owner a deposit (member)',
    idempotent: true,
    params: ById,
    body: DepositRequest,
    answers: { 201: Deposit },
  },
  'POST /api/deposits/{id}/confirm/': {
    summary: 'Confirm what the other person recorded: the deposit, or that it was given back',
    params: ById,
    body: ConfirmDepositRequest,
    answers: { 200: Deposit },
  },
  'POST /api/deposits/{id}/return/': {
    summary: 'Record that a deposit was given back, or confirm that',
    params: ById,
    answers: { 200: Deposit },
  },
  'DELETE /api/deposits/{id}/': {
    summary: 'Take back or refuse what is not confirmed: the deposit, or that it was given back',
    params: ById,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
