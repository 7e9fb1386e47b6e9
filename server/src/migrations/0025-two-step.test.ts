import type { Check, TwoStep } from '@hourshare/contract/accounts';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../testing/api.ts';
import { up as addChecks } from './0024-checks.ts';
import { up as addTwoStep } from './0025-two-step.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

it('existing accounts and sign-ins still work, without a check and without a second step', async () => {
  const mira = await api.register('mira');
  const db = api.deps.db as unknown as Kysely<unknown>;
  for (const table of ['recovery_codes', 'two_step_keys']) await sql`drop table ${sql.table(table)}`.execute(db);
  await sql`alter table users drop column two_step_since`.execute(db);
  await sql`alter table sign_ins drop column checked_at, drop column checked_with`.execute(db);
  await addChecks(db);
  await addTwoStep(db);
  const read = async <Body>(path: string) => (await api.call<Body>('GET', path, { as: mira })).body;
  expect(await read<Check>('/api/me/check/')).toEqual({ methods: ['password'], expires_at: null });
  expect(await read<TwoStep>('/api/me/two-step/')).toEqual({ since: null, recovery_codes_left: 0 });
  expect((await api.call('POST', '/api/me/two-step/', { as: mira })).status).toBe(403);
});

it.each([
  ['a check without its kind', 'update sign_ins set checked_with = null'],
  ['an unknown kind of check', "update sign_ins set checked_with = 'guess'"],
  ['a password of someone who has no account', "update users set password_hash = 'x' where keeper_id is not null"],
  [
    'a second step of someone who has no account',
    'update users set two_step_since = now() where keeper_id is not null',
  ],
])('the database refuses %s', async (_, statement) => {
  const mira = await api.register('mira');
  const asset = await api.addAsset(mira);
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  await api.call('POST', `/api/assets/${asset.id}/people/`, { as: mira, body });
  await expect(sql.raw(statement).execute(api.deps.db)).rejects.toThrow('violates check constraint');
});
