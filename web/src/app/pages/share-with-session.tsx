import type { SharedAsset } from '@hourshare/contract/shares';
import { SessionActions } from '../../features/sessions/session-actions.tsx';
import { ShareCard } from '../../features/shares/share-card.tsx';

interface ShareWithSessionProps {
  share: SharedAsset;
  action: string;
  hint: string;
  onAction: () => void;
}

export function ShareWithSession({ share, ...actions }: ShareWithSessionProps) {
  const headingId = `share-${share.id}`;
  return (
    <ShareCard share={share} headingId={headingId}>
      <SessionActions share={share} headingId={headingId} {...actions} />
    </ShareCard>
  );
}
