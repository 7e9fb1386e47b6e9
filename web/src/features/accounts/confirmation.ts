import { z } from 'zod';

/** A password typed a second time; the server never sees it. */
export const Confirmation = z.string().min(1, 'Confirm password is required');

/** Options of the refinement that compares both. It also runs while other fields are wrong. */
export const MISMATCH = { path: ['confirmation'], error: 'Passwords do not match', when: () => true };
