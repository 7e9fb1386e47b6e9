import { Id } from '@hourshare/contract/fields';
import type { Deps } from '../../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import * as store from './store.ts';

export { followsOthersMonth, ownedPeriods, roleInMonth, setOwnerFrom } from './store.ts';

/** Returns one page of the assets that a user owned in earlier months and another user owns now. */
export const listFormerAssets = (
  { db }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<{ id: number; name: string }>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: { id: number; name: string }) => id,
    toItem: (asset) => asset,
    read: async (page) => ok(await store.formerAssets(db, { userId, ...page })),
  });
