import type { SharedAsset } from '@hourshare/contract/shares';
import { useIsQueued } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { RoundSessionButton } from '../../ui/session-button.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { countedText } from './rules.ts';

/** Starts and ends the owner's own session, where cards of shared assets have the same: at the top on phones, else at the bottom. */
export function OwnSession({ share, headingId }: { share: SharedAsset; headingId: string }) {
  const session = useSessionControl(share);
  const isQueued = useIsQueued(share.id);
  const counted = countedText(share);
  const problem = session.failure ?? (isQueued ? t("Will be sent when you're back online.") : counted);
  return (
    <>
      {problem !== null && (
        <p
          role={session.failure === null ? undefined : 'alert'}
          className={classes('mb-2.5 text-small font-medium', session.failure !== null && 'text-over-text')}
        >
          {problem}
        </p>
      )}
      {counted === null && (
        <RoundSessionButton
          running={share.active_session}
          session={session}
          aria-describedby={headingId}
          className="absolute end-3.5 top-3.5 md:end-5 md:top-auto md:bottom-5"
        />
      )}
    </>
  );
}
