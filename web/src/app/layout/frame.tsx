import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useUser } from '../../lib/use-sign-in.ts';
import { PageSpinner } from './page-spinner.tsx';
import { SignedOutFrame } from './signed-out-frame.tsx';

/** Asked for together with the page it surrounds, not after it. */
export const loadSignedInFrame = () => import('./signed-in-frame.tsx');

const SignedInFrame = lazy(async () => ({ default: (await loadSignedInFrame()).SignedInFrame }));

/** The common layout: with the side panel for who is signed in. */
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
      {/* Another user is another tree: nothing of the one before may stay. */}
      <SignedInFrame key={user.id} user={user}>
        <Outlet />
      </SignedInFrame>
    </Suspense>
  );
}
