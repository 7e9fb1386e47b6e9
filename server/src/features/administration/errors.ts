import { fail, type Failure } from '../../platform/result.ts';

export const accountNotFound = (): Failure => fail('not_found');

export const administratorProtected = (): Failure => fail('administrator_protected');

export const registrationSet = (): Failure => fail('registration_set');
