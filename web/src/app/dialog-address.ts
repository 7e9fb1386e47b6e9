import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';

const tabNames = ['details', 'share', 'sessions', 'analytics', 'usage', 'costs'] as const;
export type TabName = (typeof tabNames)[number];

/** Which dialog is open, as it stands in the address: each asset and each share has one of its own. */
export interface DialogSearch {
  asset?: number;
  share?: number;
  tab?: TabName;
  add?: true;
}

const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Anything in the address that means nothing here is left out. */
export function dialogSearchOf(search: Record<string, unknown>): DialogSearch {
  const asset = idOf(search['asset']);
  const share = idOf(search['share']);
  const tab = tabNames.find((name) => name === search['tab']);
  return {
    ...(asset !== undefined && { asset }),
    ...(share !== undefined && { share }),
    ...(tab !== undefined && { tab }),
    ...(search['add'] === true && { add: true }),
  };
}

export function useDialogAddress() {
  const navigate = useNavigate();
  const router = useRouter();
  const search: DialogSearch = useSearch({ strict: false });

  return {
    search,
    open: (target: DialogSearch) =>
      void navigate({ to: '.', search: target, state: { opened: true }, resetScroll: false }),
    /** Switching tabs is no step of its own: the back button leaves the dialog. */
    showTab: (tab: TabName) =>
      void navigate({
        to: '.',
        search: (before: DialogSearch) => ({ ...before, tab }),
        state: (before) => before,
        replace: true,
        resetScroll: false,
      }),
    close: () => {
      if (router.state.location.state.opened) router.history.back();
      else void navigate({ to: '.', search: {}, replace: true, resetScroll: false });
    },
  };
}
