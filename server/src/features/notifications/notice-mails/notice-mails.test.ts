import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { dispatcherOf, event } from '../../../testing/events.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { sendDueMails } from '../../mail/service.ts';
import { unsubscribeLinks } from '../unsubscribe/service.ts';
import { queueNoticeMails } from './service.ts';

let smtp: TestMailServer;
let api: TestApi;
beforeAll(async () => {
  smtp = await openTestMailServer();
  api = await openTestApi({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'HourShare <hours@example.org>',
    APP_URL: 'https://hours.example.org',
  });
});
beforeEach(async () => {
  await api.reset();
  smtp.received.length = 0;
  smtp.behavior = 'accept';
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

const MINUTE = 60_000;
const signIn = (user: SignedIn, browser: string | null = 'Firefox') =>
  event('account.signed_in', { browser, system: null, known_device: false }, { actor: user, users: [user] });
const tell = (...events: ReturnType<typeof signIn>[]) => dispatcherOf(api)(...events);

/** Lets time pass, and returns what was sent. */
async function sentAfter(minutes: number) {
  api.clock.advance(minutes * MINUTE);
  await queueNoticeMails(api.deps);
  await sendDueMails(api.deps);
  return smtp.received.splice(0);
}

it('emails a notice after ten minutes, with an unsubscribe link', async () => {
  const ana = await api.register('ana');
  await tell(signIn(ana));
  expect(await sentAfter(9)).toEqual([]);
  const [mail, ...others] = await sentAfter(1);
  expect(others).toEqual([]);
  expect(mail?.recipients).toEqual(['ana@example.org']);
  expect(mail?.parsed.subject).toBe('New sign-in to your account');
  expect(mail?.parsed.text).toContain('Firefox\n\nOpen HourShare:\nhttps://hours.example.org/profile');
  expect(mail?.parsed.html).toContain('<meta name="color-scheme" content="light dark">');
  const headers = new Map(mail?.parsed.headerLines.map(({ key, line }) => [key, line]));
  const token = /unsubscribe#([\w-]+)/.exec(mail?.parsed.text ?? '')?.[1] ?? '';
  expect(token.length).toBeGreaterThan(40);
  expect(headers.get('list-unsubscribe')?.replaceAll(/\r\n\s/g, ' ')).toBe(
    `List-Unsubscribe: <https://hours.example.org/api/unsubscribe/${token}/>`,
  );
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(await sentAfter(60)).toEqual([]);
});

it('sends several notices of a user in one message, without those that were read', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ana, body: { language: 'de' } });
  await tell(signIn(ana, 'Firefox'), signIn(ana, 'Opera'), signIn(ben));
  api.clock.advance(9 * MINUTE);
  await tell(signIn(ana, 'Safari'));
  const { body } = await api.call<{ results: { id: number; detail: string }[] }>('GET', '/api/notifications/', {
    as: ana,
  });
  const read = body.results.find(({ detail }) => detail === 'Opera')?.id;
  await api.call('POST', '/api/notifications/read/', { as: ana, body: { ids: [read] } });
  await api.call('POST', '/api/notifications/read/', { as: ben });
  const [mail, ...others] = await sentAfter(1);
  expect(others).toEqual([]);
  expect(mail?.parsed.subject).toBe('2 Mitteilungen von HourShare');
  expect(mail?.parsed.text).toContain(
    'Neue Anmeldung bei deinem Konto\nFirefox\n\nNeue Anmeldung bei deinem Konto\nSafari\n\nHourShare öffnen:',
  );
  expect(await sentAfter(60)).toEqual([]);
});

it('sends nothing to those who turned it off, and no notice that is sent separately', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const choices = [{ kind: 'sign_in', mail: false }];
  await api.call('PATCH', '/api/notifications/choices/', { as: ana, body: { choices } });
  await tell(signIn(ana), signIn(ben), event('account.password_changed', {}, { actor: ben, users: [ben] }));
  // After it was added, before it is sent.
  await api.call('PATCH', '/api/me/', { as: ben, body: { email_notifications: false } });
  expect(await sentAfter(10)).toEqual([]);
  await api.call('PATCH', '/api/me/', { as: ben, body: { email_notifications: true } });
  expect(await sentAfter(60)).toEqual([]);
});

it.each(['refuse', 'lose'] as const)('is sent once the mail server accepts it: %s', async (behavior) => {
  const ana = await api.register('ana');
  await tell(signIn(ana));
  smtp.behavior = behavior;
  await sentAfter(10);
  smtp.behavior = 'accept';
  const mails = await sentAfter(2);
  expect(mails.map(({ parsed }) => parsed.subject)).toEqual(['New sign-in to your account']);
  expect(await sentAfter(60)).toEqual([]);
});

it('gives 1,000 causes exactly 1,000 notices and a user one message, however many servers tell and send them', async () => {
  const users = [await api.register('ana'), await api.register('ben')];
  const events = users.flatMap((user) => Array.from({ length: 500 }, (_, index) => signIn(user, `Browser ${index}`)));
  const tellAll = (from: number, to: number) =>
    dispatcherOf(api)(...events.slice(from, to).map((each, index) => ({ ...each, id: 1_000_000 + from + index })));
  await Promise.all([tellAll(0, 1000), tellAll(0, 600), tellAll(400, 1000)]);
  const { count } = await api.deps.db
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(1000);
  api.clock.advance(10 * MINUTE);
  await Promise.all([queueNoticeMails(api.deps), queueNoticeMails(api.deps), queueNoticeMails(api.deps)]);
  await Promise.all([sendDueMails(api.deps), sendDueMails(api.deps)]);
  expect(smtp.received.map(({ parsed }) => parsed.subject)).toEqual([
    '500 notices from HourShare',
    '500 notices from HourShare',
  ]);
  smtp.received.length = 0;
  expect((await sentAfter(60)).length).toBe(0);
});

it('unsubscribes without signing in, from the button of a mail program or from a page', async () => {
  const ana = await api.register('ana');
  await tell(signIn(ana));
  const [mail] = await sentAfter(10);
  const token = /unsubscribe#([\w-]+)/.exec(mail?.parsed.text ?? '')?.[1] ?? '';
  const path = `/api/unsubscribe/${token}/`;
  const isOn = async () => (await api.call<{ email_notifications: boolean }>('GET', '/api/me/', { as: ana })).body;
  expect((await api.call('GET', path)).body).toEqual({ setting: 'email_notifications', on: true });
  expect((await isOn()).email_notifications).toBe(true);
  const forms: [string | undefined, unknown][] = [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['application/json', { 'List-Unsubscribe': 'One-Click' }],
    [undefined, undefined],
  ];
  for (const [type, body] of forms) {
    await api.call('PATCH', '/api/me/', { as: ana, body: { email_notifications: true } });
    await api.deps.db.deleteFrom('outbox').execute();
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await api.call('POST', path, { headers, ...(body !== undefined && { body }) });
    expect([type, answer.status, answer.text]).toEqual([type, 204, '']);
    expect((await isOn()).email_notifications).toBe(false);
    expect((await api.call('GET', path)).body).toEqual({ setting: 'email_notifications', on: false });
    // Other pages of the user show it.
    const told = await api.deps.db.selectFrom('outbox').select(['kind', 'user_ids']).execute();
    expect(told).toEqual([{ kind: 'account.changed', user_ids: [ana.user.id] }]);
  }
  const otherForm = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=ana&password=x',
  };
  expect((await api.call('POST', path, otherForm)).status).toBe(400);
  expect((await api.call('POST', '/api/login/', otherForm)).status).toBe(415);
});

it.each(['email_notifications', 'usage_reminders'] as const)(
  'turns off only the setting of its link: %s',
  async (setting) => {
    const [ana, ben] = [await api.register('ana'), await api.register('ben')];
    const both = { email_notifications: true, usage_reminders: true };
    for (const as of [ana, ben]) await api.call('PATCH', '/api/me/', { as, body: both });
    const { post } = unsubscribeLinks(api.deps, { userId: ana.user.id, setting, language: 'en' });
    const path = new URL(post).pathname;
    expect((await api.call('GET', path)).body).toEqual({ setting, on: true });
    expect((await api.call('POST', path)).status).toBe(204);
    expect((await api.call('GET', '/api/me/', { as: ana })).body).toEqual({ ...ana.user, ...both, [setting]: false });
    expect((await api.call('GET', '/api/me/', { as: ben })).body).toEqual({ ...ben.user, ...both });
  },
);

it('rejects an unsubscribe link that this server did not write', async () => {
  const ana = await api.register('ana');
  const sealed = (text: string) => api.deps.tokens.seal(text);
  for (const token of [
    'x',
    'A'.repeat(90),
    sealed(`unsubscribe username ${ana.user.id}`),
    sealed(`unsubscribe email_notifications ${ana.user.id} or more`),
  ])
    for (const method of ['GET', 'POST'])
      expect((await api.call(method, `/api/unsubscribe/${token}/`)).status).toBe(404);
  expect(await api.call('GET', `/api/unsubscribe/${sealed('unsubscribe email_notifications 999')}/`)).toMatchObject({
    status: 404,
    body: { code: 'not_found', error: 'This link is no longer valid. You can turn off emails in your settings.' },
  });
});
