import type { OwnedAsset } from '@hourshare/contract/assets';
import { Link } from '@tanstack/react-router';
import { AddTile } from '../../../features/assets/add-tile.tsx';
import { runningFirst } from '../../../features/assets/rules.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { addAssetDialog, paths } from '../../../platform/paths.ts';
import { OwnedCard } from '../owned-card.tsx';
import { useFirstOrder } from '../use-first-order.ts';
import { CardGrid } from '../../../ui/card.tsx';
import { hidden } from '../../../ui/hidden-text.tsx';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { useDialogAddress } from '../../dialog-address.ts';

/** How many cards a section has; the list has all. */
export const MAX_CARDS = 6;

export const viewAll = `${textLink} -my-2 inline-flex min-h-11 items-center text-[14px]`;

/** The user's own assets, with one that is in use before the others. */
export function OwnedSection({ assets, gradual }: { assets: OwnedAsset[]; gradual: boolean }) {
  const dialog = useDialogAddress();
  const sorted = useFirstOrder(assets, runningFirst);
  return (
    <section aria-labelledby="your-assets">
      <SectionHeading
        id="your-assets"
        aside={
          assets.length > MAX_CARDS && (
            <Link to={paths.assets} className={viewAll}>
              {rich('View all {count}<hidden> of your assets</hidden>', { count: assets.length, hidden })}
            </Link>
          )
        }
      >
        {t('Your Assets')}
      </SectionHeading>
      <CardGrid gradual={gradual}>
        {sorted.slice(0, MAX_CARDS).map((asset) => (
          <OwnedCard key={asset.id} asset={asset} brief />
        ))}
        <AddTile onAdd={() => dialog.open(addAssetDialog)} />
      </CardGrid>
    </section>
  );
}
