import { z } from 'zod';

/** The repeated password; never sent to the server. */
export const Confirmation = z.string().min(1, 'Confirm password is required');

/** Options of the refinement that compares both passwords. `when` makes it run even if other fields are invalid. */
export const MISMATCH = { path: ['confirmation'], error: 'Passwords do not match', when: () => true };
