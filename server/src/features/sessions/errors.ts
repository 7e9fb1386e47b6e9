import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const alreadyRunning = (): Failure => fail('session_already_running');
export const noneRunning = (): Failure => fail('no_active_session');
export const sessionAlreadyEnded = (): Failure => fail('session_already_ended');
export const sessionActive = (): Failure => fail('session_active');
export const sessionOverlaps = ({ ofGuest }: { ofGuest: boolean }): Failure =>
  fail('session_overlap', ofGuest ? { message: SENTENCES.theirSessionOverlaps } : {});
export const badTimes = (fields: Record<string, string[]>): Failure =>
  fail('validation_failed', { message: Object.values(fields)[0]?.[0] ?? '', fields });

export const sessionNotFound = (): Failure => fail('not_found', { message: SENTENCES.sessionNotFound });
export const sessionNotEdited = (): Failure => fail('session_not_edited');
export const alreadyObjected = (): Failure => fail('already_objected');
export const objectionEnded = (): Failure => fail('objection_ended');
export const tooManyReplies = (): Failure => fail('too_many_replies');
