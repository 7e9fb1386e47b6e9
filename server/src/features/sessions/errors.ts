import { sentence, type Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const alreadyRunning = (): Failure => fail('session_already_running');
export const notMeasured = (): Failure => fail('not_measured');
/** A meter already counts this use. `meter` is its name; null if it was deleted. */
export const recordedBy = (meter: string | null): Failure =>
  fail('metered', meter === null ? {} : { sentence: sentence('recorded_by', { meter }) });
export const noneRunning = (): Failure => fail('no_active_session');
export const sessionAlreadyEnded = (): Failure => fail('session_already_ended');
export const sessionActive = (): Failure => fail('session_active');
export const sessionOverlaps = ({ ofGuest }: { ofGuest: boolean }): Failure =>
  fail('session_overlap', ofGuest ? { sentence: sentence('their_session_overlaps') } : {});
export const sessionEdited = (): Failure => fail('session_edited');
export const badTime = ({ field, problem }: { field: string; problem: Sentence }): Failure => failField(field, problem);

export const sessionNotFound = (): Failure => fail('not_found', { sentence: sentence('session_not_found') });
export const sessionNotEdited = (): Failure => fail('session_not_edited');
export const alreadyObjected = (): Failure => fail('already_objected');
export const objectionTooLate = (): Failure => fail('objection_too_late');
export const requestEnded = (): Failure => fail('request_ended');
export const objectionEnded = (): Failure => fail('objection_ended');
export const tooManyReplies = (): Failure => fail('too_many_replies');
