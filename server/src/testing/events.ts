import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { MessageKind, OutboxMessages } from '../features/outbox/rules.ts';
import { createNotices, type DispatchedMessage } from '../features/notifications/notices/service.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { TestApi } from './api.ts';

type TestEvent = Omit<DispatchedMessage, 'id' | 'happened_at'> & { id?: number };

/** Returns an event as a noun adds it to the outbox. */
export const event = <Kind extends MessageKind>(
  kind: Kind,
  data: OutboxMessages[Kind],
  about: { asset?: number; share?: number; actor?: SignedIn; users?: SignedIn[] } = {},
): TestEvent => ({
  kind,
  asset_id: about.asset ?? null,
  share_id: about.share ?? null,
  actor_id: about.actor?.user.id ?? null,
  user_ids: (about.users ?? []).map(({ user }) => user.id),
  data,
  audience: [],
});

let lastId = 0;

/** Returns a function that hands events on, as the dispatcher does. */
export const dispatcherOf =
  ({ deps, clock }: TestApi) =>
  (...events: TestEvent[]): Promise<void> => {
    return transaction(deps, async (deps) => {
      const assetOf = async ({ asset_id: id, share_id: shareId }: TestEvent) => {
        if (id !== null || shareId === null) return id;
        const shares = deps.db.selectFrom('shares').select('asset_id').where('id', '=', shareId);
        return (await shares.executeTakeFirst())?.asset_id ?? null;
      };
      const dispatched: DispatchedMessage[] = [];
      for (const each of events)
        dispatched.push({ id: (lastId += 1), ...each, asset_id: await assetOf(each), happened_at: clock.now });
      await createNotices(deps, dispatched);
    });
  };
