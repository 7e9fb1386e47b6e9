import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { isAgreedShare, isUnconfirmed } from '../../shares/sql.ts';

export interface AssetFacts {
  id: number;
  name: string;
  currency: string;
  /** Whether its use is measured this month. */
  measured: boolean;
  /** Its owner, then its co-managers. */
  manager_ids: number[];
  member_ids: number[];
  /** Of the members, in the same order. */
  member_share_ids: number[];
}

export async function readAssets(db: Database, ids: number[], now: Date): Promise<AssetFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AssetFacts>`
    select a.id, a.name, a.currency, coalesce(p.measured, true) as measured, a.owner_id || members.managers as manager_ids,
      members.ids as member_ids, members.share_ids as member_share_ids
    from assets a
    left join ${currentPeriod('a', now)} p on true
    cross join lateral (
      select coalesce(array_agg(member_id order by id), '{}') as ids, coalesce(array_agg(id order by id), '{}') as share_ids,
        coalesce(array_agg(member_id order by id) filter (where manager_since is not null), '{}') as managers
      from shares where asset_id = a.id and not own and ended_at is null and accepted_at is not null
    ) members
    where a.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

export interface ShareFacts {
  id: number;
  asset_id: number;
  member_id: number;
  /** The owner who acts for a member without an account; null otherwise. */
  host_id: number | null;
  /** Whether its member said yes, also to access that begins later. */
  accepted: boolean;
  /** Whether it is the owner's own. */
  own: boolean;
  /** Whether a co-manager added hours or the member, which don't count yet; not once it has ended. */
  unconfirmed: boolean;
}

export async function readShares(db: Database, ids: number[]): Promise<ShareFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShareFacts>`
    select sh.id, asset_id, member_id, m.host_id, own, ${isAgreedShare('sh')} as accepted,
      (ended_at is null and ${isUnconfirmed('sh')}) as unconfirmed
    from shares sh join users m on m.id = sh.member_id where sh.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

export interface SessionFacts {
  id: number;
  started_at: Date;
  ended_at: Date | null;
}

export async function readSessions(db: Database, ids: number[]): Promise<SessionFacts[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('sessions')
    .select(['id', 'started_at', 'ended_at'])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
}

export interface LineFacts {
  statement_id: number;
  asset_name: string;
  user_id: number;
  role: 'owner' | 'member';
  amount: number;
  currency: string;
}

/** Returns the lines of accounts on some statements. */
export async function readLines(db: Database, statementIds: number[]): Promise<LineFacts[]> {
  if (statementIds.length === 0) return [];
  const { rows } = await sql<LineFacts>`
    select l.statement_id, st.asset_name, l.user_id, l.role, l.amount_cents as amount, st.currency
    from statement_lines l join statements st on st.id = l.statement_id
    where l.statement_id = any(${statementIds}::bigint[]) and l.user_id is not null
    order by l.id`.execute(db);
  return rows;
}

export interface MarkedLine {
  id: number;
  asset_id: number | null;
  asset_name: string;
  creditor_id: number | null;
  debtor_id: number | null;
  /** What payments don't cover. */
  amount: number;
  currency: string;
}

export async function readMarkedLines(db: Database, ids: number[]): Promise<MarkedLine[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MarkedLine>`
    select l.id, st.asset_id, st.asset_name, abs(l.amount_cents) - l.settled_cents as amount, st.currency,
      case when l.amount_cents < 0 then l.user_id else l.owner_id end as creditor_id,
      case when l.amount_cents < 0 then l.owner_id else l.user_id end as debtor_id
    from statement_lines l join statements st on st.id = l.statement_id
    where l.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

export interface SettlementFacts {
  id: number;
  payer_id: number | null;
  payee_id: number | null;
}

export async function readSettlements(db: Database, ids: number[]): Promise<SettlementFacts[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('settlements')
    .select(['id', 'payer_id', 'payee_id'])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
}
