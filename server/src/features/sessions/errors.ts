import { fail, type Failure } from '../../platform/result.ts';

export const alreadyRunning = (): Failure => fail('session_already_running');
export const noneRunning = (): Failure => fail('no_active_session');
export const sessionActive = (): Failure => fail('session_active');
export const sessionOverlaps = (): Failure => fail('session_overlap');
export const badTimes = (fields: Record<string, string[]>): Failure =>
  fail('validation_failed', { message: Object.values(fields)[0]?.[0] ?? '', fields });
