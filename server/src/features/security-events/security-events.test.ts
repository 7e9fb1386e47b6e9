import { SecurityEventKind, type SecurityEvent } from '@hourshare/contract/security-events';
import { type SignedIn, type TokenPair } from '@hourshare/contract/sign-ins';
import { SECURITY_EVENT_DAYS } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../commands.ts';
import { transaction, undoableTransaction } from '../../platform/database/transaction.ts';
import { fail } from '../../platform/result.ts';
import { hashToken } from '../../platform/tokens.ts';
import { addAdministrator } from '../../testing/administrators.ts';
import { openTestApi, TEST_PASSWORD, type Answer, type CallOptions, type TestApi } from '../../testing/api.ts';
import { browserHeaders, GOOGLE, plantFlow, plantIdentity } from '../../testing/providers.ts';
import { NOTICE_TARGET } from '../../testing/successes.ts';
import { switchTwoStepOn } from '../../testing/two-step.ts';
import { sendDueMails } from '../mail/service.ts';
import { createResetLink } from '../sign-ins/recovery/service.ts';
import { requireSameSecret } from '../installation/service.ts';
import { deleteOldEvents, recordSecurityEvent } from './service.ts';

const DAY = 24 * 3_600_000;
const NEW_PASSWORD = 'a walnut on the stairs';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

let api: TestApi;
let mira: SignedIn;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'http://localhost', RATE_LIMIT: 'on' });
  // Messages are written, but not sent.
  api.deps.mailer = { send: async () => undefined };
});
beforeEach(async () => {
  await api.reset();
  // Limits count by the time that has passed, which a reset doesn't set back.
  api.clock.advance(DAY);
  await requireSameSecret(api.deps.db, 'a secret that only tests know, 32+ characters', undefined);
  mira = await api.register('mira');
});
afterAll(() => api.close());

async function expectOk<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body, text } = await answer;
  expect([status < 300, text]).toEqual([true, text]);
  return body;
}
const send = <T>(method: string, path: string, options?: CallOptions) => expectOk(api.call<T>(method, path, options));
const logIn = (password: string, more: { username?: string; code?: string; agent?: string } = {}) =>
  api.call<SignedIn>('POST', '/api/login/', {
    body: { username: more.username ?? 'mira', password, ...(more.code !== undefined && { code: more.code }) },
    ...(more.agent !== undefined && { headers: { 'user-agent': more.agent } }),
  });

async function command(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text, isError } of runCommand(api.deps, args)) {
    expect([text, isError]).toEqual([text, false]);
    lines.push(text);
  }
  return lines;
}

const eventsOf = async (user: SignedIn) =>
  (await send<{ results: SecurityEvent[] }>('GET', '/api/me/security-events/', { as: user })).results;
const kindsOf = async (user: SignedIn) => (await eventsOf(user)).map(({ event }) => event);
const stored = () => api.deps.db.selectFrom('security_events').selectAll().orderBy('id').execute();

async function ticketFor(subject: string, purpose: 'sign-in' | 'link' | 'check'): Promise<CallOptions> {
  const ticket = `ticket of ${subject}`;
  const content = { issuer: GOOGLE, subject, email: null, name: null };
  await plantFlow(api.deps, { step: 'ticket', token: ticket, purpose, content });
  return { body: { ticket }, headers: browserHeaders };
}

/** Gives Ben a share of Mira's asset. */
async function sharedWithBen() {
  const ben = await api.register('ben');
  const asset = await api.addAsset(mira);
  return { ben, asset, share: await api.share(mira, asset, ben) };
}
async function setManager(manager: boolean): Promise<void> {
  const { asset, share } = await sharedWithBen();
  const path = `/api/assets/${asset.id}/share/${share.id}/`;
  await send('PATCH', path, { as: mira, body: { manager: true } });
  if (!manager) await send('PATCH', path, { as: mira, body: { manager } });
}
async function failCodes(attempts: number): Promise<void> {
  await switchTwoStepOn(api, mira);
  for (let n = 0; n < attempts; n += 1) await logIn(TEST_PASSWORD, { code: '000000' });
}
const changePassword = (current: string) =>
  api.call('POST', '/api/me/password/', { as: mira, body: { current_password: current, new_password: NEW_PASSWORD } });

/** The real call or command that causes each kind of event on Mira's account. */
const causes: Record<SecurityEventKind, () => Promise<unknown>> = {
  account_created: async () => {
    mira = await api.register('noa');
  },
  account_deleted: () =>
    send('DELETE', '/api/me/', { as: mira, body: { current_password: TEST_PASSWORD, keep_name: false } }),
  account_disabled: () => command('disable', 'mira'),
  account_enabled: () => command('enable', 'mira'),
  signed_in: () => expectOk(logIn(TEST_PASSWORD)),
  sign_in_failed: () => logIn('wrong'),
  sign_in_blocked: async () => {
    for (let n = 0; n < 12; n += 1) await logIn('wrong');
  },
  second_step_failed: () => failCodes(1),
  recovery_code_used: async () => {
    const { codes } = await switchTwoStepOn(api, mira);
    await expectOk(logIn(TEST_PASSWORD, { code: codes[0]! }));
  },
  passkey_used: async () => {
    const { passkey } = await api.addPasskey(mira);
    const proof = passkey.use(await api.passkeyOptions(mira));
    await send('POST', '/api/me/check/passkey/', { as: mira, body: { passkey: proof } });
  },
  passkey_refused: async () => {
    const { passkey } = await api.addPasskey(mira);
    const proof = passkey.use(await api.passkeyOptions(mira), { unverified: true });
    expect((await api.call('POST', '/api/me/check/passkey/', { as: mira, body: { passkey: proof } })).status).toBe(400);
  },
  password_check_failed: () => changePassword('wrong'),
  password_check_blocked: async () => {
    for (let n = 0; n < 12; n += 1) await changePassword('wrong');
  },
  two_step_on: () => switchTwoStepOn(api, mira),
  two_step_off: async () => {
    await switchTwoStepOn(api, mira);
    await send('DELETE', '/api/me/two-step/', { as: mira });
  },
  recovery_codes_made: async () => {
    await switchTwoStepOn(api, mira);
    await send('POST', '/api/me/two-step/recovery-codes/', { as: mira });
  },
  passkey_added: () => api.addPasskey(mira),
  passkey_removed: async () => {
    const { added } = await api.addPasskey(mira);
    await send('DELETE', `/api/me/passkeys/${added.id}/`, { as: mira });
  },
  provider_connected: async () =>
    send('POST', '/api/me/identities/', { as: mira, ...(await ticketFor('mira-there', 'link')) }),
  provider_disconnected: async () => {
    const id = await plantIdentity(api.deps, mira.user.id, 'mira-there');
    await send('DELETE', `/api/me/identities/${id}/`, { as: mira });
  },
  password_changed: () => expectOk(changePassword(TEST_PASSWORD)),
  password_removed: async () => {
    const { passkey } = await api.addPasskey(mira);
    const proof = passkey.use(await api.passkeyOptions(mira));
    await send('POST', '/api/me/check/passkey/', { as: mira, body: { passkey: proof } });
    await send('DELETE', '/api/me/password/', { as: mira });
  },
  password_reset_requested: async () => {
    await send('POST', '/api/password-reset/', { body: { email: 'mira@example.org' } });
    await sendDueMails(api.deps);
  },
  password_reset: async () => {
    const token = (await createResetLink(api.deps, mira.user.id))?.replace(/^.*#/, '');
    await send('POST', '/api/password-reset/confirm/', { body: { token, password: NEW_PASSWORD } });
    mira = (await logIn(NEW_PASSWORD)).body;
  },
  email_change_requested: () =>
    send('PATCH', '/api/me/', { as: mira, body: { email: 'new@example.net', current_password: TEST_PASSWORD } }),
  email_changed: async () => {
    const change = { user_id: mira.user.id, email: 'new@example.net', token_hash: hashToken('only tests know') };
    const times = { created_at: api.clock.now, expires_at: new Date(api.clock.now.getTime() + DAY) };
    await api.deps.db
      .insertInto('email_changes')
      .values({ ...change, ...times })
      .execute();
    await send('POST', '/api/me/email-change/confirm/', { body: { token: 'only tests know' } });
  },
  sign_ins_ended: async () => {
    await expectOk(logIn(TEST_PASSWORD));
    await send('DELETE', '/api/me/sign-ins/', { as: mira });
  },
  refresh_token_reused: async () => {
    const { body: copied } = await logIn(TEST_PASSWORD);
    const next = await send<TokenPair>('POST', '/api/token/refresh/', { body: { refresh: copied.refresh } });
    await api.call('GET', '/api/me/', { token: next.access });
    api.clock.advance(10_001);
    expect((await api.call('POST', '/api/token/refresh/', { body: { refresh: copied.refresh } })).status).toBe(401);
  },
  access_token_created: () => send('POST', '/api/me/access-tokens/', { as: mira, body: { name: 'Report' } }),
  access_tokens_revoked: async () => {
    const { id } = await send<{ id: number }>('POST', '/api/me/access-tokens/', { as: mira, body: { name: 'Report' } });
    await send('DELETE', `/api/me/access-tokens/${id}/`, { as: mira });
  },
  notice_target_added: () => send('POST', '/api/notifications/targets/', { as: mira, body: NOTICE_TARGET }),
  notice_target_removed: async () => {
    const path = '/api/notifications/targets/';
    const { id } = await send<{ id: number }>('POST', path, { as: mira, body: NOTICE_TARGET });
    await send('DELETE', `${path}${id}/`, { as: mira });
  },
  calendar_address_made: () => send('POST', '/api/me/calendar/', { as: mira }),
  calendar_address_removed: async () => {
    await send('POST', '/api/me/calendar/', { as: mira });
    await send('DELETE', '/api/me/calendar/', { as: mira });
  },
  data_exported: () => send('GET', '/api/me/export/', { as: mira }),
  handover_offered: async () => {
    const { asset, ben } = await sharedWithBen();
    await api.offerHandover(mira, asset.id, ben);
  },
  handover_accepted: async () => {
    const { asset, ben, share } = await sharedWithBen();
    const { version } = await api.offerHandover(mira, asset.id, ben);
    await send('POST', `/api/shared-assets/${share.id}/handover/accept/`, { as: ben, body: { version } });
  },
  manager_named: () => setManager(true),
  manager_removed: () => setManager(false),
  registration_changed: () => command('registration', 'closed'),
  administrator_named: () => command('administrator', 'mira'),
  administrator_removed: async () => {
    await command('administrator', 'mira');
    await command('administrator', 'mira', '--off');
  },
  admin_command: async () => {
    mira = await addAdministrator(api, 'noa');
    await send('POST', '/api/administration/invitations/', { as: mira });
  },
};

/** What no user reads: the account is gone or was never named, or no sign-in is left to read it with. */
const UNREAD: SecurityEventKind[] = ['account_deleted', 'registration_changed', 'account_disabled'];

describe.each(SecurityEventKind.options)('%s', (kind) => {
  it('is recorded by the call or command that causes it', async () => {
    const count = async () => (await stored()).filter(({ event }) => event === kind).length;
    const before = await count();
    await causes[kind]();
    expect(await count()).toBeGreaterThan(before);
  });
});

describe.each(SecurityEventKind.options.filter((kind) => !UNREAD.includes(kind)))('%s', (kind) => {
  it('is listed for its user', async () => {
    const count = async () => (await kindsOf(mira)).filter((each) => each === kind).length;
    const before = kind === 'account_created' ? 0 : await count();
    await causes[kind]();
    expect(await count()).toBeGreaterThan(before);
  });
});

describe('sign-ins', () => {
  it.each(['password', 'passkey', 'provider'] as const)('records a sign-in with a %s as such', async (method) => {
    const ways = {
      password: () => logIn(TEST_PASSWORD),
      passkey: async () => {
        const { passkey } = await api.addPasskey(mira);
        return api.call('POST', '/api/login/passkey/', { body: { passkey: passkey.use(await api.passkeyOptions()) } });
      },
      provider: async () => {
        await plantIdentity(api.deps, mira.user.id, 'mira-there');
        await plantFlow(api.deps, { step: 'state', token: 'state', purpose: 'sign-in' });
        const answer = Buffer.from('state=state&code=mira-there').toString('base64url');
        return api.call('POST', '/api/providers/finish/', {
          body: { provider: 'google', answer },
          headers: browserHeaders,
        });
      },
    };
    await expectOk(ways[method]());
    expect((await eventsOf(mira))[0]).toMatchObject({ event: 'signed_in', detail: method, actor: 'user', count: 1 });
  });

  it('show the device, and the sign-in in the list of devices', async () => {
    await expectOk(logIn(TEST_PASSWORD, { agent: IPHONE }));
    const { sign_ins: signIns } = await send<{ sign_ins: { id: number }[] }>('GET', '/api/me/sign-ins/', { as: mira });
    const [event] = await eventsOf(mira);
    expect(event).toMatchObject({ browser: 'Safari', system: 'iOS', at: api.clock.now.toISOString() });
    expect(signIns.map(({ id }) => id)).toContain(event?.sign_in_id);
    expect(JSON.stringify(await stored())).not.toContain('Mozilla');
  });

  it('to a provider that fail at the code are counted once the transaction is undone', async () => {
    await switchTwoStepOn(api, mira);
    await plantIdentity(api.deps, mira.user.id, 'mira-there');
    const { body, headers } = await ticketFor('mira-there', 'sign-in');
    const wrong = { body: { ...(body as object), code: '000000' }, headers: headers! };
    for (let n = 0; n < 2; n += 1)
      expect(await api.call('POST', '/api/providers/sign-in/', wrong)).toMatchObject({
        body: { code: 'second_step_wrong' },
      });
    expect((await eventsOf(mira))[0]).toMatchObject({ event: 'second_step_failed', count: 2, actor: 'unknown' });
  });
});

describe('attempts of strangers', () => {
  let open: TestApi;
  beforeAll(async () => {
    open = await openTestApi();
  });
  afterAll(() => open.close());
  const attempt = (username: string, n: number) =>
    open.call('POST', '/api/login/', {
      body: { username, password: 'wrong' },
      headers: { 'user-agent': n % 2 === 0 ? FIREFOX : IPHONE },
    });
  const flood = (username: (n: number) => string) =>
    Promise.all(Array.from({ length: 60 }, (_, n) => attempt(username(n), n)));

  it('take one row per account and hour, however many there are', async () => {
    await open.reset();
    const { user } = await open.register('mira');
    await flood(() => 'mira');
    await flood((n) => `no-one-${n}`);
    open.clock.advance(3_600_000);
    await flood(() => 'mira');
    const failed = await open.deps.db
      .selectFrom('security_events')
      .select(['user_id', 'count'])
      .where('event', '=', 'sign_in_failed')
      .orderBy('id')
      .execute();
    expect(failed).toEqual([
      { user_id: user.id, count: 60 },
      { user_id: null, count: 60 },
      { user_id: user.id, count: 60 },
    ]);
  });

  it('get the same answer if they cannot be stored', async () => {
    await open.reset();
    await open.register('mira');
    await open.deps.db.schema.alterTable('security_events').renameTo('elsewhere').execute();
    try {
      expect((await attempt('mira', 1)).status).toBe(401);
    } finally {
      await open.deps.db.schema.alterTable('elsewhere').renameTo('security_events').execute();
    }
    expect((await attempt('mira', 1)).status).toBe(401);
  });

  it('counts a reset request once, even if the mail is retried', async () => {
    await open.reset();
    const { user } = await open.register('mira');
    let refusals = 2;
    open.deps.mailer = {
      send: async () => {
        if (refusals-- > 0) throw new Error('The mail server is down.');
      },
    };
    await open.call('POST', '/api/password-reset/', { body: { email: 'mira@example.org' } });
    for (let n = 0; n < 4; n += 1) {
      await sendDueMails(open.deps);
      open.clock.advance(10 * 60_000);
    }
    expect(refusals).toBe(-1);
    const requested = open.deps.db.selectFrom('security_events').select(['user_id', 'count']);
    expect(await requested.where('event', '=', 'password_reset_requested').execute()).toEqual([
      { user_id: user.id, count: 1 },
    ]);
  });

  it('counts a reset request whose first attempt failed before it made a link', async () => {
    await open.reset();
    const { user } = await open.register('mira');
    let links = 0;
    open.deps.mailer = { send: async () => void (links += 1) };
    await open.call('POST', '/api/password-reset/', { body: { email: 'mira@example.org' } });
    await open.deps.db.schema.alterTable('security_events').renameTo('elsewhere').execute();
    await sendDueMails(open.deps);
    await open.deps.db.schema.alterTable('elsewhere').renameTo('security_events').execute();
    expect(links).toBe(0);
    open.clock.advance(60_000);
    await sendDueMails(open.deps);
    expect(links).toBe(1);
    const requested = open.deps.db.selectFrom('security_events').select(['user_id', 'count']);
    expect(await requested.where('event', '=', 'password_reset_requested').execute()).toEqual([
      { user_id: user.id, count: 1 },
    ]);
  });

  it('do not merge with what the administrator does', async () => {
    await open.reset();
    await open.register('mira');
    open.deps.mailer = { send: async () => undefined };
    const request = async () => {
      await open.call('POST', '/api/password-reset/', { body: { email: 'mira@example.org' } });
      await sendDueMails(open.deps);
    };
    await request();
    for await (const { isError } of runCommand(open.deps, ['reset-password', 'mira'])) expect(isError).toBe(false);
    await request();
    const rows = await open.deps.db
      .selectFrom('security_events')
      .select(['actor', 'count'])
      .where('event', '=', 'password_reset_requested')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { actor: 'unknown', count: 2 },
      { actor: 'administrator', count: 1 },
    ]);
  });
});

describe('who sees an event', () => {
  it('is its account alone, newest first', async () => {
    const ben = await api.register('ben');
    await switchTwoStepOn(api, mira);
    expect(await kindsOf(mira)).toEqual(['two_step_on', 'signed_in', 'account_created']);
    expect(await kindsOf(ben)).toEqual(['signed_in', 'account_created']);
  });

  it('is both accounts that take part in it, and the other one sees no device or sign-in', async () => {
    const { asset, ben } = await sharedWithBen();
    const { user } = mira;
    const body = { username: 'ben', stay_hours: null };
    const headers = { 'user-agent': IPHONE };
    await send('POST', `/api/assets/${asset.id}/handover/`, { as: mira, body, headers });
    expect((await eventsOf(mira))[0]).toMatchObject({ event: 'handover_offered', actor: 'user', browser: 'Safari' });
    expect((await eventsOf(ben))[0]).toMatchObject({
      event: 'handover_offered',
      actor: 'other',
      actor_name: user.username,
      browser: null,
      system: null,
      sign_in_id: null,
    });
  });

  it('is the administrator, for all accounts or one, since a time', async () => {
    const ben = await api.register('ben');
    await logIn('wrong', { agent: FIREFOX });
    await logIn('wrong', { agent: FIREFOX });
    await command('disable', 'ben');
    await command('registration', 'invited');
    const time = `${api.clock.now.toISOString().slice(0, 19)}Z`;
    const columns = (line: string) => line.split(/ {2,}/);
    const lines = (await command('events')).map(columns);
    expect(lines[0]).toEqual(['TIME (UTC)', 'ACCOUNT', 'EVENT', 'DETAILS']);
    expect(lines.slice(-4)).toEqual([
      [time, 'mira', 'sign_in_failed', 'count 2, Firefox on Windows'],
      [time, 'ben', 'account_disabled', 'by the administrator'],
      [time, 'ben', 'sign_ins_ended', 'disabled, by the administrator'],
      [time, '-', 'registration_changed', 'invited, by the administrator'],
    ]);
    const [{ id } = { id: 0 }] = await api.deps.db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', ben.user.id)
      .execute();
    expect((await command('events', 'BEN')).slice(1).map(columns)).toEqual([
      [time, 'ben', 'account_created'],
      [time, 'ben', 'signed_in', `password, sign-in ${id}`],
      ...lines.slice(-3, -1),
    ]);
    expect(await command('events', '--since', time)).toHaveLength(lines.length);
    const rows = (await command('events', 'ben', '--json', '--since', time)).map((line) => JSON.parse(line) as object);
    expect(rows.slice(-2)).toMatchObject([
      { event: 'account_disabled', username: 'ben', actor: 'administrator', happened_at: api.clock.now.toISOString() },
      { event: 'sign_ins_ended', username: 'ben', detail: 'disabled', count: 1 },
    ]);
    api.clock.advance(DAY);
    await logIn('wrong');
    expect(await command('events', '--since', api.clock.now.toISOString().slice(0, 10))).toHaveLength(2);
    expect(await command('events', 'ben', '--since', '2030-01-01T00:00')).toHaveLength(1);
  });

  it.each(['yesterday', '2026-02-30', '2026-03-10 08:00', '1'])('rejects --since %s', async (since) => {
    const outputs = runCommand(api.deps, ['events', '--since', since]);
    expect(await outputs.next()).toEqual({
      done: false,
      value: { text: '--since must be a day (2026-03-10) or a time (2026-03-10T08:00Z).', isError: true },
    });
    expect(await outputs.next()).toEqual({ done: true, value: 1 });
  });
});

describe('events', () => {
  it(`vanish after ${SECURITY_EVENT_DAYS} days`, async () => {
    api.clock.advance((SECURITY_EVENT_DAYS - 1) * DAY);
    await logIn('wrong');
    await deleteOldEvents(api.deps);
    expect(await kindsOf(mira)).toEqual(['sign_in_failed', 'signed_in', 'account_created']);
    api.clock.advance(DAY + 1);
    await deleteOldEvents(api.deps);
    expect((await stored()).map(({ event }) => event)).toEqual(['sign_in_failed']);
  });

  it("deletes an account's events, except its number on administrator actions", async () => {
    const { ben, asset } = await sharedWithBen();
    await api.offerHandover(mira, asset.id, ben);
    await command('enable', 'mira');
    await send('DELETE', '/api/me/', { as: mira, body: { current_password: TEST_PASSWORD, keep_name: false } });
    const kept = (await stored()).filter(({ user_id: id }) => id !== ben.user.id);
    const former = { user_id: null, former_id: mira.user.id, browser: null, system: null, sign_in_id: null };
    expect(kept).toMatchObject([
      { ...former, event: 'account_enabled', actor: 'administrator' },
      { ...former, event: 'account_deleted', actor: 'user' },
    ]);
    expect((await eventsOf(ben))[0]).toMatchObject({ event: 'handover_offered', actor: 'other', actor_name: null });
    expect((await command('events')).filter((line) => /mira/.test(line))).toEqual([]);
    expect((await command('events')).at(-1)).toContain(`Deleted user ${mira.user.id}`);
  });

  it('are not recorded if what they record is undone', async () => {
    const id = await plantIdentity(api.deps, mira.user.id, 'mira-there');
    await api.deps.db.updateTable('users').set({ password_hash: null }).where('id', '=', mira.user.id).execute();
    const refused = await api.call('DELETE', `/api/me/identities/${id}/`, { as: mira });
    expect(refused).toMatchObject({ body: { code: 'only_way_to_sign_in' } });
    const lines: string[] = [];
    const deps = { ...api.deps, log: { info: ({ event }: { event: string }) => lines.push(event) } as never };
    const record = (db: typeof deps.db) =>
      recordSecurityEvent({ ...deps, db }, 'two_step_on', { userId: mira.user.id, by: 'administrator' });
    await undoableTransaction({ db: deps.db }, async ({ db }) => {
      await record(db);
      return fail('not_found');
    });
    expect([lines, await kindsOf(mira)]).toEqual([[], ['signed_in', 'account_created']]);
    await transaction({ db: deps.db }, async ({ db }) => {
      await record(db);
      expect(lines).toEqual([]);
    });
    expect([lines, await kindsOf(mira)]).toEqual([['two_step_on'], ['two_step_on', 'signed_in', 'account_created']]);
  });

  it('never contain what was typed, an address, or a network', async () => {
    await logIn('canary-password', { username: 'canary-name', agent: 'canary-agent' });
    await causes.email_change_requested();
    expect(JSON.stringify(await stored())).not.toMatch(/canary|example|127\.0\.0\.1/);
  });
});
