import { fail, type Failure } from '../../platform/result.ts';

export const statementNotFound = (): Failure => fail('not_found', { message: 'Statement not found.' });
export const monthClosed = (field?: string): Failure =>
  fail(
    'month_closed',
    field === undefined ? {} : { fields: { [field]: ['This month is closed and keeps its price.'] } },
  );
export const beforeAsset = (): Failure =>
  fail('validation_failed', {
    message: 'The asset was added after this month.',
    fields: { from_month: ['The asset was added after this month.'] },
  });
export const monthNotEnded = (): Failure => fail('month_not_ended');
export const notAMember = (username: string): Failure =>
  fail('validation_failed', { fields: { allocations: [`${username} had no share in any of these months.`] } });
