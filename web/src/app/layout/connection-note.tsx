import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ConnectionLine } from '../../ui/connection-line.tsx';

/** The connection status below the top bar. Refetches active queries when the network is back. */
export function ConnectionNote() {
  const client = useQueryClient();

  useEffect(() => {
    const readAgain = () => void client.refetchQueries({ type: 'active' });
    window.addEventListener('online', readAgain);
    return () => window.removeEventListener('online', readAgain);
  }, [client]);

  return (
    <ConnectionLine
      className="sticky top-14 z-20 border-b border-line after:absolute after:inset-y-0 after:start-full after:w-[50vw] after:bg-sunken"
      innerClassName="px-3.5 md:px-6 lg:px-8"
    />
  );
}
