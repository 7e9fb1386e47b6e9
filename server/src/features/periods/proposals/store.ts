import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import type { PeriodTerms } from '../rules.ts';
import { canAnswer, currentMonth, currentPeriod, isOpenProposal, sharedDuringPeriod, termsOf } from '../sql.ts';

/** Ends an asset's open proposal of terms. Returns whether there was one. */
export async function withdrawProposal(db: Database, assetId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('term_proposals')
    .set({ withdrawn_at: now })
    .where('asset_id', '=', assetId)
    .where('applied_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Proposes terms for an asset's current month. No other proposal may be open. */
export async function insertProposal(
  db: Database,
  { assetId, terms, now }: { assetId: number; terms: PeriodTerms; now: Date },
): Promise<void> {
  await sql`
    insert into term_proposals (asset_id, month, split_method, base_percent, owner_hours, max_session_hours, proposed_at)
    values (${assetId}, ${currentMonth(assetId, now)}, ${terms.method}, ${terms.basePercent}, ${terms.ownerHours},
      ${terms.maxSessionHours}, ${now}::timestamptz)`.execute(db);
}

/**
 * Locks the asset of a proposal that a member of its month may still answer, through any of their shares, and returns its id;
 * undefined if there is no such proposal.
 */
export async function lockProposal(
  db: Database,
  { proposalId, shareId, memberId, clock }: { proposalId: number; shareId: number; memberId: number; clock: Clock },
): Promise<number | undefined> {
  const [asset] = await lockThenRead(
    db,
    sql`
      select 1 from assets a join shares sh on sh.asset_id = a.id
      where sh.id = ${shareId} and sh.member_id = ${memberId}
      for no key update of a`,
    () => sql<{ id: number }>`
      select a.id from assets a cross join ${currentPeriod(clock())}
      join term_proposals t on t.asset_id = a.id and t.month = p.month and ${isOpenProposal}
      join shares sh on sh.asset_id = a.id and sh.id = ${shareId} and sh.member_id = ${memberId} and ${sharedDuringPeriod}
      where t.id = ${proposalId}`,
  );
  return asset?.id;
}

/** Records a member's answer to a proposal; it replaces an earlier one. */
export async function answerProposal(
  db: Database,
  { proposalId, memberId, agreed, now }: { proposalId: number; memberId: number; agreed: boolean; now: Date },
): Promise<void> {
  await db
    .insertInto('term_answers')
    .values({ proposal_id: proposalId, member_id: memberId, agreed, answered_at: now })
    .onConflict((conflict) => conflict.columns(['proposal_id', 'member_id']).doUpdateSet({ agreed, answered_at: now }))
    .execute();
}

/** Applies a proposal to its month and the following ones if every member of that month has agreed. Its asset is locked. */
export const applyIfAgreed = (db: Database, proposalId: number, now: Date): Promise<AppliedTerms[]> =>
  applyAgreed(db, sql`t.id = ${proposalId}`, now);

/** Applies the proposals that all others have agreed to, in the assets to which a user who can't answer anymore had access. */
export async function applyAgreedWithout(db: Database, userId: number, now: Date): Promise<AppliedTerms[]> {
  const theirs = sql`(select asset_id from shares where member_id = ${userId})`;
  await sql`select 1 from assets where id in ${theirs} order by id for no key update`.execute(db);
  const isAgreed = sql`exists (select 1 from term_answers where proposal_id = t.id and agreed)`;
  return applyAgreed(db, sql`t.asset_id in ${theirs} and ${isAgreed}`, now);
}

export interface AppliedTerms {
  asset_id: number;
  /** The month from which on they apply, YYYY-MM. */
  month: string;
  before: PeriodTerms;
  after: PeriodTerms;
}

/** Applies the proposals that meet a condition and that every member of their month has agreed to. */
async function applyAgreed(db: Database, condition: RawBuilder<unknown>, now: Date): Promise<AppliedTerms[]> {
  const { rows } = await sql<AppliedTerms>`
    with agreed as (
      update term_proposals t set applied_at = ${now}::timestamptz
      where ${condition} and ${isOpenProposal} and not exists (
        select 1 from periods p join shares sh on sh.asset_id = p.asset_id
        where p.asset_id = t.asset_id and p.month = t.month and ${sharedDuringPeriod} and ${canAnswer} and not exists (
          select 1 from term_answers where proposal_id = t.id and member_id = sh.member_id and agreed)
      )
      returning *
    ), applied as (
      update periods p set split_method = agreed.split_method, base_percent = agreed.base_percent,
        owner_hours = agreed.owner_hours, max_session_hours = agreed.max_session_hours
      from agreed
      where p.asset_id = agreed.asset_id and p.month >= agreed.month and p.closed_at is null
    )
    select p.asset_id, to_char(p.month, 'YYYY-MM') as month, ${termsOf('p')} as before, ${termsOf('agreed')} as after
    from agreed join periods p on p.asset_id = agreed.asset_id and p.month = agreed.month
    order by p.asset_id`.execute(db);
  return rows;
}
