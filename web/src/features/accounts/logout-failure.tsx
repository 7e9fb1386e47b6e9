import { useSyncExternalStore } from 'react';
import { keepFocusInPage } from '../../lib/focus.ts';
import { logError } from '../../lib/log.ts';
import { Banner } from '../../ui/banner.tsx';
import { tellOfLogout } from './api.ts';
import { onUntoldLogout, untoldLogout } from './untold-logout.ts';

/** Where a logout leads to when the server did not hear of it: says so, and tells the server again. */
export function LogoutFailure() {
  const untold = useSyncExternalStore(onUntoldLogout, untoldLogout);
  if (untold === null) return null;
  const again = async () => {
    try {
      await tellOfLogout(untold);
      keepFocusInPage();
    } catch (error) {
      logError('Logout failed', error);
    }
  };
  return (
    <Banner className="mb-4" onRetry={() => void again()}>
      Failed to logout. Please try again.
    </Banner>
  );
}
