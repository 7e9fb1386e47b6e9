import type { SharedAsset } from '@hourshare/contract/shares';
import { Link } from '@tanstack/react-router';
import { rich, t } from '../../platform/i18n/messages.ts';
import { assetDialog } from '../../platform/paths.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { textLink } from '../../ui/text-link.ts';

/** A link to the owner's dialog, for a member who co-manages the asset. */
export const ManageLink = ({ share: { asset } }: { share: Pick<SharedAsset, 'asset'> }) => (
  <p className="text-[13.5px] text-muted">
    {t('Co-manager')}{' '}
    <Link
      to="."
      search={assetDialog(asset.id, 'details')}
      state={{ opened: true }}
      resetScroll={false}
      className={`${textLink} inline-flex min-h-6 items-center`}
    >
      {rich('Manage<hidden> {asset}</hidden>', { asset: asset.name, hidden })}
    </Link>
  </p>
);
