import { useEffect } from 'react';
import { refreshUser } from '../../features/accounts/api.ts';
import { logError } from '../../lib/log.ts';

/** Asks the server for the user once a visit: another device may have changed what this one remembers. */
export function useUserRefresh(): void {
  useEffect(() => {
    refreshUser().catch((error: unknown) => logError('The user could not be read again', error));
  }, []);
}
