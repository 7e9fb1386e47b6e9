import type { SharedAsset } from '@hourshare/contract/shares';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { SessionButton } from '../../ui/session-button.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { useListOf } from './api.ts';
import { isOffer, usedHours } from './rules.ts';
import { ShareRing } from './share-ring.tsx';
import { ShareStrip } from './share-strip.tsx';

/** The member's use of a share this month, and the buttons that start and end a session. */
export function UsagePanel({ share }: { share: SharedAsset }) {
  const shares = useListOf(share);
  const session = useSessionControl(share);
  // An owner who takes part needs no reserved hours.
  const hasAllowance = share.monthly_hours_allocated > 0;
  return (
    <>
      {session.failure !== null && <Banner className="mb-4">{session.failure}</Banner>}
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-semibold">{t('Current Month Usage')}</h3>
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
      <div className="mt-3 flex flex-col items-center gap-x-7 gap-y-4 sm:flex-row">
        {hasAllowance && <ShareRing share={share} />}
        <div className="w-full min-w-0 flex-1">
          <DefinitionList>
            <Definition name={t('Used Hours')}>{formatHours(usedHours(share))}</Definition>
            {hasAllowance && (
              <Definition name={t('Allocated Hours')}>{formatHours(share.monthly_hours_allocated)}</Definition>
            )}
            <Definition name={t('Session Status')}>
              {share.active_session ? <Badge tone="live">{t('Active')}</Badge> : <Badge>{t('Inactive')}</Badge>}
            </Definition>
            {share.active_session && share.active_since && (
              <Definition name={t('Started')}>
                <time dateTime={share.active_since}>{momentText(share.active_since)}</time>
              </Definition>
            )}
          </DefinitionList>
        </div>
      </div>
      {hasAllowance && (
        <div className="mt-5">
          <ShareStrip share={share} />
        </div>
      )}
      <div className="mt-5 flex min-h-12 flex-wrap items-center justify-between gap-3">
        {share.active_session && share.active_since ? (
          <Clock
            since={share.active_since}
            className="font-display text-[34px] leading-none font-bold text-live-text"
          />
        ) : (
          <p className="min-w-0 flex-1 basis-48 text-[14px] text-muted">
            {isOffer(share)
              ? t('Starting a session accepts the offer.')
              : t("Start when you begin and end when you're done. You can close this window.")}
          </p>
        )}
        <SessionButton running={share.active_session} session={session} size="large" className="max-sm:grow" />
      </div>
    </>
  );
}
