import type { Analytics } from '@hourshare/contract/analytics';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { shareNotFound } from './errors.ts';
import { summarize } from './rules.ts';
import { monthOfUse } from './store.ts';

/** A member's use of one share in a usage month, `YYYY-MM`; the current one of the asset's zone when none is named. */
export async function shareAnalytics(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  month: string | undefined,
): Promise<Result<Analytics>> {
  const use = await monthOfUse(db, { shareId, memberId, month, now: clock() });
  return use ? ok(summarize(use)) : shareNotFound();
}
