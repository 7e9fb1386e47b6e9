import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { activeAssets } from '../../features/assets/rules.ts';
import { useBalances } from '../../features/settlements/api.ts';
import { useSharedAssets } from '../../features/shares/api.ts';
import { useSharedStatements } from '../../features/statements/api.ts';
import { paths, shareDialog } from '../../platform/paths.ts';
import { useDialogAddress } from '../dialog-address.ts';
import { useEndedMonth, useWaiting, type Waiting } from './waiting.ts';

// Nothing waits for most people most of the time.
const WaitingList = lazy(async () => ({ default: (await import('./waiting-list.tsx')).WaitingList }));

/** What waits for the user, as cards of the dashboard, which has the lists: a new reader of one that failed loads it again. */
export function Inbox(lists: Parameters<typeof useWaiting>[0]) {
  // The page appears along with the list, but doesn't go when one is first needed later.
  const { items, expected } = useWaiting(lists, { readsDeposits: false });
  const isWaiting = items.length + expected > 0;
  const isDue = useDeferredValue(isWaiting);
  const dialog = useDialogAddress();
  return (
    isWaiting &&
    isDue && (
      <WaitingList
        look="cards"
        items={items}
        expected={expected}
        onOpen={(id, tab) => dialog.open(shareDialog(id, tab))}
      />
    )
  );
}

/** Returns the same for the bell's panel, which opens over any page. */
export function useBellWaiting(): { items: Waiting[]; isLoading: boolean } {
  const assets = useAssets();
  const shares = useSharedAssets();
  const balances = useBalances({ staleTime: 60_000 });
  const statements = useSharedStatements();
  const ended = useEndedMonth();
  const { items, isLoading } = useWaiting(
    {
      assets: assets.data && activeAssets(assets.data),
      shares: shares.data,
      balances: balances.data,
      statements: statements.data,
      ended,
    },
    { readsDeposits: true },
  );
  return { items, isLoading: isLoading || [assets, shares, balances, statements].some((each) => each.isPending) };
}

export function BellInbox({ items, onClose }: { items: Waiting[]; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Suspense fallback={null}>
      {items.length > 0 && (
        <WaitingList
          look="rows"
          items={items}
          onOpen={(id, tab) => {
            onClose();
            void navigate({ to: paths.shared, search: shareDialog(id, tab) });
          }}
        />
      )}
    </Suspense>
  );
}
