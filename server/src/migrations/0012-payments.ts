import { sql, type Kysely } from 'kysely';

// Payments become something both sides stand behind: each has a status and a history, and may cover charges in part.
// Earlier ones were final when recorded, by either side.
const statements = [
  `alter table settlements
    add column status text not null default 'paid'
      constraint settlements_status check (status in ('sent', 'paid', 'undone', 'not_received')),
    add column status_since timestamptz`,
  `update settlements set status_since = settled_at`,
  `alter table settlements alter column status drop default, alter column status_since set not null`,

  `create table settlement_events (
    id bigint generated always as identity primary key,
    settlement_id bigint not null references settlements (id),
    kind text not null constraint settlement_events_kind check (kind in ('sent', 'paid', 'confirmed', 'not_received',
      'undo_asked', 'undo_withdrawn', 'confirmation_undone', 'undone')),
    by_payer boolean not null,
    at timestamptz not null
  )`,
  `create index settlement_events_settlement on settlement_events (settlement_id, id)`,
  `insert into settlement_events (settlement_id, kind, by_payer, at)
    select id, 'paid', lower(recorded_by) = lower(payer_name), settled_at from settlements order by id`,

  `create table settlement_parts (
    settlement_id bigint not null references settlements (id),
    line_id bigint not null references statement_lines (id) on delete cascade,
    amount_cents bigint not null constraint settlement_parts_positive check (amount_cents > 0),
    primary key (settlement_id, line_id)
  )`,
  `create index settlement_parts_line on settlement_parts (line_id)`,
  `insert into settlement_parts (settlement_id, line_id, amount_cents)
    select settlement_id, id, amount_cents from statement_lines where settlement_id is not null`,

  `alter table statement_lines
    add column sent_cents bigint not null default 0,
    add column settled_cents bigint not null default 0`,
  `update statement_lines set settled_cents = amount_cents where settlement_id is not null`,
  // Dropping the column drops the indexes and the check that name it.
  `alter table statement_lines drop column settlement_id`,
  `alter table statement_lines
    add constraint statement_lines_never_overpaid
      check (sent_cents >= 0 and settled_cents >= 0 and sent_cents + settled_cents <= amount_cents),
    add constraint statement_lines_owner_owes_nobody
      check (role = 'member' or (sent_at is null and paid_at is null and sent_cents = 0 and settled_cents = 0))`,
  // Finds what is open without reading what has been paid, however long the history is.
  `create index statement_lines_owed on statement_lines (owner_id)
    where role = 'member' and paid_at is null and settled_cents < amount_cents`,
  `create index statement_lines_owing on statement_lines (user_id)
    where role = 'member' and paid_at is null and settled_cents < amount_cents`,

  `alter table users add column payment_iban text, add column payment_link text, add column payment_text text`,
];

const comments = {
  'settlements.status': 'Only sent and paid ones count: sent reserves its parts, paid pays them.',
  'settlements.status_since': 'When it got that status.',
  'settlement_events.by_payer': 'Whether the payer did it, or else the payee.',
  'settlement_parts.amount_cents': 'How much of the charge the payment covers, also after it was undone.',
  'statement_lines.sent_cents': 'What payments cover that are sent and not confirmed.',
  'statement_lines.settled_cents': 'What confirmed payments cover.',
  'statement_lines.sent_at': 'When its member marked it as sent, apart from any payment.',
  'statement_lines.paid_at': 'When the owner marked it as paid, apart from any payment.',
  'users.payment_iban': 'Shown only to those who owe this user, like the link and the text.',
};

const tables = {
  settlement_events: 'Everything that happened to a payment, in order. Only added to.',
  settlement_parts: 'The charges that a payment covers. Written once with the payment.',
  statement_lines: 'What one participant pays of a closed month. Only the marks and what payments cover change.',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const [table, text] of Object.entries(tables))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(text)}`.execute(db);
  for (const [column, text] of Object.entries(comments))
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(text)}`.execute(db);
}
