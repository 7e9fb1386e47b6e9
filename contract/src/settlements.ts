import { z } from 'zod';
import { ById, type EndpointTable } from './calls.ts';
import { Amount, Id, Instant, line, listOf, Month, PageOrFileQuery } from './fields.ts';
import { SENTENCES } from './sentences.ts';
import { LineStatus, MarkedLine } from './statements.ts';

export const MarkLineRequest = z
  .strictObject({ status: z.enum(LineStatus.options, 'status must be due, sent, or paid') })
  .meta({ id: 'MarkLineRequest' });

/**
 * An unpaid charge between the caller and another user. `they_owe` is true when the caller is the owner, who receives
 * the money.
 */
export const BalanceLine = z
  .object({
    id: Id,
    /** Null when the asset has been deleted. */
    asset_id: Id.nullable(),
    asset_name: z.string(),
    month: Month,
    amount: Amount,
    direction: z.enum(['they_owe', 'you_owe']),
    status: LineStatus,
    status_since: Instant.nullable(),
  })
  .meta({ id: 'BalanceLine' });
export type BalanceLine = z.infer<typeof BalanceLine>;

/** What two users owe each other in one currency. `net` is what they owe the caller, negative when the caller owes. */
export const Balance = z
  .object({
    username: z.string(),
    they_owe: Amount,
    you_owe: Amount,
    net: Amount,
    currency: z.string(),
    lines: z.array(BalanceLine),
  })
  .meta({ id: 'Balance' });
export type Balance = z.infer<typeof Balance>;

export const BalanceList = listOf(Balance).meta({ id: 'BalanceList' });

const LINES_RULE = 'lines must be a list of statement line IDs';

/**
 * `lines` defaults to all open lines between the two users in that currency. If given, either all of them are settled
 * or none.
 */
export const SettleRequest = z
  .strictObject({
    username: line({ required: SENTENCES.usernameRequired, characters: SENTENCES.usernameCharacters }),
    currency: z.string('currency must be a currency code').length(3, 'currency must be a currency code').optional(),
    lines: z
      .array(z.int(LINES_RULE).positive(LINES_RULE), LINES_RULE)
      .min(1, LINES_RULE)
      .max(2000, LINES_RULE)
      .optional(),
  })
  .meta({ id: 'SettleRequest' });
export type SettleRequest = z.infer<typeof SettleRequest>;

/** A recorded payment of the net amount. `direction` is the caller's view of who paid. */
export const Settlement = z
  .object({
    id: Id,
    username: z.string(),
    direction: z.enum(['they_paid', 'you_paid']),
    amount: Amount,
    currency: z.string(),
    settled_at: Instant,
    recorded_by: z.string(),
    lines: z.array(BalanceLine.omit({ status: true, status_since: true })),
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
    summary: 'Balances with each other user by currency, with the unpaid charges',
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: BalanceList },
  },
  'GET /api/settlements/': {
    summary: "The caller's payments, newest first",
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: SettlementList },
  },
  'POST /api/settlements/': {
    summary: 'Record a payment that settles the unpaid charges between two users',
    creates: true,
    body: SettleRequest,
    answers: { 201: Settlement },
  },
} as const satisfies EndpointTable;
