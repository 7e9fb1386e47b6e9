import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecurityEvent } from '@hourshare/contract/security-events';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { AdministeredAccount, Administration } from '@hourshare/contract/administration';
import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { CHECK_MINUTES } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../app.ts';
import { runCommand } from '../../commands.ts';
import { createLog } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail.ts';
import { createRateLimits } from '../../platform/http/rate-limits.ts';
import { VERSION } from '../../platform/version.ts';
import { addAdministrator } from '../../testing/administrators.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, TEST_SECRET, type TestApi } from '../../testing/api.ts';
import { switchTwoStepOn } from '../../testing/two-step.ts';
import { requireSameSecret } from '../installation/service.ts';

const STATE = '/api/administration/';
const ACCOUNTS = '/api/administration/accounts/';

let api: TestApi;
let ada: SignedIn;
let mira: SignedIn;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'http://localhost' });
});
beforeEach(async () => {
  await api.reset();
  await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
  ada = await addAdministrator(api, 'ada');
  mira = await api.register('mira');
});
afterAll(() => api.close());

const read = async () => (await api.call<Administration>('GET', STATE, { as: ada })).body;
const pathOf = ({ user }: SignedIn, rest = '') => `${ACCOUNTS}${user.id}/${rest}`;
const setDisabled = (of: SignedIn, disabled: boolean) =>
  api.call<AdministeredAccount>('PATCH', pathOf(of), { as: ada, body: { disabled } });
const logIn = (username: string) => api.call('POST', '/api/login/', { body: { username, password: TEST_PASSWORD } });
const eventsOf = async (as: SignedIn) =>
  (await api.call<{ results: SecurityEvent[] }>('GET', '/api/me/security-events/', { as })).body.results;
const isAdministratorNow = async (as: SignedIn) =>
  (await api.call<{ administrator: boolean }>('GET', '/api/me/', { as })).body.administrator;

async function command(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of runCommand(api.deps, args)) lines.push(text);
  return lines;
}

const calls = Object.entries<Endpoint>(endpoints).flatMap(([key, { administrator }]) => (administrator ? [key] : []));
const changes = calls.filter((key) => !key.startsWith('GET '));
const BODIES: Record<string, object> = {
  'PATCH /api/administration/': { registration: 'closed' },
  'PATCH /api/administration/accounts/{id}/': { disabled: true },
};
function make(key: string, as: SignedIn | string | undefined) {
  const [method = '', path = ''] = key.split(' ');
  const caller = typeof as === 'string' ? { token: as } : as && { as };
  const body = BODIES[key];
  return api.call(method, path.replace('{id}', String(mira.user.id)), { ...caller, ...(body && { body }) });
}
const stored = async () => [
  await api.deps.db.selectFrom('users').selectAll().orderBy('id').execute(),
  await api.deps.db.selectFrom('password_resets').selectAll().execute(),
  await api.deps.db.selectFrom('registration_links').selectAll().execute(),
  await api.deps.db.selectFrom('installation').selectAll().execute(),
  await api.deps.db.selectFrom('security_events').selectAll().orderBy('id').execute(),
];

describe('every call', () => {
  it.each(calls)('does not exist for anyone but administrators: %s', async (key) => {
    const body = { name: 'Report' };
    const tokens = await Promise.all(
      [ada, mira].map((as) => api.call<{ token: string }>('POST', '/api/me/access-tokens/', { as, body })),
    );
    await switchTwoStepOn(api, mira);
    const before = await stored();
    for (const caller of [mira, ...tokens.map(({ body: { token } }) => token)])
      expect(await make(key, caller)).toMatchObject({
        status: 404,
        text: JSON.stringify({ error: 'Not found.', code: 'not_found' }),
      });
    expect(await make(key, undefined)).toMatchObject({ status: 401 });
    expect(await stored()).toEqual(before);
  });

  it('exists from the command that names an administrator until the one that removes them', async () => {
    await switchTwoStepOn(api, mira);
    expect(await isAdministratorNow(mira)).toBe(false);
    expect(await command('administrator', 'MIRA')).toEqual([
      'mira may use the page for administrators.',
      'It is at http://localhost/administration. Changes there need two-step sign-in.',
    ]);
    expect(await command('administrator')).toEqual(['ada', 'mira']);
    expect([await isAdministratorNow(mira), (await make(calls[0]!, mira)).status]).toEqual([true, 200]);
    expect((await command('administrator', 'mira'))[0]).toBe('mira may use the page for administrators, as before.');
    expect(await command('administrator', 'mira', '--off')).toEqual(['mira may not use the page for administrators.']);
    expect([await isAdministratorNow(mira), (await make(calls[0]!, mira)).status]).toEqual([false, 404]);
    expect((await eventsOf(mira)).slice(0, 2)).toMatchObject([
      { event: 'administrator_removed', actor: 'administrator', actor_name: null },
      { event: 'administrator_named', actor: 'administrator', actor_name: null },
    ]);
    expect(await command('administrator', 'nobody')).toEqual(['No account has the username nobody.']);
    expect(await command('administrator', '--off')).toEqual(['Say which account.']);
  });
});

describe('every change', () => {
  it.each(changes)('needs two-step sign-in, and then a recent check: %s', async (key) => {
    const kim = await api.register('kim');
    await command('administrator', 'kim');
    const before = await stored();
    expect(await make(key, kim)).toMatchObject({ status: 403, body: { code: 'two_step_required' } });
    api.clock.advance(CHECK_MINUTES * 60_000);
    expect(await make(key, ada)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect(await stored()).toEqual(before);
  });

  it('is recorded for the administrator, and logged like a command, even if it fails', async () => {
    let written = '';
    const log = createLog('info', { write: (line) => (written += line) });
    const app = await buildApp({ ...api.deps, log });
    onTestFinished(() => app.close());
    const headers = { authorization: `Bearer ${await freshAccess(api.deps, ada)}` };
    const send = (method: 'PATCH' | 'POST', url: string, payload: object = {}) =>
      app.inject({ method, url, payload, headers, remoteAddress: '203.0.113.7' });
    await send('PATCH', STATE, { registration: 'invited' });
    await send('POST', `${STATE}invitations/`);
    await send('PATCH', pathOf(mira), { disabled: true });
    await send('PATCH', pathOf(mira), { disabled: false });
    await send('POST', pathOf(mira, 'reset-link/'));
    await send('PATCH', pathOf(ada), { disabled: true });
    await send('POST', `${STATE}test-mail/`);
    await send('POST', `${STATE}backups/`);
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const by = { network: '203.0.113.7', request_id: expect.any(String) as string, actor_id: ada.user.id };
    const about = mira.user.id;
    expect(lines.filter(({ event }) => event === 'admin_command')).toMatchObject(
      [
        ['registration', 0, null],
        ['invite', 0, null],
        ['disable', 0, about],
        ['enable', 0, about],
        ['reset-password', 0, about],
        ['disable', 1, ada.user.id],
        ['test-mail', 1, null],
        ['backup', 1, null],
      ].map(([done, code, userId]) => ({ ...by, command: done, code, user_id: userId })),
    );
    expect(lines.filter(({ event }) => event === 'account_disabled')).toMatchObject([{ ...by, user_id: about }]);
    const own = (await eventsOf(ada)).filter(({ event }) => event === 'admin_command');
    expect(own.map(({ detail, actor }) => [detail, actor])).toEqual(
      ['backup', 'test-mail', 'reset-password', 'enable', 'disable', 'invite', 'registration'].map((each) => [
        each,
        'user',
      ]),
    );
    expect((await command('events', 'mira')).join('\n')).toMatch(/account_disabled +by the administrator ada\n/);
    expect(JSON.stringify(await api.deps.db.selectFrom('security_events').selectAll().execute())).not.toContain(
      'register#',
    );
  });
});

describe('accounts', () => {
  const list = async (query = '') => {
    const { body } = await api.call<{ results: AdministeredAccount[]; next: string | null }>(
      'GET',
      `${ACCOUNTS}${query}`,
      { as: ada },
    );
    return body;
  };

  it('are listed without anything about what they share, pay, or use', async () => {
    await api.share(mira, await api.addAsset(mira, { name: 'Films' }), ada);
    const { results } = await list('?search=MIR');
    expect(results).toEqual([
      {
        id: mira.user.id,
        username: 'mira',
        created_on: '2026-03-10',
        last_used_on: '2026-03-10',
        assets: 1,
        disabled: false,
        administrator: false,
      },
    ]);
  });

  it('are found by their names, not by their addresses or as people without an account', async () => {
    const asset = await api.addAsset(mira);
    const body = { name: 'Grandma', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/people/`, { as: mira, body });
    expect((await list('?search=example.org')).results).toEqual([]);
    expect((await list('?search=grandma')).results).toEqual([]);
    expect((await list('?search=%25')).results).toEqual([]);
    const first = await list('?limit=1');
    expect(first.results.map(({ username, administrator }) => [username, administrator])).toEqual([['ada', true]]);
    const second = await list(`?limit=1&cursor=${first.next}`);
    expect([second.results.map(({ username }) => username), second.next]).toEqual([['mira'], null]);
  });

  it('are signed out when they are disabled, and can sign in again when enabled', async () => {
    expect(await setDisabled(mira, true)).toMatchObject({ status: 200, body: { username: 'mira', disabled: true } });
    expect((await api.call('GET', '/api/me/', { as: mira })).status).toBe(401);
    expect((await logIn('mira')).status).toBe(403);
    expect((await setDisabled(mira, false)).body).toMatchObject({ disabled: false });
    expect((await logIn('mira')).status).toBe(200);
  });

  it('tell their users that an administrator acted, but not which', async () => {
    await setDisabled(mira, true);
    await setDisabled(mira, false);
    const { body } = await api.call<SignedIn>('POST', '/api/login/', {
      body: { username: 'mira', password: TEST_PASSWORD },
    });
    const about = { actor: 'administrator', actor_name: null, browser: null, sign_in_id: null };
    expect((await eventsOf(body)).slice(1, 4)).toMatchObject([
      { event: 'account_enabled', ...about },
      { event: 'sign_ins_ended', ...about },
      { event: 'account_disabled', ...about },
    ]);
  });

  it('get a new password with a link that works once, for 30 minutes', async () => {
    const path = pathOf(mira, 'reset-link/');
    const { status, body } = await api.call<{ link: string; expires_at: string }>('POST', path, { as: ada });
    expect([status, body.expires_at]).toEqual([201, '2026-03-10T12:30:00.000Z']);
    const confirm = { token: body.link.replace('http://localhost/reset-password#', ''), password: 'walnuts on stairs' };
    expect((await api.call('POST', '/api/password-reset/confirm/', { body: confirm })).status).toBe(204);
    expect((await api.call('POST', '/api/password-reset/confirm/', { body: confirm })).status).toBe(400);
    expect((await logIn('mira')).status).toBe(401);
  });

  it('of administrators are left to commands', async () => {
    const eve = await addAdministrator(api, 'eve');
    for (const each of [ada, eve]) {
      expect((await setDisabled(each, true)).body).toMatchObject({ code: 'administrator_protected' });
      expect(await api.call('POST', pathOf(each, 'reset-link/'), { as: ada })).toMatchObject({
        status: 403,
        body: { code: 'administrator_protected' },
      });
    }
    expect(await command('disable', 'eve')).toEqual(['Disabled eve; 1 sign-in ended.']);
    expect((await make(calls[0]!, eve)).status).toBe(401);
  });

  it('that are deleted leave their number, and the number of whoever acted', async () => {
    await setDisabled(mira, true);
    await command('delete', 'mira', '--yes');
    const events = api.deps.db.selectFrom('security_events').select(['user_id', 'former_id', 'actor_id']);
    expect(await events.where('event', '=', 'account_disabled').execute()).toEqual([
      { user_id: null, former_id: mira.user.id, actor_id: ada.user.id },
    ]);
    await command('delete', 'ada', '--yes');
    expect(await events.where('event', '=', 'account_disabled').execute()).toMatchObject([{ actor_id: null }]);
  });
});

describe('registration', () => {
  const choose = (registration: string) =>
    api.call<Administration>('PATCH', STATE, { as: ada, body: { registration } });
  const invite = () => api.call<{ link: string; expires_at: string }>('POST', `${STATE}invitations/`, { as: ada });
  const register = (invitation?: string) =>
    api.call('POST', '/api/register/', {
      body: { username: 'kim', email: 'kim@example.org', password: TEST_PASSWORD, invitation },
    });

  it('is chosen for the whole server, unless a setting decides', async () => {
    expect(await choose('closed')).toMatchObject({ status: 200, body: { registration: 'closed' } });
    expect((await register()).body).toMatchObject({ code: 'registration_closed' });
    api.deps.config.REGISTRATION = 'open';
    onTestFinished(() => void (api.deps.config.REGISTRATION = undefined));
    expect(await choose('invited')).toMatchObject({ status: 403, body: { code: 'registration_set' } });
    expect(await read()).toMatchObject({ registration: 'open', registration_set: true });
  });

  it('lets one person in with an invitation of seven days, unless it is closed', async () => {
    await choose('invited');
    const { status, body } = await invite();
    expect([status, body.expires_at]).toEqual([201, '2026-03-17T12:00:00.000Z']);
    const token = body.link.replace('http://localhost/register#', '');
    expect((await register()).body).toMatchObject({ code: 'invitation_required' });
    expect((await register(token)).status).toBe(201);
    await choose('closed');
    expect(await invite()).toMatchObject({ status: 403, body: { code: 'registration_closed' } });
  });

  it('makes one invitation if the same request is repeated', async () => {
    const headers = { 'idempotency-key': 'one' };
    const send = () => api.call('POST', `${STATE}invitations/`, { as: ada, headers });
    expect((await send()).text).toBe((await send()).text);
    const links = await api.deps.db.selectFrom('registration_links').selectAll().execute();
    const kept = await api.deps.db.selectFrom('idempotency_keys').select('body').execute();
    expect([links.length, JSON.stringify(kept).includes('register#')]).toEqual([1, false]);
  });
});

it('a test message goes to the administrator, and says why if it fails', async () => {
  const sent: Mail[] = [];
  let refusal: string | undefined;
  Object.assign(api.deps, {
    mailer: {
      send: async (mail: Mail) => {
        if (refusal !== undefined) throw new Error(refusal);
        sent.push(mail);
      },
    },
  });
  const app = await buildApp(api.deps);
  onTestFinished(async () => {
    api.deps.mailer = undefined;
    await app.close();
  });
  const headers = { authorization: `Bearer ${await freshAccess(api.deps, ada)}` };
  const send = async () =>
    (await app.inject({ method: 'POST', url: `${STATE}test-mail/`, headers })).json<{ problem: string | null }>();
  expect(await send()).toEqual({ problem: null });
  expect(sent).toMatchObject([{ to: 'ada@example.org', subject: 'Test message from HourShare' }]);
  refusal = '550 no such user';
  expect(await send()).toEqual({ problem: '550 no such user' });
});

describe('a backup', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hourshare-by-hand-'));
    api.deps.config.BACKUP_DIR = join(folder, 'backups');
  });
  const make = async () =>
    (await api.call<{ problem: string | null }>('POST', `${STATE}backups/`, { as: ada })).body.problem;
  const after = async () => {
    api.deps.config.BACKUP_DIR = undefined;
    await rm(folder, { recursive: true });
  };

  it('is made at once in the folder of the daily ones, among which it does not count', async () => {
    onTestFinished(after);
    expect((await read()).backups).toEqual({ folder: true, made_at: null, failing_since: null });
    expect(await make()).toBeNull();
    expect(statSync(join(folder, 'backups')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'backups'))).toEqual(['hourshare-by-hand-2026-03-10-120000.gz']);
    expect((await read()).backups.made_at).toBe('2026-03-10T12:00:00.000Z');
    const daily = await api.deps.db.selectFrom('installation').select('backed_up_at').executeTakeFirstOrThrow();
    expect(daily.backed_up_at).toBeNull();
    for (const day of ['09', '11']) {
      await api.deps.db
        .updateTable('installation')
        .set({ backed_up_at: new Date(`2026-03-${day}T01:00:00Z`) })
        .execute();
      const last = day === '09' ? '2026-03-10T12:00:00.000Z' : '2026-03-11T01:00:00.000Z';
      expect((await read()).backups.made_at).toBe(last);
    }
  });

  it('that fails says why, and that there is no folder', async () => {
    onTestFinished(after);
    expect(await make()).toBeNull();
    expect(await make()).toMatch(/already exists/);
    api.deps.config.BACKUP_DIR = undefined;
    expect(await make()).toBe('BACKUP_DIR is not set.');
    expect((await read()).backups).toMatchObject({ folder: false, made_at: '2026-03-10T12:00:00.000Z' });
  });
});

it.each([
  ['test mails by user', 'test-mail/'],
  ['backups by user', 'backups/'],
])('limits an administrator to ten an hour: %s', async (limit, path) => {
  let written = '';
  const log = createLog('info', { write: (line) => (written += line) });
  const app = await buildApp({ ...api.deps, log, limits: createRateLimits(api.deps.uptime, true) });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${await freshAccess(api.deps, ada)}` };
  const send = async () => (await app.inject({ method: 'POST', url: `${STATE}${path}`, headers })).statusCode;
  for (let n = 0; n < 10; n += 1) expect(await send()).toBe(200);
  expect(await send()).toBe(429);
  expect(written).toContain(`"limit":"${limit}"`);
});

it('shows the state of the server', async () => {
  const end = api.deps.metrics.job('send mail', 2000)();
  const failed = api.deps.metrics.job('make the daily backup', 600_000)();
  expect((await read()).jobs).toContainEqual({
    name: 'send mail',
    every_seconds: 2,
    last_run_at: null,
    last_success_at: null,
    failing: false,
  });
  end();
  failed(new Error('The disk is full.'));
  const state = await read();
  const now = '2026-03-10T12:00:00.000Z';
  expect(state.jobs).toMatchObject([
    { name: 'send mail', last_run_at: now, last_success_at: now, failing: false },
    { name: 'make the daily backup', last_run_at: now, last_success_at: null, failing: true },
  ]);
  expect(state.versions).toEqual({
    hourshare: VERSION,
    node: process.versions.node,
    database: expect.stringMatching(/^PostgreSQL \d+/) as string,
    migration: expect.stringMatching(/^\d{4}-/) as string,
  });
  expect(state).toMatchObject({ registration: 'open', registration_set: false, mail: false });
});
