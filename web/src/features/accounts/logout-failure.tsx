import { useSelector } from '@tanstack/react-store';
import { keepFocusInPage } from '../../ui/focus.ts';
import { logError } from '../../platform/log.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { revokeSignIn } from './api.ts';
import { pendingLogout } from './pending-logout.ts';

/** Shown on the login page after a logout that did not reach the server; retries it. */
export function LogoutFailure() {
  const refreshToken = useSelector(pendingLogout);
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
