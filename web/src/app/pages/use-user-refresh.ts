import { useEffect } from 'react';
import { refreshUser } from '../../features/accounts/api.ts';
import { logError } from '../../lib/log.ts';

/** Reloads the user once per visit; another device may have changed it. */
export function useUserRefresh(): void {
  useEffect(() => {
    refreshUser().catch((error: unknown) => logError('The user could not be read again', error));
  }, []);
}
