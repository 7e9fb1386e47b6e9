import type { CostSplit } from '@hourshare/contract/costs';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { latestDate } from '../../platform/database/calendar.ts';
import { actsFor, isKeptFor, isManagedBy } from '../assets/sql.ts';
import {
  archivedThroughout,
  closesAt,
  currentPeriod,
  dateInPeriod,
  hasOwned,
  hasPlanEnded,
  isDue,
} from '../periods/sql.ts';
import { isHandoverDue } from '../shares/handovers/sql.ts';
import { accessInPeriod, accessOnDay } from '../shares/sql.ts';
import type { Repetition, Version } from './rules.ts';
import { lastVersion } from './sql.ts';

/** An asset as someone finds it who reads or writes its costs. */
export interface CostRoom {
  /** Of the asset. */
  id: number;
  currency: string;
  archived: boolean;
  owner_id: number;
  /** As what the user acts: `former` can only read, and change what they entered. */
  role: 'owner' | 'manager' | 'member' | 'former';
  /** Today in the zone of the running month. */
  today: string;
  /** The running month, `YYYY-MM`, and whether deleting the asset ended it. */
  month: string;
  ended: boolean;
}

/** Where a user acts on costs: on an asset that they manage or owned, or on a share that is or was theirs. */
export type CostPlace = { assetId: number } | { shareId: number };

/** Returns an asset by such a place; undefined if it isn't one of the user's. */
export async function findRoom(
  db: Database,
  place: CostPlace,
  { userId, now }: { userId: number; now: Date },
): Promise<CostRoom | undefined> {
  const instant = sql`${now}::timestamptz`;
  const [from, role] =
    'assetId' in place
      ? [
          sql`assets a where a.id = ${place.assetId} and ${isKeptFor('a', userId)} and (${isManagedBy('a', userId)} or ${hasOwned('a', userId)})`,
          sql`case when a.owner_id = ${userId} then 'owner' when ${isManagedBy('a', userId)} then 'manager' else 'former' end`,
        ]
      : [
          sql`shares sh join assets a on a.id = sh.asset_id
            where sh.id = ${place.shareId} and sh.member_id = ${userId} and not sh.own and sh.accepted_at is not null`,
          sql`case when a.deleted_at is null and sh.ended_at is null then 'member' else 'former' end`,
        ];
  const { rows } = await sql<CostRoom>`
    select known.*, to_char(p.month, 'YYYY-MM') as month, p.ends_at <= ${instant} as ended,
      least(${dateInPeriod('p', instant)}, (p.month + interval '1 month')::date - 1) as today
    from (
      select a.id, a.currency, a.archived_at is not null as archived, a.owner_id, ${role} as role from ${from}
    ) known cross join ${currentPeriod('known', now)} p`.execute(db);
  return rows[0];
}

/** Locks an asset until the transaction ends, so that none of its months closes meanwhile. */
export async function lockAsset(db: Database, assetId: number): Promise<void> {
  await sql`select 1 from assets where id = ${assetId} for no key update`.execute(db);
}

interface StoredVersion {
  version: number;
  day: string;
  text: string;
  amount_cents: number;
  split: CostSplit;
  payer_id: number | null;
  person_id: number | null;
  paid_by: string | null;
  person: string | null;
  /** As JSON writes it. */
  written_at: string;
}

export interface StoredCostRow {
  id: number;
  asset_id: number;
  currency: string;
  /** `YYYY-MM` */
  month: string;
  /** Whether its month has ended, and is closed or due to be. */
  ended: boolean;
  closed: boolean;
  closes_at: Date;
  status: 'proposed' | 'counted' | 'declined' | 'removed';
  author_id: number | null;
  author: string | null;
  reply: string | null;
  repeat_months: number | null;
  repeat_from: string | null;
  repeat_until: string | null;
  repeat_next: string | null;
  /** The owner of its month. */
  owner_id: number | null;
  /** Whether the reader acts for them, and whether the reader had access on its date. */
  managed: boolean;
  had_access: boolean;
  /** Oldest first. */
  versions: StoredVersion[];
  answers: {
    user_id: number;
    username: string;
    answer: 'yes' | 'no';
    agreed_cents: number | null;
    text: string | null;
    answered_at: string;
  }[];
}

const nameOf = (column: RawBuilder<unknown>) => sql`(select username from users where id = ${column})`;

/**
 * Returns an asset's costs, newest first, that a user may see. Those who act for the owner of a cost's month see all. Others see what
 * they entered or paid, and what counts, or may yet, of days on which they had access.
 */
export async function readCosts(
  db: Database,
  {
    assetId,
    userId,
    costId,
    before,
    limit,
    now,
  }: { assetId: number; userId: number; costId?: number; before?: number | undefined; limit: number; now: Date },
): Promise<StoredCostRow[]> {
  const { rows } = await sql<StoredCostRow>`
    select c.id, a.id as asset_id, a.currency, to_char(c.month, 'YYYY-MM') as month,
      p.ends_at <= ${now}::timestamptz as ended, p.closed_at is not null or ${isDue('p', now)} as closed,
      ${closesAt('p')} as closes_at, c.status, c.author_id, ${nameOf(sql`c.author_id`)} as author, c.reply,
      c.repeat_months, c.repeat_from, c.repeat_until, c.repeat_next, p.owner_id,
      seen.managed, seen.had_access,
      (
        select json_agg(json_build_object(
          'version', each.version, 'day', each.day, 'text', each.text, 'amount_cents', each.amount_cents, 'split', each.split,
          'payer_id', each.payer_id, 'person_id', each.person_id, 'paid_by', ${nameOf(sql`each.payer_id`)},
          'person', ${nameOf(sql`each.person_id`)}, 'written_at', each.written_at
        ) order by each.version)
        from cost_versions each where each.cost_id = c.id
      ) as versions,
      (
        select coalesce(json_agg(json_build_object(
          'user_id', answered.user_id, 'username', u.username, 'answer', answered.answer, 'agreed_cents', answered.agreed_cents, 'text', answered.text,
          'answered_at', answered.answered_at
        ) order by lower(u.username)), '[]')
        from cost_answers answered join users u on u.id = answered.user_id
        where answered.cost_id = c.id and answered.version = v.version
      ) as answers
    from costs c
    join assets a on a.id = c.asset_id
    join periods p on p.asset_id = c.asset_id and p.month = c.month
    cross join ${lastVersion('c')} v
    join periods paid on paid.asset_id = c.asset_id and paid.month = date_trunc('month', v.day)::date
    cross join lateral (
      select coalesce(${actsFor('a', userId, sql`p.owner_id`)}, false) as managed,
        exists (select 1 from ${accessOnDay('a', 'paid', sql`v.day`)} held where held.member_id = ${userId}) as had_access
      offset 0
    ) seen
    where c.asset_id = ${assetId} ${costId === undefined ? sql`` : sql`and c.id = ${costId}`}
      ${before === undefined ? sql`` : sql`and c.id < ${before}`}
      and (seen.managed or c.author_id = ${userId} or v.payer_id = ${userId}
        or (seen.had_access and c.status in ('proposed', 'counted')))
    order by c.id desc
    limit ${limit}`.execute(db);
  return rows;
}

/** Returns whether the month of a day has begun, and isn't closed or due to be. */
export async function isOpenDay(
  db: Database,
  { assetId, day, now }: { assetId: number; day: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p
    where p.asset_id = ${assetId} and p.month = date_trunc('month', ${day}::date)::date and p.closed_at is null
      and not ${isDue('p', now)} and p.starts_at <= ${now}::timestamptz`.execute(db);
  return rows.length > 0;
}

type Who = { id: number } | { username: string };
const isWho = (who: Who): RawBuilder<unknown> =>
  'id' in who ? sql`u.id = ${who.id}` : sql`lower(u.username) = lower(${who.username})`;

/** Condition: a user has a line in period `p` of asset `a`: its owner and everyone who had access while it wasn't archived. */
const hasLine = (userId: RawBuilder<unknown>) => sql<boolean>`(
  not ${archivedThroughout('a', 'p')} and (${userId} = p.owner_id or exists (
    select 1 from ${accessInPeriod('p', sql`sh.asset_id = a.id and sh.member_id = ${userId} and not sh.own`)} access
    where access.days > 0)))`;

/** Returns the id of someone, by id or name, with a line in a month; undefined for others. Keeps the account until the transaction ends. */
export async function findPayer(
  db: Database,
  { assetId, month, who }: { assetId: number; month: string; who: Who },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select u.id from periods p join assets a on a.id = p.asset_id join users u on ${isWho(who)}
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date and ${hasLine(sql`u.id`)}
    for key share of u`.execute(db);
  return rows[0]?.id;
}

/**
 * Returns the id of the owner of a month, or of someone who had access on a day and in that month, by id or name; undefined for
 * others. Keeps the account until the transaction ends.
 */
export async function findPerson(
  db: Database,
  { assetId, month, day, who }: { assetId: number; month: string; day: string; who: Who },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select u.id from periods p
    join periods paid on paid.asset_id = p.asset_id and paid.month = date_trunc('month', ${day}::date)::date
    join assets a on a.id = p.asset_id
    join users u on ${isWho(who)}
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date and (u.id = p.owner_id or exists (
      select 1 from ${accessOnDay('a', 'paid', sql`${day}::date`)} held where held.member_id = u.id))
    for key share of u`.execute(db);
  return rows[0]?.id;
}

/** Returns how many costs someone has entered for a month, removed ones included. */
export async function countCosts(
  db: Database,
  { assetId, month, authorId }: { assetId: number; month: string; authorId: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('costs')
    .where('asset_id', '=', assetId)
    .where('month', '=', `${month}-01`)
    .where('author_id', '=', authorId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a cost with its first version. Returns its id. */
export async function insertCost(
  db: Database,
  {
    assetId,
    month,
    authorId,
    status,
    version,
    now,
  }: {
    assetId: number;
    month: string;
    authorId: number;
    status: 'proposed' | 'counted';
    version: Version;
    now: Date;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('costs')
    .values({ asset_id: assetId, month: `${month}-01`, author_id: authorId, status, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertVersion(db, { costId: id, number: 1, version, now });
  return id;
}

export async function insertVersion(
  db: Database,
  { costId, number, version, now }: { costId: number; number: number; version: Version; now: Date },
): Promise<void> {
  const { day, text, amountCents, split, payerId, personId } = version;
  const people = { payer_id: payerId, person_id: personId };
  await db
    .insertInto('cost_versions')
    .values({
      cost_id: costId,
      version: number,
      day,
      text,
      amount_cents: amountCents,
      split,
      ...people,
      written_at: now,
    })
    .execute();
}

/** Has a cost come again on a day, or no longer if that is null; with null, as if it never had. */
export async function setRepetition(
  db: Database,
  costId: number,
  repetition: (Repetition & { next: string | null }) | null,
): Promise<void> {
  await db
    .updateTable('costs')
    .set({
      repeat_months: repetition?.every ?? null,
      repeat_from: repetition?.from ?? null,
      repeat_until: repetition?.until ?? null,
      repeat_next: repetition?.next ?? null,
    })
    .where('id', '=', costId)
    .execute();
}

/**
 * Returns costs after one that may come again today. Those of an asset that is about to be archived or handed over wait for that: who
 * enters them may have no part in that day.
 */
export async function dueCosts(
  db: Database,
  { now, after, limit }: { now: Date; after: number; limit: number },
): Promise<{ id: number; asset_id: number; author_id: number | null }[]> {
  const { rows } = await sql<{ id: number; asset_id: number; author_id: number | null }>`
    select c.id, c.asset_id, c.author_id from costs c join assets a on a.id = c.asset_id
    where c.repeat_next <= ${latestDate(now)}::date and c.id > ${after} and ${hasPlanEnded('a', now)} is not true and not ${isHandoverDue('a', now)}
    order by c.id limit ${limit}`.execute(db);
  return rows;
}

/** Returns the open share of a member of an asset, through which they enter costs. */
export async function openShareOf(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('shares')
    .select('id')
    .where('asset_id', '=', assetId)
    .where('member_id', '=', userId)
    .where('own', '=', false)
    .where('accepted_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

/** Keeps the answers to a version for the next one, which only costs less. */
export async function keepAnswers(db: Database, costId: number, version: number): Promise<void> {
  await sql`
    insert into cost_answers (cost_id, version, user_id, answer, agreed_cents, text, answered_at)
    select cost_id, version + 1, user_id, answer, agreed_cents, text, answered_at from cost_answers
    where cost_id = ${costId} and version = ${version}`.execute(db);
}

export async function setCostStatus(
  db: Database,
  costId: number,
  change: { status: StoredCostRow['status']; reply?: string | null; month?: string },
): Promise<void> {
  const { status, reply, month } = change;
  await db
    .updateTable('costs')
    .set({ status, ...(reply !== undefined && { reply }), ...(month !== undefined && { month: `${month}-01` }) })
    .where('id', '=', costId)
    .execute();
}

export async function setAnswer(
  db: Database,
  {
    costId,
    version,
    userId,
    answer,
    agreedCents,
    text,
    now,
  }: {
    costId: number;
    version: number;
    userId: number;
    answer: 'yes' | 'no' | 'none';
    agreedCents: number | null;
    text: string | null;
    now: Date;
  },
): Promise<void> {
  if (answer === 'none') {
    await db
      .deleteFrom('cost_answers')
      .where('cost_id', '=', costId)
      .where('version', '=', version)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  await db
    .insertInto('cost_answers')
    .values({ cost_id: costId, version, user_id: userId, answer, agreed_cents: agreedCents, text, answered_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['cost_id', 'version', 'user_id'])
        .doUpdateSet({ answer, agreed_cents: agreedCents, text, answered_at: now }),
    )
    .execute();
}

/** Returns the accounts that may see a cost besides those who act for the owner: who had access on its date, paid, or entered it. */
export async function peopleOf(db: Database, costId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from costs c join assets a on a.id = c.asset_id cross join ${lastVersion('c')} v
    join periods paid on paid.asset_id = c.asset_id and paid.month = date_trunc('month', v.day)::date
    cross join lateral (
      select c.author_id as id union select v.payer_id
      union select member_id from ${accessOnDay('a', 'paid', sql`v.day`)} held
    ) person
    join users u on u.id = person.id and u.email is not null
    where c.id = ${costId}
    order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}

interface MovedCost {
  asset_id: number;
  status: 'proposed' | 'declined';
  cost_id: number;
  text: string;
  amount: number;
  currency: string;
  month: string;
  author_id: number | null;
  owner_id: number | null;
}

/**
 * Moves proposals of months that close to the running one, in which who paid them still has a line. Those of someone who has left,
 * or of an asset in the archive, are declined. Returns them.
 */
export async function moveProposals(
  db: Database,
  { months, now }: { months: readonly { asset_id: number; month: string }[]; now: Date },
): Promise<MovedCost[]> {
  const closing = JSON.stringify(months.map(({ asset_id, month }) => ({ asset_id, month: `${month}-01` })));
  const { rows } = await sql<MovedCost>`
    update costs c set month = case when running.stays then running.month else c.month end,
      status = case when running.stays then c.status else 'declined' end
    from (
      select p.month, proposed.id, v.text, v.amount_cents, a.currency, own.owner_id, p.owner_id as next_owner_id,
        p.month > proposed.month and p.ends_at > ${now}::timestamptz and ${hasLine(sql`v.payer_id`)} as stays
      from json_to_recordset(${closing}::json) as closing (asset_id bigint, month date)
      join costs proposed on proposed.asset_id = closing.asset_id and proposed.month = closing.month and proposed.status = 'proposed'
      join assets a on a.id = proposed.asset_id cross join ${currentPeriod('a', now)} p
      join periods own on own.asset_id = a.id and own.month = proposed.month
      cross join ${lastVersion('proposed')} v
    ) running
    where c.id = running.id
    returning c.asset_id, c.status, c.id as cost_id, running.text, running.amount_cents as amount, running.currency,
      to_char(c.month, 'YYYY-MM') as month, c.author_id,
      case when running.stays then running.next_owner_id else running.owner_id end as owner_id`.execute(db);
  return rows;
}

/** Gives what was entered, paid, and answered by one user to another. */
export async function moveCosts(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db.updateTable('costs').set({ author_id: to }).where('author_id', '=', from).execute();
  await db.updateTable('cost_versions').set({ payer_id: to }).where('payer_id', '=', from).execute();
  await db.updateTable('cost_versions').set({ person_id: to }).where('person_id', '=', from).execute();
  await db.updateTable('cost_answers').set({ user_id: to }).where('user_id', '=', from).execute();
}
