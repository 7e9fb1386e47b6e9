import { fail, type Failure } from '../../platform/result.ts';

export const lineNotFound = (): Failure => fail('not_found', { message: 'Statement line not found.' });
export const markNotAllowed = (): Failure => fail('mark_not_allowed');
export const lineSettled = (): Failure => fail('line_settled');
export const nothingToSettle = (): Failure => fail('nothing_to_settle');
export const linesChanged = (): Failure => fail('lines_changed');
export const severalCurrencies = (): Failure =>
  fail('validation_failed', {
    message: 'Say in which currency you settle.',
    fields: { currency: ['You owe each other in several currencies: settle one at a time.'] },
  });
