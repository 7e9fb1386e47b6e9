import { fail, type Failure } from '../../platform/result.ts';

export const periodClosed = (field?: string): Failure =>
  fail(
    'month_closed',
    field === undefined ? {} : { fields: { [field]: ['This month is closed and keeps its price.'] } },
  );

const badMonth = (sentence: string): Failure =>
  fail('validation_failed', { message: sentence, fields: { from_month: [sentence] } });

export const monthBeforeAsset = (): Failure => badMonth('The asset was added after this month.');
export const tooFarAhead = (years: number): Failure => badMonth(`Choose a month within the next ${years} years.`);
