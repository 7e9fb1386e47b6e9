import type { CostSplit } from '@hourshare/contract/costs';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { StatementLines } from '../../schema.ts';
import { actsFor, isOwnedBy } from '../assets/sql.ts';
import { hasProposals } from '../costs/sql.ts';
import type { AgreedTerms } from '../shares/agreements/sql.ts';
import type { RecordedUse } from '../usage/sql.ts';
import type { CostPart } from './costs/rules.ts';

export type { RecordedUse } from '../usage/sql.ts';

/** A line of a closed statement as read from the database. */
export type StoredLine = Pick<
  Selectable<StatementLines>,
  | 'id'
  | 'user_id'
  | 'username'
  | 'role'
  | 'allocation_hours'
  | 'used_seconds'
  | 'days'
  | 'summed_hours'
  | 'lowest_price_cents'
  | 'covered_cents'
  | 'base_cents'
  | 'odd_cents'
  | 'place'
  | 'amount_cents'
  | 'cost_cents'
  | 'paid_cents'
  | 'sent_cents'
  | 'settled_cents'
> & {
  agreed: AgreedTerms | null;
  sources: RecordedUse;
  /** As `since`. */
  objected_at: Date | string | null;
  /** `YYYY-MM` */
  month: string;
  /** Whether its member, or the owner, marked it. */
  marked_sent: boolean;
  marked_paid: boolean;
  /** When its status last changed; null while it is due. Text, because the instant comes from JSON. */
  since: Date | string | null;
};

/** A cost of a closed statement, as recorded. People are the places of their lines. */
export interface ClosedCost {
  id: number;
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
  cents: number;
  split: CostSplit;
  payer: number | null;
  person: number | null;
  author: number | null;
  parts: (CostPart & { place: number })[];
}

/** When a closed line `l` was paid or sent, by a mark or by the last payment it took; null while it is due. */
export const lineSince = (l: string) => sql<Date | null>`
  case
    when ${sql.id(l)}.paid_at is not null then ${sql.id(l)}.paid_at
    when ${sql.id(l)}.amount_cents <> 0 and ${sql.id(l)}.sent_cents + ${sql.id(l)}.settled_cents = abs(${sql.id(l)}.amount_cents) then (
      select max(s.status_since) from settlement_parts part join settlements s on s.id = part.settlement_id
      where part.line_id = ${sql.id(l)}.id and s.status in ('sent', 'paid'))
    else ${sql.id(l)}.sent_at
  end`;

/** Selects periods by conditions on assets `a` and their periods `p` for open ones, and on statements `st` for closed ones. */
export interface Scope {
  open: RawBuilder<unknown>;
  closed: RawBuilder<unknown>;
}

export const assetScope = (assetId: number): Scope => ({
  open: sql`a.id = ${assetId}`,
  closed: sql`st.asset_id = ${assetId}`,
});

/** Condition: asset `a` is one of these. */
export const isAmong = (assetIds: number[]): RawBuilder<boolean> => sql<boolean>`a.id = any(${assetIds}::bigint[])`;

/** Condition: a user has or had access to asset `a`. */
export const wasSharedWith = (userId: number): RawBuilder<boolean> =>
  sql<boolean>`a.id in (select asset_id from shares where member_id = ${userId} and not own and accepted_at is not null)`;

/** An owner's months of all assets that they own now, or of one that they own or owned. */
export function ownerScope(userId: number, assetId?: number): Scope {
  if (assetId === undefined)
    return {
      open: sql`${isOwnedBy('a', userId)} and p.owner_id = ${userId}`,
      closed: sql`st.owner_id = ${userId} and st.asset_id in (select a.id from assets a where ${isOwnedBy('a', userId)})`,
    };
  return {
    open: sql`a.id = ${assetId} and ${actsFor('a', userId, sql`p.owner_id`)}`,
    closed: sql`st.asset_id = ${assetId}
      and exists (select 1 from assets a where a.id = ${assetId} and ${actsFor('a', userId, sql`st.owner_id`)})`,
  };
}

/**
 * What a user owns, is or was a member of, or either, including what was billed for assets deleted since. `proposals`: to what they are
 * or were a member of, adds the open months that they own in which a cost waits for them.
 */
export function userScope(
  userId: number,
  { role, proposals = false }: { role?: 'owner' | 'member' | undefined; proposals?: boolean } = {},
): Scope {
  const eitherOf = (owned: RawBuilder<unknown>, used: RawBuilder<unknown>) =>
    role === 'owner' ? owned : role === 'member' ? used : sql`${owned} union ${used}`;
  const used = sql`select asset_id from shares where member_id = ${userId} and not own and accepted_at is not null`;
  return {
    // An array, which the database expects to be short: a join could begin with everyone's open months.
    open:
      role === 'member' && proposals
        ? sql`a.id = any(array(${used} union
            select p.asset_id from periods p where p.owner_id = ${userId} and p.closed_at is null and ${hasProposals('p')}
          )) and (p.owner_id <> ${userId} or ${hasProposals('p')})`
        : sql`a.id = any(array(${eitherOf(
            sql`select asset_id from periods where owner_id = ${userId} and closed_at is null`,
            used,
          )})) ${role === undefined ? sql`` : sql`and p.owner_id ${role === 'owner' ? sql`=` : sql`<>`} ${userId}`}`,
    closed: sql`st.id in (${eitherOf(
      sql`select id from statements where owner_id = ${userId}`,
      sql`select statement_id from statement_lines where user_id = ${userId} and role = 'member'`,
    )})`,
  };
}

/** Condition: statement `st` is one of these. */
export const isStatement = (ids: number[]): RawBuilder<boolean> => sql<boolean>`st.id = any(${ids}::bigint[])`;
