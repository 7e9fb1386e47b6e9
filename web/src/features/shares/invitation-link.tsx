import type { OwnedAsset } from '@hourshare/contract/assets';
import type { InvitedAsset } from '@hourshare/contract/shares';
import { t } from '../../platform/i18n/messages.ts';
import { MadeLink } from './made-link.tsx';

interface InvitationLinkProps {
  headingId: string;
  asset: Pick<OwnedAsset, 'name' | 'measured'>;
  invitation: InvitedAsset['invitation'];
  onDone: () => void;
}

/** The link of an invitation that was just made. */
export const InvitationLink = ({ headingId, asset, invitation, onDone }: InvitationLinkProps) => (
  <MadeLink
    headingId={headingId}
    link={invitation.link}
    title={t('Invitation to {asset}', { asset: asset.name })}
    label={
      asset.measured
        ? t('Link for one person, {hours, plural, one {# hour} other {# hours}} a month', {
            hours: invitation.monthly_hours_allocated,
          })
        : t('Link for one person')
    }
    expiresAt={invitation.expires_at}
    onDone={onDone}
  />
);
