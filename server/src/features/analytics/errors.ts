import { fail, type Failure } from '../../platform/result.ts';

export const shareNotFound = (): Failure => fail('not_found', { message: 'Shared asset not found.' });
