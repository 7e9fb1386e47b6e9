import type { SharedAsset } from '@hourshare/contract/shares';
import { Square } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../lib/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { useSessionControl } from '../sessions/api.ts';

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

/** The footer of a share's card, with a button that ends a running session. */
export function SessionActions({ share, action, onAction, hint, headingId }: SessionActionsProps) {
  const session = useSessionControl(share.id);
  const running = share.active_session;
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <div className="mt-auto flex min-h-9 flex-wrap items-center gap-x-2 gap-y-3 pt-3">
        <div className={`flex items-center justify-between gap-3 ${running ? 'min-h-7 basis-full' : 'min-w-0 flex-1'}`}>
          {running && share.active_since ? (
            <Clock since={share.active_since} className="text-[19px] leading-none font-bold text-live-text" />
          ) : (
            <p className="text-[13.5px] text-muted">{hint}</p>
          )}
          {running && <Badge tone="live">{t('Active')}</Badge>}
        </div>
        <Button
          ref={opener}
          look={running ? 'outline' : 'primary'}
          size="small"
          onClick={onAction}
          aria-describedby={headingId}
          className={running ? 'flex-1' : ''}
        >
          {action}
        </Button>
        {running && (
          <Button
            look="live"
            size="small"
            icon={<Square aria-hidden size={14} />}
            busy={session.starting}
            onClick={() => {
              session.end();
              // This button disappears with the session; keep the focus on the card.
              opener.current?.focus();
            }}
            aria-describedby={headingId}
            className="flex-1"
          >
            {t('End Session')}
          </Button>
        )}
      </div>
      {session.failure !== null && (
        <p role="alert" className="mt-2.5 text-[13.5px] font-medium text-over-text">
          {session.failure}
        </p>
      )}
    </>
  );
}
