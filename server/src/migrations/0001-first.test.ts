import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

it('describes every table', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'kysely_migration'
      and obj_description(oid) is null`.execute(api.deps.db);
  expect(rows).toEqual([]);
});

it.each([
  ['a check without its kind', 'update sign_ins set checked_with = null', 'not-null constraint'],
  ['an unknown kind of check', "update sign_ins set checked_with = 'guess'", 'sign_ins_checked_with'],
  [
    'a password of someone without an account',
    "update users set password_hash = 'x' where host_id is not null",
    'users_account',
  ],
  [
    'a second step of someone without an account',
    'update users set two_step_since = now() where host_id is not null',
    'users_two_step',
  ],
])('refuses %s', async (_, statement, constraint) => {
  const mira = await api.register('mira');
  const asset = await api.addAsset(mira);
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  await api.call('POST', `/api/assets/${asset.id}/people/`, { as: mira, body });
  await expect(sql.raw(statement).execute(api.deps.db)).rejects.toThrow(constraint);
});

it('refuses payments that cover more than a charge', async () => {
  const { lineId } = await api.billedAsset(await api.register('mira'), await api.register('ana'), '2026-02');
  const cover = (cents: number) =>
    sql`update statement_lines set sent_cents = amount_cents - 1, settled_cents = ${cents} where id = ${lineId}`.execute(
      api.deps.db,
    );
  await cover(1);
  await expect(cover(2)).rejects.toThrow('statement_lines_never_overpaid');
});
