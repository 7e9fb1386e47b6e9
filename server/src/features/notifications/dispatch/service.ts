import type { Deps } from '../../../deps.ts';
import { isUnavailable } from '../../../platform/database/failure.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { deleteSetAside, readMessages, setAside, type OutboxMessage } from '../../outbox/service.ts';
import { createNotices } from '../notices/service.ts';
import { audienceOf, liveData, type DispatchedMessage } from './rules.ts';
import * as store from './store.ts';

export { CHANNEL, notifyServers } from './store.ts';

const BATCH_SIZE = 200;
const KEPT_MILLISECONDS = 24 * 3_600_000;
const SET_ASIDE_MILLISECONDS = 30 * 24 * 3_600_000;

/**
 * Passes on the messages in the outbox, each exactly once, however many servers do so. A message that fails is set aside,
 * so that the others aren't delayed. Source: docs/decisions/0085-outbox.md.
 */
export async function dispatchAll(deps: Deps): Promise<void> {
  for (;;) {
    const count = await dispatchBatch(deps, BATCH_SIZE).catch(async (error: unknown) => {
      if (isUnavailable(error)) throw error;
      return dispatchOneByOne(deps);
    });
    if (count < BATCH_SIZE) return;
  }
}

/** Passes on the oldest messages in one transaction. Returns how many there were. */
function dispatchBatch(deps: Deps, limit: number): Promise<number> {
  return transaction(deps, async (deps) => {
    await store.lockDispatcher(deps.db);
    const messages = await readMessages(deps.db, limit);
    await passOn(deps, messages);
    return messages.length;
  });
}

async function passOn(deps: Deps, messages: OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const { db } = deps;
  const people = await store.readPeople(
    db,
    messages.map(({ id }) => id),
  );
  const dispatched: DispatchedMessage[] = messages.map((message) => {
    const around = people.get(message.id);
    if (!around) throw new Error(`Message ${message.id} is gone.`);
    return { ...message, asset_id: around.asset_id, people: around, audience: audienceOf(message, around) };
  });
  await store.moveToLiveUpdates(
    db,
    dispatched.map((message) => ({ ...message, live: liveData(message) })),
  );
  await createNotices(deps, dispatched);
}

/** Passes on one message at a time, after a batch has failed, and sets aside those that fail. Returns how many it tried. */
async function dispatchOneByOne(deps: Deps): Promise<number> {
  let count = 0;
  for (; count < BATCH_SIZE; count += 1) {
    let current: OutboxMessage | undefined;
    try {
      await transaction(deps, async (deps) => {
        await store.lockDispatcher(deps.db);
        [current] = await readMessages(deps.db, 1);
        if (current) await passOn(deps, [current]);
      });
    } catch (error) {
      if (!current || isUnavailable(error)) throw error;
      deps.log.error(
        { err: error, message_id: current.id, kind: current.kind },
        'an outbox message could not be passed on',
      );
      deps.metrics.count('hourshare_outbox_failed_total');
      await setAside(deps.db, current.id, deps.clock());
    }
    if (!current) break;
  }
  return count;
}

/** As `dispatchAll`, without taking the turn if nothing waits. */
export async function dispatchWaiting(deps: Deps): Promise<void> {
  if (await store.hasMessages(deps.db)) await dispatchAll(deps);
}

/** Deletes live updates that no stream can still resume from, and what was set aside long ago. */
export async function deleteOldUpdates({ db, clock }: Deps): Promise<void> {
  const now = clock().getTime();
  await store.deleteLiveUpdates(db, new Date(now - KEPT_MILLISECONDS));
  await deleteSetAside(db, new Date(now - SET_ASIDE_MILLISECONDS));
}
