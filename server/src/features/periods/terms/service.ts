import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import { Undone } from '../../../platform/database/transaction.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { appendMessage } from '../../outbox/service.ts';
import * as proposals from '../proposals/store.ts';
import { isSame, toFacts, type PeriodTerms } from '../rules.ts';
import * as store from './store.ts';

const CORRECTION_MILLISECONDS = CORRECTION_HOURS * 3_600_000;

/**
 * Changes terms from the next month on; without members in the current one, from that one. With `proposeNow`, members are
 * asked whether the terms shall apply to the current month as well. A change ends an earlier proposal. Source:
 * docs/how-costs-are-split.md.
 */
export async function changeTerms(
  deps: Deps,
  {
    assetId,
    actorId,
    byManager,
    terms: changes,
    proposeNow,
  }: {
    assetId: number;
    actorId: number;
    byManager: boolean;
    terms: Partial<PeriodTerms>;
    proposeNow?: boolean | undefined;
  },
): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  const known = await store.readTerms(db, assetId, now);
  if (!known) return;
  const terms = { ...known.next, ...changes };
  if (!known.hasMembers) return store.setTerms(db, { assetId, terms, from: 'current', now });
  // Unless asked for, the same terms again change nothing about a proposal.
  if (proposeNow === undefined && isSame(terms, known.next)) return;
  if (byManager && proposeNow) throw new Undone(ownerOnly('terms_now_by_owner'));
  // Members are protected because they have to consent; the owner, because they can withdraw the change before it applies.
  if (byManager && known.endsAt.getTime() - now.getTime() < CORRECTION_MILLISECONDS)
    throw new Undone(ownerOnly('terms_late_by_owner'));
  const isWithdrawn = await proposals.withdrawProposal(db, assetId, now);
  await store.setTerms(db, { assetId, terms, from: 'next', now });
  if (!isSame(terms, known.next)) {
    const facts = { month: known.nextMonth, before: toFacts(known.next), after: toFacts(terms) };
    await appendMessage(deps, 'terms.changed', { assetId, actorId }, facts);
  }
  if (proposeNow && !isSame(terms, known.current)) {
    await proposals.insertProposal(db, { assetId, terms, now });
    await appendMessage(deps, 'terms.proposed', { assetId, actorId }, { change: 'proposed' });
  } else if (isWithdrawn) await appendMessage(deps, 'terms.proposed', { assetId, actorId }, { change: 'withdrawn' });
}
