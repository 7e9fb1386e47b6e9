import type { SharedAsset } from '@hourshare/contract/shares';
import { Square } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { useSessionControl } from './api.ts';

/** On a card: the clock of a running session and the button that ends it, without opening anything. */
export function RunningSession({ share }: { share: SharedAsset }) {
  const session = useSessionControl(share.id);
  if (!share.active_session && session.failure === null) return null;
  return (
    <>
      {session.failure !== null && (
        <p role="alert" className="w-full text-[13.5px] font-medium text-over-text">
          {session.failure}
        </p>
      )}
      {share.active_session && (
        <>
          {share.active_since && (
            <Clock since={share.active_since} className="mr-auto text-[17px] font-bold text-live-text" />
          )}
          <Button
            look="live"
            size="small"
            icon={<Square aria-hidden size={15} />}
            busy={session.ending}
            onClick={session.end}
            aria-describedby={`share-${share.id}`}
          >
            End Session
          </Button>
        </>
      )}
    </>
  );
}
