import type { SharedAsset } from '@hourshare/contract/shares';
import type { ReactNode } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { Clock } from '../../ui/clock.tsx';
import { textOfUse } from '../../ui/progress.tsx';
import { SessionButton } from '../../ui/session-button.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { useListOf } from './api.ts';
import { countedText, isOffer, lastUsedText, leftHours, usedHours, usedPart } from './rules.ts';
import { ShareRing } from './share-ring.tsx';

interface UsagePanelProps {
  share: SharedAsset;
  /** What the month costs the member so far, once it is known. Left out where it isn't theirs to pay. */
  cost?: string | null;
}

/** The member's use of a share this month, and the button that starts and ends a session. Starting accepts an offer. */
export function UsagePanel({ share, cost }: UsagePanelProps) {
  const shares = useListOf(share);
  const session = useSessionControl(share);
  // An owner who takes part needs no reserved hours.
  const { monthly_hours_allocated: allowance, active_session: running, active_since: since } = share;
  const used = formatHours(usedHours(share));
  const counted = countedText(share);
  return (
    <>
      {session.failure !== null && <Banner className="mb-4">{session.failure}</Banner>}
      <div className="flex items-center justify-between gap-4">
        <h3 className="title-3">{t('Current Month Usage')}</h3>
        <Button
          look="quiet"
          size="small"
          className="-me-3"
          onClick={() => void shares.refetch()}
          busy={shares.isFetching}
        >
          {t('Refresh')}
        </Button>
      </div>
      <div
        className={classes(
          'mt-2 flex flex-col items-center gap-x-7 gap-y-4 rounded-card p-5 sm:flex-row',
          running ? 'bg-live-soft' : 'bg-sunken',
        )}
      >
        {allowance > 0 && (
          <div
            role="progressbar"
            aria-label={t('Hours used on {asset} this month', { asset: share.asset_name })}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.min(100, Math.round(usedPart(share) * 100))}
            aria-valuetext={textOfUse(
              t('{used} of {allowance}', { used, allowance: formatHours(allowance) }),
              -leftHours(share),
            )}
          >
            <ShareRing share={share} />
          </div>
        )}
        <div className="flex w-full min-w-0 flex-1 flex-col items-center gap-1.5 sm:items-start">
          <dl className="flex flex-wrap items-center gap-x-2 text-small text-muted">
            <dt>{t('Session Status')}</dt>
            {counted === null ? (
              <dd className="*:bg-surface">
                {running ? <Badge tone="live">{t('Active')}</Badge> : <Badge>{t('Inactive')}</Badge>}
              </dd>
            ) : (
              <dd className="min-w-0 font-semibold break-words text-ink">{counted}</dd>
            )}
          </dl>
          {running && since ? (
            <>
              <Clock since={since} className="font-display text-[46px] leading-none font-bold text-live-text" />
              <dl className="flex flex-wrap gap-x-1 text-small text-live-text">
                <dt>{t('Started')}</dt>
                <dd>
                  <time dateTime={since}>{momentText(since)}</time>
                </dd>
              </dl>
            </>
          ) : (
            <p className="text-small text-muted">
              {isOffer(share) && !share.accepted ? t('Starting a session accepts the offer.') : lastUsedText(share)}
            </p>
          )}
          {counted === null && (
            <SessionButton running={running} session={session} size="large" className="mt-2 w-full" />
          )}
        </div>
      </div>
      <dl className="mt-4 flex divide-x divide-line rounded-card border border-line">
        <Figure name={t('Used Hours')}>{used}</Figure>
        {allowance > 0 && <Figure name={t('Allocated Hours')}>{formatHours(allowance)}</Figure>}
        {cost !== undefined && <Figure name={t('Cost so far')}>{cost ?? '–'}</Figure>}
      </dl>
    </>
  );
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-auto flex-col justify-between px-3 py-3 sm:flex-1 sm:px-4">
    <dt className="text-small text-muted">{name}</dt>
    <dd className="figures title-3">{children}</dd>
  </div>
);
