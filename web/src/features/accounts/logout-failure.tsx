import { useSyncExternalStore } from 'react';
import { keepFocusInPage } from '../../lib/focus.ts';
import { logError } from '../../lib/log.ts';
import { Banner } from '../../ui/banner.tsx';
import { tellOfLogout } from './api.ts';
import { onUntoldLogout, untoldLogout } from './untold-logout.ts';

/** Shown on the login page after a logout that did not reach the server; retries it. */
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
