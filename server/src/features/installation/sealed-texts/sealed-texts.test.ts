import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from '../../../platform/one-time-codes.ts';
import { createTokens, type Tokens } from '../../../platform/tokens.ts';
import { openTestApi, TEST_SECRET, type TestApi } from '../../../testing/api.ts';
import { makeKey } from '../../../testing/two-step.ts';
import { requireSameSecret } from '../service.ts';
import { sealAgain } from './service.ts';
import { readOtherTexts, replaceText, SEALED_COLUMNS } from './store.ts';

const NEXT_SECRET = 'the next secret that only tests know, 32+ characters';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

/** What a server has after the secret was replaced, with or without the previous one. */
const restarted = (previous?: string) => ({
  ...api.deps,
  config: { ...api.deps.config, SECRET: NEXT_SECRET, SECRET_PREVIOUS: previous },
  tokens: createTokens(NEXT_SECRET, api.deps.clock, previous),
});

/** Returns what a server can read of all texts in all columns, as `table.column: text`. */
async function readAll(tokens: Tokens): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }>`
    select table_name::text as "table", column_name::text as "column" from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'character varying')`.execute(api.deps.db);
  const found: string[] = [];
  for (const { table, column } of columns.rows) {
    const { rows } = await sql<{ text: string | null }>`
      select ${sql.ref(column)} as text from ${sql.table(table)}`.execute(api.deps.db);
    const texts = rows.map(({ text }) => tokens.unseal(text ?? ''));
    found.push(...texts.filter((text) => text !== undefined).map((text) => `${table}.${column}: ${text}`));
  }
  return found.toSorted();
}

const MAILS = 450;

/** Fills every column with sealed texts. */
async function fillColumns(mira: SignedIn): Promise<void> {
  const { db, tokens, clock } = api.deps;
  const now = clock();
  const later = new Date(now.getTime() + 600_000);
  const body = { code: codeAt(await makeKey(api, mira), now) };
  const headers = { 'idempotency-key': 'codes' };
  expect((await api.call('POST', '/api/me/two-step/confirm/', { as: mira, body, headers })).status).toBe(201);
  const asset = { name: 'Tent', subscription_cost: 1 };
  await api.call('POST', '/api/assets/', { as: mira, body: asset, headers: { 'idempotency-key': 'asset' } });
  await requireSameSecret(db, TEST_SECRET);
  await api.call('GET', '/api/push/', { as: mira });
  const mails = Array.from({ length: MAILS }, (_, n) => ({
    kind: 'kind',
    sealed: tokens.seal(`mail ${n}`),
    created_at: now,
    due_at: now,
  }));
  await db.insertInto('mails').values(mails).execute();
  const flow = { step: 'state', browser_hash: 'hash', provider: 'google', purpose: 'sign-in' } as const;
  await db
    .insertInto('provider_flows')
    .values({ ...flow, token_hash: 'token', sealed: tokens.seal('flow'), created_at: now, expires_at: later })
    .execute();
  const { id } = await db.selectFrom('sign_ins').select('id').executeTakeFirstOrThrow();
  const subscription = { user_id: mira.user.id, sign_in_id: id, endpoint: 'https://push.example.org/1' };
  await db
    .insertInto('push_subscriptions')
    .values({ ...subscription, sealed: tokens.seal('keys'), created_at: now })
    .execute();
  const target = {
    user_id: mira.user.id,
    format: 'slack' as const,
    host: 'hooks.example.org',
    kinds: ['sign_in'],
    amounts: false,
  };
  await db
    .insertInto('notice_targets')
    .values({ ...target, sealed: tokens.seal('key'), created_at: now })
    .execute();
}

describe('sealed texts after the secret was replaced', () => {
  it('are in the columns that are sealed again', async () => {
    await fillColumns(await api.register('mira'));
    const columns = new Set((await readAll(api.deps.tokens)).map((each) => each.split(':')[0]));
    expect(columns).toEqual(new Set(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)));
  });

  it('are sealed with the new one by several servers at once, each text once, and then need no other', async () => {
    await fillColumns(await api.register('mira'));
    const before = await readAll(api.deps.tokens);
    expect(before.length).toBeGreaterThan(MAILS);
    const lines: unknown[] = [];
    const log = { ...api.deps.log, info: (counts: unknown) => void lines.push(counts) } as typeof api.deps.log;
    await Promise.all(Array.from({ length: 4 }, () => sealAgain({ ...restarted(TEST_SECRET), log })));
    expect(await readAll(restarted().tokens)).toEqual(before);
    expect(await readAll(api.deps.tokens)).toEqual([]);
    expect(lines).toHaveLength(4);
    const counts = lines as { sealedAgain: number; unreadable: number }[];
    expect(counts.reduce((sum, { sealedAgain }) => sum + sealedAgain, 0)).toBe(before.length);
    expect(counts.map(({ unreadable }) => unreadable)).toEqual([0, 0, 0, 0]);
    // Nothing is left to do.
    await sealAgain({ ...restarted(TEST_SECRET), log });
    expect(lines.at(-1)).toEqual({ sealedAgain: 0, unreadable: 0 });
  });

  it('stay as they are without the previous secret, or with a wrong one', async () => {
    await fillColumns(await api.register('mira'));
    const before = await readAll(api.deps.tokens);
    await sealAgain(restarted());
    await sealAgain(restarted('not the previous secret, although 32+ characters'));
    expect(await readAll(api.deps.tokens)).toEqual(before);
    expect(await readAll(restarted().tokens)).toEqual([]);
  });

  it('are not replaced if they changed since they were read', async () => {
    await fillColumns(await api.register('mira'));
    const { db } = api.deps;
    for (const column of SEALED_COLUMNS) {
      const [text] = await readOtherTexts(db, column, { prefix: 'other', after: undefined, limit: 1 });
      if (!text) throw new Error(`${column.table} has no text.`);
      expect(await replaceText(db, column, { text: { ...text, sealed: 'changed' }, sealed: 'new' })).toBe(false);
      expect(await replaceText(db, column, { text, sealed: 'new' })).toBe(true);
    }
  });
});

describe('servers with a new secret', () => {
  it('all start at once with the previous one, and none with another', async () => {
    const { db } = api.deps;
    await requireSameSecret(db, TEST_SECRET);
    const other = { SECRET_PREVIOUS: 'not the previous secret, although 32+ characters' };
    await expect(requireSameSecret(db, NEXT_SECRET, other)).rejects.toThrow(/^This database was used with another /);
    const previous = { SECRET_PREVIOUS: TEST_SECRET };
    await Promise.all(Array.from({ length: 5 }, () => requireSameSecret(db, NEXT_SECRET, previous)));
    await requireSameSecret(db, NEXT_SECRET);
    await expect(requireSameSecret(db, TEST_SECRET)).rejects.toThrow(/^This database was used with another /);
  });
});
