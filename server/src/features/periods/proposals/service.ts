import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { appendMessage } from '../../outbox/service.ts';
import { lockUsers } from '../../users/service.ts';
import { toFacts } from '../rules.ts';
import * as store from './store.ts';

export { withdrawProposal } from './store.ts';

/** Records that proposed terms apply, for everyone: no one knows whose answer was the last. */
async function noteApplied(deps: Deps, applied: store.AppliedTerms[]): Promise<void> {
  for (const { asset_id: assetId, month, before, after } of applied)
    await appendMessage(deps, 'terms.changed', { assetId }, { month, before: toFacts(before), after: toFacts(after) });
}

/** Applies the proposals that all others have agreed to, in the assets to which a user who can't answer anymore had access. */
export const applyAgreedWithout = async (deps: Deps, userId: number): Promise<void> =>
  noteApplied(deps, await store.applyAgreedWithout(deps.db, userId, deps.clock()));

/**
 * Records a member's answer to the terms that the owner proposes for the current month; they apply once every member of
 * that month agrees. Returns false if the member can no longer answer that proposal.
 */
export function answerProposal(
  deps: Deps,
  answer: { proposalId: number; shareId: number; memberId: number; agreed: boolean },
): Promise<boolean> {
  return transaction(deps, async (deps) => {
    // Locked first, in the order in which deleting an account does.
    if (!(await lockUsers(deps.db, [answer.memberId])).has(answer.memberId)) return false;
    if ((await store.lockProposal(deps.db, { ...answer, clock: deps.clock })) === undefined) return false;
    const now = deps.clock();
    await store.answerProposal(deps.db, { ...answer, now });
    const { shareId, memberId: actorId } = answer;
    await appendMessage(deps, 'terms.proposed', { shareId, actorId }, { change: 'answered' });
    if (answer.agreed) await noteApplied(deps, await store.applyIfAgreed(deps.db, answer.proposalId, now));
    return true;
  });
}
