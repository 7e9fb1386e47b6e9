import { logout } from '../features/accounts/api.ts';
import { followOtherTabs, onSignInChange, restoreSignIn } from '../lib/sign-in.ts';
import { paths } from './paths.ts';
import { router } from './router.tsx';

/** Keeps the page that is shown in step with who is signed in, here and in other tabs. */
export function followSignIn(): void {
  const leave = () => void logout().catch((error: unknown) => console.error('Logout failed', error));

  onSignInChange((signIn, reason) => {
    // Who asked to leave starts afresh; whose sign-in ended comes back to where they were.
    if (signIn === null && reason === 'asked') void router.navigate({ to: paths.login });
    else if (signIn === null || router.state.status === 'idle') void router.invalidate();
  });
  followOtherTabs(leave);
  try {
    restoreSignIn();
  } catch {
    leave();
  }
}
