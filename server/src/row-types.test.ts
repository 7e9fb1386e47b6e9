import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoticeKind } from '@hourshare/contract/notifications';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { MeterWithToken } from '@hourshare/contract/meters';
import type { AccessToken, AssetToClaim, InvitedAsset } from '@hourshare/contract/shares';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { deleteAccount } from './features/accounts/deletion/service.ts';
import { runCommand } from './commands.ts';
import { queueMail, sendDueMails } from './features/mail/service.ts';
import { readOtherTexts, SEALED_COLUMNS } from './features/installation/sealed-texts/store.ts';
import { backUpDaily } from './features/backups/daily/service.ts';
import { backUp, restore } from './features/backups/service.ts';
import { findAnyTable } from './features/backups/store.ts';
import { dispatchAll } from './features/notifications/dispatch/service.ts';
import { sendNewUpdates } from './features/notifications/live/service.ts';
import { queueNoticeMails } from './features/notifications/notice-mails/service.ts';
import { tellOfMonthsAndBalances, tellOfRunningSessions } from './features/notifications/timed-notices/service.ts';
import { sendDuePushes } from './features/notifications/push/service.ts';
import { queueMonthlyReminders, queueWeeklyReminders } from './features/notifications/reminders/service.ts';
import { archiveEndedAssets } from './features/assets/service.ts';
import { databaseVersion } from './features/insights/installation/store.ts';
import { repeatCosts } from './features/costs/service.ts';
import { tidyUp } from './features/meters/service.ts';
import { brokenPeriods } from './features/periods/upkeep/service.ts';
import { endExpiredSessions } from './features/sessions/presses/service.ts';
import { answeredWithout } from './features/sessions/requests/store.ts';
import { updateAccess } from './features/shares/starts/service.ts';
import { closeDuePeriods } from './features/statements/closing/service.ts';
import { verifyUsage } from './features/usage/service.ts';
import { isUsable } from './platform/database/migrate.ts';
import { missingSettings } from './platform/database/postgresql-settings.ts';
import { RowCheck, columnsWithValues } from './platform/database/testing/row-check.ts';
import { statementKey, type Shape } from './platform/database/testing/row-types.ts';
import { differingTimeZones } from './platform/database/time-zone-data.ts';
import { createTimeZones } from './platform/database/time-zones.ts';
import { tidy } from './platform/database/upkeep.ts';
import { transaction } from './platform/database/transaction.ts';
import type { Tables } from './schema.ts';
import { addCrowd, watchStatements, wideReads } from './testing/crowd.ts';
import { HANG_MILLISECONDS } from './testing/thorough.ts';
import { openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from './testing/api.ts';
import {
  BILLED_MONTH,
  INVITATION,
  nameShareAndSession,
  PUSH_SUBSCRIPTION,
  successfulCalls,
  tokenOf,
  type EndingKey,
} from './testing/successes.ts';

// Every test database compares the rows of raw SQL with their declared types; this file executes every statement.

const isPostgresql = Boolean(process.env['TEST_DATABASE_URL']);
const watched = isPostgresql ? watchStatements() : undefined;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** Makes every API call about assets, shares, and costs, and the reads again after the writes. */
async function callApi(): Promise<void> {
  const calls = await successfulCalls(api);
  const keys = (Object.keys(calls) as EndingKey[]).filter((key) =>
    /check|two-step|security-event|asset|invitation|claim|statement|balance|settlement|finding|trusted|export|access-token|calendar|notification|push|meter|^DELETE \/api\/me\/$/.test(
      key,
    ),
  );
  const reads = keys.filter((key) => key.startsWith('GET '));
  const writes = keys.filter((key) => /^(?:PATCH|POST|PUT) /.test(key));
  const deletions = keys.filter((key) => key.startsWith('DELETE '));
  const [corrected, asMember] = calls['PATCH /api/shared-assets/{id}/logs/{session_id}/'][200]!;
  const [, asOwner] = calls['GET /api/assets/'][200]!;
  const call = async (key: EndingKey) => {
    const [method = '', path = ''] = key.split(' ');
    for (const [id, options] of Object.values(calls[key])) {
      const named = nameShareAndSession(key, path.replace('{id}', String(id)), id);
      const url = named
        .replace('{invitation_id}', String(INVITATION))
        .replace('{token}', encodeURIComponent(tokenOf(key)))
        .replace('{username}', 'zoe')
        .replace('{month}', BILLED_MONTH);
      expect((await api.call(method, url, options)).status).toBeLessThan(500);
    }
  };
  const { body } = await api.call<{ results: { id: number }[] }>('GET', '/api/assets/', asOwner);
  // Assets with members get other terms next month.
  for (const { id } of body.results)
    await api.call('PATCH', `/api/assets/${id}/`, { ...asOwner, body: { base_percent: 10 } });
  for (const key of ['POST /api/statement-lines/{id}/mark/', ...reads, ...writes, ...reads] as const) await call(key);
  await api.call('GET', `/api/shared-assets/${corrected}/logs/`, { ...asMember, body: undefined });
  const details = [{ kind: 'iban', value: 'DE89370400440532013000', holder: 'Mira', town: 'Bern' }];
  await api.call('PATCH', '/api/me/', { ...asOwner, body: { payment_details: { methods: details } } });
  await api.call('GET', '/api/me/', asOwner);
  for (const { id } of body.results) {
    await api.call('PATCH', `/api/assets/${id}/`, { ...asOwner, body: { time_zone: 'Asia/Tokyo' } });
    await api.call('GET', `/api/assets/${id}/sessions/`, asOwner);
  }
  await manageWith(corrected, asOwner);
  const [, leaving] = calls['POST /api/shared-assets/{id}/leave/'][204]!;
  const script = { name: 'Script', share_id: corrected };
  const made = await api.call<{ token: string }>('POST', '/api/me/access-tokens/', { ...leaving, body: script });
  const readWithToken = () => api.call('GET', `/api/shared-assets/${corrected}/`, { token: made.body.token });
  expect((await readWithToken()).status).toBe(200);
  const listed = () =>
    api.call<{ access_tokens: AccessToken[] }>('GET', '/api/me/access-tokens/', { ...leaving, body: undefined });
  await expect.poll(async () => (await listed()).body.access_tokens[0]?.last_used_at).not.toBeNull();
  await readWithToken();
  await api.call('POST', `/api/shared-assets/${corrected}/leave/`, leaving);
  await api.call('GET', '/api/shared-assets/?status=past', leaving);
  // So that what one removes costs the others something.
  await api.deps.db.updateTable('periods').set({ split_method: 'share_of_use', max_hour_cents: 100 }).execute();
  for (const key of deletions) await call(key);
  // Someone who joined objected to a charge, and a session is recorded of someone else who no longer has access.
  const objected = await api.deps.db
    .updateTable('statement_lines')
    .set({ objected_at: api.clock.now, paid_at: api.clock.now })
    .where('role', '=', 'member')
    .returning('id')
    .execute();
  for (const { id } of objected)
    await api.call('POST', `/api/statement-lines/${id}/mark/`, { ...asOwner, body: { status: 'paid' } });
  const [asset, recording] = calls['POST /api/assets/{id}/share/{share_id}/sessions/'][201]!;
  const person = nameShareAndSession('', `/api/assets/${asset}/share/{share_id}/claim/`).replace('claim/', '');
  await api.call('DELETE', person, asOwner);
  await api.call('POST', `${person}sessions/`, recording);
  const [used] = calls['GET /api/assets/{id}/sessions/'][200]!;
  await api.call('DELETE', `/api/assets/${used}/`, asOwner);
  await api.call('GET', '/api/statements/', asOwner);
  const leaver = await api.register('una');
  await api.addAsset(leaver);
  await deleteAccount(api.deps, { userId: leaver.user.id, keepName: false }, 'administrator');
}

/** Lets a co-manager of a share's asset act for its owner. */
async function manageWith(share: number, asOwner: CallOptions): Promise<void> {
  const manager = await api.register('max');
  const shares = api.deps.db.selectFrom('shares').select('asset_id').where('id', '=', share);
  const { asset_id: id } = await shares.executeTakeFirstOrThrow();
  const path = `/api/assets/${id}/`;
  const offered = { username: 'max', monthly_hours_allocated: 5 };
  await api.call('POST', `${path}share/`, { ...asOwner, body: offered });
  const { body } = await api.call<{ results: { id: number }[] }>('GET', '/api/shared-assets/', { as: manager });
  const own = body.results[0]?.id;
  await api.call('POST', `/api/shared-assets/${own}/accept/`, { as: manager });
  await api.call('PATCH', `${path}share/${own}/`, { ...asOwner, body: { manager: true } });
  await api.call('GET', '/api/shared-assets/', { as: manager });
  await api.call('PATCH', `${path}share/${own}/`, { as: manager, body: { monthly_hours_allocated: 9 } });
  await api.call('PATCH', `${path}share/${share}/`, { as: manager, body: { monthly_hours_allocated: 9 } });
  await api.call('PATCH', path, { as: manager, body: { subscription_cost: 1 } });
  const { session_id: session } = await api.deps.db
    .selectFrom('objections')
    .select('session_id')
    .where('share_id', '=', share)
    .executeTakeFirstOrThrow();
  const reply = { text: 'It ran' };
  await api.call('POST', `${path}sessions/${session}/objection/replies/`, { as: manager, body: reply });
  await api.call('GET', `${path}manager-changes/`, { as: manager });
  await api.call('GET', `${path}statements/`, { as: manager });
}

/**
 * Offers an asset, whose currency has changed, and whose split and price change later, to a member, who accepts, and to someone who
 * doesn't answer; the owner then signs in with a known browser.
 */
async function agreeOnHandover(): Promise<void> {
  const [owner, member] = [await api.register('una'), await api.register('tom')];
  const asset = await api.addAsset(owner);
  await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { currency: 'EUR' } });
  await api.share(owner, asset, member);
  await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { split_method: 'equal' } });
  await api.offer(owner, asset, await api.register('leo'));
  const later = { from_month: '2026-05', subscription_cost: 1 };
  await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: owner, body: later });
  const { shareId, version } = await api.offerHandover(owner, asset.id, member, 5);
  await api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: member, body: { version } });
  await api.call('GET', '/api/assets/', { as: owner });
  await api.call('POST', '/api/login/', {
    body: { username: 'una', password: TEST_PASSWORD },
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  });
  await api.call('GET', '/api/me/security-events/', { as: owner });
}

/** Has members use and pay for an asset, with presses from offline, while notices, mails, pushes, and reminders are sent. */
async function tellMembers(): Promise<void> {
  const { clock } = api;
  const deps = { ...api.deps, mailer: { send: async () => undefined } };
  const [owner, member] = [await api.register('ola'), await api.register('pia')];
  for (const user of [owner, member]) {
    await api.call('PATCH', '/api/me/', { as: user, body: { usage_reminders: true, email_notifications: true } });
    const choices = NoticeKind.options.map((kind) => ({ kind, bell: true, mail: true, push: true }));
    await api.call('PATCH', '/api/notifications/choices/', { as: user, body: { choices } });
    const subscription = { ...PUSH_SUBSCRIPTION, endpoint: `https://push.example.org/${user.user.username}` };
    await api.call('POST', '/api/push/subscriptions/', { as: user, body: subscription });
  }
  const page = { prefix: 'of no secret', after: undefined, limit: 10 };
  for (const column of SEALED_COLUMNS) await readOtherTexts(deps.db, column, page);
  // The service refuses the address, which is on this machine.
  const tell = async () => {
    await dispatchAll(deps);
    await sendNewUpdates(deps);
    await tellOfRunningSessions(deps);
    await tellOfMonthsAndBalances(deps);
    await sendDuePushes(deps);
    clock.advance(11 * 60_000);
    await queueNoticeMails(deps);
    await queueWeeklyReminders(deps);
    await queueMonthlyReminders(deps);
    await sendDueMails(deps);
  };
  const asset = await api.addAsset(owner, { max_session_hours: 3 });
  const share = await api.share(owner, asset, member, 5);
  await api.call('PATCH', `/api/assets/${asset.id}/share/${share.id}/`, { as: owner, body: { manager: true } });
  await deps.metrics.render();
  await tell();
  const path = `/api/shared-assets/${share.id}/`;
  const press = (verb: string, hoursAgo: number) => {
    const at = new Date(clock.now.getTime() - hoursAgo * 3_600_000).toISOString();
    return api.call<{ id: number }>('POST', `${path}late-${verb}/`, {
      as: member,
      body: { at, client_time: clock.now.toISOString() },
    });
  };
  clock.advance(20 * 3_600_000);
  // Ended by its limit, then at the press; and the same presses again.
  const { body: late } = await press('start', 9);
  await press('end', 8);
  await press('start', 9);
  await press('end', 8);
  await press('start', 2);
  await api.call('POST', `${path}start/`, { as: member });
  await api.call('GET', `${path}active-session/`, { as: member });
  await press('end', 1);
  const times = { start_time: clock.now.toISOString(), end_time: clock.now.toISOString() };
  await api.call('PATCH', `${path}logs/${late.id}/`, { as: member, body: times });
  await api.call('POST', `${path}start/`, { as: member });
  for (let hours = 0; hours < 5; hours += 1) {
    clock.advance(3_600_000);
    await tell();
  }
  await api.call('GET', '/api/notifications/', { as: member });
  for (let days = 0; days < 80; days += 1) {
    clock.advance(24 * 3_600_000);
    if (days % 3 === 0) await api.call('POST', `${path}start/`, { as: member });
    await closeDuePeriods(deps);
    await tell();
  }
}

/** Runs the jobs, the checks at startup, and the administrator's commands, which no API call runs. */
async function runJobsAndChecks(): Promise<void> {
  const { deps, clock } = api;
  const { db } = deps;
  clock.advance(40 * 24 * 3_600_000);
  await closeDuePeriods(deps);
  await updateAccess(deps);
  const mailing = { ...deps, mailer: { send: async () => undefined } };
  const client = { device: '', network: '', requestId: '' };
  await queueMail(mailing, 'passwordReset', { email: 'mira@example.org', client }, null);
  await sendDueMails(mailing);
  expect(await isUsable(db)).toBe(true);
  expect(await createTimeZones().isKnown(db, 'UTC')).toBe(true);
  await differingTimeZones(db, deps.clock);
  await db.updateTable('usage_days').set({ seconds: 1 }).execute();
  await db.deleteFrom('periods').where('month', '=', '2026-04-01').execute();
  for await (const { days } of verifyUsage(db, { repair: false })) expect(days).toBeInstanceOf(Array);
  expect(await brokenPeriods(db)).not.toEqual([]);
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('host_id', 'is', null)
    .executeTakeFirstOrThrow();
  for (const args of [['users'], ['stats'], ['events', '--since', '2026-01-01'], ['delete', username]]) {
    for await (const { isError } of runCommand(deps, args)) expect(isError).toBe(false);
  }
  await backUpAndRestore();
  await transaction({ db }, async ({ db: trx }) => {
    await sql`set local jit = on`.execute(trx);
    expect(await missingSettings(trx)).not.toEqual([]);
  });
  await db.connection().execute(async (connection) => {
    await sql`create table notes as select n from generate_series(1, 100) n`.execute(connection);
    await sql`delete from notes`.execute(connection);
    await sql`select pg_stat_force_next_flush()`.execute(connection);
    await tidy(connection);
  });
}

async function backUpAndRestore(): Promise<void> {
  const { deps } = api;
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-rows-'));
  try {
    const file = join(folder, 'backup.gz');
    await backUp(deps, file);
    await backUpDaily({ ...deps, config: { ...deps.config, BACKUP_DIR: folder } }, new AbortController().signal);
    await expect(restore(deps, file, { replace: false })).rejects.toThrow('--replace');
    await restore(deps, file, { replace: true });
    expect(await findAnyTable(deps.db)).toBe('access_tokens');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Has someone refuse the offers of an owner, one of them open. */
async function refuseOffers(): Promise<void> {
  const [ana, eva] = [await api.register('offering'), await api.register('refusing')];
  const { id } = await api.addAsset(ana);
  const offer = { username: 'refusing', monthly_hours_allocated: 5 };
  await api.call('POST', `/api/assets/${id}/share/`, { as: ana, body: offer });
  await api.call('POST', '/api/trusted-owners/', { as: eva, body: { username: 'offering', offers: 'refuse' } });
}

/** Has someone get access with the next month, and be asked again once the asset was archived. */
async function startLater(): Promise<void> {
  const { clock } = api;
  const [owner, member] = [await api.register('giving'), await api.register('trusting')];
  const { id } = await api.addAsset(owner);
  const limit = { username: 'giving', monthly_amount: 100, currency: 'USD' };
  await api.call('POST', '/api/trusted-owners/', { as: member, body: limit });
  await api.call('GET', '/api/trusted-owners/', { as: member });
  const next = new Date(Date.UTC(clock.now.getUTCFullYear(), clock.now.getUTCMonth() + 1, 1));
  const body = { monthly_hours_allocated: 5, starts_on: next.toISOString().slice(0, 10) };
  const made = await api.call<InvitedAsset>('POST', `/api/assets/${id}/invitations/`, { as: owner, body });
  const invitation = `/api/invitations/${made.body.invitation.link.replace(/^.*\//, '')}/`;
  await api.call('GET', invitation);
  await api.call('POST', `/api/assets/${id}/share/`, { as: owner, body: { ...body, username: 'trusting' } });
  await api.call('GET', '/api/shared-assets/', { as: member });
  await api.call('POST', invitation, { as: await api.register('invited') });
  clock.now = next;
  await updateAccess(api.deps);
  await api.call('PATCH', `/api/assets/${id}/`, { as: owner, body: { archived: true } });
  clock.advance(2 * 24 * 3_600_000);
  await api.call('PATCH', `/api/assets/${id}/`, { as: owner, body: { archived: false } });
}

/** Reads the claim of someone who owes for a closed month, of access that begins next month, and of a price that changes then. */
async function readClaim(): Promise<void> {
  const { clock, deps } = api;
  const owner = await api.register('vouching');
  const even = await api.addAsset(owner, { subscription_cost: 10, split_method: 'equal' });
  const next = (months: number) => new Date(Date.UTC(clock.now.getUTCFullYear(), clock.now.getUTCMonth() + months, 6));
  const add = async (id: number, starts: object) => {
    const body = { name: 'Opa', monthly_hours_allocated: 5, ...starts };
    return (await api.call<OwnedAsset>('POST', `/api/assets/${id}/people/`, { as: owner, body })).body.shared_with[0]
      ?.id;
  };
  const share = await add(even.id, {});
  clock.now = next(1);
  await closeDuePeriods(deps);
  const month = next(1).toISOString().slice(0, 7);
  await add((await api.addAsset(owner)).id, { starts_on: `${month}-01` });
  const price = { from_month: month, subscription_cost: 5 };
  await api.call('POST', `/api/assets/${even.id}/prices/`, { as: owner, body: price });
  const claims = `/api/assets/${even.id}/share/${share}/claim/`;
  const { claim } = (await api.call<AssetToClaim>('POST', claims, { as: owner })).body;
  await api.call('GET', `/api/claims/${claim.link.replace(/^.*\//, '')}/`);
}

/**
 * Has an owner take part in a month whose price falls and rises again, and from the next month on neither take part nor measure;
 * someone who joins declines what was recorded for them before.
 */
async function takePart(): Promise<void> {
  const { clock, deps } = api;
  const [owner, member, joining] = [
    await api.register('taking'),
    await api.register('using'),
    await api.register('tim'),
  ];
  const asset = await api.addAsset(owner, { owner_takes_part: true });
  const path = `/api/assets/${asset.id}/`;
  const change = (body: object) => api.call('PATCH', path, { as: owner, body });
  await change({ owner_hours: 5 });
  await api.share(owner, asset, member);
  const named = { name: 'Uncle', monthly_hours_allocated: 5 };
  const { body } = await api.call<OwnedAsset>('POST', `${path}people/`, { as: owner, body: named });
  const person = `${path}share/${body.shared_with.find((entry) => entry.person)?.id}/`;
  await change({ owner_takes_part: false, measured: false, split_method: 'equal' });
  const start = clock.now;
  clock.advance(3_600_000);
  for (const cost of [1, 30]) await change({ subscription_cost: cost });
  const times = { start_time: start.toISOString(), end_time: clock.now.toISOString() };
  await api.call('POST', `${person}sessions/`, { as: owner, body: times });
  // A request that no one is left to answer.
  await deps.db.transaction().execute(async (trx) => {
    const { id: session, share_id } = await trx
      .selectFrom('sessions')
      .select(['id', 'share_id'])
      .where('share_id', 'in', trx.selectFrom('shares').select('id').where('asset_id', '=', asset.id))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const request = {
      session_id: session,
      share_id,
      month: `${start.toISOString().slice(0, 7)}-01`,
      requested_at: clock.now,
    };
    const { id: request_id } = await trx
      .insertInto('edit_requests')
      .values({ ...request, started_at: start, ended_at: start })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('request_acceptances')
      .values({ request_id, user_id: owner.user.id, accepted_at: clock.now })
      .execute();
    expect(await answeredWithout(trx, member.user.id, clock.now)).toHaveLength(1);
    await trx.deleteFrom('edit_requests').where('id', '=', request_id).execute();
  });
  const { claim } = (await api.call<AssetToClaim>('POST', `${person}claim/`, { as: owner })).body;
  const answer = { as: joining, body: { charges: 'object' } };
  await api.call('POST', `/api/claims/${claim.link.replace(/^.*\//, '')}/`, answer);
  clock.now = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 6));
  await updateAccess(deps);
  await closeDuePeriods(deps);
  await api.call('GET', `${path}analytics/?month=${start.toISOString().slice(0, 7)}`, { as: owner });
  const lines = deps.db.selectFrom('statement_lines').select('id').where('user_id', '=', member.user.id);
  const { id } = await lines.executeTakeFirstOrThrow();
  await api.call('POST', `/api/statement-lines/${id}/mark/`, { as: owner, body: { status: 'paid' } });
  await api.call('DELETE', path, { as: owner });
  clock.advance(4 * 24 * 3_600_000);
  await closeDuePeriods(deps);
  await api.call('GET', '/api/statements/', { as: owner });
  await databaseVersion(deps.db);
}

/** Lets meters record someone, who takes that back in between. */
async function useMeters(): Promise<void> {
  const { clock, deps } = api;
  const [owner, member] = [await api.register('reel'), await api.register('flick')];
  const asset = await api.addAsset(owner, { name: 'Cinema' });
  const share = await api.share(owner, asset, member);
  const [path, used] = [`/api/assets/${asset.id}/meters/`, `/api/shared-assets/${share.id}/`];
  const [shared, own] = await Promise.all(
    [false, true].map(
      async (per_member) =>
        (await api.call<MeterWithToken>('POST', path, { as: owner, body: { name: 'TV', per_member } })).body,
    ),
  );
  clock.advance(5 * 3_600_000);
  const ago = (minutes: number) => new Date(clock.now.getTime() - minutes * 60_000).toISOString();
  let id = 0;
  const beat = () => ({ id: `${++id}`, name: 'Mia', type: 'beat', at: ago(0) });
  const whole = (from: number, to: number) => ({
    id: `${++id}`,
    name: 'Mia',
    type: 'session',
    start: ago(from),
    end: ago(to),
  });
  const send = (events: object[], token = shared?.token ?? '') =>
    api.call('POST', '/api/meters/events/', { token, body: { events } });
  const answer = (agreed: boolean, meterId = shared?.meter.id) =>
    api.call('POST', `${used}meters/${meterId}/`, { as: member, body: { agreed } });
  await send([whole(290, 280), beat(), { ...beat(), at: ago(-1) }]);
  await api.call('GET', path, { as: owner });
  const names = [{ external_name: 'Mia', share_id: share.id }];
  await api.call('PUT', `${path}${shared?.meter.id}/names/`, { as: owner, body: { names } });
  for (const agreed of [true, false, true]) await answer(agreed);
  const rows = [
    { name: 'Mia', start: ago(240), end: ago(230) },
    { name: 'Flick', start: ago(240), end: ago(230) },
  ];
  for (let count = 0; count < 2; count++)
    await api.call('POST', `${path}${shared?.meter.id}/imports/`, { as: owner, body: { rows } });
  await api.call('GET', path, { as: owner });
  clock.advance(3_600_000);
  for (let count = 0; count < 3; count++) {
    await send([beat()]);
    clock.advance(60_000);
  }
  await send([whole(40, 30)]);
  await answer(true, own?.meter.id);
  const { body } = await api.call<{ token: string }>('POST', `${used}meters/${own?.meter.id}/token/`, { as: member });
  await send([whole(25, 20)], body.token);
  await api.call('GET', `${used}logs/`, { as: member });
  await api.call('GET', `/api/assets/${asset.id}/sessions/`, { as: owner });
  clock.advance(3_600_000);
  await endExpiredSessions(deps);
  await send([beat()]);
  clock.advance(3_600_000);
  await endExpiredSessions(deps);
  await send([{ ...beat(), type: 'start' }]);
  const sharePath = `/api/assets/${asset.id}/share/${share.id}/`;
  await api.call('PATCH', sharePath, { as: owner, body: { monthly_hours_allocated: 1 } });
  await tidyUp(deps);
  await api.call('DELETE', sharePath, { as: owner });
  await send([beat()]);
  await api.call('POST', `${path}${shared?.meter.id}/imports/`, { as: owner, body: { rows } });
}

/** Lets meters count days of someone, who removes one. */
async function countDays(): Promise<void> {
  const { clock } = api;
  const [owner, member] = [await api.register('hopper'), await api.register('lovelace')];
  const asset = await api.addAsset(owner, { name: 'Assistant' });
  const share = await api.share(owner, asset, member);
  const [path, used] = [`/api/assets/${asset.id}/meters/`, `/api/shared-assets/${share.id}/`];
  const meters: string[] = [];
  clock.advance(30 * 3_600_000);
  await api.call('POST', `${used}start/`, { as: member });
  clock.advance(5000);
  await api.call('POST', `${used}end/`, { as: member });
  for (const per_member of [false, true]) {
    const body = { name: 'Claude Code', kind: 'totals', per_member };
    const made = (await api.call<MeterWithToken>('POST', path, { as: owner, body })).body;
    const names = [{ external_name: 'lovelace@example.org', share_id: share.id }];
    await api.call('PUT', `${path}${made.meter.id}/names/`, { as: owner, body: { names } });
    const meter = `${used}meters/${made.meter.id}/`;
    meters.push(meter);
    if (per_member) await api.call('POST', meter, { as: member, body: { agreed: true } });
    const token =
      made.token ?? (await api.call<{ token: string }>('POST', `${meter}token/`, { as: member })).body.token;
    const value = { stringValue: 'lovelace@example.org' };
    const point = (asDouble: number) => ({
      asDouble,
      timeUnixNano: `${clock.now.getTime()}000000`,
      attributes: [{ key: 'user.email', value }],
    });
    for (const count of [5, 7]) {
      const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints: [point(count)] };
      const metrics = ['claude_code.active_time.total', 'claude_code.cost.usage'].map((name) => ({ name, sum }));
      await api.call('POST', '/v1/metrics', { token, body: { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] } });
      const event = { name: 'lovelace@example.org', day: clock.now.toISOString().slice(0, 10), seconds: 60 };
      for (const id of ['one', 'one', 'two'])
        await api.call('POST', '/api/meters/events/', { token, body: { events: [{ ...event, id }] } });
      clock.advance(1000);
    }
    await api.call('GET', path, { as: owner });
    if (!per_member) await api.call('POST', meter, { as: member, body: { agreed: true } });
    const event = { id: 'three', name: 'lovelace@example.org', at: clock.now.toISOString(), seconds: 60 };
    await api.call('POST', '/api/meters/events/', { token, body: { events: [event] } });
  }
  await api.call('GET', used, { as: member });
  await api.call('POST', `${used}start/`, { as: member });
  await api.call('GET', `/api/assets/${asset.id}/sessions/`, { as: owner });
  const logs = await api.call<{ results: { id: number; day: string | null }[] }>('GET', `${used}logs/`, { as: member });
  const counted = logs.body.results.find(({ day }) => day !== null);
  for (let count = 0; count < 2; count++) await api.call('DELETE', `${used}logs/${counted?.id}/`, { as: member });
  const late = { at: clock.now.toISOString(), client_time: clock.now.toISOString() };
  await api.call('POST', `${used}late-start/`, { as: member, body: late });
  for (const meter of meters) await api.call('POST', meter, { as: member, body: { agreed: true } });
  clock.advance(3_600_000);
  const ago = (minutes: number) => new Date(clock.now.getTime() - minutes * 60_000).toISOString();
  await api.call('POST', `${used}logs/`, { as: member, body: { start_time: ago(10), end_time: ago(0) } });
  const tv = (await api.call<MeterWithToken>('POST', path, { as: owner, body: { name: 'TV' } })).body.meter;
  const names = [{ external_name: 'Ada', share_id: share.id }];
  await api.call('PUT', `${path}${tv.id}/names/`, { as: owner, body: { names } });
  await api.call('POST', `${used}meters/${tv.id}/`, { as: member, body: { agreed: true } });
  const rows = [{ name: 'Ada', start: ago(30), end: ago(20) }];
  await api.call('POST', `${path}${tv.id}/imports/`, { as: owner, body: { rows } });
  // What the film had of the day counts again.
  const others = [{ external_name: 'Ada', share_id: null }];
  await api.call('PUT', `${path}${tv.id}/names/`, { as: owner, body: { names: others } });
  await tidyUp(api.deps);
  clock.advance(25 * 3_600_000);
  await api.call('GET', path, { as: owner });
}

/** Shares what is paid by the year, to its end. */
async function payYearly(): Promise<void> {
  const { clock, deps } = api;
  const [owner, member, guest] = [
    await api.register('yearly'),
    await api.register('monthly'),
    await api.register('considering'),
  ];
  const day = (days: number) => new Date(clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const cycle = { every: 1, unit: 'year', anchor: day(0) };
  const plan = { cycle, trial_until: day(1), ends_on: day(60), cancel_by_days: 14 };
  const asset = await api.addAsset(owner, { subscription_cost: 120, ...plan });
  const path = `/api/assets/${asset.id}/`;
  const share = await api.share(owner, asset, member);
  await api.offer(owner, asset, guest);
  await api.call('GET', `/api/invitations/${(await api.invite(owner, asset)).token}/`);
  await api.offerHandover(owner, asset.id, member);
  const body = { name: 'Oma', monthly_hours_allocated: 5 };
  const { shared_with: people } = (await api.call<OwnedAsset>('POST', `${path}people/`, { as: owner, body })).body;
  const claims = `${path}share/${people.find(({ person }) => person)?.id}/claim/`;
  const { claim } = (await api.call<AssetToClaim>('POST', claims, { as: owner })).body;
  await api.call('GET', `/api/claims/${claim.link.replace(/^.*\//, '')}/`);
  await api.call('PATCH', path, { as: owner, body: { subscription_cost: 140, split_method: 'equal' } });
  const price = { from_month: asset.next_terms?.from_month ?? day(31).slice(0, 7), subscription_cost: 150 };
  await api.call('POST', `${path}prices/`, { as: owner, body: price });
  await api.call('GET', `/api/shared-assets/${share.id}/`, { as: member });
  const renewsOn = day(10);
  const due = await api.addAsset(owner, { subscription_cost: 9, cycle: { ...cycle, anchor: renewsOn } });
  const shareOfDue = await api.share(owner, due, member);
  for (let count = 0; count < 2; count++) await tellOfMonthsAndBalances(deps);
  const vote = { renews_on: renewsOn, choice: 'keep', line: 'Daily' };
  await api.call('POST', `/api/shared-assets/${shareOfDue.id}/vote/`, { as: member, body: vote });
  const decision = { renews_on: renewsOn, decision: 'renewed' };
  await api.call('POST', `/api/assets/${due.id}/renewal/`, { as: owner, body: decision });
  clock.advance(61 * 86_400_000);
  await closeDuePeriods(deps);
  await api.call('GET', `/api/assets/${due.id}/statements/`, { as: owner });
  await api.call('GET', `${path}statements/`, { as: owner });
  await archiveEndedAssets(deps);
}

/** Lets an owner date a cost, give it to someone, repeat it, and decline another. */
async function enterCosts(): Promise<void> {
  const [owner, member] = [await api.register('diesel'), await api.register('otto')];
  const asset = await api.addAsset(owner, { name: 'Engine' });
  const share = await api.share(owner, asset, member);
  const date = api.clock.now.toISOString().slice(0, 10);
  const repeats = { every: 1, until: '2030-01-01' };
  const body = { text: 'Fuel', amount: 5, date, split: 'person', person: 'otto', repeats };
  const { id } = (await api.call<{ id: number }>('POST', `/api/assets/${asset.id}/costs/`, { as: owner, body })).body;
  await api.call('PATCH', `/api/assets/${asset.id}/costs/${id}/`, {
    as: owner,
    body: { date: `${date.slice(0, 8)}01` },
  });
  const proposed = { text: 'Oil', amount: 5 };
  const path = `/api/shared-assets/${share.id}/costs/`;
  const other = (await api.call<{ id: number }>('POST', path, { as: member, body: proposed })).body;
  const answer = { answer: 'decline', text: 'Not ours' };
  await api.call('POST', `/api/assets/${asset.id}/costs/${other.id}/answer/`, { as: owner, body: answer });
  await api.deps.db.updateTable('costs').set({ repeat_next: date }).where('id', '=', id).execute();
  await repeatCosts(api.deps);
}

/** Has a deposit confirmed and given back. */
async function giveBack(): Promise<void> {
  const [owner, member] = [await api.register('keeper'), await api.register('giver')];
  const share = await api.share(owner, await api.addAsset(owner, { name: 'Boat' }), member);
  const path = `/api/shared-assets/${share.id}/deposits/`;
  const { id } = (await api.call<{ id: number }>('POST', path, { as: member, body: { amount: 50 } })).body;
  for (const [as, verb] of [
    [owner, 'confirm'],
    [owner, 'return'],
    [member, 'confirm'],
  ] as const)
    await api.call('POST', `/api/deposits/${id}/${verb}/`, { as });
}

it('reads a value from every column that raw SQL declares', async () => {
  await callApi();
  await startLater();
  await agreeOnHandover();
  await runJobsAndChecks();
  await tellMembers();
  await refuseOffers();
  await takePart();
  await readClaim();
  await useMeters();
  await countDays();
  await payYearly();
  await enterCosts();
  await giveBack();
  // postgresql.ts runs its statements while connecting, before a test has the database, and replica.ts needs two servers.
  const declared = Object.values(inject('rowTypes')).filter(
    ({ place }) => !/database\/(?:postgresql|replica)\.ts/.test(place),
  );
  const columns = declared.flatMap(({ place, shape }) => columnsWithValues(shape).map((name) => `${place} ${name}`));
  expect(columns.length).toBeGreaterThan(100);
  expect(columns.filter((column) => !api.database.rowCheck.columnsSeen.has(column))).toEqual([]);
});

/** What may read a table as a whole, by parts of its text. */
const WIDE = [
  // The administrator's figures and checks, and backups.
  /\(select count\(\*\) from users|count\(\*\) filter \(where failed_at|select count\(\*\) as "count" from "users" where "email"/,
  /hashtextextended|select count\(\*\) as rows from|as problem\s+from|^\s*select json_build_array\(p\.asset_id/,
  // Jobs.
  /set reminded_week|batch as materialized|select distinct (?:p\.asset_id|d\.meter_id|l\.user_id)|^\s*delete from imported_uses/,
  // Few handovers wait at a time.
  /exists \(\s*select 1 from handovers any_h/,
  // The test's own.
  /^update "\w+" set (?!.*\bwhere\b)|^update "statement_lines" set "objected_at"|^select "username" from/s,
];

it.each(watched ? [watched] : [])(
  'reads no table as a whole, but for the administrator and jobs',
  { timeout: 10 * HANG_MILLISECONDS },
  async ({ statements, connect }) => {
    const client = await connect();
    try {
      await client.query('begin');
      await addCrowd(client);
      const wide: string[] = [];
      let executed = 0;
      for (const [text, values] of statements) {
        if (!/^\s*(?:select|with|insert|update|delete)\b/.test(text) || WIDE.some((each) => each.test(text))) continue;
        const reads = await wideReads(client, text, values);
        if (reads) executed += 1;
        if (reads && reads.length > 0) wide.push(`${reads.join(', ')}: ${text.replaceAll(/\s+/g, ' ').slice(0, 500)}`);
      }
      expect(executed).toBeGreaterThan(500);
      expect(wide).toEqual([]);
    } finally {
      await client.end();
    }
  },
);

describe('the row check', () => {
  const row: Shape = [
    { fields: { id: ['number'], name: ['string', 'null'], kind: [{ literal: 'a' }, { literal: 'b' }] } },
  ];

  async function problemsOf(shape: Shape, select: string): Promise<string[]> {
    const check = new RowCheck({ [statementKey([select])]: { place: 'store.ts:1', shape } });
    await sql.raw(select).execute(api.deps.db.withPlugin(check));
    return [...check.problems];
  }

  it.each([
    ["select 1 as id, 'x' as name, 'a' as kind"],
    ["select 1::bigint as id, null as name, 'b' as kind union all select 2, 'x', 'a'"],
    ["select 1 as id, 'x' as name, 'c' as kind where false"],
  ])('accepts %s', async (select) => {
    expect(await problemsOf(row, select)).toEqual([]);
  });

  it.each([
    ["select 1 as id, 'x' as name, 'c' as kind", 'kind is "c", not {"literal":"a"} or is "c", not {"literal":"b"}'],
    ["select 1.0 as id, 'x' as name, 'a' as kind", 'id is "1.0", not "number"'],
    ["select sum(1::bigint) as id, 'x' as name, 'a' as kind", 'id is "1", not "number"'],
    ["select null::int as id, 'x' as name, 'a' as kind", 'id is null, not "number"'],
    ["select 1 as id, now() as name, 'a' as kind", 'name is a Date, not "string" or is a Date, not "null"'],
    ["select 1 as id, 'x' as name, 'a' as kind, 2 as more", 'more is not declared'],
    ["select 1 as id, 'a' as kind", 'name is undefined, not "string" or is undefined, not "null"'],
  ])('reports a mismatch in %s', async (select, problem) => {
    expect(await problemsOf(row, select)).toEqual([`store.ts:1: ${problem}`]);
  });

  it('compares values inside JSON', async () => {
    const lines: Shape = [{ items: [{ fields: { id: ['number'], at: ['Date'] } }] }];
    const shape: Shape = [{ fields: { lines, seconds: [{ values: ['number'] }] } }];
    const select = `select json_build_array(json_build_object('id', 1, 'at', now())) as lines, '{"a": 1}'::json as seconds`;
    expect(await problemsOf(shape, select)).toEqual([
      expect.stringMatching(/^store\.ts:1: lines \[\] at is ".*", not "Date"$/) as string,
    ]);
    const bad = `select '[]'::json as lines, '{"a": "1"}'::json as seconds`;
    expect(await problemsOf(shape, bad)).toEqual(['store.ts:1: seconds a is "1", not "number"']);
  });

  it('compares a raw expression that the query builder selects', async () => {
    const check = new RowCheck({ [statementKey(['1 + 1'])]: { place: 'store.ts:1', shape: ['string'] } });
    const db: Kysely<Tables> = api.deps.db.withPlugin(check);
    await db.selectNoFrom(sql<string>`1 + 1`.as('two')).execute();
    expect([...check.problems]).toEqual(['store.ts:1: is 2, not "string"']);
  });
});
