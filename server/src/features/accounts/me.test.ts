import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';

const NEXT_PASSWORD = 'a longer battery of horses';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const change = (caller: SignedIn, body: object) => api.call<User>('PATCH', '/api/me/', { as: caller, body });
const changePassword = (signedIn: SignedIn, current: string, next: string) =>
  api.call('POST', '/api/me/password/', {
    token: signedIn.access,
    body: { current_password: current, new_password: next },
  });
const signIn = (password: string) =>
  api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password } });
const refresh = ({ refresh: token }: SignedIn) => api.call('POST', '/api/token/refresh/', { body: { refresh: token } });

describe('updating an account', () => {
  it('changes only the given fields', async () => {
    const mira = await api.register('mira');
    expect(await change(mira, { time_zone: 'Asia/Tokyo', language: 'ja', usage_reminders: false })).toMatchObject({
      status: 200,
      body: { ...mira.user, time_zone: 'Asia/Tokyo', language: 'ja', usage_reminders: false },
    });
    expect((await change(mira, {})).body).toMatchObject({ time_zone: 'Asia/Tokyo' });
    expect((await change(mira, { email: mira.user.email, time_zone: 'UTC' })).body).toMatchObject({ time_zone: 'UTC' });
  });

  it('forgets the language, so that each browser decides again', async () => {
    const mira = await api.register('mira');
    await change(mira, { language: 'ja' });
    expect(await change(mira, { language: null })).toMatchObject({ status: 200, body: { language: null } });
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body.language).toBeNull();
  });

  it('rejects another user’s email address, regardless of case', async () => {
    const mira = await api.register('mira');
    await api.register('ben');
    const body = { email: 'BEN@example.org', current_password: TEST_PASSWORD };
    expect(await change(mira, body)).toMatchObject({
      status: 400,
      body: { code: 'email_taken', fields: { email: ['This email address is already in use'] } },
    });
  });

  it.each([
    { email: 'nobody' },
    { email: null },
    { time_zone: 'Mars/Olympus' },
    { time_zone: 5 },
    { language: 'xx' },
    { email_notifications: 'yes' },
    { username: 'other' },
    { id: 5 },
  ])('rejects %j', async (body) => {
    const mira = await api.register('mira');
    expect((await change(mira, body)).status).toBe(400);
    expect((await api.call('GET', '/api/me/', { as: mira })).body).toEqual(mira.user);
  });
});

describe('changing the email address', () => {
  it('requires the current password', async () => {
    const mira = await api.register('mira');
    const email = 'new@example.org';
    expect(await change(mira, { email, time_zone: 'Asia/Tokyo' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { current_password: [expect.stringContaining('current password')] } },
    });
    expect(await change(mira, { email, current_password: 'not my password' })).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', fields: { current_password: ['Your current password is incorrect'] } },
    });
    expect((await api.call('GET', '/api/me/', { as: mira })).body).toEqual(mira.user);
    expect((await change(mira, { email, current_password: TEST_PASSWORD })).body.email).toBe(email);
  });
});

describe('changing the password', () => {
  it('replaces the old password and ends every other sign-in', async () => {
    await api.register('mira');
    const phone = (await signIn(TEST_PASSWORD)).body;
    const laptop = (await signIn(TEST_PASSWORD)).body;
    expect(await changePassword(laptop, TEST_PASSWORD, NEXT_PASSWORD)).toMatchObject({ status: 204 });
    expect((await refresh(phone)).status).toBe(401);
    expect((await refresh(laptop)).status).toBe(200);
    expect((await signIn(TEST_PASSWORD)).status).toBe(401);
    expect((await signIn(NEXT_PASSWORD)).status).toBe(200);
  });

  it('requires the current password', async () => {
    const mira = await api.register('mira');
    expect(await changePassword(mira, 'not my password', NEXT_PASSWORD)).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', fields: { current_password: ['Your current password is incorrect'] } },
    });
    expect((await signIn(TEST_PASSWORD)).status).toBe(200);
  });

  it.each(['short', 'password123', 'mira@example.org'])('is as strict as registration: %s', async (next) => {
    const mira = await api.register('mira');
    expect(await changePassword(mira, TEST_PASSWORD, next)).toMatchObject({
      status: 400,
      body: { code: 'password_too_weak', fields: { new_password: [expect.any(String)] } },
    });
  });
});

describe('payment details', () => {
  const none = { iban: null, link: null, text: null };

  it('are kept field by field, the IBAN in capitals without spaces', async () => {
    const mira = await api.register('mira');
    const save = async (details: object) => (await change(mira, { payment_details: details })).body.payment_details;
    expect(await save({ iban: 'de89 3704 0044 0532 0130 00' })).toEqual({ ...none, iban: 'DE89370400440532013000' });
    expect(await save({ link: 'https://pay.example/mira', text: ' Cash is fine ' })).toEqual({
      iban: 'DE89370400440532013000',
      link: 'https://pay.example/mira',
      text: 'Cash is fine',
    });
    expect(await save({ iban: null, link: null, text: null })).toEqual(none);
  });

  it.each([
    'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
    'DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00',
    'DE89\u20093704\u30000044\u20030532\t0130\n00',
    '\u200bDE89\u200b3704\ufeff0044\u00ad0532\u2060013000',
    'DE89-3704\u20100044\u20110532\u20130130\u221200',
    'DE89.3704.0044.0532.0130.00',
    'IBAN: DE89 3704 0044 0532 0130 00',
    '\uff24\uff25\uff18\uff19\u3000\uff13\uff17\uff10\uff14 0044 0532 0130 00',
    'DE\u0668\u0669 \u06f3\u06f7\u06f0\u06f4 0044 0532 0130 00',
    'D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0',
  ])('have an IBAN in each way that it is written and copied: %j', async (iban) => {
    const mira = await api.register('mira');
    const { body } = await change(mira, { payment_details: { iban } });
    expect(body.payment_details.iban).toBe('DE89370400440532013000');
  });

  it.each([
    ['https://paypal.me/mira', 'https://paypal.me/mira'],
    [' https://pay.example:8443/?to=mira#now\u00a0', 'https://pay.example:8443/?to=mira#now'],
    ['https://xn--bcher-kva.example/mira', 'https://xn--bcher-kva.example/mira'],
    ['https://paypal.me/jos\u00e9', 'https://paypal.me/jos%C3%A9'],
    // Cyrillic, with letters that look Latin.
    ['https://paypal.me/\u0430nna', 'https://paypal.me/%D0%B0nna'],
  ])('have a link that shows where it leads: %j', async (link, saved) => {
    const mira = await api.register('mira');
    expect((await change(mira, { payment_details: { link } })).body.payment_details.link).toBe(saved);
  });

  it.each([
    { iban: 'DE89370400440532013001' },
    { iban: 'DE98370400440532013000' },
    { iban: 'DE89' },
    { iban: 'not an IBAN' },
    { link: 'http://pay.example/mira' },
    { link: 'javascript:alert(1)' },
    { link: 'https://paypal.com@evil.example/' },
    { link: 'https:// pay.example' },
    { link: 'https://p\u0430ypal.me/mira' },
    { link: 'https://b\u00fccher.example/' },
    { link: 'https://paypal.me\uff0f.evil.example/' },
    { link: 'https://paypal.me\u3002evil.example/' },
    { link: 'https://paypal.me%2f.evil.example/' },
    { link: 'https://pay.example/\u202emira' },
    { link: 'https://pay.example/\u200bmira' },
    { link: 'https://pay.example/\u2066mira\u2069' },
    { link: 'https://pay.example/\ud800' },
    { link: `https://pay.example/${'\u00e9'.repeat(100)}` },
    { link: `https://pay.example/${'x'.repeat(500)}` },
    { text: 'x'.repeat(201) },
    { text: 'two\nlines' },
    { text: ' ' },
    { account: '1' },
  ])('are rejected when invalid: %j', async (details) => {
    const mira = await api.register('mira');
    expect(await change(mira, { payment_details: details })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body.payment_details).toEqual(none);
  });
});
