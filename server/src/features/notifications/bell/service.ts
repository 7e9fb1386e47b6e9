import type { Language } from '@hourshare/contract/users';
import { Id } from '@hourshare/contract/fields';
import type { Notice, NoticeList } from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { readPage, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { me } from '../../users/service.ts';
import * as rules from '../notices/rules.ts';
import type { StoredNotice } from '../notices/sql.ts';
import { toNotice, type Reader } from '../notices/wire.ts';
import * as store from './store.ts';

/** Returns the first instant from which notices are kept. */
const keptSince = ({ clock }: Deps) => new Date(clock().getTime() - rules.NOTICE_DAYS * rules.DAY_MILLISECONDS);

export async function deleteOldNotices(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await store.deleteOldNotices(deps.db, new Date(now.getTime() - rules.NOTICE_DAYS * rules.DAY_MILLISECONDS));
}

/** Returns a user's notices, newest first, in a language, or else the account's. */
export async function listNotices(
  deps: Deps,
  userId: number,
  { language, ...request }: PageRequest & { language?: Language | undefined },
): Promise<Result<NoticeList>> {
  const user = await me(deps, userId);
  if (!user.ok) return user;
  const since = keptSince(deps);
  const reader: Reader = { language: language ?? user.value.language ?? 'en', timeZone: user.value.time_zone };
  const page = await readPage<StoredNotice, number, Notice>(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: (stored) => toNotice(stored, reader),
    read: async ({ limit, after }) => ok(await store.readNotices(deps.db, { userId, since, limit, after })),
  });
  if (!page.ok) return page;
  return ok({ ...page.value, unread: await store.countUnread(deps.db, { userId, since }) });
}

/** Marks some of a user's notices as read, or all, and tells the bells of the user's other devices. */
export const readNotices = (deps: Deps, userId: number, ids: number[] | undefined): Promise<Result<undefined>> =>
  transaction(deps, async (deps) => {
    if (await store.markRead(deps.db, { userId, ids, now: deps.clock() }))
      await appendMessage(deps, 'notices.changed', { userIds: [userId] }, {});
    return ok(undefined);
  });
