import { useNavigate } from '@tanstack/react-router';
import { paths, shareDialog } from '../../platform/paths.ts';
import { useDialogAddress } from '../dialog-address.ts';
import { useWaiting } from './waiting.ts';
import { WaitingList } from './waiting-list.tsx';

/** What waits for the user, as cards of the dashboard; nothing if nothing does. */
export function Inbox() {
  const items = useWaiting();
  const dialog = useDialogAddress();
  if (items.length === 0) return null;
  return <WaitingList look="cards" items={items} onDetails={(id) => dialog.open(shareDialog(id, 'usage'))} />;
}

/** The same in the bell's panel, which opens over any page. */
export function BellInbox({ onClose }: { onClose: () => void }) {
  const items = useWaiting();
  const navigate = useNavigate();
  const open = (id: number) => {
    onClose();
    void navigate({ to: paths.shared, search: shareDialog(id, 'usage') });
  };
  if (items.length === 0) return null;
  return <WaitingList look="rows" items={items} onDetails={open} />;
}
