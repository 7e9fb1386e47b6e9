import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import { Undone } from '../../../platform/database/transaction.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { appendMessage } from '../../outbox/service.ts';
import { unmeasuredOwner, unmeasuredSplit } from '../errors.ts';
import { completeTerms, isSame, toFacts, type PeriodTerms } from '../rules.ts';
import * as store from './store.ts';

export { readTerms } from './store.ts';

const CORRECTION_MILLISECONDS = CORRECTION_HOURS * 3_600_000;

/**
 * Changes terms from the next month on, or from the current one if no one with an account has had access in it. Source:
 * docs/how-costs-are-split.md.
 */
export async function changeTerms(
  deps: Deps,
  {
    assetId,
    actorId,
    byManager,
    terms: changes,
  }: { assetId: number; actorId: number; byManager: boolean; terms: Partial<PeriodTerms> },
): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  const known = await store.readTerms(db, assetId, now);
  if (!known) return;
  const terms = completeTerms({ ...known.next, ...changes }, known);
  refuseContradiction(terms, changes);
  if (!known.hasMembers) {
    await store.setTerms(db, { assetId, terms, from: 'current', now });
    return deps.react(deps, 'termsChanged', { assetId });
  }
  const isNews = !isSame(terms, known.next);
  if (!isNews && terms.maxHourChosen === known.next.maxHourChosen) return;
  if (byManager && addsToOwnersPart(terms, known.next, known)) throw new Undone(ownerOnly());
  // Leaves the owner time to withdraw the change before it applies.
  if (byManager && known.endsAt.getTime() - now.getTime() < CORRECTION_MILLISECONDS)
    throw new Undone(ownerOnly('terms_late_by_owner'));
  await store.setTerms(db, { assetId, terms, from: 'next', now });
  if (!isNews) return;
  const facts = { month: known.nextMonth, before: toFacts(known.next), after: toFacts(terms) };
  await appendMessage(deps, 'terms.changed', { assetId, actorId }, facts);
}

/**
 * Returns whether terms reserve more hours, which lowers the price of an hour, or lower the most that one costs, by default the usual
 * limit, or what extra costs come to without a yes. The owner pays what members save.
 */
function addsToOwnersPart(
  terms: PeriodTerms,
  before: PeriodTerms,
  known: { priceCents: number; memberHours: number },
): boolean {
  if (terms.ownerHours > before.ownerHours || terms.extraCostCents < before.extraCostCents) return true;
  if (terms.method !== 'share_of_use') return false;
  const { maxHourCents: limit } = completeTerms({ ...before, measured: true, method: 'share_of_use' }, known);
  return (terms.maxHourCents ?? 0) < (limit ?? 0);
}

/** Throws Undone if the requested terms contradict each other. */
export function refuseContradiction({ measured }: PeriodTerms, asked: Partial<PeriodTerms>): void {
  if (measured) return;
  if (asked.method !== undefined && asked.method !== 'equal') throw new Undone(unmeasuredSplit());
  if (asked.ownerTakesPart) throw new Undone(unmeasuredOwner());
}
