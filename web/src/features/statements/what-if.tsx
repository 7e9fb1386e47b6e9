import type { SplitPreview, SplitPreviewRequest } from '@hourshare/contract/statements';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { Banner } from '../../ui/banner.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSplitPreview } from './api.ts';
import { amountChange, changeText } from './rules.ts';

interface WhatIfProps {
  assetId: number;
  /** Whether the reader is the asset's owner. */
  isOwner: boolean;
  /** Null when nothing differs from the saved terms or a field is invalid. */
  trial: SplitPreviewRequest | null;
}

/** Compares everyone's amounts under the saved and the edited terms, using real use of this month and past ones. */
export function WhatIf({ assetId, isOwner, trial }: WhatIfProps) {
  const preview = useSplitPreview(assetId, trial ?? {}, trial !== null);
  if (trial === null) return null;
  if (preview.isError)
    return <Banner onRetry={() => void preview.refetch()}>{t("Couldn't calculate the new amounts")}</Banner>;
  if (!preview.data)
    return <Spinner label={t('Calculating the new amounts')} size={28} className="w-full justify-center py-8" />;
  return (
    <div
      aria-label={t('Preview')}
      role="group"
      aria-busy={preview.isPlaceholderData || undefined}
      className={`grid items-start gap-3.5 sm:grid-cols-2 ${preview.isPlaceholderData ? 'opacity-50 transition-opacity delay-200' : ''}`}
    >
      {preview.data.map((month) => (
        <Month key={month.month} preview={month} isOwner={isOwner} />
      ))}
    </div>
  );
}

function Month({
  preview: { month, price, currency, before, after },
  isOwner,
}: {
  preview: SplitPreview;
  isOwner: boolean;
}) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface px-3.5 py-2.5">
      <h4 className="flex items-baseline justify-between gap-3 text-[14px] font-semibold">
        {monthText(month)}
        <span className="figures font-normal text-muted">{formatMoney(price, currency)}</span>
      </h4>
      <FiguresTable titles={[t('Who'), t('Now'), t('New [[amount]]'), t('Change [[noun]]')]} dense>
        {after.map((line, index) => {
          const change = amountChange(before[index]?.amount ?? 0, line.amount, currency);
          return (
            <FiguresRow key={line.username} name={isOwner && line.role === 'owner' ? t('You') : line.username}>
              <Figure className="text-muted">{formatMoney(before[index]?.amount ?? 0, currency)}</Figure>
              <Figure className="font-semibold">{formatMoney(line.amount, currency)}</Figure>
              <Figure className={change === 0 ? 'text-muted' : ''}>{changeText(change, currency)}</Figure>
            </FiguresRow>
          );
        })}
      </FiguresTable>
    </div>
  );
}
