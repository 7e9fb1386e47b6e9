import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../lib/formatting.ts';
import { t } from '../../../lib/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { paths } from '../../../lib/paths.ts';

interface StatCardsProps {
  /** Undefined when the list failed to load. */
  assets: number | undefined;
  assetsLoading: boolean;
  shares: number | undefined;
  sharesLoading: boolean;
  running: number | undefined;
  refreshing: boolean;
  onRefresh: () => void;
}

const countText = (count: number | undefined) => (count === undefined ? '–' : formatNumber(count));

export function StatCards(props: StatCardsProps) {
  return (
    <ul role="list" className="grid grid-cols-2 gap-2.5 sm:gap-3.5 lg:grid-cols-3">
      <StatCard name={t('Your Assets')} to={paths.assets} loading={props.assetsLoading}>
        {countText(props.assets)}
      </StatCard>
      <StatCard name={t('Shared With You')} to={paths.shared} loading={props.sharesLoading}>
        {countText(props.shares)}
      </StatCard>
      <StatCard
        name={t('Active Sessions')}
        to={paths.analytics}
        loading={props.sharesLoading}
        live={Boolean(props.running)}
        aside={
          // Stacked above the link that covers the card, which would navigate away.
          <Button
            look="quiet"
            size="small"
            className="relative z-10 -my-2 -mr-2.5"
            busy={props.refreshing}
            onClick={props.onRefresh}
          >
            {t('Refresh')}
          </Button>
        }
      >
        {props.running === 0 ? t('None [[no active sessions]]') : countText(props.running)}
      </StatCard>
    </ul>
  );
}

interface StatCardProps {
  name: string;
  to: typeof paths.assets | typeof paths.shared | typeof paths.analytics;
  loading: boolean;
  live?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

function StatCard({ name, to, loading, live = false, aside, children }: StatCardProps) {
  return (
    <li className="relative min-w-0 rounded-card border border-line bg-surface p-3.5 transition-colors last:max-lg:col-span-2 hover:border-line-strong sm:p-4.5">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <Link
          to={to}
          className="text-[14px] text-muted after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        {aside}
      </div>
      <p
        className={`figures mt-0.5 flex min-h-9 items-center font-display text-[28px] leading-tight font-bold ${live ? 'text-live-text' : ''}`}
      >
        {loading ? <Spinner label={t('Loading {name}', { name })} /> : children}
      </p>
    </li>
  );
}
