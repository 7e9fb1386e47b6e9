import { useSyncExternalStore } from 'react';
import { keepFocusInPage } from '../../lib/focus.ts';
import { logError } from '../../lib/log.ts';
import { t } from '../../lib/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { revokeSignIn } from './api.ts';
import { onPendingLogoutChange, pendingLogout } from './pending-logout.ts';

/** Shown on the login page after a logout that did not reach the server; retries it. */
export function LogoutFailure() {
  const refreshToken = useSyncExternalStore(onPendingLogoutChange, pendingLogout);
  if (refreshToken === null) return null;
  const retry = async () => {
    try {
      await revokeSignIn(refreshToken);
      keepFocusInPage();
    } catch (error) {
      logError('Logout failed', error);
    }
  };
  return (
    <Banner className="mb-4" onRetry={() => void retry()}>
      {t('Failed to logout. Please try again.')}
    </Banner>
  );
}
