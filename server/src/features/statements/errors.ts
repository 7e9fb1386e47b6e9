import { fail, type Failure } from '../../platform/result.ts';

export const statementNotFound = (): Failure => fail('not_found', { message: 'Statement not found.' });
export const monthNotEnded = (): Failure => fail('month_not_ended');
export const notAMember = (username: string): Failure =>
  fail('validation_failed', { fields: { allocations: [`${username} had no share in any of these months.`] } });
