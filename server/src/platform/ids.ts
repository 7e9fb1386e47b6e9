import { randomBytes } from 'node:crypto';

/** Returns unguessable ids. Tests may supply predictable ones. */
export type RandomId = () => string;

/** Returns 128 random bits in the URL-safe alphabet. */
export const randomId: RandomId = () => randomBytes(16).toString('base64url');
