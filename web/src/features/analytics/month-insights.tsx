import { CalendarDays, TrendingUp, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import type { MonthInsight } from './rules.ts';

const icons: Record<MonthInsight['kind'], LucideIcon> = { over: TriangleAlert, pace: TrendingUp, week: CalendarDays };

export function MonthInsights({ insights }: { insights: MonthInsight[] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="min-w-0 rounded-card border border-line bg-surface">
      <h2 id={headingId} className="px-4.5 py-3 font-semibold">
        {t('Insights')}
      </h2>
      <ul role="list" aria-labelledby={headingId}>
        {insights.map(({ kind, text }) => {
          const Icon = icons[kind];
          return (
            <li key={kind} className="flex min-h-15 items-center gap-3 border-t border-line px-4.5 py-2.5">
              <span
                aria-hidden
                className={classes(
                  'flex size-8 shrink-0 items-center justify-center rounded-control',
                  kind === 'over' ? 'bg-over-soft text-over-text' : 'bg-accent-soft text-accent-text',
                )}
              >
                <Icon size={18} />
              </span>
              <p className="min-w-0 [overflow-wrap:anywhere]">{text}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
