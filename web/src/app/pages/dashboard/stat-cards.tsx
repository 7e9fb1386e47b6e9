import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usedPercent } from '../../../features/assets/rules.ts';
import { runningShares, useOwnShares } from '../../../features/shares/api.ts';
import { formatNumber, percentText } from '../../../platform/format/numbers.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { amountsText, type Money } from '../../../platform/format/money.ts';
import { paths } from '../../../platform/paths.ts';
import { LiveDot } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

interface StatCardsProps {
  /** Undefined while loading. */
  assets: OwnedAsset[] | undefined;
  shares: SharedAsset[] | undefined;
  /** What the user has to pay others for this month so far; undefined until it is known. */
  costs: Money[] | undefined;
  refreshing: boolean;
  onRefresh: () => void;
}

export function StatCards({ assets, shares, costs, refreshing, onRefresh }: StatCardsProps) {
  const own = useOwnShares();
  const running = shares && runningShares([...shares, ...own]);
  return (
    <ul role="list" className="grid grid-cols-2 gap-2.5 sm:gap-3.5 md:grid-cols-3">
      <StatCard name={t('Your Assets')} to={paths.assets} detail={assets && assetsText(assets)}>
        {assets && formatNumber(assets.length)}
      </StatCard>
      <StatCard
        name={t('Shared With You')}
        to={paths.shared}
        detail={
          shares?.length === 0
            ? t('Nothing shared yet')
            : shares && costs && t('{amount} so far', { amount: amountsText(costs) })
        }
      >
        {shares && formatNumber(shares.length)}
      </StatCard>
      <StatCard
        name={t('Active Sessions')}
        to={paths.analytics}
        live={Boolean(running?.length)}
        detail={running && <RunningText running={running} />}
        aside={
          // Stacked above the link that covers the card, which would navigate away.
          <Button
            look="quiet"
            size="small"
            className="relative z-10 -my-2 -me-2.5"
            busy={refreshing}
            onClick={onRefresh}
          >
            {t('Refresh')}
          </Button>
        }
      >
        {running && (running.length === 0 ? t('None [[no active sessions]]') : formatNumber(running.length))}
      </StatCard>
    </ul>
  );
}

/** What the assets cost a month, and how much of the available hours their members have used. */
function assetsText(assets: OwnedAsset[]): string {
  if (assets.length === 0) return t('Nothing added yet');
  const price = amountsText(assets.map(({ subscription_cost: amount, currency }) => ({ amount, currency })));
  const used = usedPercent(assets);
  return used === null
    ? t('{price}/mo', { price })
    : t('{price}/mo · {percent} used', { price, percent: percentText(Math.round(used)) });
}

const clip = (content: ReactNode) => <span className="truncate">{content}</span>;

function RunningText({ running }: { running: SharedAsset[] }) {
  const [latest, ...others] = running;
  if (!latest?.active_since) return t('Nothing running');
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <LiveDot />
      {others.length > 0 ? (
        rich('<clip>{asset}</clip> and {count} more', { asset: latest.asset_name, count: others.length, clip })
      ) : (
        <>
          {clip(latest.asset_name)}
          <span aria-hidden>·</span>
          <Clock since={latest.active_since} />
        </>
      )}
    </span>
  );
}

interface StatCardProps {
  name: string;
  to: typeof paths.assets | typeof paths.shared | typeof paths.analytics;
  live?: boolean;
  aside?: ReactNode;
  /** The second line, whose height is reserved. */
  detail: ReactNode;
  /** Undefined while loading. */
  children: ReactNode;
}

function StatCard({ name, to, live = false, aside, detail, children }: StatCardProps) {
  return (
    <li className="group relative min-w-0 rounded-card border border-line bg-surface p-3.5 transition-colors last:max-md:col-span-2 hover:border-line-strong sm:p-4.5">
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
        {children ?? <Spinner label={t('Loading {name}', { name })} />}
      </p>
      <div className="figures mt-0.5 min-h-10 text-[13.5px] text-muted group-last:min-h-5 sm:min-h-5">{detail}</div>
    </li>
  );
}
