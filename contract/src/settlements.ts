import { z } from 'zod';
import { ById, type EndpointTable, READABLE } from './calls.ts';
import { Amount, Hue, Id, Instant, line, listOf, Month, PageOrFileQuery } from './fields.ts';
import { PaymentDetails } from './payment-methods.ts';
import { issue } from './sentences.ts';
import { LineStatus, MarkedLine } from './statements.ts';

export const MarkLineRequest = z
  .strictObject({ status: z.enum(LineStatus.options, 'status must be due, sent, or paid') })
  .meta({ id: 'MarkLineRequest' });

/** An unpaid charge between the caller and another user. Members owe owners, or are owed what they paid beyond their share. */
export const BalanceLine = z
  .object({
    id: Id,
    /** Null when the asset has been deleted. */
    asset_id: Id.nullable(),
    asset_name: z.string(),
    month: Month,
    amount: Amount,
    /** What is still owed of it. */
    open_amount: Amount,
    /** The part of the open amount that payments cover that aren't confirmed yet. */
    sent_amount: Amount,
    direction: z.enum(['they_owe', 'you_owe']),
    /** As what the caller marks it: as `paid`, if it is owed to them or to a member of theirs without an account. */
    your_mark: z.enum(['sent', 'paid']),
    status: LineStatus,
    status_since: Instant.nullable(),
  })
  .meta({ id: 'BalanceLine' });
export type BalanceLine = z.infer<typeof BalanceLine>;

/**
 * What two users owe each other in one currency. `net` is what they owe the caller, negative when the caller owes. It
 * contains what was sent and isn't confirmed yet: `they_sent` and `you_sent`.
 */
export const Balance = z
  .object({
    username: z.string(),
    /** The other user's color; null once their account is deleted. */
    hue: Hue.nullable(),
    /** Whether the other account was deleted, so that there is no one to confirm a payment. */
    account_deleted: z.boolean(),
    they_owe: Amount,
    you_owe: Amount,
    net: Amount,
    they_sent: Amount,
    you_sent: Amount,
    currency: z.string(),
    lines: z.array(BalanceLine),
    /** How to pay the other user in this currency; null unless the caller owes them. */
    payment_details: PaymentDetails.nullable(),
  })
  .meta({ id: 'Balance' });
export type Balance = z.infer<typeof Balance>;

export const BalanceList = listOf(Balance).meta({ id: 'BalanceList' });

const LINES_RULE = 'lines must be a list of statement line IDs';

/**
 * `lines` defaults to all open lines between the two users in that currency. If given, either all of them are settled
 * or none. An `amount` below what is open is taken from the payer's oldest charges on. `net` is what of those lines the
 * caller saw open, negative when they owe: if it differs, and with it who pays whom, nothing is recorded.
 */
export const SettleRequest = z
  .strictObject({
    username: line({ required: issue('username_required'), characters: issue('username_characters') }),
    currency: z.string('currency must be a currency code').length(3, 'currency must be a currency code').optional(),
    lines: z
      .array(z.int(LINES_RULE).positive(LINES_RULE), LINES_RULE)
      .min(1, LINES_RULE)
      .max(2000, LINES_RULE)
      .optional(),
    amount: z.number(issue('amount_not_number')).positive(issue('amount_too_low')).optional(),
    net: z.number('net must be a number').optional(),
  })
  .meta({ id: 'SettleRequest' });
export type SettleRequest = z.infer<typeof SettleRequest>;

/** What the caller saw that undoing does. If that has changed since, nothing happens. */
export const UndoRequest = z
  .strictObject({ step: z.enum(['alone', 'ask', 'agree'], 'step must be alone, ask, or agree').optional() })
  .meta({ id: 'UndoRequest' });
export type UndoRequest = z.infer<typeof UndoRequest>;

export const SettlementStatus = z.enum(['sent', 'paid', 'undone', 'not_received']);
export type SettlementStatus = z.infer<typeof SettlementStatus>;

/** What someone did to a payment. `sent` and `paid` record it. */
export const PaymentStepKind = z.enum([
  ...(['sent', 'paid', 'confirmed', 'not_received'] as const),
  ...(['undo_asked', 'undo_withdrawn', 'confirmation_undone', 'undone'] as const),
]);
export type PaymentStepKind = z.infer<typeof PaymentStepKind>;

/**
 * A recorded payment. `direction` is the caller's view of who paid. It is `sent` until the person who is paid confirms
 * it; only `paid` ones are final.
 */
export const Settlement = z
  .object({
    id: Id,
    username: z.string(),
    direction: z.enum(['they_paid', 'you_paid']),
    amount: Amount,
    currency: z.string(),
    settled_at: Instant,
    recorded_by: z.string(),
    status: SettlementStatus,
    /** When it became paid; null unless it is. */
    confirmed_at: Instant.nullable(),
    /** When it was undone or marked as not received. */
    undone_at: Instant.nullable(),
    /** Who asked the other to agree to undo it; null unless that is open. */
    undo_asked_by: z.string().nullable(),
    /** Everything that happened to it, oldest first. */
    events: z.array(z.object({ kind: PaymentStepKind, username: z.string(), at: Instant })),
    /** What the caller can do now. `undo` says how: at once, by asking the other, or by agreeing with them. */
    can: z.object({
      confirm: z.boolean(),
      reject: z.boolean(),
      undo: z.enum(['alone', 'ask', 'agree']).nullable(),
      withdraw: z.boolean(),
    }),
    lines: z.array(
      BalanceLine.omit({
        open_amount: true,
        sent_amount: true,
        your_mark: true,
        status: true,
        status_since: true,
      }).extend({
        /** The part of the charge that this payment covers. */
        covered_amount: Amount,
      }),
    ),
  })
  .meta({ id: 'Settlement' });
export type Settlement = z.infer<typeof Settlement>;

/** Newest first. */
export const SettlementList = listOf(Settlement).meta({ id: 'SettlementList' });

export const settlementEndpoints = {
  'POST /api/statement-lines/{id}/mark/': {
    summary: 'Mark a charge as sent (member) or paid (owner), or undo that',
    params: ById,
    body: MarkLineRequest,
    answers: { 200: MarkedLine },
  },
  'GET /api/balances/': {
    scripts: READABLE,
    summary: 'List balances with each other user by currency, with the unpaid charges',
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: BalanceList },
  },
  'GET /api/settlements/': {
    scripts: READABLE,
    summary: "List the caller's payments, newest first",
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: SettlementList },
  },
  'POST /api/settlements/': {
    summary: 'Record a payment for the unpaid charges between two users: sent (payer) or paid (payee)',
    idempotent: true,
    body: SettleRequest,
    answers: { 201: Settlement },
  },
  'POST /api/settlements/{id}/confirm/': {
    summary: 'Confirm that a sent payment arrived (payee)',
    params: ById,
    answers: { 200: Settlement },
  },
  'POST /api/settlements/{id}/reject/': {
    summary: 'Mark a sent payment as not received (payee)',
    params: ById,
    answers: { 200: Settlement },
  },
  'POST /api/settlements/{id}/undo/': {
    summary:
      'Undo what the caller recorded or confirmed in the last 72 hours; otherwise, ask the other person to agree, or agree',
    params: ById,
    body: UndoRequest,
    answers: { 200: Settlement },
  },
  'DELETE /api/settlements/{id}/undo/': {
    summary: 'Withdraw the request to undo a payment',
    params: ById,
    answers: { 200: Settlement },
  },
} as const satisfies EndpointTable;
