import { logout } from '../features/accounts/api.ts';
import { logError } from '../lib/log.ts';
import { followOtherTabs, onSignInChange, restoreSignIn } from '../lib/sign-in.ts';
import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** Keeps the page that is shown in step with who is signed in, here and in other tabs. */
export function followSignIn(): void {
  const leave = () => void logout().catch((error: unknown) => logError('Logout failed', error));

  onSignInChange((_, change) => {
    // The form that signed in leads on by itself. Who asked to leave starts afresh; whose sign-in ended comes back to
    // where they were, by way of the guards.
    if (change === 'asked') void router.navigate({ to: paths.login });
    else if (change !== 'signed in' && change !== 'edited') void router.invalidate();
  });
  followOtherTabs(leave);
  try {
    restoreSignIn();
  } catch {
    leave();
  }
}
