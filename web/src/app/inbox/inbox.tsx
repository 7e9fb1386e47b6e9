import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentProps } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { useBalances } from '../../features/settlements/api.ts';
import { useSharedAssets } from '../../features/shares/api.ts';
import { useMonthStatements } from '../../features/statements/api.ts';
import { paths, shareDialog } from '../../platform/paths.ts';
import { useDialogAddress } from '../dialog-address.ts';
import { useWaiting, type Lists } from './waiting.ts';

// Nothing waits for most people most of the time.
const LoadedList = lazy(async () => ({ default: (await import('./waiting-list.tsx')).WaitingList }));
const WaitingList = (props: ComponentProps<typeof LoadedList>) => (
  <Suspense fallback={null}>{props.items.length > 0 && <LoadedList {...props} />}</Suspense>
);

/** What waits for the user, as cards of the dashboard, which has the lists: a new reader of one that failed loads it again. */
export function Inbox(lists: Pick<Lists, 'assets' | 'shares' | 'balances' | 'statements'>) {
  const items = useWaiting(lists);
  const dialog = useDialogAddress();
  return <WaitingList look="cards" items={items} onDetails={(id) => dialog.open(shareDialog(id, 'usage'))} />;
}

/** The same in the bell's panel, which opens over any page. */
export function BellInbox({ onClose }: { onClose: () => void }) {
  const items = useWaiting({
    assets: useAssets().data,
    shares: useSharedAssets().data,
    balances: useBalances({ staleTime: 60_000 }).data,
    statements: useMonthStatements(undefined, { role: 'member' }).data,
  });
  const navigate = useNavigate();
  const open = (id: number) => {
    onClose();
    void navigate({ to: paths.shared, search: shareDialog(id, 'usage') });
  };
  return <WaitingList look="rows" items={items} onDetails={open} />;
}
