import type { Finding } from '@hourshare/contract/insights';
import { Link } from '@tanstack/react-router';
import { Lightbulb } from 'lucide-react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { assetDialog, paths } from '../../platform/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { insightKey, insightText } from './rules.ts';

interface InsightListProps {
  insights: Finding[];
  /** Whether each insight links to its asset; not needed in the asset's own dialog. */
  linked?: boolean;
}

const SHOWN_AT_ONCE = 5;

export function InsightList({ insights, linked = false }: InsightListProps) {
  const { shown, itemProps, showAll } = useShowAll(insights, SHOWN_AT_ONCE);
  return (
    <>
      <ul role="list" aria-label={t('Insights')} className="grid gap-2">
        {shown.map((insight, index) => (
          <li
            key={insightKey(insight)}
            {...itemProps(index)}
            className="flex min-h-11 items-center gap-3 rounded-card border border-line bg-surface px-3.5 py-2.5"
          >
            <Lightbulb aria-hidden size={18} className="shrink-0 text-accent" />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{insightText(insight)}</span>
            {linked && (
              <Link
                to={paths.assets}
                search={assetDialog(insight.asset_id, 'analytics')}
                className={buttonClasses('outline', 'small')}
              >
                {rich('Manage<hidden> {asset}</hidden>', { asset: insight.asset_name, hidden })}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {showAll}
    </>
  );
}
