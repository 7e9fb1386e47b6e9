import { sql, type Kysely } from 'kysely';

// Used and revoked invitations are deleted; what one led to is in shares. Their ids come from the sequence of shares, so
// that no invitation in an asset's list can be taken for a share.
const statements = [
  `create table invitations (
    id bigint primary key default nextval('shares_id_seq'),
    asset_id bigint not null references assets (id) on delete cascade,
    token_hash text not null constraint invitations_token_hash unique,
    monthly_hours_allocated integer not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint invitations_hours check (monthly_hours_allocated between 1 and 744),
    constraint invitations_expire_later check (expires_at > created_at)
  )`,
  `create index invitations_asset on invitations (asset_id)`,
  `comment on table invitations is 'Links that offer access to whoever opens them first.'`,
  `comment on column invitations.id is 'From the sequence of shares: no share has it.'`,
  `comment on column invitations.token_hash is 'SHA-256 of the token in the link, in hexadecimal; the token itself is not stored.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
