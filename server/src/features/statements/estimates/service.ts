import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { ClaimEstimate } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { findClaimedGuest } from '../../shares/people/service.ts';
import { openMemberScope } from '../sql.ts';
import { readPeriods } from '../store.ts';
import { toStatement } from '../wire.ts';

/** Returns about what the open months would cost the person whom a claim is about so far, to anyone who has the link. */
export async function claimEstimate(deps: Deps, token: string): Promise<Result<ClaimEstimate>> {
  const person = await findClaimedGuest(deps, token);
  if (!person.ok) return person;
  const filter = { seenBy: person.value, limit: LIST_PAGE_SIZE, now: deps.clock() };
  const periods = await readPeriods(deps.db, openMemberScope(person.value), filter);
  const months = periods.flatMap((period) =>
    toStatement(period, person.value).lines.map(({ amount }) => ({
      asset_name: period.asset_name,
      month: period.month,
      ended: period.ended,
      amount,
      currency: period.currency,
    })),
  );
  return ok({ months });
}
