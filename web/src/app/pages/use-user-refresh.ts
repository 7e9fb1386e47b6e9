import { useEffect } from 'react';
import { refreshUserInBackground } from '../../features/accounts/api.ts';

/** Reloads the user once per visit; another device may have changed it. */
export function useUserRefresh(): void {
  useEffect(() => refreshUserInBackground(), []);
}
