import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const periodClosed = (field?: string): Failure =>
  fail('month_closed', field === undefined ? {} : { fields: { [field]: [SENTENCES.monthPriceClosed] } });

const badMonth = (sentence: string): Failure =>
  fail('validation_failed', { message: sentence, fields: { from_month: [sentence] } });

export const monthBeforeAsset = (): Failure => badMonth(SENTENCES.monthBeforeAsset);
export const tooFarAhead = (years: number): Failure => badMonth(fillTemplate(TEMPLATES.monthTooFar, { years }));

/** For co-managers. */
export const loweredByOwner = (): Failure =>
  fail('owner_only', {
    message: SENTENCES.priceLoweredByOwner,
    fields: { subscription_cost: [SENTENCES.priceLoweredByOwner] },
  });

export const onlyLowered = (): Failure =>
  fail('price_only_lowered', { fields: { subscription_cost: [SENTENCES.priceOnlyLowered] } });
