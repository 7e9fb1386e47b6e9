import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import { useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { useRevokeInvitation } from './changes-api.ts';
import { RevokeQuestion } from './revoke-question.tsx';

interface InvitationEntryProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  invitationId: number;
}

/** An invitation that no one has accepted: there is no name yet. */
export function InvitationEntry({ asset, entry, invitationId }: InvitationEntryProps) {
  const [isRevoking, setRevoking] = useState(false);
  const revoke = useRevokeInvitation(asset.id);
  const when = momentText(entry.expires_at ?? '');
  const confirmed = () => revoke.mutate(invitationId, { onSuccess: () => announce(t('Invitation link revoked.')) });
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Avatar name={t('User')} hue={null} />
      <span className="min-w-0 flex-1 basis-32">
        <span className="block truncate font-medium">{t('User')}</span>
        <span className="figures block text-[13px] text-muted">{t('Invited by link. Expires {when}.', { when })}</span>
      </span>
      <span className="-me-3 flex flex-wrap items-center justify-between gap-x-1 max-sm:basis-full max-sm:ps-12 max-[359px]:ps-0">
        <span className="figures text-[14px] text-muted sm:me-2">
          {asset.measured ? t('Hours pending') : t('Not accepted yet')}
        </span>
        <Button look="plain" size="small" onClick={() => setRevoking(true)}>
          {rich('Revoke<hidden> the link that expires {when}</hidden>', { when, hidden })}
        </Button>
      </span>
      {isRevoking && <RevokeQuestion change={revoke} onConfirm={confirmed} onCancel={() => setRevoking(false)} />}
    </li>
  );
}
