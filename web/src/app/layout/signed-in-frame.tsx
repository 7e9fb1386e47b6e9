import { DirectionProvider } from '@base-ui/react/direction-provider';
import type { User } from '@hourshare/contract/users';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { shareChanges } from '../../platform/live/changes.ts';
import { connection, onConnectionChange } from '../../platform/http/connection.ts';
import { isRightToLeft } from '../../platform/i18n/language.ts';
import { logError } from '../../platform/log.ts';
import { mendNumberFields } from '../../platform/forms/number-fields.ts';
import { hasUnsaved } from '../../platform/forms/unsaved.ts';
import { queryClient } from '../../platform/http/query-client.ts';
import { idle } from './idle.ts';
import { useLater } from './use-later.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { IdentityPlace, IdentityQuestion } from '../../ui/identity-place.tsx';
import { Toasts } from '../../ui/toaster.tsx';
import { Shortcuts } from '../palette/shortcuts.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { PrintHead } from './print-head.tsx';
import { SidePanel } from './side-panel.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';

const importOffline = () => import('./offline.tsx');
type Part = ComponentType<{ user: User }>;
/** Shown where the code isn't there, such as without a connection. */
const Nothing: Part = () => null;
const Offline = lazy(async () => {
  await idle();
  return importOffline().then(
    ({ Offline: Loaded }): { default: Part } => ({ default: Loaded }),
    () => ({ default: Nothing }),
  );
});

const importQuestion = () => import('../../features/accounts/identity-check.tsx');
const importLiveUpdates = () => import('../live/live-updates.tsx');
const loadQuestion = async () => (await importQuestion()).loadIdentityCheck();

export function SignedInFrame({ user, children }: { user: User; children: ReactNode }) {
  useEffect(mendNumberFields, []);
  useEffect(() => shareChanges(queryClient, user.id), [user.id]);
  const isPageDue = useLater();
  const [LiveUpdates, setLiveUpdates] = useState<ComponentType<{ user: User }> | null>(null);
  useEffect(() => {
    if (!isPageDue) return undefined;
    let isGone = false;
    let stopWaiting = () => {};
    const load = (isRetry = false) =>
      importLiveUpdates().then(
        (module) => setLiveUpdates(() => module.LiveUpdates),
        (error: unknown) => {
          logError('Live updates could not be loaded', error);
          if (isGone) return;
          // A browser may never ask again for a script that didn't arrive.
          if (isRetry && !hasUnsaved()) return window.location.reload();
          stopWaiting = onConnectionChange(() => {
            if (connection() !== 'online') return;
            stopWaiting();
            void load(true);
          });
        },
      );
    void load();
    return () => {
      isGone = true;
      stopWaiting();
    };
  }, [isPageDue]);
  return (
    <QueryClientProvider client={queryClient}>
      <DirectionProvider direction={isRightToLeft() ? 'rtl' : 'ltr'}>
        <IdentityQuestion value={loadQuestion}>
          {/* Comes before the page, because the page's dialogs are on top of it. */}
          <IdentityPlace />
          <SkipLink toSessions />
          <TopBar user={user} />
          {/* Clips full-bleed content at the edges of very wide screens. */}
          <div className="overflow-x-clip bg-canvas">
            <div className="mx-auto flex min-h-[calc(100dvh-56px)] max-w-(--shell)">
              <SidePanel user={user} />
              <div className="min-w-0 flex-1">
                <ConnectionNote />
                {LiveUpdates && <LiveUpdates user={user} />}
                {/* Absent where tests run. */}
                {'indexedDB' in window && (
                  <Suspense fallback={null}>
                    <Offline user={user} />
                  </Suspense>
                )}
                <main
                  id="content"
                  tabIndex={-1}
                  className="px-3.5 pt-5 pb-[calc(24px+var(--bars))] md:px-6 md:pt-7 md:pb-14 lg:px-8 short:pt-4"
                >
                  {isPageDue && (
                    <>
                      <PrintHead />
                      {children}
                    </>
                  )}
                </main>
              </div>
            </div>
          </div>
          <BottomBar />
          <Announcer />
          <Toasts />
          <Shortcuts />
        </IdentityQuestion>
      </DirectionProvider>
    </QueryClientProvider>
  );
}
