import { sql, type Kysely } from 'kysely';

// The zones that an asset's earlier months were in, by the month before which each held: {"2026-04-01": "Europe/Berlin"}.
// They stand on the asset's own row, because months are worked out by the statements that lock it: such a statement sees
// the row as it has become meanwhile, but other tables as they were. Null while the zone has never changed.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table assets add column past_time_zones jsonb
        constraint assets_past_time_zones check (jsonb_typeof(past_time_zones) = 'object' and past_time_zones <> '{}')`,
    )
    .execute(db);
}
