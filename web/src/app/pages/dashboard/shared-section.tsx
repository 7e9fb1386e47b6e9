import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { byLastUse, usedHours } from '../../../features/shares/rules.ts';
import { ShareCard } from '../../../features/shares/share-card.tsx';
import { findOwnLine } from '../../../features/statements/rules.ts';
import { formatMoney } from '../../../platform/format/numbers.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { paths, shareDialog } from '../../../platform/paths.ts';
import { useFirstOrder } from '../use-first-order.ts';
import { CardGrid } from '../../../ui/card.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { hidden } from '../../../ui/hidden-text.tsx';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { MAX_CARDS, viewAll } from './owned-section.tsx';

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
  // The inbox has the offers, and what else waits for an answer.
  const accepted = shares.filter((share) => share.accepted);
  const sorted = useFirstOrder(accepted, byLastUse);
  const noteOf = (share: SharedAsset) => {
    // When it was last used is on its Usage tab.
    if (usedHours(share) === 0) return undefined;
    const statement = statements?.find(({ asset_id: id }) => id === share.asset.id);
    const line = statement && findOwnLine(statement, username);
    return (
      line && rich('{amount}<hidden> so far</hidden>', { amount: formatMoney(line.amount, statement.currency), hidden })
    );
  };
  if (accepted.length === 0 && shares.length > 0) return null;
  return (
    <section aria-labelledby="your-shared-assets">
      <SectionHeading
        id="your-shared-assets"
        aside={
          accepted.length > MAX_CARDS && (
            <Link to={paths.shared} className={viewAll}>
              {rich('View all {count}<hidden> of your shared assets</hidden>', { count: accepted.length, hidden })}
            </Link>
          )
        }
      >
        {t('Your Shared Assets')}
      </SectionHeading>
      {shares.length === 0 ? (
        <div className="rounded-card border border-line bg-surface p-4 shadow-lift md:p-5">
          <p className="title-3">{t('Nothing shared with you yet')}</p>
          <div className="mt-2.5 max-w-110">
            <CopyField
              label={t('Your name on this server')}
              value={username}
              action={t('Copy my username')}
              hint={t('Give a friend your username to get access.')}
            />
          </div>
        </div>
      ) : (
        <CardGrid gradual={gradual}>
          {sorted.slice(0, MAX_CARDS).map((share) => (
            <ShareCard
              key={share.id}
              share={share}
              action={t('Track Usage')}
              note={noteOf(share)}
              brief
              onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
            />
          ))}
        </CardGrid>
      )}
    </section>
  );
}
