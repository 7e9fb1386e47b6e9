import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const lineNotFound = (): Failure => fail('not_found', { message: SENTENCES.chargeNotFound });
export const markFinal = (): Failure => fail('mark_final');
export const markNotAllowed = (): Failure => fail('mark_not_allowed');
export const lineSettled = (): Failure => fail('line_settled');
export const nothingToSettle = (): Failure => fail('nothing_to_settle');
export const linesChanged = (): Failure => fail('lines_changed');
export const severalCurrencies = (): Failure =>
  fail('validation_failed', {
    message: SENTENCES.currencyToSettle,
    fields: { currency: [SENTENCES.severalCurrencies] },
  });
export const invalidAmount = (problem: string): Failure =>
  fail('validation_failed', { message: problem, fields: { amount: [problem] } });
export const paymentChanged = (): Failure => fail('payment_changed');
export const paymentNotFound = (): Failure => fail('not_found', { message: SENTENCES.paymentNotFound });
export const paymentNotYours = (): Failure => fail('payment_not_yours');
export const paymentConfirmed = (): Failure => fail('payment_confirmed');
export const paymentUndone = (): Failure => fail('payment_undone');
export const undoNotAllowed = (): Failure => fail('undo_not_allowed');

export const chargesMarkedSent = (): Failure => fail('charges_marked_sent');
