import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { byLastUse, lastUsedText } from '../../../features/shares/rules.ts';
import { ShareCard } from '../../../features/shares/share-card.tsx';
import { findOwnLine } from '../../../features/statements/rules.ts';
import { formatMoney } from '../../../platform/format/numbers.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { paths, shareDialog } from '../../../platform/paths.ts';
import { useFirstOrder } from '../use-first-order.ts';
import { CardGrid } from '../../../ui/card.tsx';
import { hidden } from '../../../ui/hidden-text.tsx';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { viewAll } from './owned-section.tsx';

interface SharedSectionProps {
  shares: SharedAsset[];
  /** This month's statements; undefined until they are known. */
  statements: Statement[] | undefined;
  username: string;
  gradual: boolean;
}

/** What others share with the user: what runs first, then by last use. */
export function SharedSection({ shares, statements, username, gradual }: SharedSectionProps) {
  const dialog = useDialogAddress();
  const sorted = useFirstOrder(shares, byLastUse);
  const hintOf = (share: SharedAsset) => {
    const used = lastUsedText(share);
    const statement = statements?.find(({ asset_id: id }) => id === share.asset.id);
    const line = statement && findOwnLine(statement, username);
    return line ? t('{amount} so far · {used}', { amount: formatMoney(line.amount, statement.currency), used }) : used;
  };
  return (
    <section aria-labelledby="your-shared-assets">
      <SectionHeading
        id="your-shared-assets"
        aside={
          shares.length > 0 && (
            <Link to={paths.shared} className={viewAll}>
              {rich('View all<hidden> your shared assets</hidden>', { hidden })}
            </Link>
          )
        }
      >
        {t('Your Shared Assets')}
      </SectionHeading>
      {shares.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong px-4.5 py-6 text-muted">
          <Users aria-hidden size={20} className="shrink-0" />
          {t('Nothing shared with you yet. Give a friend your username to get access.')}
        </p>
      ) : (
        <CardGrid gradual={gradual}>
          {sorted.map((share) => (
            <ShareCard
              key={share.id}
              share={share}
              action={t('Track Usage')}
              hint={hintOf(share)}
              onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
            />
          ))}
        </CardGrid>
      )}
    </section>
  );
}
