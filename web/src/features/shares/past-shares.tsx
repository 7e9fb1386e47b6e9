import type { SharedAsset } from '@hourshare/contract/shares';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Tile } from '../../ui/tile.tsx';
import { ManageLink } from './manage-link.tsx';
import { pastText } from './rules.ts';

interface PastSharesProps {
  shares: SharedAsset[];
  onSessions: (share: SharedAsset) => void;
}

/** Assets that the user no longer has access to, as long as their sessions can be edited. */
export const PastShares = ({ shares, onSessions }: PastSharesProps) => (
  <section aria-labelledby="past-shares">
    <SectionHeading id="past-shares">{t('Past [[shares]]')}</SectionHeading>
    <p className="-mt-1.5 mb-3 text-[14px] text-muted">{t('You can edit your sessions until their month closes.')}</p>
    <ul role="list" className="divide-y divide-line rounded-card border border-line bg-surface">
      {shares.map((share) => (
        <li key={share.id} aria-label={share.asset_name} className="flex min-h-15 items-center gap-3 px-4.5 py-2">
          <span className="flex max-[359px]:hidden">
            <Tile name={share.asset_name} size="small" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium" dir="auto">
              {share.asset_name}
            </span>
            <span className="flex flex-wrap gap-x-3 text-[13.5px] text-muted">
              {share.ended_at !== null && <span>{t('Shared by {owner}', { owner: share.owner })}</span>}
              <span>{pastText(share)}</span>
            </span>
            {share.manager_since !== null && <ManageLink share={share} />}
          </span>
          <Button look="outline" size="small" onClick={() => onSessions(share)}>
            {rich('Sessions<hidden> of {asset}</hidden>', { asset: share.asset_name, hidden })}
          </Button>
        </li>
      ))}
    </ul>
  </section>
);
