import { logout } from '../features/accounts/api.ts';
import { logError } from '../lib/log.ts';
import { followOtherTabs, onSignInChange, restoreSignIn } from '../lib/sign-in.ts';
import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** Keeps the current page in step with sign-in changes in this tab and others. */
export function followSignIn(): void {
  const leave = () => void logout().catch((error: unknown) => logError('Logout failed', error));

  onSignInChange((_, change) => {
    // The sign-in form navigates on its own. A logout goes to a plain login page; an expired sign-in goes through the
    // guards, which remember the page to return to.
    if (change === 'logout') void router.navigate({ to: paths.login });
    else if (change !== 'signed in' && change !== 'edited') void router.invalidate();
  });
  followOtherTabs(leave);
  try {
    restoreSignIn();
  } catch {
    leave();
  }
}
