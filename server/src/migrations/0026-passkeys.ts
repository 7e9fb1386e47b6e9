import { sql, type Kysely } from 'kysely';

const statements = [
  `create table passkeys (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    credential_id text not null constraint passkeys_credential_id unique,
    user_handle text not null,
    public_key text not null,
    counter bigint not null constraint passkeys_counter check (counter >= 0),
    transports text[] not null,
    backed_up boolean not null,
    name text,
    device text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index passkeys_user on passkeys (user_id)`,
  `comment on table passkeys is 'WebAuthn credentials, each of which signs its user in without a password.'`,
  `comment on column passkeys.credential_id is 'Chosen by the device, in base64url, as are the user handle and the key.'`,
  `comment on column passkeys.user_handle is
    'What the device knows the user by, random, and the same for all passkeys of one user.'`,
  `comment on column passkeys.public_key is 'In COSE; it only verifies, so a copy of it opens nothing.'`,
  `comment on column passkeys.counter is
    'How often the device says it was used; 0 for devices that do not count. A lower one comes from a copy.'`,
  `comment on column passkeys.transports is 'How browsers reach the device: internal, hybrid, usb.'`,
  `comment on column passkeys.backed_up is 'Whether it is kept in several places, as of its last use.'`,
  `comment on column passkeys.name is 'What the user calls it; null until they name it.'`,
  `comment on column passkeys.device is 'The User-Agent it was created with, cut to 200 characters.'`,

  `create table used_challenges (
    challenge_hash text primary key,
    expires_at timestamptz not null
  )`,
  `create index used_challenges_end on used_challenges (expires_at)`,
  `comment on table used_challenges is
    'Challenges of passkeys that were answered, so that each counts once. Those not answered are stored nowhere.'`,
  `comment on column used_challenges.challenge_hash is 'SHA-256, in hexadecimal.'`,

  `alter table sign_ins add column passkey_id bigint references passkeys (id) on delete set null`,
  `create index sign_ins_passkey on sign_ins (passkey_id)`,
  `comment on column sign_ins.passkey_id is 'The passkey it was made with; null for any other way, and for removed ones.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
