import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { statementPage } from '../../platform/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAssetStatements } from './api.ts';

const statementOf = (month: string) =>
  rich('<hidden>Statement for </hidden>{month}', { month: monthText(month), hidden });

/** Links to the asset's statements before and after a month. */
export function OtherMonths({ assetId, month }: { assetId: number; month: string }) {
  const months = (useAssetStatements(assetId).data ?? []).map((statement) => statement.month).toSorted();
  const before = months.findLast((other) => other < month);
  const after = months.find((other) => other > month);
  if (before === undefined && after === undefined) return null;
  return (
    <nav aria-label={t('Other months')} className="-mx-3 mt-3 flex flex-wrap justify-between">
      {before !== undefined && (
        <Link {...statementPage(assetId, before)} className={buttonClasses('quiet', 'small', 'gap-1! px-3!')}>
          <ChevronLeft aria-hidden size={16} className="rtl:-scale-x-100" />
          {statementOf(before)}
        </Link>
      )}
      {after !== undefined && (
        <Link {...statementPage(assetId, after)} className={buttonClasses('quiet', 'small', 'ms-auto gap-1! px-3!')}>
          {statementOf(after)}
          <ChevronRight aria-hidden size={16} className="rtl:-scale-x-100" />
        </Link>
      )}
    </nav>
  );
}
