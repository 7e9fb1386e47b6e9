import type { NewPasskeyOptions, PasskeyProofOptions } from '@hourshare/contract/sign-ins';
import { endpoints } from '@hourshare/contract/endpoints';
import type { Terms } from '@hourshare/contract/fields';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { FastifyInstance } from 'fastify';
import { PostgresQueryCompiler, sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { requireSameSecret } from './features/installation/service.ts';
import type { Page } from './platform/pages.ts';
import { retryTransient } from './platform/database/retry.ts';
import { openTestApi, TEST_PASSWORD, TEST_SECRET, TEST_START, type TestApi } from './testing/api.ts';
import { codeAt, newKey } from './platform/one-time-codes.ts';
import { createPasskey } from './testing/authenticator.ts';
import { forgetAll } from './platform/memory.ts';
import { hashToken } from './platform/tokens.ts';
import { everyCase } from './testing/every-case.ts';
import { extendPeriods } from './features/periods/upkeep/service.ts';
import { kept } from './testing/kept.ts';
import { browserHeaders, GOOGLE, plantFlow, plantIdentity } from './testing/providers.ts';
import { recordAllowances, recordAssets, recordSessions } from './testing/records.ts';
import { HANG_MILLISECONDS, isThorough } from './testing/thorough.ts';
import { NOTICE_TARGET, PUSH_SUBSCRIPTION } from './testing/successes.ts';

// Covers races that parallel requests can't find reliably: what a call has read is deleted before its next statement.

/** Runs after every statement of the app under test. */
let afterStatement = async (_text: string): Promise<void> => undefined;
const compiler = new PostgresQueryCompiler();
const texts = new WeakMap<object, string>();
const pausing: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    texts.set(queryId, compiler.compileQuery(node, queryId).sql);
    return node;
  },
  async transformResult({ result, queryId }) {
    await afterStatement(texts.get(queryId) ?? '');
    return result;
  },
};

let api: TestApi;
let app: FastifyInstance;
beforeAll(async () => {
  api = await openTestApi();
  app = await buildApp({ ...api.deps, db: api.deps.db.withPlugin(pausing) });
});
afterAll(async () => {
  await app.close();
  await api.close();
});

const OWNER = 1;
const MEMBER = 2;
const OUTSIDER = 3;
const GRANDMA = 4;
const INVITATION = 1_000_001;

const KEY = newKey();

const signInOf = (userId: number) => `sign-in-${userId}`;
const tokenOf = (userId: number) => api.deps.tokens.access({ userId, signIn: signInOf(userId) });

/** Creates an owner with two assets shared with a member and one offered, an active session, and a third user. */
async function household() {
  const { db, passwords } = api.deps;
  await requireSameSecret(db, TEST_SECRET, undefined);
  const now = api.clock.now;
  const hash = await (hashed ??= passwords.hash(TEST_PASSWORD));
  const user = (username: string) => ({
    username,
    email: `${username}@example.org`,
    password_hash: hash,
    time_zone: 'UTC',
    created_at: now,
  });
  await db.insertInto('users').values(['mira', 'ben', 'zoe'].map(user)).execute();
  await db
    .insertInto('users')
    .values({ username: 'Grandma (mira)', host_id: OWNER, time_zone: 'UTC', created_at: now })
    .execute();
  await db
    .insertInto('sign_ins')
    .values(
      [OWNER, MEMBER, OUTSIDER].map((user_id) => ({
        user_id,
        handle: signInOf(user_id),
        refresh_hash: '',
        device: '',
        created_at: now,
        last_used_at: now,
        checked_at: now,
        checked_with: 'passkey' as const,
        expires_at: new Date('2030-01-01T00:00:00Z'),
      })),
    )
    .execute();
  await db
    .updateTable('users')
    .set({ two_step_since: now, administrator_since: now })
    .where('id', '=', MEMBER)
    .execute();
  const keys = [OWNER, MEMBER].map((user_id) => ({ user_id, sealed: api.deps.tokens.seal(KEY), created_at: now }));
  await db.insertInto('two_step_keys').values(keys).execute();
  await db
    .insertInto('recovery_codes')
    .values({ user_id: MEMBER, code_hash: hashToken('code') })
    .execute();
  await db
    .insertInto('passkeys')
    .values({
      user_id: OWNER,
      credential_id: key.id,
      user_handle: key.userHandle,
      public_key: key.publicKey,
      counter: 0,
      transports: [],
      backed_up: false,
      device: '',
      created_at: now,
    })
    .execute();
  await plantIdentity(api.deps, OWNER, 'mira-there');
  for (const purpose of ['link', 'check'] as const) {
    const content = {
      issuer: purpose === 'check' ? GOOGLE : 'https://id.example',
      subject: 'mira-there',
      email: null,
      name: null,
    };
    await plantFlow(api.deps, { step: 'ticket', token: `to ${purpose}`, purpose, content });
  }
  const asset = {
    owner_id: OWNER,
    created_at: new Date('2026-01-01T00:00:00Z'),
    priceCents: 5,
    method: 'equal' as const,
  };
  await recordAssets(db, [asset, asset, asset], now);
  await db.updateTable('periods').set({ closed_at: january.closed_at }).where('month', '=', '2026-01-01').execute();
  const past = new Date('2026-01-01T00:00:00Z');
  const share = { member_id: MEMBER, monthly_hours_allocated: 5, created_at: past, accepted_at: past };
  await db
    .insertInto('shares')
    .values([
      { ...share, asset_id: 1 },
      { ...share, asset_id: 2 },
      { ...share, asset_id: 3, created_at: now, accepted_at: null },
      { ...share, asset_id: 1, member_id: GRANDMA },
    ])
    .execute();
  await recordAllowances(db);
  await db
    .insertInto('access_tokens')
    .values({
      user_id: MEMBER,
      name: 'Button',
      token_hash: '',
      scope: 'share',
      share_id: 1,
      created_at: now,
      expires_at: new Date('2030-01-01T00:00:00Z'),
    })
    .execute();
  await db
    .insertInto('trusted_owners')
    .values({ member_id: MEMBER, owner_id: OUTSIDER, offers: 'refuse', created_at: now })
    .execute();
  const meter = {
    asset_id: 1,
    name: 'TV',
    kind: 'sessions' as const,
    grace_minutes: 10,
    merge_minutes: 5,
    min_seconds: 60,
  };
  await db
    .insertInto('meters')
    .values([
      { ...meter, per_member: false, token_hash: hashToken(METER_TOKEN), created_at: now },
      { ...meter, per_member: true, created_at: now },
    ])
    .execute();
  await db
    .insertInto('meter_names')
    .values({ meter_id: 1, external_name: 'Ben', share_id: 1, last_event_at: now })
    .execute();
  await db
    .insertInto('meter_members')
    .values([1, 2].map((meter_id) => ({ meter_id, share_id: 1, agreed: true, changed_at: now })))
    .execute();
  await db.insertInto('handovers').values({ asset_id: 1, share_id: 1, offered_at: now }).execute();
  await db
    .insertInto('invitations')
    .values({
      id: INVITATION,
      asset_id: 1,
      maker_id: OWNER,
      token_hash: hashToken('token'),
      monthly_hours_allocated: 5,
      created_at: now,
      expires_at: new Date('2030-01-01T00:00:00Z'),
    })
    .execute();
  await db
    .insertInto('claims')
    .values({
      guest_id: GRANDMA,
      token_hash: hashToken('token'),
      created_at: now,
      expires_at: new Date('2030-01-01T00:00:00Z'),
    })
    .execute();
  await db
    .insertInto('statements')
    .values([january, { ...january, asset_id: 2 }])
    .execute();
  const line = { statement_id: 1, owner_id: OWNER, allocation_hours: 5, used_seconds: 0, days: 31, summed_hours: 155 };
  const money = { base_cents: 0, odd_cents: 0, amount_cents: 5 };
  await db
    .insertInto('statement_lines')
    .values([
      { ...line, ...money, user_id: OWNER, username: 'mira', role: 'owner' },
      { ...line, ...money, user_id: MEMBER, username: 'ben', role: 'member' },
      { ...line, ...money, user_id: MEMBER, username: 'ben', role: 'member', statement_id: 2, sent_cents: 5 },
      { ...line, ...money, user_id: GRANDMA, username: 'Grandma (mira)', role: 'member' },
    ])
    .execute();
  const parties = { payer_id: MEMBER, payer_name: 'ben', payee_id: OWNER, payee_name: 'mira', recorded_by: 'ben' };
  const sent = { status: 'sent' as const, status_since: now, settled_at: now, amount_cents: 5, currency: 'USD' };
  await db
    .insertInto('settlements')
    .values({ ...parties, ...sent })
    .execute();
  await db.insertInto('settlement_parts').values({ settlement_id: 1, line_id: 3, amount_cents: 5 }).execute();
  await db.insertInto('payment_steps').values({ settlement_id: 1, kind: 'sent', by_payer: true, at: now }).execute();
  const given = {
    asset_id: 1,
    asset_name: 'Gym',
    giver_id: MEMBER,
    giver_name: 'ben',
    holder_id: OWNER,
    holder_name: 'mira',
  };
  const deposit = { ...given, amount_cents: 5000, currency: 'USD', recorded_by_giver: true, recorded_at: now };
  await db
    .insertInto('deposits')
    .values([deposit, { ...deposit, confirmed_at: now }])
    .execute();
  const ends_by = new Date(now.getTime() + 3_600_000);
  const ended = { started_at: new Date(now.getTime() - 7_200_000), ended_at: new Date(now.getTime() - 3_600_000) };
  // Closing February makes the recorded times count again.
  const edit = { was_started_at: new Date('2026-02-20T00:00:00Z'), was_ended_at: now, edited_at: now };
  await recordSessions(db, [
    { share_id: 2, started_at: now, ends_by },
    { share_id: 1, ...ended, ends_by },
    { share_id: 2, ...ended, ...edit, ends_by },
    { share_id: 2, ...ended, ...edit, ends_by },
    { share_id: 4, ...ended, ends_by },
  ]);
  await db.insertInto('objections').values({ share_id: 2, session_id: 4, objected_at: now }).execute();
  const request = { share_id: 2, session_id: 4, month: '2026-03-01', requested_at: now };
  await db.insertInto('edit_requests').values(request).execute();
  await extendPeriods(api.deps);
  const cost = { asset_id: 1, month: '2026-03-01', created_at: now };
  await db
    .insertInto('costs')
    .values([
      { ...cost, author_id: OWNER, status: 'counted' },
      { ...cost, author_id: MEMBER, status: 'proposed' },
    ])
    .execute();
  const version = {
    version: 1,
    text: 'Fuel',
    day: '2026-03-10',
    amount_cents: 500,
    split: 'equal' as const,
    written_at: now,
  };
  await db
    .insertInto('cost_versions')
    .values([
      { ...version, cost_id: 1, payer_id: OWNER },
      { ...version, cost_id: 2, payer_id: MEMBER },
    ])
    .execute();
  const cycle = { every: 1, unit: 'month', anchor: '2026-03-20' };
  const plan = JSON.stringify({ cycle, spread: true, spreadFrom: null, trialUntil: null, startedOn: null });
  await sql`update periods set plan = ${plan}::jsonb, cycle_cents = price_cents where asset_id = 1`.execute(db);
  await sql`update assets set reminder_days = '{30}' where id = 1`.execute(db);
}
let hashed: Promise<string> | undefined;

const openHousehold = kept(() => api, household);

const { passkey: key } = createPasskey({
  challenge: '',
  rp: { id: 'localhost', name: '' },
  user: { id: 'A', name: '', displayName: '' },
  pubKeyCredParams: [],
  timeout: 0,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: [],
});

/** Requests what a browser needs to create or use one of the owner's passkeys. */
const askFor = async <T>(path: string): Promise<T> =>
  (await api.call<T>('POST', path, { token: await tokenOf(OWNER) })).body;
const useKey = async () => ({
  passkey: key.use(await askFor<PasskeyProofOptions>('/api/me/check/passkey/options/')),
});
const createKey = async () => ({
  passkey: createPasskey(await askFor<NewPasskeyOptions>('/api/me/passkeys/options/')).created,
});

const january = {
  asset_id: 1,
  asset_name: 'Gym',
  month: '2026-01-01',
  owner_id: OWNER,
  owner_name: 'mira',
  price_cents: 10,
  currency: 'USD',
  split_method: 'equal' as const,
  base_percent: 0,
  owner_hours: 0,
  owner_takes_part: false,
  measured: true,
  total_hours: 5,
  places: 2,
  ends_at: new Date('2026-02-01T00:00:00Z'),
  closes_at: new Date('2026-02-04T00:00:00Z'),
  closed_at: new Date('2026-02-04T00:00:00Z'),
};

/** Cost more than the assets do, so that agreeing succeeds. */
const DEAR_TERMS: Terms = {
  split_method: 'equal',
  base_percent: 0,
  price: 1000,
  currency: 'USD',
  total_hours: 1,
  places: 1,
  monthly_hours: 5,
  max_price_per_hour: null,
  extra_cost_limit: 0,
};

/** The path of the share of someone without an account. */
const PERSON = '/api/assets/1/share/4';

const recording = { start_time: '2026-03-09T10:00:00Z', end_time: '2026-03-09T11:00:00Z' };

const METER_TOKEN = `hm_${'m'.repeat(43)}`;

const lateNow = { at: '2026-03-10T12:00:00Z', client_time: '2026-03-10T12:00:00Z' };

const COST = { text: 'Fuel', amount: 5, split: 'equal' };

const correction = { start_time: '2026-03-10T10:30:00Z' };

const newPassword = { current_password: TEST_PASSWORD, new_password: 'another horse battery' };

/** Every call that reads before it writes, and the user who makes it. */
const calls: [key: string, path: string, as: number, body?: object | (() => Promise<object>)][] = [
  ['GET /api/me/', '/api/me/', OWNER],
  ['GET /api/administration/', '/api/administration/', MEMBER],
  ['PATCH /api/administration/', '/api/administration/', MEMBER, { registration: 'open' }],
  ['POST /api/administration/invitations/', '/api/administration/invitations/', MEMBER],
  ['POST /api/administration/test-mail/', '/api/administration/test-mail/', MEMBER],
  ['POST /api/administration/backups/', '/api/administration/backups/', MEMBER],
  ['GET /api/administration/accounts/', '/api/administration/accounts/', MEMBER],
  ['PATCH /api/administration/accounts/{id}/', '/api/administration/accounts/3/', MEMBER, { disabled: true }],
  ['POST /api/administration/accounts/{id}/reset-link/', '/api/administration/accounts/3/reset-link/', MEMBER],
  ['GET /api/me/export/', '/api/me/export/', OWNER],
  ['GET /api/me/export/csv/', '/api/me/export/csv/', MEMBER],
  ['PATCH /api/me/', '/api/me/', OWNER, { email: 'new@example.org', time_zone: 'Europe/Berlin' }],
  ['GET /api/me/check/', '/api/me/check/', OWNER],
  ['POST /api/me/check/', '/api/me/check/', OWNER, { current_password: TEST_PASSWORD }],
  ['GET /api/me/two-step/', '/api/me/two-step/', OWNER],
  ['POST /api/me/two-step/', '/api/me/two-step/', OWNER],
  ['POST /api/me/two-step/confirm/', '/api/me/two-step/confirm/', OWNER, { code: codeAt(KEY, new Date(TEST_START)) }],
  ['POST /api/me/two-step/recovery-codes/', '/api/me/two-step/recovery-codes/', MEMBER],
  ['DELETE /api/me/two-step/', '/api/me/two-step/', MEMBER],
  ['POST /api/me/check/passkey/options/', '/api/me/check/passkey/options/', OWNER],
  ['POST /api/me/check/passkey/', '/api/me/check/passkey/', OWNER, useKey],
  ['DELETE /api/me/password/', '/api/me/password/', OWNER],
  ['GET /api/me/passkeys/', '/api/me/passkeys/', OWNER],
  ['POST /api/me/passkeys/options/', '/api/me/passkeys/options/', OWNER],
  ['POST /api/me/passkeys/', '/api/me/passkeys/', OWNER, createKey],
  ['PATCH /api/me/passkeys/{id}/', '/api/me/passkeys/1/', OWNER, { name: 'Phone' }],
  ['DELETE /api/me/passkeys/{id}/', '/api/me/passkeys/1/', OWNER],
  ['POST /api/me/check/provider/', '/api/me/check/provider/', OWNER, { ticket: 'to check' }],
  ['GET /api/me/identities/', '/api/me/identities/', OWNER],
  ['POST /api/me/identities/', '/api/me/identities/', OWNER, { ticket: 'to link' }],
  ['DELETE /api/me/identities/{id}/', '/api/me/identities/1/', OWNER],
  ['POST /api/me/password/', '/api/me/password/', OWNER, newPassword],
  ['DELETE /api/me/email-change/', '/api/me/email-change/', OWNER],
  ['GET /api/me/sign-ins/', '/api/me/sign-ins/', OWNER],
  ['PATCH /api/me/sign-ins/{id}/', '/api/me/sign-ins/1/', OWNER, { name: 'Laptop' }],
  ['DELETE /api/me/sign-ins/{id}/', '/api/me/sign-ins/1/', OWNER],
  ['DELETE /api/me/sign-ins/', '/api/me/sign-ins/', OWNER],
  ['GET /api/me/security-events/', '/api/me/security-events/', OWNER],
  ['GET /api/notifications/', '/api/notifications/', OWNER],
  ['POST /api/notifications/read/', '/api/notifications/read/', OWNER],
  ['GET /api/notifications/choices/', '/api/notifications/choices/', OWNER],
  [
    'PATCH /api/notifications/choices/',
    '/api/notifications/choices/',
    OWNER,
    { choices: [{ kind: 'sign_in', mail: false }] },
  ],
  ['GET /api/notifications/targets/', '/api/notifications/targets/', OWNER],
  ['POST /api/notifications/targets/', '/api/notifications/targets/', OWNER, NOTICE_TARGET],
  ['PATCH /api/notifications/targets/{id}/', '/api/notifications/targets/1/', OWNER, { amounts: true }],
  ['DELETE /api/notifications/targets/{id}/', '/api/notifications/targets/1/', OWNER],
  ['GET /api/push/', '/api/push/', OWNER],
  ['POST /api/push/subscriptions/', '/api/push/subscriptions/', OWNER, PUSH_SUBSCRIPTION],
  ['DELETE /api/push/subscriptions/{id}/', '/api/push/subscriptions/1/', OWNER],
  ['DELETE /api/me/', '/api/me/', OWNER, { current_password: TEST_PASSWORD, keep_name: false }],
  ['DELETE /api/me/', '/api/me/', MEMBER, { current_password: TEST_PASSWORD, keep_name: true }],
  ['GET /api/me/access-tokens/', '/api/me/access-tokens/', MEMBER],
  ['POST /api/me/access-tokens/', '/api/me/access-tokens/', MEMBER, { name: 'Button', share_id: 1 }],
  ['DELETE /api/me/access-tokens/{id}/', '/api/me/access-tokens/1/', MEMBER],
  ['GET /api/me/calendar/', '/api/me/calendar/', OWNER],
  ['POST /api/me/calendar/', '/api/me/calendar/', OWNER],
  ['DELETE /api/me/calendar/', '/api/me/calendar/', OWNER],
  ['GET /api/assets/', '/api/assets/', OWNER],
  ['POST /api/assets/', '/api/assets/', OWNER, { name: 'New', subscription_cost: 5 }],
  ['GET /api/assets/{id}/', '/api/assets/1/', OWNER],
  ['PATCH /api/assets/{id}/', '/api/assets/1/', OWNER, { name: 'New', subscription_cost: 7, archived: true }],
  ['PATCH /api/assets/{id}/', '/api/assets/1/', OWNER, { subscription_cost: 7 }],
  ['PATCH /api/assets/{id}/', '/api/assets/1/', OWNER, { split_method: 'equal', owner_hours: 5 }],
  ['GET /api/assets/{id}/manager-changes/', '/api/assets/1/manager-changes/', OWNER],
  ['DELETE /api/assets/{id}/', '/api/assets/1/', OWNER],
  ['GET /api/assets/{id}/costs/', '/api/assets/1/costs/', OWNER],
  ['POST /api/assets/{id}/costs/', '/api/assets/1/costs/', OWNER, COST],
  ['PATCH /api/assets/{id}/costs/{cost_id}/', '/api/assets/1/costs/1/', OWNER, { amount: 4 }],
  ['DELETE /api/assets/{id}/costs/{cost_id}/', '/api/assets/1/costs/1/', OWNER],
  ['POST /api/assets/{id}/costs/{cost_id}/answer/', '/api/assets/1/costs/2/answer/', OWNER, { answer: 'count' }],
  ['GET /api/shared-assets/{id}/costs/', '/api/shared-assets/1/costs/', MEMBER],
  ['POST /api/shared-assets/{id}/costs/', '/api/shared-assets/1/costs/', MEMBER, COST],
  ['PATCH /api/shared-assets/{id}/costs/{cost_id}/', '/api/shared-assets/1/costs/2/', MEMBER, { text: 'Oil' }],
  ['DELETE /api/shared-assets/{id}/costs/{cost_id}/', '/api/shared-assets/1/costs/2/', MEMBER],
  [
    'POST /api/shared-assets/{id}/costs/{cost_id}/answer/',
    '/api/shared-assets/1/costs/1/answer/',
    MEMBER,
    { answer: 'yes' },
  ],
  ['GET /api/renewals/', '/api/renewals/', MEMBER],
  [
    'POST /api/shared-assets/{id}/vote/',
    '/api/shared-assets/1/vote/',
    MEMBER,
    { renews_on: '2026-03-20', choice: 'keep' },
  ],
  ['POST /api/assets/{id}/renewal/', '/api/assets/1/renewal/', OWNER, { renews_on: '2026-03-20', decision: 'renewed' }],
  ['POST /api/assets/{id}/replay/', '/api/assets/1/replay/', OWNER, {}],
  ['POST /api/shared-assets/{id}/replay/', '/api/shared-assets/1/replay/', MEMBER, {}],
  ['GET /api/assets/{id}/prices/', '/api/assets/1/prices/', OWNER],
  ['POST /api/assets/{id}/prices/', '/api/assets/1/prices/', OWNER, { from_month: '2026-05', subscription_cost: 6 }],
  ['GET /api/assets/{id}/statements/', '/api/assets/1/statements/', OWNER],
  ['GET /api/assets/{id}/statements/{month}/', '/api/assets/1/statements/2026-02/', MEMBER],
  ['POST /api/assets/{id}/statements/{month}/close/', '/api/assets/1/statements/2026-02/close/', OWNER],
  ['POST /api/assets/{id}/statements/{month}/confirm/', '/api/assets/1/statements/2026-02/confirm/', MEMBER],
  ['POST /api/assets/{id}/split-preview/', '/api/assets/1/split-preview/', OWNER, { allocations: { ben: 6 } }],
  ['GET /api/statements/', '/api/statements/', MEMBER],
  ['GET /api/statements/', '/api/statements/?month=2026-01', OWNER],
  ['POST /api/statement-lines/{id}/mark/', '/api/statement-lines/2/mark/', MEMBER, { status: 'sent' }],
  ['POST /api/statement-lines/{id}/mark/', '/api/statement-lines/2/mark/', OWNER, { status: 'paid' }],
  ['GET /api/balances/', '/api/balances/', MEMBER],
  ['GET /api/settlements/', '/api/settlements/', OWNER],
  ['POST /api/settlements/', '/api/settlements/', OWNER, { username: 'ben' }],
  ['POST /api/settlements/', '/api/settlements/', MEMBER, { username: 'mira', amount: 0.01 }],
  ['POST /api/settlements/{id}/confirm/', '/api/settlements/1/confirm/', OWNER],
  ['POST /api/settlements/{id}/reject/', '/api/settlements/1/reject/', OWNER],
  ['POST /api/settlements/{id}/undo/', '/api/settlements/1/undo/', MEMBER],
  ['DELETE /api/settlements/{id}/undo/', '/api/settlements/1/undo/', MEMBER],
  ['GET /api/deposits/', '/api/deposits/', MEMBER],
  ['POST /api/assets/{id}/deposits/', '/api/assets/1/deposits/', OWNER, { username: 'ben', amount: 50 }],
  ['POST /api/shared-assets/{id}/deposits/', '/api/shared-assets/1/deposits/', MEMBER, { amount: 50 }],
  ['POST /api/deposits/{id}/confirm/', '/api/deposits/1/confirm/', OWNER],
  ['POST /api/deposits/{id}/return/', '/api/deposits/2/return/', MEMBER],
  ['DELETE /api/deposits/{id}/', '/api/deposits/1/', OWNER],
  ['GET /api/assets/{id}/sessions/', '/api/assets/1/sessions/', OWNER],
  ['POST /api/assets/{id}/sessions/{session_id}/objection/', '/api/assets/2/sessions/3/objection/', OWNER],
  ['DELETE /api/assets/{id}/sessions/{session_id}/objection/', '/api/assets/2/sessions/4/objection/', OWNER],
  [
    'POST /api/assets/{id}/sessions/{session_id}/objection/replies/',
    '/api/assets/2/sessions/4/objection/replies/',
    OWNER,
    { text: 'It ran' },
  ],
  [
    'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/',
    '/api/shared-assets/2/logs/4/objection/replies/',
    MEMBER,
    { text: 'It ran' },
  ],
  [
    'POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/',
    '/api/shared-assets/2/logs/4/objection/agree/',
    MEMBER,
  ],
  ['POST /api/assets/{id}/sessions/{session_id}/request/accept/', '/api/assets/2/sessions/4/request/accept/', OWNER],
  ['POST /api/assets/{id}/sessions/{session_id}/request/decline/', '/api/assets/2/sessions/4/request/decline/', OWNER],
  ['DELETE /api/shared-assets/{id}/logs/{session_id}/request/', '/api/shared-assets/2/logs/4/request/', MEMBER],
  ['GET /api/assets/{id}/meters/', '/api/assets/1/meters/', OWNER],
  ['POST /api/assets/{id}/meters/', '/api/assets/1/meters/', OWNER, { name: 'Oven' }],
  ['PATCH /api/assets/{id}/meters/{meter_id}/', '/api/assets/1/meters/1/', OWNER, { name: 'Telly' }],
  ['DELETE /api/assets/{id}/meters/{meter_id}/', '/api/assets/1/meters/1/', OWNER],
  ['POST /api/assets/{id}/meters/{meter_id}/token/', '/api/assets/1/meters/1/token/', OWNER],
  [
    'PUT /api/assets/{id}/meters/{meter_id}/names/',
    '/api/assets/1/meters/1/names/',
    OWNER,
    { names: [{ external_name: 'Zoe', share_id: 1 }] },
  ],
  [
    'POST /api/assets/{id}/meters/{meter_id}/imports/',
    '/api/assets/1/meters/1/imports/',
    OWNER,
    { rows: [{ name: 'Ben', start: '2026-03-09T15:00:00Z', end: '2026-03-09T16:00:00Z' }] },
  ],
  ['GET /api/shared-assets/{id}/meters/', '/api/shared-assets/1/meters/', MEMBER],
  ['POST /api/shared-assets/{id}/meters/{meter_id}/', '/api/shared-assets/1/meters/1/', MEMBER, { agreed: false }],
  ['POST /api/shared-assets/{id}/meters/{meter_id}/token/', '/api/shared-assets/1/meters/2/token/', MEMBER],
  ['GET /api/assets/{id}/analytics/', '/api/assets/1/analytics/', OWNER],
  ['GET /api/assets/{id}/history/', '/api/assets/1/history/', OWNER],
  ['GET /api/findings/', '/api/findings/', OWNER],
  ['POST /api/assets/{id}/share/', '/api/assets/1/share/', OWNER, { username: 'zoe', monthly_hours_allocated: 5 }],
  ['POST /api/assets/{id}/share/', '/api/assets/1/share/', OWNER, { username: 'ben', monthly_hours_allocated: 5 }],
  ['PATCH /api/assets/{id}/share/{share_id}/', '/api/assets/1/share/1/', OWNER, { monthly_hours_allocated: 6 }],
  ['PATCH /api/assets/{id}/share/{share_id}/', '/api/assets/1/share/1/', OWNER, { manager: true }],
  ['DELETE /api/assets/{id}/share/{share_id}/', '/api/assets/1/share/1/', OWNER],
  ['POST /api/assets/{id}/invitations/', '/api/assets/1/invitations/', OWNER, { monthly_hours_allocated: 5 }],
  ['DELETE /api/assets/{id}/invitations/{invitation_id}/', `/api/assets/1/invitations/${INVITATION}/`, OWNER],
  ['POST /api/invitations/{token}/', '/api/invitations/token/', OUTSIDER, { price: 0.05 }],
  ['POST /api/invitations/{token}/', '/api/invitations/token/', MEMBER],
  ['POST /api/assets/{id}/people/', '/api/assets/1/people/', OWNER, { name: 'Grandpa', monthly_hours_allocated: 5 }],
  ['POST /api/assets/{id}/people/', '/api/assets/1/people/', OWNER, { name: 'Grandma', monthly_hours_allocated: 5 }],
  ['POST /api/assets/{id}/share/{share_id}/confirm/', '/api/assets/1/share/1/confirm/', OWNER],
  ['POST /api/assets/{id}/share/{share_id}/claim/', `${PERSON}/claim/`, OWNER],
  ['DELETE /api/assets/{id}/share/{share_id}/claim/', `${PERSON}/claim/`, OWNER],
  ['POST /api/assets/{id}/share/{share_id}/sessions/', `${PERSON}/sessions/`, OWNER, recording],
  ['PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/', `${PERSON}/sessions/5/`, OWNER, correction],
  ['DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/', `${PERSON}/sessions/5/`, OWNER],
  ['POST /api/claims/{token}/', '/api/claims/token/', OUTSIDER, { charges: 'accept' }],
  ['POST /api/claims/{token}/', '/api/claims/token/', OUTSIDER, { charges: 'object' }],
  ['POST /api/claims/{token}/', '/api/claims/token/', MEMBER, { charges: 'accept' }],
  ['GET /api/shared-assets/', '/api/shared-assets/', MEMBER],
  ['GET /api/shared-assets/{id}/', '/api/shared-assets/1/', MEMBER],
  ['POST /api/shared-assets/{id}/accept/', '/api/shared-assets/3/accept/', MEMBER],
  ['POST /api/shared-assets/{id}/agree/', '/api/shared-assets/1/agree/', MEMBER, { terms: DEAR_TERMS }],
  ['POST /api/shared-assets/{id}/decline/', '/api/shared-assets/3/decline/', MEMBER],
  ['POST /api/shared-assets/{id}/leave/', '/api/shared-assets/1/leave/', MEMBER],
  ['POST /api/assets/{id}/handover/', '/api/assets/2/handover/', OWNER, { username: 'ben', stay_hours: 5 }],
  ['DELETE /api/assets/{id}/handover/', '/api/assets/1/handover/', OWNER],
  ['POST /api/shared-assets/{id}/handover/accept/', '/api/shared-assets/1/handover/accept/', MEMBER, { version: 'x' }],
  ['POST /api/shared-assets/{id}/handover/decline/', '/api/shared-assets/1/handover/decline/', MEMBER],
  ['GET /api/trusted-owners/', '/api/trusted-owners/', MEMBER],
  ['POST /api/trusted-owners/', '/api/trusted-owners/', MEMBER, { username: 'mira', offers: 'refuse' }],
  ['DELETE /api/trusted-owners/{username}/', '/api/trusted-owners/zoe/', MEMBER],
  ['POST /api/shared-assets/{id}/start/', '/api/shared-assets/3/start/', MEMBER],
  ['POST /api/shared-assets/{id}/start/', '/api/shared-assets/1/start/', MEMBER],
  ['POST /api/shared-assets/{id}/start/', '/api/shared-assets/2/start/', MEMBER],
  ['POST /api/shared-assets/{id}/end/', '/api/shared-assets/1/end/', MEMBER],
  ['POST /api/shared-assets/{id}/end/', '/api/shared-assets/2/end/', MEMBER],
  ['POST /api/shared-assets/{id}/late-start/', '/api/shared-assets/1/late-start/', MEMBER, lateNow],
  ['POST /api/shared-assets/{id}/late-end/', '/api/shared-assets/2/late-end/', MEMBER, lateNow],
  ['POST /api/shared-assets/{id}/logs/', '/api/shared-assets/1/logs/', MEMBER, recording],
  ['GET /api/shared-assets/{id}/logs/', '/api/shared-assets/2/logs/', MEMBER],
  ['PATCH /api/shared-assets/{id}/logs/{session_id}/', '/api/shared-assets/1/logs/2/', MEMBER, correction],
  ['DELETE /api/shared-assets/{id}/logs/{session_id}/', '/api/shared-assets/1/logs/2/', MEMBER],
  ['GET /api/shared-assets/{id}/active-session/', '/api/shared-assets/1/active-session/', MEMBER],
  ['GET /api/shared-assets/{id}/analytics/', '/api/shared-assets/2/analytics/', MEMBER],
];

const deletion = async (path: string) => {
  const token = await tokenOf(OWNER);
  await api.call('DELETE', path, { token });
};
const deleteUsers = (...ids: number[]) => api.deps.db.deleteFrom('users').where('id', 'in', ids).execute();

const removals: Record<string, () => Promise<unknown>> = {
  'the assets are deleted': () => Promise.all([1, 2, 3].map((id) => deletion(`/api/assets/${id}/`))),
  'the assets are removed': () => api.deps.db.deleteFrom('assets').execute(),
  'the shares are ended': () => Promise.all([1, 2, 3].map((id) => deletion(`/api/assets/${id}/share/${id}/`))),
  'the sessions are deleted': () => api.deps.db.deleteFrom('sessions').execute(),
  'the owner’s account is deleted': () => deleteUsers(OWNER),
  'the invitations and claims are deleted': async () => {
    await api.deps.db.deleteFrom('invitations').execute();
    await api.deps.db.deleteFrom('claims').execute();
  },
  'the other accounts are deleted': () => deleteUsers(MEMBER, OUTSIDER),
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Resolves when a removal waits for the call under test, which then has to go on first. */
async function blocked(): Promise<void> {
  // The embedded engine has a single connection, and works in this process: what isn't done soon waits for it.
  if (api.database.engine === 'embedded') return void (await pause(5));
  for (const end = Date.now() + 40; Date.now() < end; await pause(1)) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(api.deps.db);
    if (rows.length > 0) return;
  }
}

async function forgetExtension() {
  forgetAll(api.deps.memory);
  await api.deps.db.updateTable('installation').set({ periods_extended_at: null }).execute();
}

/** Whether a statement only reads again what the one before it has just read. */
const isRepeat = (text: string, before: string) => !isThorough && text === before && /^\s*select/i.test(text);

/**
 * Makes a call during which `removal` runs after the nth statement, or the next one that doesn't repeat another. Returns the
 * answer, which statement that was, and whether more followed.
 */
async function callDuring(
  [key, url, caller, body]: (typeof calls)[number],
  removal: () => Promise<unknown>,
  nth: number,
  keyed: boolean,
) {
  const token = await tokenOf(caller);
  const payload = typeof body === 'function' ? await body() : body;
  let statements = 0;
  let before = '';
  let at: number | undefined;
  let done: Promise<unknown> = Promise.resolve();
  afterStatement = async (text) => {
    const repeats = isRepeat(text, before);
    before = text;
    if (++statements < nth || at !== undefined || repeats) return;
    at = statements;
    // It takes its locks in another order than the product, so it may be what the database gives up for a call's sake.
    done = retryTransient(removal);
    await Promise.race([done, blocked()]);
  };
  const request = app.inject({
    method: key.split(' ')[0] as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...browserHeaders, ...(keyed ? { 'idempotency-key': 'one' } : {}) },
    ...(payload ? { payload } : {}),
  });
  const { statusCode, body: text } = await request.catch((error: unknown) => {
    // A file that has begun can only be cut off.
    if (!('file' in endpoints[key as keyof typeof endpoints]) || !String(error).includes('destroyed')) throw error;
    return { statusCode: 200, body: '' };
  });
  afterStatement = async () => undefined;
  await done;
  return { status: statusCode, text, at: at ?? statements, more: at !== undefined && statements > at };
}

it('covers every call that needs a token', () => {
  const covered = new Set(calls.map(([key]) => key));
  // A stream doesn't end with its answer; features/notifications/live/live.test.ts ends the sign-ins of open ones.
  const all = Object.entries(endpoints).flatMap(([key, endpoint]) =>
    'public' in endpoint || 'stream' in endpoint ? [] : [key],
  );
  expect([...covered].toSorted()).toEqual(all.toSorted());
});

/** Two removals run on each engine: they take everything from the caller, or its subject. */
const OWNER_DELETED = 'the owner’s account is deleted';
const decisive = ['the assets are removed', OWNER_DELETED];
const [firstWriting] = calls.filter(([key]) => !key.startsWith('GET '));
const isReading = ([key]: (typeof calls)[number]) => key.startsWith('GET ');

/**
 * Returns the calls that a removal interrupts: all in a thorough run, and else a part, another for each removal. Deleting the owner's
 * account interrupts every call that writes, the other decisive removal every fourth of them, and the rest every eighth. The two
 * decisive ones also interrupt every eighth call that reads; three quarters of those are left to thorough runs. With its single
 * connection, the embedded engine interleaves a part of what PostgreSQL does, so it tries only the decisive ones.
 */
function interrupted(name: string) {
  if (isThorough) return calls;
  const isDecisive = decisive.includes(name);
  if (!isDecisive && !process.env['TEST_DATABASE_URL']) return [];
  const place = Object.keys(removals).indexOf(name);
  const every = (nth: number, of: typeof calls) => of.filter((_, index) => index % nth === place % nth);
  const writing = calls.filter((call) => !isReading(call));
  return [
    ...every(name === OWNER_DELETED ? 1 : isDecisive ? 4 : 8, writing),
    ...(isDecisive ? every(8, calls.filter(isReading)) : []),
  ];
}
const tried = Object.keys(removals).filter((name) => interrupted(name).length > 0);

/** Of the calls that may have a key, which all pass through the same code, every fourth is also made with one. */
const idempotent = calls.filter(([key]) => 'idempotent' in endpoints[key as keyof typeof endpoints]);
const isMadeWithKey = (call: (typeof calls)[number], name: string) => {
  const index = idempotent.indexOf(call);
  return index >= 0 && (isThorough || (name === OWNER_DELETED && index % 4 === 0));
};

it.each(tried)(
  'when %s between two statements, each call is answered as before or after, and never fails',
  async (name) => {
    await everyCase(
      interrupted(name),
      ([key, path]) => `${key} at ${path}`,
      async (call) => {
        for (const keyed of isMadeWithKey(call, name) ? [false, true] : [false])
          for (let nth = 1, more = true; more; nth++) {
            await openHousehold();
            // Any call may be the first to extend periods, by the same statements.
            if (call === firstWriting) await forgetExtension();
            const answer = await callDuring(call, removals[name]!, nth, keyed);
            ({ at: nth, more } = answer);
            expect([nth, keyed, answer]).toEqual([
              nth,
              keyed,
              { ...answer, status: expect.toSatisfy((status: number) => status < 500) },
            ]);
            const orphans = await api.deps.db
              .selectFrom('sessions')
              .innerJoin('shares', 'shares.id', 'sessions.share_id')
              .select('sessions.id')
              .where('sessions.ended_at', 'is', null)
              .where('shares.ended_at', 'is not', null)
              .execute();
            expect(orphans).toEqual([]);
          }
      },
    );
  },
  HANG_MILLISECONDS,
);

it('what vanishes from a page of shares ends neither the page nor the list', async () => {
  const path = '/api/shared-assets/?limit=1';
  for (let nth = 1, more = true; more; nth++) {
    await openHousehold();
    const vanish = () => api.deps.db.deleteFrom('assets').where('id', '=', 1).execute();
    const answer = await callDuring(['GET /api/shared-assets/', path, MEMBER], vanish, nth, false);
    ({ at: nth, more } = answer);
    let page: Page<SharedAsset> = JSON.parse(answer.text);
    const ids = page.results.map(({ id }) => id);
    for (; page.next !== null; ids.push(...page.results.map(({ id }) => id)))
      page = (await api.call<Page<SharedAsset>>('GET', `${path}&cursor=${page.next}`, { token: await tokenOf(MEMBER) }))
        .body;
    expect([nth, ids.filter((id) => id !== 1)]).toEqual([nth, [2, 3]]);
  }
});
