import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { currentUsers } from '../../../features/assets/rules.ts';
import { formatNumber } from '../../../platform/format/numbers.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { amountsText, type Money } from '../../../platform/format/money.ts';
import { paths } from '../../../platform/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/class-names.ts';
import { hidden } from '../../../ui/hidden-text.tsx';
import { Bar } from '../../../ui/skeleton.tsx';

interface StatCardsProps {
  /** Undefined while loading. */
  assets?: OwnedAsset[];
  shares?: SharedAsset[];
  /** The user's running sessions. */
  running?: SharedAsset[];
  /** What the user has to pay others for this month so far; undefined until it is known. */
  costs?: Money[] | undefined;
  refreshing: boolean;
  onRefresh: () => void;
}

export const StatCards = ({ assets, shares, running, costs, refreshing, onRefresh }: StatCardsProps) => (
  <ul
    role="list"
    className="grid grid-cols-3 rounded-card border border-line bg-surface shadow-lift [&>*+*]:border-s [&>*+*]:border-line"
  >
    <StatCard name={t('Your Assets')} to={paths.assets} detail={assets && assetsText(assets)}>
      {assets && formatNumber(assets.length)}
    </StatCard>
    <StatCard
      name={t('Shared With You')}
      to={paths.shared}
      detail={
        shares &&
        costs &&
        costs.length > 0 &&
        rich('{amount}<hidden> so far</hidden>', { amount: amountsText(costs), hidden })
      }
    >
      {shares && formatNumber(shares.length)}
    </StatCard>
    <StatCard
      name={t('Active Sessions')}
      to={paths.analytics}
      live={Boolean(running?.length)}
      detail={running && assets && runningText(running, assets)}
      aside={
        // Stacked above the link that covers the card, which would navigate away.
        <Button
          look="quiet"
          size="small"
          className="relative z-10 -my-2.5 px-2! text-small! max-md:absolute max-md:end-1 max-md:top-7.5 md:-me-2"
          busy={refreshing}
          onClick={onRefresh}
        >
          <RefreshCw aria-hidden size={16} className="md:hidden" />
          <span className="max-md:sr-only">{t('Refresh')}</span>
        </Button>
      }
    >
      {running && (running.length === 0 ? t('None [[no active sessions]]') : formatNumber(running.length))}
    </StatCard>
  </ul>
);

/** What the assets cost a month. */
const assetsText = (assets: OwnedAsset[]): string =>
  assets.length === 0
    ? ''
    : t('{price}/mo', {
        price: amountsText(assets.map(({ price_per_month: amount, currency }) => ({ amount, currency }))),
      });

/** Who uses what now: the user themselves, and others on the user's assets. */
function runningText(running: SharedAsset[], assets: OwnedAsset[]): ReactNode {
  const others = assets.flatMap((asset) => currentUsers(asset).map((user) => ({ ...user, asset: asset.name })));
  const [first, ...more] = others;
  if (!first) return running.length > 0 ? t('You') : '';
  if (more.length > 0) return t('{count} people on your assets', { count: others.length });
  const values = { name: first.name, asset: first.asset, hidden };
  return running.length > 0
    ? rich('You, and {name}<hidden> on {asset}</hidden>', values)
    : rich('{name}<hidden> on {asset}</hidden>', values);
}

interface StatCardProps {
  name: string;
  to: typeof paths.assets | typeof paths.shared | typeof paths.analytics;
  live?: boolean;
  aside?: ReactNode;
  /** The second line, whose height is reserved. Beside a button, there is no room for it on a phone. */
  detail: ReactNode;
  /** Undefined while loading. */
  children: ReactNode;
}

function StatCard({ name, to, live = false, aside, detail, children }: StatCardProps) {
  return (
    <li className="relative min-w-0 p-3 md:px-5 md:py-3.5">
      <div className="flex items-center justify-between gap-2">
        <Link
          to={to}
          className="truncate text-[12px] text-muted after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent md:text-small"
        >
          {name}
        </Link>
        {aside}
      </div>
      <p
        className={`figures mt-0.5 flex min-h-7 items-center font-display text-[20px] leading-tight font-bold md:min-h-8 md:text-[24px] ${live ? 'text-live-text' : ''}`}
      >
        {children ?? <Bar className="h-5 w-8" />}
      </p>
      <div
        className={classes(
          'figures min-h-5 truncate text-[12px] leading-5 text-muted md:text-small',
          aside !== undefined && 'max-md:sr-only',
        )}
      >
        {detail}
      </div>
    </li>
  );
}
