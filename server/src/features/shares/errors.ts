import { fail, type Failure } from '../../platform/result.ts';

export const shareNotFound = (): Failure => fail('not_found', { message: 'Shared asset not found.' });

/** Repeats the name as typed; the specification fixes this sentence. */
export const userNotFound = (username: string): Failure =>
  fail('user_not_found', { message: `User "${username}" not found` });

export const shareWithSelf = (): Failure => fail('share_with_self');
export const alreadyShared = (): Failure => fail('already_shared');
