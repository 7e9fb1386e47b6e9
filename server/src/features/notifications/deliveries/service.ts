import type { User } from '@hourshare/contract/users';
import type { Deps } from '../../../deps.ts';
import { me } from '../../users/service.ts';
import { readNotice } from '../notices/store.ts';
import type { StoredNotice } from '../notices/sql.ts';
import * as store from './store.ts';

/** A notice that is to be sent, and whom it is for. */
export interface Due {
  delivery: store.Delivery;
  user: User;
  stored: StoredNotice;
}

export interface Sending {
  channel: store.Channel;
  waits: store.Waits;
  /** How many are sent at once. */
  atOnce: number;
  /** Whether a notice that was read in the meantime isn't sent. */
  onlyUnread: boolean;
  /** Sends a notice outside of transactions. Returns whether it is tried again. */
  send: (deps: Deps, due: Due) => Promise<'done' | 'again'>;
}

/** Sends all notices of a channel that are due. One is sent twice only if this process ends before it has recorded that. */
export async function sendDue(deps: Deps, sending: Sending, stopped?: AbortSignal): Promise<void> {
  const { channel, waits, atOnce } = sending;
  const sendSome = async () => {
    for (;;) {
      if (stopped?.aborted) return;
      const delivery = await store.claimDelivery(deps.db, { channel, now: deps.clock(), waits });
      if (!delivery) return;
      if ((await sendOne(deps, sending, delivery)) === 'done') await store.deleteDelivery(deps.db, delivery.id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendSome));
}

async function sendOne(deps: Deps, { onlyUnread, send }: Sending, delivery: store.Delivery): Promise<'done' | 'again'> {
  const notice = await readNotice(deps.db, delivery.notice_id);
  if (!notice || (onlyUnread && notice.read)) return 'done';
  const { user_id: userId, ...stored } = notice;
  const user = await me(deps, userId);
  return user.ok ? send(deps, { delivery, user: user.value, stored }) : 'done';
}
