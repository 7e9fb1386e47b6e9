import type { SharedAsset } from '@hourshare/contract/shares';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { SessionButton } from '../../ui/session-button.tsx';
import { useIsQueued } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useSessionControl } from '../sessions/api.ts';
import { startsText } from './offer-text.ts';
import { isOffer } from './rules.ts';

export interface SessionActionsProps {
  share: SharedAsset;
  /** The text of the button that opens the share's usage. */
  action: string;
  onAction: () => void;
  /** Shown instead of the clock while no session runs. */
  hint: string;
  /** The card's heading, which distinguishes its buttons from those of other cards. */
  headingId: string;
}

/** The footer of a share's card: one press starts or ends a session. In a narrow card the buttons have their own row. */
export function SessionActions({ share, action, onAction, hint, headingId }: SessionActionsProps) {
  const session = useSessionControl(share);
  const running = share.active_session;
  const isQueued = useIsQueued(share.id);
  return (
    <div className="@container mt-auto">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3 pt-3">
        <div className="flex min-h-9 basis-full items-center gap-3 @min-[362px]:min-w-0 @min-[362px]:flex-1">
          {running && share.active_since ? (
            <>
              <Clock
                since={share.active_since}
                className="font-display text-[22px] leading-none font-bold text-live-text"
              />
              <Badge tone="live">{t('Active')}</Badge>
            </>
          ) : (
            <p className="text-[13.5px] text-muted">
              {share.starts_on !== null
                ? startsText(share.starts_on)
                : isOffer(share)
                  ? t('Starting a session accepts the offer.')
                  : hint}
            </p>
          )}
        </div>
        <Button
          look="outline"
          size="small"
          onClick={onAction}
          aria-describedby={headingId}
          className="flex-1 @min-[362px]:flex-none"
        >
          {action}
        </Button>
        {share.starts_on === null && (
          <SessionButton
            running={running}
            session={session}
            size="small"
            aria-describedby={headingId}
            className="flex-1 @min-[362px]:flex-none"
          />
        )}
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
