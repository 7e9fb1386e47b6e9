import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { PASSWORD_RESET_MINUTES } from '@hourshare/contract/limits';
import { sql, type IsolationLevel, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import type { Database } from '../../../platform/database/database.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { plantIdentity } from '../../../testing/providers.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { sendDueMails } from '../../mail/service.ts';
import { createResetLink, deleteExpiredResets } from './service.ts';

let smtp: TestMailServer;
let api: TestApi;
let mira: SignedIn;
beforeAll(async () => {
  smtp = await openTestMailServer();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'HourShare <hours@example.org>' };
  api = await openTestApi({ ...mail, APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  smtp.received.length = 0;
  mira = await api.register('mira');
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

const NEW_PASSWORD = 'a walnut on the stairs';
const MINUTE = 60_000;
const ask = (email = 'mira@example.org') => api.call('POST', '/api/password-reset/', { body: { email } });
const confirm = (token: string, password = NEW_PASSWORD) =>
  api.call('POST', '/api/password-reset/confirm/', { body: { token, password } });
const signIn = (password: string) =>
  api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password } });
const tokenOf = (link: string | undefined) => link?.replace(/^.*#/, '') ?? '';
/** Requests a link, and returns the token in the message. */
async function receiveToken(): Promise<string> {
  await ask();
  await sendDueMails(api.deps);
  return tokenOf(smtp.received.at(-1)?.link);
}
/** Returns a database in which something happens before each transaction begins. */
const beforeTransactions = (db: Database, work: () => Promise<unknown>): Database =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'transaction')
        return () => ({
          setIsolationLevel: (level: IsolationLevel) => ({
            execute: async <T>(inside: (trx: Database) => Promise<T>) => {
              await work();
              return target.transaction().setIsolationLevel(level).execute(inside);
            },
          }),
        });
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const invalid = {
  status: 400,
  body: { error: 'This link is no longer valid. Ask for a new one.', code: 'link_invalid' },
};

describe('requesting a link', () => {
  it('sends it to the address of the account, in text and HTML', async () => {
    expect((await ask('MIRA@Example.org')).status).toBe(204);
    await sendDueMails(api.deps);
    const [{ parsed, recipients, link } = { parsed: undefined, recipients: [], link: '' }] = smtp.received;
    expect(recipients).toEqual(['mira@example.org']);
    expect(parsed).toMatchObject({ subject: 'Reset your HourShare password', from: { text: /hours@example.org/ } });
    expect(link).toMatch(/^https:\/\/hours\.example\.org\/reset-password#[\w-]{43,44}$/);
    expect(parsed?.html).toContain(`href="${link}"`);
    expect(parsed?.text).toContain('your account mira');
    expect(smtp.received).toHaveLength(1);
  });

  it('answers the same for an address without an account, after the same statements, and sends nothing', async () => {
    const statements: string[] = [];
    const recording: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        statements.push(api.deps.db.getExecutor().compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const app = await buildApp({ ...api.deps, db: api.deps.db.withPlugin(recording) });
    const askApp = async (email: string) => {
      const { statusCode, headers, body } = await app.inject({
        method: 'POST',
        url: '/api/password-reset/',
        payload: { email },
      });
      return { statusCode, names: Object.keys(headers), body, statements: statements.splice(0) };
    };
    const known = await askApp('mira@example.org');
    expect(known).toMatchObject({ statusCode: 204, statements: [expect.stringMatching(/^insert into "mails"/)] });
    expect(await askApp('nobody@example.org')).toEqual(known);
    await app.close();
    const queued = await api.deps.db.selectFrom('mails').select(['user_id', 'kind']).execute();
    expect(queued).toEqual([
      { user_id: null, kind: 'passwordReset' },
      { user_id: null, kind: 'passwordReset' },
    ]);
    await sendDueMails(api.deps);
    expect(smtp.received.flatMap(({ recipients }) => recipients)).toEqual(['mira@example.org']);
    expect(await api.deps.db.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  it('uses the language of the account', async () => {
    await api.call('PATCH', '/api/me/', { as: mira, body: { language: 'ar' } });
    await receiveToken();
    expect(smtp.received[0]?.parsed.html).toContain('<html lang="ar" dir="rtl">');
    expect(smtp.received[0]?.parsed.subject).toContain('كلمة مرور');
  });

  it('takes the address of links from the settings, not from the host of the request', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    await api.call('POST', '/api/password-reset/', { body: { email: 'mira@example.org' }, headers });
    await sendDueMails(api.deps);
    expect(smtp.received[0]?.link).toMatch(/^https:\/\/hours\.example\.org\//);
    expect(JSON.stringify(smtp.received[0]?.parsed)).not.toContain('evil');
  });

  it('stores only a hash of the token', async () => {
    const token = await receiveToken();
    const rows = await api.deps.db.selectFrom('password_resets').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('makes no link if the account gets another address while the message is written', async () => {
    await ask();
    const db = beforeTransactions(api.deps.db, () =>
      api.deps.db.updateTable('users').set({ email: 'new@example.org' }).execute(),
    );
    await sendDueMails({ ...api.deps, db });
    expect(smtp.received).toEqual([]);
    for (const table of ['mails', 'password_resets'] as const)
      expect(await api.deps.db.selectFrom(table).selectAll().execute()).toEqual([]);
    await ask('new@example.org');
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['new@example.org']]);
  });

  it('is limited by address and by network', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on', SMTP_URL: smtp.url, MAIL_FROM: 'hours@example.org' });
    const from = (remoteAddress: string, email: string) =>
      limited.call('POST', '/api/password-reset/', { body: { email }, remoteAddress });
    for (let n = 0; n < 5; n++) expect((await from(`192.0.2.${n}`, 'nobody@example.org')).status).toBe(204);
    expect((await from('192.0.2.9', 'NOBODY@example.org')).status).toBe(429);
    for (let n = 0; n < 20; n++) expect((await from('198.51.100.1', `a${n}@example.org`)).status).toBe(204);
    expect((await from('198.51.100.1', 'b@example.org')).status).toBe(429);
    await limited.close();
  });

  it('queues nothing on a server without mail', async () => {
    const silent = await openTestApi();
    const body = { email: 'mira@example.org' };
    expect((await silent.call('POST', '/api/password-reset/', { body })).status).toBe(204);
    expect(await silent.deps.db.selectFrom('mails').selectAll().execute()).toEqual([]);
    await silent.close();
  });

  it('needs an email address', async () => {
    expect(await ask('mira')).toMatchObject({
      status: 400,
      body: { fields: { email: expect.any(Array) as string[] } },
    });
  });
});

describe('the link', () => {
  it('sets the password, once, and ends all sign-ins', async () => {
    const token = await receiveToken();
    expect(await confirm(token)).toMatchObject({ status: 204, text: '' });
    expect((await signIn(TEST_PASSWORD)).status).toBe(401);
    expect((await signIn(NEW_PASSWORD)).status).toBe(200);
    expect((await api.call('GET', '/api/me/', { token: mira.access })).status).toBe(401);
    expect((await api.call('POST', '/api/token/refresh/', { body: { refresh: mira.refresh } })).status).toBe(401);
    expect(await confirm(token, 'another one of those')).toMatchObject(invalid);
    const told = api.deps.db.selectFrom('outbox').select('user_ids').where('kind', '=', 'account.password_changed');
    expect(await told.execute()).toEqual([{ user_ids: [mira.user.id] }]);
  });

  it('expires after 30 minutes', async () => {
    const token = await receiveToken();
    api.clock.advance(PASSWORD_RESET_MINUTES * MINUTE - 1);
    expect((await confirm(token, 'short')).status).toBe(400);
    api.clock.advance(1);
    expect(await confirm(token)).toMatchObject(invalid);
    await deleteExpiredResets(api.deps);
    expect(await api.deps.db.selectFrom('password_resets').selectAll().execute()).toEqual([]);
  });

  it('sets no password if it expires while that is hashed', async () => {
    const token = await receiveToken();
    const { passwords } = api.deps;
    const hash = (password: string) => {
      api.clock.advance(1);
      return passwords.hash(password);
    };
    const app = await buildApp({ ...api.deps, passwords: { ...passwords, hash } });
    api.clock.advance(PASSWORD_RESET_MINUTES * MINUTE - 1);
    const payload = { token, password: NEW_PASSWORD };
    const answer = await app.inject({ method: 'POST', url: '/api/password-reset/confirm/', payload });
    await app.close();
    expect([answer.statusCode, answer.body]).toEqual([invalid.status, expect.stringContaining(invalid.body.error)]);
    expect((await signIn(NEW_PASSWORD)).status).toBe(401);
    expect((await signIn(TEST_PASSWORD)).status).toBe(200);
    expect((await api.call('GET', '/api/me/', { as: mira })).status).toBe(200);
  });

  it('remains usable after a password is refused', async () => {
    const token = await receiveToken();
    expect(await confirm(token, 'mira@example.org')).toMatchObject({
      status: 400,
      body: { code: 'password_too_weak', fields: { password: expect.any(Array) as string[] } },
    });
    expect((await confirm(token)).status).toBe(204);
  });

  it('ends all other links, and a pending change of address', async () => {
    const [first, second] = [await receiveToken(), await receiveToken()];
    const body = { email: 'new@example.org', current_password: TEST_PASSWORD };
    await api.call('PATCH', '/api/me/', { as: mira, body });
    expect((await confirm(first)).status).toBe(204);
    expect(await confirm(second)).toMatchObject(invalid);
    const { body: signedIn } = await signIn(NEW_PASSWORD);
    expect(signedIn.user.email_change).toBeNull();
  });

  it('works only once for concurrent calls', async () => {
    const token = await receiveToken();
    const answers = await Promise.all([confirm(token), confirm(token, 'another one of those')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 400]));
    const winner = answers[0].status === 204 ? NEW_PASSWORD : 'another one of those';
    expect((await signIn(winner)).status).toBe(200);
  });

  it('works only once for two links of one account at a time', async () => {
    const tokens = [await receiveToken(), await receiveToken()];
    const answers = await Promise.all(tokens.map((token) => confirm(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 400]));
  });

  it('stops working once the account is deleted', async () => {
    const token = await receiveToken();
    await api.deps.db.deleteFrom('users').execute();
    expect(await confirm(token)).toMatchObject(invalid);
    expect(await createResetLink(api.deps, mira.user.id)).toBeUndefined();
  });

  it('limits failures by network', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const guess = () =>
      limited.call('POST', '/api/password-reset/confirm/', { body: { token: 'guess', password: NEW_PASSWORD } });
    for (let n = 0; n < 60; n++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    await limited.close();
  });
});

describe('an address that was never confirmed', () => {
  let ida: SignedIn;
  /** Registers without confirming the address, which may be someone else's. */
  const registerUnconfirmed = async () =>
    (
      await api.call<SignedIn>('POST', '/api/register/', {
        body: { username: 'ida', email: 'ida@example.org', password: TEST_PASSWORD },
      })
    ).body;
  const me = async (as: SignedIn) => (await api.call<User>('GET', '/api/me/', { as })).body;
  const waysIn = async () => {
    const passkeys = await api.deps.db.selectFrom('passkeys').select('id').execute();
    const identities = await api.deps.db.selectFrom('identities').select('id').execute();
    const { rows } = await sql`select 1 from access_tokens`.execute(api.deps.db);
    return [passkeys.length, identities.length, rows.length];
  };
  const addWaysIn = async (as: SignedIn) => {
    const passkey = { user_id: as.user.id, credential_id: `c${as.access.length}`, user_handle: 'h', public_key: 'k' };
    await api.deps.db
      .insertInto('passkeys')
      .values({ ...passkey, counter: 0, transports: [], backed_up: false, device: 'd', created_at: api.clock.now })
      .execute();
    await plantIdentity(api.deps, as.user.id, 'ida');
    const body = { name: 'A script' };
    expect((await api.call('POST', '/api/me/access-tokens/', { as, body })).status).toBe(201);
  };
  const setPassword = async (token: string) => expect((await confirm(token)).status).toBe(204);
  beforeEach(async () => {
    ida = await registerUnconfirmed();
  });

  it('gets a link that confirms it', async () => {
    expect(ida.user).toMatchObject({ email_confirmed: false, email_change: { email: 'ida@example.org' } });
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['ida@example.org']]);
    expect(smtp.received[0]?.parsed.subject).toBe('Confirm your email address');
    expect(smtp.received[0]?.parsed.text).toContain('created the HourShare account ida');
    await addWaysIn(ida);
    const body = { token: tokenOf(smtp.received[0]?.link) };
    const other = await api.register('zoe');
    for (const as of [{}, { as: other }])
      expect(await api.call('POST', '/api/me/email-change/confirm/', { ...as, body })).toMatchObject({
        status: 400,
        body: { code: 'confirm_signed_out' },
      });
    expect((await me(ida)).email_confirmed).toBe(false);
    api.clock.advance(3_600_000);
    expect((await api.call('POST', '/api/me/email-change/confirm/', { as: ida, body })).status).toBe(204);
    ida = (await api.call<SignedIn>('POST', '/api/login/', { body: { username: 'ida', password: TEST_PASSWORD } }))
      .body;
    expect(await me(ida)).toMatchObject({ email: 'ida@example.org', email_confirmed: true, email_change: null });
    expect(await waysIn()).toEqual([1, 1, 1]);
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ parsed }) => parsed.subject)).not.toContain('Your HourShare email address was changed');
  });

  it('gets another link when its user asks for one, without a password', async () => {
    const ask = () => api.call('PATCH', '/api/me/', { as: ida, body: { email: 'ida@example.org' } });
    expect((await ask()).status).toBe(200);
    await sendDueMails(api.deps);
    // The first link has been replaced.
    expect(smtp.received).toHaveLength(1);
    await api.deps.db.updateTable('users').set({ email_confirmed_at: api.clock.now }).execute();
    expect((await ask()).status).toBe(200);
    await sendDueMails(api.deps);
    expect(smtp.received).toHaveLength(1);
  });

  it('loses earlier passkeys, providers, and access tokens when it first sets a password by email, and never again', async () => {
    await addWaysIn(ida);
    await api.call('POST', '/api/password-reset/', { body: { email: 'ida@example.org' } });
    await sendDueMails(api.deps);
    await setPassword(tokenOf(smtp.received.find(({ link }) => link?.includes('reset-password'))?.link));
    expect(await waysIn()).toEqual([0, 0, 0]);
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ parsed }) => parsed.subject)).toContain(
      'A passkey was removed from your HourShare account',
    );
    const body = { username: 'ida', password: NEW_PASSWORD };
    const signedIn = (await api.call<SignedIn>('POST', '/api/login/', { body })).body;
    expect(signedIn.user.email_confirmed).toBe(true);
    await addWaysIn(signedIn);
    smtp.received.length = 0;
    await api.call('POST', '/api/password-reset/', { body: { email: 'ida@example.org' } });
    await sendDueMails(api.deps);
    await setPassword(tokenOf(smtp.received[0]?.link));
    expect(await waysIn()).toEqual([1, 1, 0]);
  });

  it('is also a later one that someone confirmed without being signed in, such as the victim of a stranger', async () => {
    await api.deps.db.updateTable('users').set({ email_confirmed_at: api.clock.now }).execute();
    await addWaysIn(ida);
    const change = async (email: string, as: { as?: SignedIn }) => {
      const body = { email, current_password: TEST_PASSWORD };
      expect((await api.call('PATCH', '/api/me/', { as: ida, body })).status).toBe(200);
      await sendDueMails(api.deps);
      const { link } = smtp.received.findLast(({ recipients }) => recipients.includes(email)) ?? {};
      const confirmed = { ...as, body: { token: tokenOf(link) } };
      expect((await api.call('POST', '/api/me/email-change/confirm/', confirmed)).status).toBe(204);
      return (await me(ida)).email_confirmed;
    };
    expect(await change('ida@new.example', { as: ida })).toBe(true);
    expect(await change('victim@example.org', {})).toBe(false);
    await api.call('POST', '/api/password-reset/', { body: { email: 'victim@example.org' } });
    await sendDueMails(api.deps);
    await setPassword(tokenOf(smtp.received.findLast(({ link }) => link?.includes('reset-password'))?.link));
    expect(await waysIn()).toEqual([0, 0, 0]);
  });

  it('keeps them when the administrator makes the link, which proves nothing', async () => {
    await addWaysIn(ida);
    await setPassword(tokenOf(await createResetLink(api.deps, ida.user.id)));
    expect(await waysIn()).toEqual([1, 1, 0]);
    const row = await api.deps.db
      .selectFrom('users')
      .select('email_confirmed_at')
      .where('username', '=', 'ida')
      .execute();
    expect(row).toEqual([{ email_confirmed_at: null }]);
  });

  it('is what another address is without a mail server', async () => {
    const bare = await openTestApi();
    const ben = await bare.register('ben');
    await bare.deps.db.updateTable('users').set({ email_confirmed_at: bare.clock.now }).execute();
    const body = { email: 'new@example.org', current_password: TEST_PASSWORD };
    const changed = await bare.call<User>('PATCH', '/api/me/', { as: ben, body });
    expect(changed.body).toMatchObject({ email: 'new@example.org', email_confirmed: false, email_change: null });
    await bare.close();
  });
});
