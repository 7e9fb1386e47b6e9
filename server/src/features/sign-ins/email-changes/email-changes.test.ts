import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { EMAIL_CHANGE_HOURS } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { sendDueMails } from '../../mail/service.ts';
import { userById } from '../../users/service.ts';
import { createResetLink } from '../recovery/service.ts';
import { deleteExpiredChanges, requestConfirmation, setEmail } from './service.ts';

let smtp: TestMailServer;
let api: TestApi;
let mira: SignedIn;
beforeAll(async () => {
  smtp = await openTestMailServer();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'hours@example.org', CONTACT: 'admin@example.org' };
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

const NEW = 'mira@new.example';
const change = (email = NEW, rest: object = { current_password: TEST_PASSWORD }, as = mira) =>
  api.call<User>('PATCH', '/api/me/', { as, body: { email, ...rest } });
const confirm = (token: string) => api.call('POST', '/api/me/email-change/confirm/', { body: { token } });
const me = async (as = mira) => (await api.call<User>('GET', '/api/me/', { as })).body;
async function receiveToken(email = NEW, as = mira): Promise<string> {
  expect((await change(email, { current_password: TEST_PASSWORD }, as)).status).toBe(200);
  await sendDueMails(api.deps);
  return smtp.received.at(-1)?.link?.replace(/^.*#/, '') ?? '';
}
/** Waits for a number of turns of the event loop, so that concurrent calls overlap at a different point each time. */
async function wait(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
}
const pendingOf = (table: 'email_changes' | 'password_resets', { user }: SignedIn) =>
  api.deps.db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute();
const invalid = { status: 400, body: { code: 'link_invalid' } };

describe('a new email address', () => {
  it('takes effect once its link is confirmed, and the old one is notified', async () => {
    const { body } = await change();
    const pending = { email: NEW, expires_at: '2026-03-11T12:00:00.000Z' };
    expect(body).toMatchObject({ email: 'mira@example.org', email_change: pending });
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([[NEW]]);
    expect(smtp.received[0]?.link).toMatch(/^https:\/\/hours\.example\.org\/confirm-email#/);
    expect(await api.call('GET', '/api/me/check/', { as: mira })).toMatchObject({
      body: { expires_at: expect.any(String) },
    });
    expect(await confirm(smtp.received[0]?.link?.replace(/^.*#/, '') ?? '')).toMatchObject({ status: 204 });
    expect(await me()).toMatchObject({ email: NEW, email_change: null });
    await sendDueMails(api.deps);
    expect(smtp.received[1]).toMatchObject({ recipients: ['mira@example.org'], link: undefined });
    expect(smtp.received[1]?.parsed.text).toContain(`is now ${NEW}`);
    expect(smtp.received[1]?.parsed.text).toContain('right away: admin@example.org');
    // Whoever has the old mailbox may be signed in.
    expect(await api.call('GET', '/api/me/check/', { as: mira })).toMatchObject({ body: { expires_at: null } });
  });

  it('needs the password', async () => {
    expect((await change(NEW, {})).status).toBe(400);
    expect((await change(NEW, { current_password: 'wrong' })).body).toMatchObject({ code: 'wrong_password' });
    expect((await me()).email_change).toBeNull();
  });

  it('does not delay other changes of the account', async () => {
    const { body } = await change(NEW, { current_password: TEST_PASSWORD, time_zone: 'Europe/Berlin' });
    expect(body).toMatchObject({ time_zone: 'Europe/Berlin', email: 'mira@example.org', email_change: { email: NEW } });
  });

  it('can be canceled, and replaced', async () => {
    const first = await receiveToken();
    const second = await receiveToken('other@example.org');
    expect(await confirm(first)).toMatchObject(invalid);
    const cancelled = await api.call<User>('DELETE', '/api/me/email-change/', { as: mira });
    expect(cancelled).toMatchObject({ status: 200, body: { email_change: null } });
    expect(await confirm(second)).toMatchObject(invalid);
    expect((await api.call('DELETE', '/api/me/email-change/', { as: mira })).status).toBe(200);
  });

  it('is refused if an account has it, both on request and on confirmation', async () => {
    const ben = await api.register('ben');
    expect((await change('BEN@example.org')).body).toMatchObject({ code: 'email_taken', fields: { email: [/./] } });
    const [mine, his] = [await receiveToken(), await receiveToken(NEW, ben)];
    expect((await confirm(mine)).status).toBe(204);
    expect(await confirm(his)).toMatchObject({ status: 400, body: { code: 'email_taken' } });
    expect((await me(ben)).email).toBe('ben@example.org');
  });

  it('is canceled when the administrator sets another', async () => {
    const token = await receiveToken();
    const set = { userId: mira.user.id, email: 'set@example.org' };
    expect(await setEmail(api.deps, set, 'administrator')).toMatchObject({ ok: true, value: true });
    expect(await confirm(token)).toMatchObject(invalid);
    expect(await me()).toMatchObject({ email: 'set@example.org', email_change: null });
  });

  it('expires after 24 hours', async () => {
    const token = await receiveToken();
    api.clock.advance(EMAIL_CHANGE_HOURS * 3_600_000);
    expect(await confirm(token)).toMatchObject(invalid);
    await deleteExpiredChanges(api.deps);
    expect((await me()).email_change).toBeNull();
  });

  it('is confirmed only once by concurrent calls', async () => {
    const token = await receiveToken();
    const answers = await Promise.all([confirm(token), confirm(token)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 400]));
    await sendDueMails(api.deps);
    expect(smtp.received.filter(({ recipients }) => recipients[0] === 'mira@example.org')).toHaveLength(1);
  });

  it('reaches one recipient under fixed headers, or is refused, whatever is typed', async () => {
    const [user, domain] = ['mira', 'new.example'];
    const typed = [
      ...['\r\n', '\n', '\r', '%0a', '\u2028', '\0'].map((end) => `${user}@${domain}${end}Bcc: eve@example.org`),
      ...[', ', ',', ';', ' ', '\t'].map((between) => `${user}@${domain}${between}eve@example.org`),
      `Eve <eve@example.org>, ${user}@${domain}`,
      `<eve@example.org> ${user}@${domain}`,
      `"eve@example.org" <${user}@${domain}>`,
      `"${user}\r\nTo: eve@example.org"@${domain}`,
      `${user}(eve@example.org)@${domain}`,
      `team:${user}@${domain},eve@example.org;`,
      `${user}@${domain}\r\n\r\nBody`,
      `${user}+tag@${domain}`,
      `=?utf-8?q?eve=40example.org=2C?=@${domain}`,
    ];
    expect(typed).toHaveLength(20);
    for (const email of typed) {
      smtp.received.length = 0;
      const { status } = await change(email);
      await sendDueMails(api.deps);
      const sent = smtp.received.map(({ recipients, parsed }) => [recipients, parsed.bcc, parsed.cc, parsed.subject]);
      expect([email, status, sent]).toEqual([
        email,
        status === 400 ? 400 : 200,
        status === 400 ? [] : [[[email], undefined, undefined, 'Confirm your new email address']],
      ]);
    }
  });

  it('is limited by user and by new address', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on', SMTP_URL: smtp.url, MAIL_FROM: 'hours@example.org' });
    const ask = async (as: SignedIn, email: string) =>
      (await limited.call('PATCH', '/api/me/', { as, body: { email, current_password: TEST_PASSWORD } })).status;
    const [first, second] = [await limited.register('mira'), await limited.register('ben')];
    for (let n = 0; n < 5; n++) expect(await ask(first, 'victim@example.net')).toBe(200);
    expect(await ask(second, 'Victim@example.net')).toBe(429);
    for (let n = 0; n < 5; n++) expect(await ask(first, `a${n}@example.net`)).toBe(200);
    expect(await ask(first, 'b@example.net')).toBe(429);
    expect(await ask(second, 'b@example.net')).toBe(200);
    const ida = { username: 'ida', email: 'Ida@example.org', password: TEST_PASSWORD };
    const { body: third } = await limited.call<SignedIn>('POST', '/api/register/', { body: ida });
    for (let n = 0; n < 6; n++) expect(await ask(third, ida.email)).toBe(200);
    const links = limited.deps.db.selectFrom('mails').select('id').where('user_id', '=', third.user.id);
    expect(await links.execute()).toHaveLength(5);
    await limited.close();
  });

  it('is canceled when the password changes, like links to set one', async () => {
    const token = await receiveToken();
    const link = await createResetLink(api.deps, mira.user.id);
    const body = { current_password: TEST_PASSWORD, new_password: 'a walnut on the stairs' };
    expect((await api.call('POST', '/api/me/password/', { as: mira, body })).status).toBe(204);
    expect(await confirm(token)).toMatchObject(invalid);
    const reset = { token: link?.replace(/^.*#/, ''), password: 'another one of those' };
    expect(await api.call('POST', '/api/password-reset/confirm/', { body: reset })).toMatchObject(invalid);
  });

  it('works, or a link to set a password does, if both are used at once', async () => {
    for (let round = 0; round < 8; round++) {
      const user = await api.register(`user${round}`);
      const token = await receiveToken(`user${round}@new.example`, user);
      const link = await createResetLink(api.deps, user.user.id);
      const reset = { token: link?.replace(/^.*#/, ''), password: 'a walnut on the stairs' };
      const [confirmed, set] = await Promise.all([
        confirm(token),
        api.call('POST', '/api/password-reset/confirm/', { body: reset }),
      ]);
      expect(new Set([confirmed.status, set.status])).toEqual(new Set([204, 400]));
      const body = { username: `user${round}`, password: set.status === 204 ? reset.password : TEST_PASSWORD };
      const signedIn = await api.call<SignedIn>('POST', '/api/login/', { body });
      const email = `user${round}@${set.status === 204 ? 'example.org' : 'new.example'}`;
      expect(signedIn).toMatchObject({ status: 200, body: { user: { email, email_change: null } } });
    }
  });

  // Otherwise, a thief who knows the old password could recover the account with the new address.
  it('never outlasts a password that is changed at the same time', async () => {
    for (let round = 0; round < 12; round++) {
      const user = await api.register(`user${round}`);
      const next = { current_password: TEST_PASSWORD, new_password: 'a walnut on the stairs' };
      const [asked, changed] = await Promise.all([
        change(`user${round}@new.example`, { current_password: TEST_PASSWORD }, user),
        wait(round).then(() => api.call('POST', '/api/me/password/', { as: user, body: next })),
      ]);
      expect([200, 400, 401]).toContain(asked.status);
      expect(changed.status).toBe(204);
      expect(await pendingOf('email_changes', user)).toEqual([]);
    }
  });

  it('leaves the old address no link to set a password that is requested at the same time', async () => {
    for (let round = 0; round < 12; round++) {
      const user = await api.register(`user${round}`);
      const token = await receiveToken(`user${round}@new.example`, user);
      await api.call('POST', '/api/password-reset/', { body: { email: `user${round}@example.org` } });
      const [confirmed] = await Promise.all([wait(round).then(() => confirm(token)), sendDueMails(api.deps)]);
      expect(confirmed.status).toBe(204);
      expect(await pendingOf('password_resets', user)).toEqual([]);
    }
  });

  // Otherwise, that link would bring the old address back.
  it('ends a link to the old one that was asked for in the meantime', async () => {
    const user = await userById(api.deps.db, mira.user.id);
    if (!user) throw new Error('mira is gone');
    await confirm(await receiveToken());
    await requestConfirmation(api.deps, { ...user, email_confirmed: false });
    expect(await pendingOf('email_changes', mira)).toEqual([]);
  });

  it('gets no message if the link expired while the message waited', async () => {
    await change();
    api.clock.advance(EMAIL_CHANGE_HOURS * 3_600_000);
    await sendDueMails(api.deps);
    await change('other@new.example');
    await api.call('DELETE', '/api/me/email-change/', { as: mira });
    await sendDueMails(api.deps);
    expect(smtp.received).toEqual([]);
  });

  it('limits failures by network', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const guess = () => limited.call('POST', '/api/me/email-change/confirm/', { body: { token: 'guess' } });
    for (let n = 0; n < 60; n++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    await limited.close();
  });

  // Otherwise, someone who reads the old mailbox could take the account back.
  it('ends links to set a new password', async () => {
    const token = await receiveToken();
    const link = await createResetLink(api.deps, mira.user.id);
    await confirm(token);
    const body = { token: link?.replace(/^.*#/, ''), password: 'a walnut on the stairs' };
    expect(await api.call('POST', '/api/password-reset/confirm/', { body })).toMatchObject(invalid);
  });
});
