import { createAtom } from '@tanstack/react-store';

/**
 * The refresh token of a logout that did not reach the server, where the sign-in is still valid. Kept in memory only,
 * until the server confirms the logout or someone signs in.
 */
export const pendingLogout = createAtom<string | null>(null);
