import { z } from 'zod';
import { t } from '../../platform/i18n/messages.ts';

/** The repeated password; never sent to the server. */
export const Confirmation = z.string().min(1, { error: () => t('Confirm your password') });

/** Options of the refinement that compares both passwords. `when` makes it run even if other fields are invalid. */
export const MISMATCH = { path: ['confirmation'], error: () => t('Passwords do not match'), when: () => true };
