import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../../commands.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { browserHeaders, GOOGLE, plantFlow } from '../../../testing/providers.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { switchTwoStepOn } from '../../../testing/two-step.ts';
import { sendDueMails } from '../../mail/service.ts';
import { createResetLink } from '../recovery/service.ts';

const NEXT_PASSWORD = 'a longer battery of horses';

let smtp: TestMailServer;
let api: TestApi;
beforeAll(async () => {
  smtp = await openTestMailServer();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'HourShare <hours@example.org>', CONTACT: 'ida@example.org' };
  api = await openTestApi(mail);
});
beforeEach(async () => {
  await api.reset();
  smtp.received.length = 0;
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

/** Returns the recipient, subject, and first words of every message since the last call. */
async function told() {
  await sendDueMails(api.deps);
  return smtp.received
    .splice(0)
    .map(({ recipients, parsed }) => [recipients, parsed.subject, (parsed.text ?? '').split('\n')[0]]);
}
const mira = ['mira@example.org'];
const call = (method: string, path: string, as: SignedIn, body?: object) => api.call(method, path, { as, body });
const login = (code: string) =>
  api.call('POST', '/api/login/', { body: { username: 'mira', password: TEST_PASSWORD, code } });

it('users are notified of changes to two-step sign-in, and told who to ask', async () => {
  const user = await api.register('mira');
  const { codes } = await switchTwoStepOn(api, user);
  await sendDueMails(api.deps);
  expect(smtp.received[0]?.parsed.text).toContain(
    "If that wasn't you, contact your server's administrator right away: ida@example.org",
  );
  expect(await told()).toEqual([
    [mira, 'Two-step sign-in is on', expect.stringContaining('Signing in to your account mira now takes a code')],
  ]);
  await login(codes[0] ?? '');
  expect(await told()).toEqual([
    [mira, 'A recovery code was used', expect.stringContaining('Someone used one of the recovery codes')],
  ]);
  await call('POST', '/api/me/two-step/recovery-codes/', user);
  expect(await told()).toEqual([[mira, 'New recovery codes were made', expect.stringContaining('The earlier ones')]]);
  await call('DELETE', '/api/me/two-step/', user);
  await call('DELETE', '/api/me/two-step/', user);
  expect(await told()).toEqual([[mira, 'Two-step sign-in is off', expect.stringContaining('no longer takes a code')]]);
});

it('users are notified of a new password, no matter how it was set', async () => {
  const user = await api.register('mira');
  await call('POST', '/api/me/password/', user, { current_password: TEST_PASSWORD, new_password: NEXT_PASSWORD });
  expect(await told()).toEqual([
    [mira, 'Your HourShare password was changed', expect.stringContaining('All other devices are signed out')],
  ]);
  const token = (await createResetLink(api.deps, user.user.id))?.split('#')[1];
  await api.call('POST', '/api/password-reset/confirm/', { body: { token, password: TEST_PASSWORD } });
  expect(await told()).toEqual([
    [
      mira,
      'Your HourShare password was changed',
      expect.stringContaining('with a link. All devices are signed out. Check your passkeys and connected providers'),
    ],
  ]);
});

it('users are notified when a provider is connected or disconnected', async () => {
  const user = await api.register('mira');
  const content = { issuer: GOOGLE, subject: 'mira-there', email: null, name: null };
  await plantFlow(api.deps, { step: 'ticket', token: 'ticket', purpose: 'link', content });
  const options = { as: user, body: { ticket: 'ticket' }, headers: browserHeaders };
  const { body } = await api.call<{ id: number }>('POST', '/api/me/identities/', options);
  const subject = (what: string) => `A sign-in provider was ${what} your HourShare account`;
  expect(await told()).toEqual([[mira, subject('connected to'), expect.stringContaining('can be used to sign in')]]);
  await call('DELETE', `/api/me/identities/${body.id}/`, user);
  expect(await told()).toEqual([
    [mira, subject('disconnected from'), expect.stringContaining('A provider was disconnected')],
  ]);
});

it('no one is notified of changes that failed', async () => {
  const user = await api.register('mira');
  await call('POST', '/api/me/password/', user, { current_password: 'wrong', new_password: NEXT_PASSWORD });
  await call('POST', '/api/me/two-step/', user);
  await call('POST', '/api/me/two-step/confirm/', user, { code: '000000x' });
  await call('POST', '/api/me/two-step/recovery-codes/', user);
  await login('wrong');
  expect(await told()).toEqual([]);
});

it('users are notified in their language, also of changes by the administrator', async () => {
  const user = await api.register('mira');
  await call('PATCH', '/api/me/', user, { language: 'de' });
  await switchTwoStepOn(api, user);
  await told();
  const lines = [];
  for await (const { text } of runCommand(api.deps, ['two-step-off', 'MIRA'])) lines.push(text);
  for await (const { text } of runCommand(api.deps, ['two-step-off', 'mira'])) lines.push(text);
  expect(lines).toEqual(['Two-step sign-in of mira is off.', 'Two-step sign-in of mira was off already.']);
  expect(await told()).toEqual([
    [mira, 'Die Anmeldung in zwei Schritten ist ausgeschaltet', expect.stringContaining('deinem Konto')],
  ]);
  expect((await login('any')).status).toBe(200);
});
