import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { ClaimEstimate } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { findClaimedGuest } from '../../shares/people/service.ts';
import { wasSharedWith } from '../sql.ts';
import { readOpenPeriods } from '../store.ts';
import { toStatement } from '../wire.ts';

/** Returns about what the open months would cost the guest whom a claim is about so far, to anyone who has the link. */
export async function claimEstimate(deps: Deps, token: string): Promise<Result<ClaimEstimate>> {
  const guest = await findClaimedGuest(deps, token);
  if (!guest.ok) return guest;
  const now = deps.clock();
  const filter = { seenBy: guest.value, limit: LIST_PAGE_SIZE, now };
  const periods = await readOpenPeriods(deps.db, wasSharedWith(guest.value), filter);
  const months = periods.flatMap((period) =>
    toStatement(period, guest.value, now).lines.map(({ amount }) => ({
      asset_name: period.asset_name,
      month: period.month,
      ended: period.ended,
      amount,
      currency: period.currency,
    })),
  );
  return ok({ months });
}
