import { sql, type Kysely } from 'kysely';

// docs/decisions/0085-outbox.md
const statements = [
  `create table outbox (
    id bigint generated always as identity primary key,
    kind text not null,
    asset_id bigint,
    share_id bigint,
    actor_id bigint,
    user_ids bigint[] not null default '{}',
    data jsonb not null default '{}',
    happened_at timestamptz not null,
    failed_at timestamptz
  )`,
  `comment on table outbox is
    'What happened, added in the transaction that did it, until the dispatcher has passed it on. Without foreign keys, because it may outlive what it is about.'`,
  `comment on column outbox.user_ids is 'Whom it concerns, besides those who are found by the asset and the share.'`,
  `comment on column outbox.failed_at is 'When it could not be passed on; such rows wait for a new version.'`,
  `create table live_events (
    id bigint generated always as identity primary key,
    kind text not null,
    user_ids bigint[] not null,
    data jsonb not null,
    happened_at timestamptz not null
  )`,
  `create index live_events_end on live_events (happened_at)`,
  `comment on table live_events is 'What streams send, in the order of commits: only one dispatcher writes at a time. Kept for a day, for streams that resume.'`,
  `create table dispatcher (only_row boolean primary key default true constraint dispatcher_only_row check (only_row))`,
  `comment on table dispatcher is 'One row once it is needed, whose lock is the turn to pass on what the outbox holds.'`,
  `create table notices (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    kind text not null,
    cause text not null,
    actor_id bigint references users (id) on delete set null,
    asset_id bigint,
    asset_name text,
    share_id bigint,
    data jsonb not null default '{}',
    created_at timestamptz not null,
    in_bell boolean not null,
    read_at timestamptz,
    mail_due_at timestamptz,
    push_due_at timestamptz,
    push_attempts integer not null default 0,
    pushed_to bigint[] not null default '{}',
    constraint notices_cause unique (user_id, cause)
  )`,
  `create index notices_user on notices (user_id, id)`,
  `create index notices_actor_id on notices (actor_id) where actor_id is not null`,
  `create index notices_end on notices (created_at)`,
  `create index notices_mail on notices (mail_due_at) where mail_due_at is not null`,
  `create index notices_push on notices (push_due_at) where push_due_at is not null`,
  `comment on column notices.cause is 'What it is about, so that a user is told once, however many servers and attempts there are.'`,
  `comment on column notices.actor_id is 'Who did it, or whom it is about.'`,
  `comment on column notices.asset_name is 'As the asset was called, which its former members may not see change.'`,
  `comment on column notices.data is 'The facts that its text names, as they were.'`,
  `comment on column notices.mail_due_at is 'When it is sent by email, with all others of the user that wait; null if it is not, or was.'`,
  `comment on column notices.push_due_at is 'When it is next sent by push message; null if it is not, or was.'`,
  `comment on column notices.pushed_to is 'The push subscriptions that it has been sent to.'`,
  `create table notice_choices (
    user_id bigint not null references users (id) on delete cascade,
    kind text not null,
    bell boolean not null,
    mail boolean not null,
    push boolean not null,
    primary key (user_id, kind)
  )`,
  `comment on table notice_choices is 'How a user hears of a kind of notice; without a row, its defaults.'`,
  `create table push_subscriptions (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    sign_in_id bigint references sign_ins (id) on delete cascade,
    endpoint text not null constraint push_subscriptions_endpoint unique,
    sealed text not null,
    created_at timestamptz not null
  )`,
  `create index push_subscriptions_user on push_subscriptions (user_id)`,
  `create index push_subscriptions_sign_in on push_subscriptions (sign_in_id)`,
  `comment on column push_subscriptions.sealed is 'The keys of the browser, encrypted.'`,
  `comment on column push_subscriptions.sign_in_id is 'Ends with the sign-in that made it.'`,
  `alter table installation add column push_public_key text, add column push_sealed_key text`,
  `comment on column installation.push_sealed_key is 'The private key for push messages, encrypted; made when the first is needed.'`,
  `alter table users add column reminded_week date, add column reminded_month date`,
  `comment on column users.reminded_week is 'The Monday of the last weekly usage reminder.'`,
  `comment on column users.reminded_month is 'The first of the last month whose statements a reminder was about.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
