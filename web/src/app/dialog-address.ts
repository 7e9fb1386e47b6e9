import { useNavigate, useRouter, useSearch, type RouterHistory } from '@tanstack/react-router';
import type { DialogSearch, PartName, TabName } from '../platform/paths.ts';
import { isLeavingHeld } from '../platform/forms/unsaved.ts';

/** Returns which dialog an address shows, if any; a tab of the dialog makes no difference. */
export const dialogOf = ({ asset, share, add }: DialogSearch): string | null =>
  asset === undefined && share === undefined && add === undefined ? null : [asset, share, add].join();

let isGoingBack = false;

/** Goes back in history, once until the browser has done so: a second press on Close would leave the page, too. */
function goBackOnce(history: RouterHistory): void {
  if (isGoingBack) return;
  isGoingBack = true;
  window.addEventListener('popstate', () => void (isGoingBack = false), { once: true });
  history.back();
}

/** Returns the dialog in the URL and functions to open, switch and close it. */
export function useDialogAddress() {
  const navigate = useNavigate();
  const router = useRouter();
  const search: DialogSearch = useSearch({ strict: false });

  return {
    search,
    open: (target: DialogSearch) =>
      void navigate({ to: '.', search: target, state: { opened: true }, resetScroll: false }),
    /** Replaces the history entry so that the back button leaves the dialog. A tab's part is kept for a return to it. */
    showTab: (tab: TabName, part?: PartName) =>
      void navigate({
        to: '.',
        search: (before: DialogSearch) => {
          // Opened for editing once, not on each return to its tab.
          const { session: _edited, ...rest } = before;
          return { ...rest, tab, ...(part && { part }) };
        },
        state: (before) => before,
        replace: true,
        resetScroll: false,
      }),
    close: () => {
      // Leaving has begun, and goes on after the answer or the save.
      if (isLeavingHeld()) return;
      if (router.state.location.state.opened) goBackOnce(router.history);
      else void navigate({ to: '.', search: {}, replace: true, resetScroll: false });
    },
  };
}
