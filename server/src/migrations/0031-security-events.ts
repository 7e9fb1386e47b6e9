import { sql, type Kysely } from 'kysely';

const statements = [
  `create table security_events (
    id bigint generated always as identity primary key,
    user_id bigint references users (id) on delete cascade,
    former_id bigint,
    event text not null,
    detail text,
    count integer not null constraint security_events_count check (count > 0),
    actor text not null constraint security_events_actor check (actor in ('user', 'other', 'administrator', 'unknown')),
    actor_id bigint references users (id) on delete set null,
    browser text,
    system text,
    sign_in_id bigint,
    happened_at timestamptz not null,
    last_at timestamptz not null,
    hour timestamptz,
    constraint security_events_former check (user_id is null or former_id is null),
    constraint security_events_actor_id check (actor_id is null or actor = 'other')
  )`,
  `create unique index security_events_hour on security_events (user_id, event, hour) nulls not distinct where hour is not null`,
  `create index security_events_user on security_events (user_id, id)`,
  `create index security_events_actor_id on security_events (actor_id) where actor_id is not null`,
  `create index security_events_end on security_events (last_at)`,
  `comment on table security_events is
    'What happened to the security of accounts and of the server, for users and for the administrator.'`,
  `comment on column security_events.user_id is 'Null if no account has the name that was tried, or if it is about the whole server.'`,
  `comment on column security_events.former_id is 'The number of a deleted account, of which nothing else is kept.'`,
  `comment on column security_events.event is 'As in docs/security.md. Not a closed list here, because later versions add kinds.'`,
  `comment on column security_events.detail is
    'Why sign-ins or access tokens ended, how someone signed in, or who may create an account from then on.'`,
  `comment on column security_events.count is 'How many attempts, sign-ins, or access tokens.'`,
  `comment on column security_events.actor is
    'user: the account itself. other: another account, in actor_id. unknown: someone who was not signed in.'`,
  `comment on column security_events.actor_id is 'Null if that account was deleted.'`,
  `comment on column security_events.browser is 'In words, as lists of devices show it; of the latest attempt if several are counted.'`,
  `comment on column security_events.sign_in_id is 'The sign-in that was used or made; its row in sign_ins may be gone.'`,
  `comment on column security_events.hour is
    'Set for what strangers can cause: all of it in one hour is counted in one row, so that no one can fill the table.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
