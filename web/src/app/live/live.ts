import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followSharedEvents } from '../../lib/shared-events.ts';
import { eventApplier } from './apply-events.ts';

/** Keeps what is shown in step with what happens elsewhere, as long as it is mounted. */
export function useLiveUpdates(userId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const { take, stop } = eventApplier(client);
    const unfollow = followSharedEvents(userId, take);
    return () => {
      unfollow();
      stop();
    };
  }, [client, userId]);
}
