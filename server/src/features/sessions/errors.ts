import { fail, type Failure } from '../../platform/result.ts';

export const shareNotFound = (): Failure => fail('not_found', { message: 'Shared asset not found.' });
export const alreadyRunning = (): Failure => fail('session_already_running');
export const noneRunning = (): Failure => fail('no_active_session');
export const unknownCursor = (): Failure =>
  fail('validation_failed', { message: 'Unknown cursor', fields: { cursor: ['Unknown cursor'] } });
