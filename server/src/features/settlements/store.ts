import type { PaymentStepKind, SettlementStatus } from '@hourshare/contract/settlements';
import { sql } from 'kysely';
import type { Names } from '../../causes.ts';
import { renamedGuest } from '../accounts/guests/sql.ts';
import type { Part } from './rules.ts';
import { lineSince, type StoredLine } from '../statements/sql.ts';
import type { Database } from '../../platform/database/database.ts';

/** A closed line as shown to users, with the owner of its statement, and whether its member has an account. */
type LineToMark = StoredLine & { statement_owner: number | null; currency: string; has_account: boolean };

/** Locks a member's closed line and returns it; undefined unless the user is that member or owns the asset. */
export async function lockLine(
  db: Database,
  { lineId, userId }: { lineId: number; userId: number },
): Promise<LineToMark | undefined> {
  const { rows } = await sql<LineToMark>`
    select l.id, l.user_id, l.owner_id as statement_owner, l.username, l.role, l.allocation_hours, l.used_seconds, l.sources,
      l.days, l.summed_hours, l.agreed, l.lowest_price_cents, l.covered_cents, l.base_cents, l.odd_cents, l.place, l.amount_cents, l.cost_cents, l.paid_cents, l.sent_cents, l.settled_cents,
      l.sent_at is not null as marked_sent, l.paid_at is not null as marked_paid, ${lineSince('l')} as since, l.objected_at, st.currency,
      to_char(st.month, 'YYYY-MM') as month,
      ${hasAccount} as has_account
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
  sent_cents: number;
  settled_cents: number;
  currency: string;
  /** Whether the line is owed to the user, who owns the asset. */
  owed_to_user: boolean;
  other_id: number | null;
  other_name: string;
  own_name: string;
}

/** A line that isn't fully covered. */
export interface OpenLine extends OwedLine {
  marked_sent: boolean;
}

/** A line as balances show it. */
export interface BalanceLineRow extends OpenLine {
  /** When it was marked as sent, or covered by payments that aren't confirmed; null while it is due. */
  since: Date | null;
  /** Whether the user says what of it is paid: who is owed, or the owner for a member without an account. */
  marks_paid: boolean;
  /** The part of `sent_cents` that the user sent, rather than the other. */
  sent_by_user_cents: number;
}

/** The name of line `l`'s member now, which differs from the recorded one if a person without an account has joined since. */
const memberName = sql`coalesce((select username from users where id = l.user_id), l.username)`;

/** Whether line `l` is owed to a user who is one of its two sides. A negative one is owed to its member. */
const owedTo = (l: string, userId: number) =>
  sql<boolean>`(coalesce(${sql.id(l)}.owner_id = ${userId}, false) = (${sql.id(l)}.amount_cents >= 0))`;

/** Whether the member of line `l` has an account. */
const hasAccount = sql<boolean>`coalesce((select host_id is null from users where id = l.user_id), false)`;

const owedColumns = (userId: number) => sql`
  l.id, st.asset_id, st.asset_name, to_char(st.month, 'YYYY-MM') as month, abs(l.amount_cents) as amount_cents, l.sent_cents,
  l.settled_cents, st.currency, ${owedTo('l', userId)} as owed_to_user,
  case when l.owner_id = ${userId} then l.user_id else l.owner_id end as other_id,
  case when l.owner_id = ${userId} then ${memberName} else st.owner_name end as other_name,
  case when l.owner_id = ${userId} then st.owner_name else ${memberName} end as own_name`;

const isOpen = sql`l.role = 'member' and l.paid_at is null and l.settled_cents < abs(l.amount_cents)`;

const sentByUser = (userId: number) => sql`
  case when l.sent_cents = 0 then 0 else (
    select coalesce(sum(part.amount_cents), 0)::bigint
    from settlement_parts part join settlements s on s.id = part.settlement_id
    where part.line_id = l.id and s.status = 'sent' and s.payer_id = ${userId}
  ) end`;

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
): Promise<BalanceLineRow[][]> {
  const [name, currency, id] = after ?? ['', '', 0];
  const { rows } = await sql<BalanceLineRow>`
    with owed as materialized (
      select ${owedColumns(userId)}, l.sent_at is not null as marked_sent, ${lineSince('l')} as since,
        ${owedTo('l', userId)} or (l.owner_id = ${userId} and not ${hasAccount}) as marks_paid,
        ${sentByUser(userId)} as sent_by_user_cents
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
  const balances = new Map<string, BalanceLineRow[]>();
  for (const line of rows) {
    const key = balanceKey(line).join('/');
    const lines = balances.get(key);
    if (lines) lines.push(line);
    else balances.set(key, [line]);
  }
  return [...balances.values()];
}

/**
 * Locks the lines between two users of which payments don't cover everything yet, and returns them. The other user is
 * given by name, and without an id once that account is deleted. With `ids`, only those lines.
 */
export async function lockOpenLines(
  db: Database,
  {
    userId,
    otherId,
    otherName,
    ids,
  }: { userId: number; otherId: number | null; otherName: string; ids?: number[] | undefined },
): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select ${owedColumns(userId)}, l.sent_at is not null as marked_sent
    from statement_lines l ${statementOfLine}
    where ${isOpen} and l.sent_cents + l.settled_cents < abs(l.amount_cents)
      -- Repeated for the indexes, which the conditions below can't use because they are also on the statement.
      and (l.owner_id = ${userId} or l.user_id = ${userId}) and (
      (l.owner_id = ${userId} and l.user_id is not distinct from ${otherId}::bigint
        and (l.user_id is not null or lower(l.username) = lower(${otherName})))
      or (l.user_id = ${userId} and l.owner_id is not distinct from ${otherId}::bigint
        and lower(st.owner_name) = lower(${otherName}))
    )
    ${ids === undefined ? sql`` : sql`and l.id = any(${ids}::bigint[])`}
    order by l.id
    for update of l`.execute(db);
  return rows;
}

/**
 * Gives an account the open charges of a person without one, and the payments of parts of them. What was paid stays with the
 * person, because the account hasn't seen it and could come to owe it if the owner took that back.
 */
export async function moveCharges(
  db: Database,
  { guestId, memberId }: { guestId: number; memberId: number },
): Promise<void> {
  // Lines first: a payment being recorded has locked them, and its row can only be seen once they are free.
  await sql`update statement_lines l set user_id = ${memberId} where l.user_id = ${guestId} and ${isOpen}`.execute(db);
  await sql`
    update settlements s set payer_id = ${memberId}
    where s.payer_id = ${guestId} and exists (
      select 1 from settlement_parts part join statement_lines l on l.id = part.line_id
      where part.settlement_id = s.id and l.user_id = ${memberId})`.execute(db);
}

/** Records that a person's unpaid charges aren't theirs, which makes them paid by the owner. What they are owed stays theirs. */
export async function objectToCharges(db: Database, guestId: number, now: Date): Promise<void> {
  await sql`
    update statement_lines l set paid_at = ${now}::timestamptz, objected_at = ${now}::timestamptz
    where l.user_id = ${guestId} and l.amount_cents > 0 and ${isOpen}`.execute(db);
}

export interface NewSettlement {
  payer: { id: number | null; name: string };
  payee: { id: number | null; name: string };
  recordedBy: string;
  status: 'sent' | 'paid';
  byPayer: boolean;
  amountCents: number;
  currency: string;
  parts: Part[];
  now: Date;
}

/** Records a payment of parts of locked lines. Returns its id. */
export async function insertSettlement(db: Database, settlement: NewSettlement): Promise<number> {
  const { id } = await db
    .insertInto('settlements')
    .values({
      payer_id: settlement.payer.id,
      payer_name: settlement.payer.name,
      payee_id: settlement.payee.id,
      payee_name: settlement.payee.name,
      recorded_by: settlement.recordedBy,
      status: settlement.status,
      status_since: settlement.now,
      amount_cents: settlement.amountCents,
      currency: settlement.currency,
      settled_at: settlement.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('settlement_parts')
    .values(settlement.parts.map(({ lineId, cents }) => ({ settlement_id: id, line_id: lineId, amount_cents: cents })))
    .execute();
  await moveParts(db, id, { from: null, to: settlement.status });
  await insertPaymentStep(db, { id, kind: settlement.status, byPayer: settlement.byPayer, now: settlement.now });
  return id;
}

interface PaymentStep {
  id: number;
  kind: PaymentStepKind;
  byPayer: boolean;
  now: Date;
}

export async function insertPaymentStep(db: Database, { id, kind, byPayer, now }: PaymentStep): Promise<void> {
  await db.insertInto('payment_steps').values({ settlement_id: id, kind, by_payer: byPayer, at: now }).execute();
}

/** Gives a locked payment another status, and its lines the amounts that follow from it. */
export async function setStatus(
  db: Database,
  { id, from, to, now }: { id: number; from: SettlementStatus; to: SettlementStatus; now: Date },
): Promise<void> {
  // In the order in which payments lock lines.
  await sql`
    select 1 from statement_lines where id in (select line_id from settlement_parts where settlement_id = ${id})
    order by id for update`.execute(db);
  await db.updateTable('settlements').set({ status: to, status_since: now }).where('id', '=', id).execute();
  await moveParts(db, id, { from, to });
}

/** The check against overpaid lines applies whatever the code before did. */
async function moveParts(
  db: Database,
  id: number,
  { from, to }: { from: SettlementStatus | null; to: SettlementStatus },
): Promise<void> {
  const change = (status: SettlementStatus) => Number(to === status) - Number(from === status);
  await sql`
    update statement_lines l
    set sent_cents = l.sent_cents + ${change('sent')}::int * part.amount_cents,
      settled_cents = l.settled_cents + ${change('paid')}::int * part.amount_cents
    from settlement_parts part
    where part.settlement_id = ${id} and part.line_id = l.id`.execute(db);
}

/** Returns the ids of a payment's two sides that have an account; none unless the user is one of them. */
export async function partiesOf(db: Database, { id, userId }: { id: number; userId: number }): Promise<number[]> {
  const row = await db
    .selectFrom('settlements')
    .select(['payer_id', 'payee_id'])
    .where('id', '=', id)
    .where((either) => either.or([either('payer_id', '=', userId), either('payee_id', '=', userId)]))
    .executeTakeFirst();
  return [row?.payer_id, row?.payee_id].filter((party) => typeof party === 'number');
}

/** Returns the accounts between which a charge is. */
export async function partiesOfLine(db: Database, lineId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct each.id
    from statement_lines l join statements s on s.id = l.statement_id
    cross join lateral unnest(array[l.user_id, s.owner_id]) as each(id)
    where l.id = ${lineId} and each.id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the other users of all charges that a user ever owed or was owed. */
export async function usersWithCharges(db: Database, userId: number): Promise<number[]> {
  const charges = db.selectFrom('statement_lines as l').innerJoin('statements as s', 's.id', 'l.statement_id');
  const rows = await charges
    .select('s.owner_id as id')
    .where('l.user_id', '=', userId)
    .union(charges.select('l.user_id as id').where('s.owner_id', '=', userId))
    .execute();
  return rows.flatMap(({ id }) => (id === null || id === userId ? [] : [id]));
}

/** Locks a payment until the transaction ends, so that what both sides do to it happens one after the other. */
export async function lockSettlement(db: Database, id: number): Promise<void> {
  await db.selectFrom('settlements').select('id').where('id', '=', id).forUpdate().execute();
}

export interface StoredSettlement {
  id: number;
  other_name: string;
  own_name: string;
  /** Whether the other has no account, or not yet, so that there is no one to agree. */
  other_is_gone: boolean;
  paid_by_user: boolean;
  amount_cents: number;
  currency: string;
  settled_at: Date;
  recorded_by: string;
  status: SettlementStatus;
  status_since: Date;
  /** Oldest first. Instants are text, because they come from JSON. */
  steps: { kind: PaymentStepKind; by_payer: boolean; at: string }[];
  lines: (Pick<OwedLine, 'id' | 'asset_id' | 'asset_name' | 'month' | 'amount_cents' | 'owed_to_user'> & {
    covered_cents: number;
  })[];
}

/** Returns a user's settlements, newest first, each with the lines it covers. */
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
      case when s.payer_id = ${userId} then s.payer_name else s.payee_name end as own_name,
      (s.payer_id is null or s.payee_id is null
        or exists (select 1 from users where id in (s.payer_id, s.payee_id) and host_id is not null)) as other_is_gone,
      coalesce(s.payer_id = ${userId}, false) as paid_by_user, s.amount_cents, s.currency, s.settled_at, s.recorded_by,
      s.status, s.status_since,
      (select json_agg(json_build_object('kind', e.kind, 'by_payer', e.by_payer, 'at', e.at) order by e.id)
      from payment_steps e where e.settlement_id = s.id) as steps,
      (select json_agg(json_build_object(
        'id', l.id, 'asset_id', st.asset_id, 'asset_name', st.asset_name, 'month', to_char(st.month, 'YYYY-MM'),
        'amount_cents', abs(l.amount_cents), 'covered_cents', part.amount_cents, 'owed_to_user', ${owedTo('l', userId)}
      ) order by st.month, l.id)
      from settlement_parts part
      join statement_lines l on l.id = part.line_id
      join statements st on st.id = l.statement_id
      where part.settlement_id = s.id) as lines
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

/** Replaces a user's name on all of their payments, and in the names of people without an account that contain it. */
export async function hideName(db: Database, userId: number, { from, to }: Names): Promise<void> {
  const renamed = (column: string) => sql`
    case when ${sql.ref(column)} = ${from}::text then ${to}::text else ${renamedGuest(sql.ref(column), { from, to })} end`;
  await sql`
    update settlements set payer_name = ${renamed('payer_name')}, payee_name = ${renamed('payee_name')},
      recorded_by = ${renamed('recorded_by')}
    where payer_id = ${userId} or payee_id = ${userId}`.execute(db);
}
