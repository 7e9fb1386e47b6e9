import type { User } from '@hourshare/contract/users';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { withMessages } from '../../platform/i18n/messages.ts';
import { currentSignIn } from '../../platform/auth/sign-in.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { PageSpinner } from './page-spinner.tsx';
import { SignedOutFrame } from './signed-out-frame.tsx';

type SignedInFrame = ComponentType<{ user: User; children: ReactNode }>;

let loaded: SignedInFrame | undefined;
const importModule = withMessages('app', () => import('./signed-in-frame.tsx'));
const importFrame = async () => (loaded = (await importModule()).SignedInFrame);
const LazyFrame = lazy(async () => ({ default: await importFrame() }));

/** Called by the router, so that the frame loads in parallel with its page. */
export async function loadFrame(): Promise<void> {
  if (currentSignIn() !== null) await importFrame();
}

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
      <UserFrame key={user.id} user={user} />
    </Suspense>
  );
}

function UserFrame({ user }: { user: User }) {
  // React shows a fallback for at least 300 ms, even for a lazy component that has already loaded.
  const [SignedInFrame] = useState<SignedInFrame>(() => loaded ?? LazyFrame);
  return (
    <SignedInFrame user={user}>
      <Outlet />
    </SignedInFrame>
  );
}
