import { randomBytes } from 'node:crypto';

/** Where unguessable names come from; tests may supply predictable ones. */
export type RandomId = () => string;

/** 128 random bits in the URL-safe alphabet. */
export const randomId: RandomId = () => randomBytes(16).toString('base64url');
