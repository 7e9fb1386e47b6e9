import { redirect, type ParsedLocation } from '@tanstack/react-router';
import { knownAbout } from '../features/accounts/about-api.ts';
import { currentSignIn } from '../platform/auth/sign-in.ts';
import { paths } from '../platform/paths.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page a signed-out visitor wanted. Kept in the history entry so that the URL stays plain /login. */
    from?: string;
    /** Whether a dialog was opened from the previous history entry, so that closing it means going back. */
    opened?: boolean;
    /** Whether a new password was set with the link that led to the page. */
    passwordSet?: boolean;
  }
}

export function requireSignIn({ location }: { location: ParsedLocation }): void {
  if (currentSignIn() === null)
    redirect({ to: paths.login, state: { from: location.href }, replace: true, throw: true });
}

export function requireSignedOut(): void {
  if (currentSignIn() !== null) redirect({ to: paths.dashboard, replace: true, throw: true });
}

/** Leads on from the landing page also where the server has none: at first it redirects itself, and then it has said so. */
export function requireLanding(): void {
  requireSignedOut();
  if (knownAbout()?.landing === false) redirect({ to: paths.login, replace: true, throw: true });
}
