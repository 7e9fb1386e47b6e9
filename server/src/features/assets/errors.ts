import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

/** Also the answer for other users' assets, so that it doesn't reveal whether they exist. */
export const assetNotFound = (): Failure => fail('not_found', { message: SENTENCES.assetNotFound });

/** For co-managers. */
export const ownerOnly = (message?: string): Failure => fail('owner_only', message === undefined ? {} : { message });

export const tooManyAssets = (): Failure => fail('too_many_assets');

export const assetArchived = (): Failure => fail('asset_archived');

export const badPrice = (sentence: string): Failure =>
  fail('validation_failed', { fields: { subscription_cost: [sentence] } });

export const otherPriceUnfit = (currency: string): Failure =>
  fail('validation_failed', {
    fields: { currency: [fillTemplate(TEMPLATES.otherPriceUnfit, { currency })] },
  });

export const billWithoutArchiving = (): Failure =>
  fail('validation_failed', { fields: { bill: ['bill can only be given when archiving'] } });

export const currencyBilled = (): Failure => fail('month_closed', { fields: { currency: [SENTENCES.currencyBilled] } });
