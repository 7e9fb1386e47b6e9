import { fail, type Failure } from '../../platform/result.ts';

/** Also the answer for other users' assets, so that it doesn't reveal whether they exist. */
export const assetNotFound = (): Failure => fail('not_found', { message: 'Asset not found.' });

export const assetArchived = (): Failure => fail('asset_archived');

export const badPrice = (sentence: string): Failure =>
  fail('validation_failed', { fields: { subscription_cost: [sentence] } });

export const otherPriceUnfit = (currency: string): Failure =>
  fail('validation_failed', {
    fields: { currency: [`Another month has a price that ${currency} doesn't allow. Change that price first.`] },
  });

export const currencyBilled = (): Failure =>
  fail('month_closed', { fields: { currency: ['The currency can no longer be changed, because a month is closed.'] } });
