import type { QueryClient } from '@tanstack/react-query';
import { onConnectionChange } from '../http/connection.ts';
import { persistQueries } from './query-persistence.ts';
import type { Outcome, Press } from './queue.ts';
import { PressSender } from './sending.ts';
import { storedQueries, storedQueue } from './storage.ts';
import { ownScript } from './worker.ts';

interface Options<Result> {
  client: QueryClient;
  userId: number;
  send: (press: Press) => Promise<Result>;
  /** Reads again what the presses that were sent have changed. */
  onSent: () => Promise<void>;
  onOutcomes: (outcomes: Outcome<Result>[]) => void;
}

/** Stores what a user reads and presses, for times without a connection, and sends the presses afterwards. */
export function startOffline<Result>({ client, userId, ...options }: Options<Result>) {
  const sender = new PressSender<Result>({ ...options, userId, stored: storedQueue(userId) });
  const stops = [
    persistQueries({ client, stored: storedQueries(userId), build: ownScript() }),
    onConnectionChange(() => void sender.send()),
    () => sender.stop(),
  ];
  // Without storage, the app works as it did without this.
  sender.start().catch(() => undefined);
  return {
    forgetOutcomes: () => sender.forgetOutcomes(),
    stop: () => stops.forEach((stop) => stop()),
  };
}
