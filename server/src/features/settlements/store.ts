import { sql } from 'kysely';
import { lineSince, type StoredLine } from '../statements/sql.ts';
import type { Database } from '../../platform/database/database.ts';

/** A closed line as shown to users, with the owner of its statement. */
type LineToMark = StoredLine & { statement_owner: number | null; currency: string };

/** Locks a member's closed line and returns it; undefined unless the user is that member or owns the asset. */
export async function lockLine(
  db: Database,
  { lineId, userId }: { lineId: number; userId: number },
): Promise<LineToMark | undefined> {
  const { rows } = await sql<LineToMark>`
    select l.id, l.user_id, l.owner_id as statement_owner, l.username, l.role, l.allocation_hours, l.used_seconds,
      l.days, l.hour_days, l.base_cents, l.odd_cents, l.amount_cents, l.sent_at is not null as sent,
      l.paid_at is not null as paid, l.settlement_id is not null as settled,
      ${lineSince} as since, st.currency, to_char(st.month, 'YYYY-MM') as month
    from statement_lines l join statements st on st.id = l.statement_id
    where l.id = ${lineId} and l.role = 'member' and (l.owner_id = ${userId} or l.user_id = ${userId})
    for update of l`.execute(db);
  return rows[0];
}

export async function setMark(
  db: Database,
  lineId: number,
  marks: { sent_at?: Date | null; paid_at?: Date | null },
): Promise<void> {
  await db.updateTable('statement_lines').set(marks).where('id', '=', lineId).execute();
}

export interface OwedLine {
  id: number;
  asset_id: number | null;
  asset_name: string;
  month: string;
  amount_cents: number;
  currency: string;
  /** When it was marked as sent; null if it wasn't. */
  sent_at: Date | null;
  /** Whether the line is owed to the user, who owns the asset. */
  owed_to_user: boolean;
  other_id: number | null;
  other_name: string;
  own_name: string;
}

const owedColumns = (userId: number) => sql`
  l.id, st.asset_id, st.asset_name, to_char(st.month, 'YYYY-MM') as month, l.amount_cents, st.currency,
  l.sent_at, coalesce(l.owner_id = ${userId}, false) as owed_to_user,
  case when l.owner_id = ${userId} then l.user_id else l.owner_id end as other_id,
  case when l.owner_id = ${userId} then l.username else st.owner_name end as other_name,
  case when l.owner_id = ${userId} then st.owner_name else l.username end as own_name`;

const isOpen = sql`l.role = 'member' and l.amount_cents > 0 and l.paid_at is null and l.settlement_id is null`;

/** Finds an open line's statement by id, one at a time: with a plain join, the database would read every statement. */
const statementOfLine = sql`cross join lateral (select * from statements where id = l.statement_id offset 0) st`;

/**
 * Identifies a balance: the other user's name, the currency, and the other user's id, 0 once that account is deleted.
 */
export type BalanceKey = [otherName: string, currency: string, otherId: number];

export const balanceKey = ({ other_name, currency, other_id }: OwedLine): BalanceKey => [
  other_name,
  currency,
  other_id ?? 0,
];

/**
 * Returns the open lines of up to `limit` balances of a user after a key, by the other's name and currency. Each
 * balance has all its lines, oldest month first.
 */
export async function openBalances(
  db: Database,
  { userId, limit, after }: { userId: number; limit: number; after: BalanceKey | undefined },
): Promise<OwedLine[][]> {
  const [name, currency, id] = after ?? ['', '', 0];
  const { rows } = await sql<OwedLine>`
    with owed as materialized (
      select ${owedColumns(userId)}
      from (
        select * from statement_lines l where ${isOpen} and l.owner_id = ${userId}
        union all
        select * from statement_lines l where ${isOpen} and l.user_id = ${userId}
      ) l
      ${statementOfLine}
    ), page as (
      select distinct lower(other_name) as folded, currency, coalesce(other_id, 0) as id, other_name
      from owed
      where (lower(other_name), currency, coalesce(other_id, 0), other_name)
        > (lower(${name}::text), ${currency}::text, ${id}::bigint, ${name}::text)
      order by folded, currency, id, other_name
      limit ${limit}
    )
    select owed.*
    from page p
    join owed on owed.other_name = p.other_name and owed.currency = p.currency and coalesce(owed.other_id, 0) = p.id
    order by p.folded, p.currency, p.id, p.other_name, owed.month, owed.id`.execute(db);
  const balances = new Map<string, OwedLine[]>();
  for (const line of rows) {
    const key = balanceKey(line).join('/');
    const lines = balances.get(key);
    if (lines) lines.push(line);
    else balances.set(key, [line]);
  }
  return [...balances.values()];
}

/**
 * Locks the open lines between two users and returns them. The other user is given by name, and without an id once that
 * account is deleted.
 */
export async function lockOpenLines(
  db: Database,
  { userId, otherId, otherName }: { userId: number; otherId: number | null; otherName: string },
): Promise<OwedLine[]> {
  const { rows } = await sql<OwedLine>`
    select ${owedColumns(userId)}
    from statement_lines l ${statementOfLine}
    where ${isOpen} and (
      (l.owner_id = ${userId} and l.user_id is not distinct from ${otherId}::bigint
        and lower(l.username) = lower(${otherName}))
      or (l.user_id = ${userId} and l.owner_id is not distinct from ${otherId}::bigint
        and lower(st.owner_name) = lower(${otherName}))
    )
    order by l.id
    for update of l`.execute(db);
  return rows;
}

/** Records a payment and clears its lines. Returns its id. */
export async function insertSettlement(
  db: Database,
  settlement: {
    payer: { id: number | null; name: string };
    payee: { id: number | null; name: string };
    recordedBy: string;
    amountCents: number;
    currency: string;
    lineIds: number[];
    now: Date;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('settlements')
    .values({
      payer_id: settlement.payer.id,
      payer_name: settlement.payer.name,
      payee_id: settlement.payee.id,
      payee_name: settlement.payee.name,
      recorded_by: settlement.recordedBy,
      amount_cents: settlement.amountCents,
      currency: settlement.currency,
      settled_at: settlement.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('statement_lines')
    .set({ settlement_id: id })
    .where('id', '=', (builder) => builder.fn.any(builder.val(settlement.lineIds)))
    .where('settlement_id', 'is', null)
    .execute();
  return id;
}

export interface StoredSettlement {
  id: number;
  other_name: string;
  paid_by_user: boolean;
  amount_cents: number;
  currency: string;
  settled_at: Date;
  recorded_by: string;
  lines: Omit<OwedLine, 'sent_at' | 'other_id' | 'other_name' | 'own_name' | 'currency'>[];
}

/** Returns a user's settlements, newest first, each with the lines it cleared. */
export async function readSettlements(
  db: Database,
  {
    userId,
    settlementId,
    before,
    limit,
  }: {
    userId: number;
    settlementId?: number;
    /** Only settlements with lower ids. */
    before?: number | undefined;
    limit: number;
  },
): Promise<StoredSettlement[]> {
  const { rows } = await sql<StoredSettlement>`
    select s.id, case when s.payer_id = ${userId} then s.payee_name else s.payer_name end as other_name,
      coalesce(s.payer_id = ${userId}, false) as paid_by_user, s.amount_cents, s.currency, s.settled_at, s.recorded_by,
      (select json_agg(json_build_object(
        'id', l.id, 'asset_id', st.asset_id, 'asset_name', st.asset_name, 'month', to_char(st.month, 'YYYY-MM'),
        'amount_cents', l.amount_cents, 'owed_to_user', coalesce(l.owner_id = ${userId}, false)
      ) order by st.month, l.id)
      from statement_lines l join statements st on st.id = l.statement_id where l.settlement_id = s.id) as lines
    from (
      select * from settlements
      where (payer_id = ${userId} or payee_id = ${userId})
        ${settlementId === undefined ? sql`` : sql`and id = ${settlementId}`}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc
      limit ${limit}
    ) s
    order by s.id desc`.execute(db);
  return rows;
}
