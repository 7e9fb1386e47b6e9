import { sentence } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const meterNotFound = (): Failure => fail('not_found', { sentence: sentence('meter_not_found') });
export const tooManyMeters = (): Failure => fail('too_many_meters');
export const notAgreed = (): Failure => fail('meter_not_agreed');
export const perMember = (): Failure => fail('meter_per_member');
export const notPerMember = (): Failure => fail('meter_not_per_member');
