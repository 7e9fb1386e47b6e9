import { Link } from '@tanstack/react-router';
import { runningShares, useSharedAssets } from '../../features/shares/api.ts';
import { formatNumber } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import { LiveDot } from '../../ui/badge.tsx';
import { Clock } from '../../ui/clock.tsx';
import { paths, shareDialog } from '../../lib/paths.ts';

/** A link to the running session, visible on every page. */
export function Runner() {
  const { data: shares = [] } = useSharedAssets();
  const [latest, ...others] = runningShares(shares);
  if (!latest?.active_since) return null;
  return (
    <Link
      to={paths.shared}
      data-runner
      search={shareDialog(latest.id, 'usage')}
      className="flex min-h-11 min-w-0 items-center gap-2 rounded-full bg-live-soft px-3.5 text-[14px] font-semibold text-live-text md:min-h-9"
    >
      <span className="sr-only">{t('Session running: {asset}', { asset: latest.asset_name })}</span>
      <LiveDot />
      <span aria-hidden className="hidden max-w-44 truncate md:inline">
        {latest.asset_name}
      </span>
      <span aria-hidden className="hidden md:inline">
        ·
      </span>
      <Clock since={latest.active_since} />
      {others.length > 0 && <span className="shrink-0">+{formatNumber(others.length)}</span>}
    </Link>
  );
}
