import { redirect, type ParsedLocation } from '@tanstack/react-router';
import { currentSignIn } from '../lib/sign-in.ts';
import { paths } from '../lib/paths.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Where a signed-out visitor wanted to go. In the history entry, so that the address stays plain /login. */
    from?: string;
    /** A dialog that was opened from the page below it in the history: closing it means going back. */
    opened?: boolean;
  }
}

export function requireSignIn({ location }: { location: ParsedLocation }): void {
  if (currentSignIn() === null)
    redirect({ to: paths.login, state: { from: location.href }, replace: true, throw: true });
}

export function requireSignedOut(): void {
  if (currentSignIn() !== null) redirect({ to: paths.dashboard, replace: true, throw: true });
}
