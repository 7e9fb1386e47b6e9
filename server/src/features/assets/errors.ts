import { sentence, type Sentence, type SentenceCode } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

/** Also the answer for other users' assets, so that it doesn't reveal whether they exist. */
export const assetNotFound = (): Failure => fail('not_found', { sentence: sentence('asset_not_found') });

/** For co-managers. */
export const ownerOnly = (code: 'owner_only' | Extract<SentenceCode, `${string}_by_owner`> = 'owner_only'): Failure =>
  fail('owner_only', { sentence: { code } });

export const tooManyAssets = (): Failure => fail('too_many_assets');

export const assetArchived = (): Failure => fail('asset_archived');

export const badPrice = (problem: Sentence): Failure =>
  fail('validation_failed', { fields: { subscription_cost: [problem] } });

export const badMaxPrice = (problem: Sentence): Failure =>
  fail('validation_failed', { fields: { max_price_per_hour: [problem] } });

export const badExtraCostLimit = (problem: Sentence): Failure =>
  fail('validation_failed', { fields: { extra_cost_limit: [problem] } });

export const otherPriceUnfit = (currency: string): Failure =>
  failField('currency', sentence('other_price_unfit', { currency }));

export const billWithoutArchiving = (): Failure =>
  fail('validation_failed', { fields: { bill: [{ english: 'bill can only be given when archiving' }] } });

export const currencyFixed = (): Failure => failField('currency', sentence('currency_fixed'), 'currency_fixed');
