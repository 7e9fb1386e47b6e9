import { sentence, type Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const lineNotFound = (): Failure => fail('not_found', { sentence: sentence('charge_not_found') });
export const markFinal = (): Failure => fail('mark_final');
export const markNotAllowed = (): Failure => fail('mark_not_allowed');
export const lineSettled = (): Failure => fail('line_settled');
export const nothingToSettle = (): Failure => fail('nothing_to_settle');
export const linesChanged = (): Failure => fail('lines_changed');
export const severalCurrencies = (): Failure =>
  fail('validation_failed', {
    sentence: sentence('currency_to_settle'),
    fields: { currency: [sentence('several_currencies')] },
  });
export const invalidAmount = (problem: Sentence): Failure => failField('amount', problem);
export const paymentChanged = (): Failure => fail('payment_changed');
export const paymentNotFound = (): Failure => fail('not_found', { sentence: sentence('payment_not_found') });
export const paymentNotYours = (): Failure => fail('payment_not_yours');
export const paymentConfirmed = (): Failure => fail('payment_confirmed');
export const paymentUndone = (): Failure => fail('payment_undone');
export const undoNotAllowed = (): Failure => fail('undo_not_allowed');

export const chargesMarkedSent = (): Failure => fail('charges_marked_sent');
