import type { SharedAsset } from '@hourshare/contract/shares';
import { Link, useLocation } from '@tanstack/react-router';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useSessionControl } from '../../features/sessions/api.ts';
import { runningShares, useOwnShares, useSharedAssets } from '../../features/shares/api.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { formatNumber } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths, shareDialog } from '../../platform/paths.ts';
import { useSettled } from '../../platform/use-settled.ts';
import { LiveDot } from '../../ui/badge.tsx';
import { Clock } from '../../ui/clock.tsx';
import { classes } from '../../ui/class-names.ts';
import { PlayStop } from '../../ui/play-stop.tsx';
import { IGNORES_PRESSES_MS, ignoreHeldEnter } from '../../ui/session-button.tsx';

// The running session on every page, with its own End: a pill in the top bar, and on phones a bar above the
// navigation. With several sessions, both are about the latest. They keep their place for a moment after the end, so that
// a double press hits nothing else.

export function RunningSessionPill() {
  const running = useRunning();
  if (running === null) return null;
  const { share, since, others, isOver } = running;
  return (
    <div
      className={classes(
        'hidden h-9 min-w-0 items-center rounded-full bg-live-soft text-[14px] font-semibold text-live-text transition-opacity duration-150 md:flex',
        isOver && 'opacity-0',
      )}
    >
      <UsageLink share={share} className="h-full gap-2 rounded-full ps-3.5 pe-3">
        <span aria-hidden className="max-w-44 truncate">
          {share.asset_name}
        </span>
        <span aria-hidden>·</span>
        <Clock since={since} />
        {others}
      </UsageLink>
      <EndButton {...running} className="me-1 h-7 rounded-full px-2.5 text-[13.5px]" />
    </div>
  );
}

export function RunningSessionBar() {
  const running = useRunning();
  if (running === null) return null;
  const { share, since, others, isOver } = running;
  return (
    <section
      aria-label={t('Session running')}
      data-running-session
      className="absolute inset-x-0 bottom-full overflow-hidden"
    >
      <div
        className={classes(
          'flex h-14 items-center gap-3 border-t border-live/45 bg-live-soft pe-2 font-semibold text-live-text transition-transform duration-[180ms] starting:translate-y-full',
          isOver && 'translate-y-full',
        )}
      >
        <UsageLink share={share} className="h-full flex-1 gap-3 ps-4.5 -outline-offset-2">
          <span aria-hidden className="flex-1 truncate text-[15px]">
            {share.asset_name}
          </span>
          {others}
          <Clock since={since} className="font-display text-[20px] font-bold" />
        </UsageLink>
        <EndButton {...running} className="h-11 rounded-control px-4 text-[14.5px]" />
      </div>
    </section>
  );
}

interface Running {
  share: SharedAsset;
  since: string;
  /** "+1" when another session runs too. */
  others: ReactNode;
  /** Whether the last session has just ended. */
  isOver: boolean;
  /** Whether another session was shown a moment ago, or none. */
  isNew: boolean;
}

function useRunning(): Running | null {
  const { data: shares = [] } = useSharedAssets();
  const own = useOwnShares();
  const [share, ...others] = runningShares([...shares, ...own]);
  const before = useSettled(share, IGNORES_PRESSES_MS);
  const shown = share ?? before;
  const { pathname } = useLocation();
  // There, it is the largest thing on the page.
  if (!shown?.active_since || pathname === paths.dashboard) return null;
  return {
    share: shown,
    since: shown.active_since,
    others: others.length > 0 && <span className="shrink-0">+{formatNumber(others.length)}</span>,
    isOver: share === undefined,
    isNew: share?.id !== before?.id,
  };
}

/** Opens the share's usage over the page; closing the dialog returns to it. */
const UsageLink = ({ share, className, children }: { share: SharedAsset; className: string; children: ReactNode }) => (
  <Link
    to={paths.shared}
    search={shareDialog(share.id, 'usage')}
    state={{ opened: true }}
    className={`flex min-w-0 items-center ${className}`}
  >
    <span className="sr-only">{t('Session running: {asset}', { asset: share.asset_name })}</span>
    <LiveDot />
    {children}
  </Link>
);

const name = (text: ReactNode) => <span className="sr-only">{text}</span>;

function EndButton({ share, isNew, className }: Running & { className: string }) {
  const session = useSessionControl(share, { announceFailure: true });
  const isBlocked = session.busy || isNew;
  const button = useRef<HTMLButtonElement>(null);
  // The button disappears with the last running session, wherever that was ended.
  useLayoutEffect(
    () => () => {
      if (document.activeElement === button.current) keepFocusInPage();
    },
    [],
  );
  return (
    <button
      ref={button}
      type="button"
      onKeyDown={ignoreHeldEnter}
      aria-disabled={isBlocked || undefined}
      onClick={isBlocked ? undefined : session.end}
      // In the top bar, the area to touch is taller than the button.
      className={`relative inline-flex shrink-0 items-center gap-2 bg-live text-live-ink transition-colors before:absolute before:-inset-y-2 before:inset-x-0 hover:bg-live-hover ${className}`}
    >
      <PlayStop running />
      <span>{rich('End<name> {asset}</name>', { asset: share.asset_name, name })}</span>
    </button>
  );
}
