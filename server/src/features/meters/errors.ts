import { sentence } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const meterNotFound = (): Failure => fail('not_found', { sentence: sentence('meter_not_found') });
export const needsMeterToken = (): Failure =>
  fail('not_signed_in', {
    sentence: { english: "Send the meter's token in the header Authorization: Bearer hm_YOUR_TOKEN." },
  });
export const meterTokenInvalid = (): Failure =>
  fail('not_signed_in', {
    sentence: {
      english: 'This meter token is wrong or no longer works. Press Replace token where the meter is set up.',
    },
  });
export const meterTokenMisplaced = (): Failure =>
  fail('not_signed_in', {
    sentence: { english: "A meter's token works only at /api/meters/events/ and /v1/metrics." },
  });
export const tooManyMeters = (): Failure => fail('too_many_meters');
export const notAgreed = (): Failure => fail('meter_not_agreed');
export const perMember = (): Failure => fail('meter_per_member');
export const notPerMember = (): Failure => fail('meter_not_per_member');
