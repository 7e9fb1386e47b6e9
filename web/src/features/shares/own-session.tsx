import type { SharedAsset } from '@hourshare/contract/shares';
import { formatHours } from '../../platform/format/numbers.ts';
import { useIsQueued } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Clock } from '../../ui/clock.tsx';
import { SessionButton } from '../../ui/session-button.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { usedHours } from './rules.ts';

/** The owner's own use of an asset on its card, with the button that starts and ends a session. */
export function OwnSession({ share, headingId }: { share: SharedAsset; headingId: string }) {
  const session = useSessionControl(share);
  const isQueued = useIsQueued(share.id);
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        {share.active_session && share.active_since ? (
          <Clock
            since={share.active_since}
            className="font-display text-[22px] leading-none font-bold text-live-text"
          />
        ) : (
          <p className="figures text-[13.5px] text-muted">
            {t('You: {hours} this month', { hours: formatHours(usedHours(share)) })}
          </p>
        )}
        <SessionButton running={share.active_session} session={session} size="small" aria-describedby={headingId} />
      </div>
      {isQueued && <p className="mt-2.5 text-[13.5px] font-medium">{t("Will be sent when you're back online.")}</p>}
      {session.failure !== null && (
        <p role="alert" className="mt-2.5 text-[13.5px] font-medium text-over-text">
          {session.failure}
        </p>
      )}
    </div>
  );
}
