import { pendingLogout } from '../features/accounts/pending-logout.ts';
import { followErasing } from '../platform/offline/erasing.ts';
import { logError } from '../platform/log.ts';
import {
  clearSignIn,
  followOtherTabs,
  onSignInChange,
  restoreSignIn,
  storedRefresh,
} from '../platform/auth/sign-in.ts';
import { paths } from '../platform/paths.ts';
import { router } from './router.tsx';

/** Signs out. Loads the code that calls the server only then, because the landing page starts without it. */
async function leave(): Promise<void> {
  try {
    const { logout } = await import('../features/accounts/api.ts');
    await logout();
  } catch (error) {
    logError('Logout failed', error);
    // The login page offers to try again.
    pendingLogout.set(storedRefresh());
    clearSignIn('logout');
  }
}

/** Keeps the current page in step with sign-in changes in this tab and others. */
export function followSignIn(): void {
  followErasing();
  onSignInChange((_, change) => {
    // The sign-in form navigates on its own. A logout goes to a plain login page; an expired sign-in goes through the
    // guards, which remember the page to return to.
    if (change === 'logout') void router.navigate({ to: paths.login });
    else if (change !== 'signed in' && change !== 'edited') void router.invalidate();
  });
  followOtherTabs(() => void leave());
  try {
    restoreSignIn();
  } catch {
    void leave();
  }
}
