import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { connection, onConnectionChange } from '../../lib/connection.ts';

/** Says that nothing gets through, below the top bar, for as long as that lasts. */
export function ConnectionNote() {
  const state = useSyncExternalStore(onConnectionChange, connection);
  const client = useQueryClient();

  useEffect(() => {
    const readAgain = () => void client.refetchQueries({ type: 'active' });
    window.addEventListener('online', readAgain);
    return () => window.removeEventListener('online', readAgain);
  }, [client]);

  return (
    // Always there: a region that comes together with its text is often not read aloud.
    <div role="status" className="sticky top-14 z-20 bg-ink text-surface empty:hidden">
      {state !== 'there' && (
        <div className="mx-auto flex max-w-[1168px] flex-wrap items-center gap-x-3 px-4 py-1.5 text-[14.5px] md:px-6">
          <WifiOff aria-hidden size={18} className="shrink-0" />
          <p className="min-w-0 flex-1 font-medium">
            {state === 'offline' ? 'You are offline.' : 'The server cannot be reached.'} What you see may be out of
            date; nothing you have typed is lost.
          </p>
          <button
            type="button"
            onClick={() => void client.refetchQueries({ type: 'active' })}
            className="min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-3 outline-current!"
          >
            Retry now
          </button>
        </div>
      )}
    </div>
  );
}
