import { sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const periodClosed = (field?: string): Failure =>
  fail('month_closed', field === undefined ? {} : { fields: { [field]: [sentence('month_price_closed')] } });

export const monthBeforeAsset = (): Failure => failField('from_month', sentence('month_before_asset'));
export const tooFarAhead = (years: number): Failure => failField('from_month', sentence('month_too_far', { years }));

/** For co-managers. */
export const loweredByOwner = (): Failure =>
  failField('subscription_cost', sentence('price_lowered_by_owner'), 'owner_only');

export const onlyLowered = (): Failure =>
  failField('subscription_cost', sentence('price_only_lowered'), 'price_only_lowered');

export const unmeasuredSplit = (): Failure => failField('split_method', sentence('split_evenly_unmeasured'));
export const unmeasuredOwner = (): Failure => failField('owner_takes_part', sentence('owner_unmeasured'));
