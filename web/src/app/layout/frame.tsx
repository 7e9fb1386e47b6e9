import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { withMessages } from '../../lib/messages.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { PageSpinner } from './page-spinner.tsx';
import { SignedOutFrame } from './signed-out-frame.tsx';

/** Called by the router so that the frame loads in parallel with its page. */
export const loadSignedInFrame = withMessages('app', () => import('./signed-in-frame.tsx'));

const SignedInFrame = lazy(async () => ({ default: (await loadSignedInFrame()).SignedInFrame }));

/** The common layout, with the side panel for signed-in users. */
export function Frame() {
  const user = useUser();
  if (user === null) {
    return (
      <SignedOutFrame>
        <Outlet />
      </SignedOutFrame>
    );
  }
  return (
    <Suspense fallback={<PageSpinner />}>
      {/* The key remounts everything so that no state leaks from one user to the next. */}
      <SignedInFrame key={user.id} user={user}>
        <Outlet />
      </SignedInFrame>
    </Suspense>
  );
}
