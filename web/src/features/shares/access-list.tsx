import type { OwnedAsset } from '@hourshare/contract/assets';
import type { ComponentType } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { AccessEntry } from './access-entry.tsx';
import { InvitationEntry } from './invitation-entry.tsx';

interface AccessListProps {
  asset: OwnedAsset;
  /** In which the owner records a deposit of someone. */
  RecordDeposit?: ComponentType<{ asset: OwnedAsset; name: string; onDone: () => void }> | undefined;
}

/** The people with access to an asset and their allowances. */
export function AccessList({ asset, RecordDeposit }: AccessListProps) {
  return (
    <section aria-labelledby="access-heading">
      <h3 id="access-heading" className="title-3">
        {t('Users With Access')}
      </h3>
      {asset.shared_with.length === 0 ? (
        <p className="mt-2 text-muted">{t('No users have access to this asset yet.')}</p>
      ) : (
        <ul role="list" className="mt-2 divide-y divide-line">
          {asset.shared_with.map((entry) =>
            entry.invitation_id === null ? (
              <AccessEntry key={entry.id} asset={asset} entry={entry} RecordDeposit={RecordDeposit} />
            ) : (
              <InvitationEntry key={entry.id} asset={asset} entry={entry} invitationId={entry.invitation_id} />
            ),
          )}
        </ul>
      )}
    </section>
  );
}
