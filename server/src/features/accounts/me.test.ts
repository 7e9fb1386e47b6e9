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

  it.each([{}, { payment_details: {} }])('tells no one of %j, which changes nothing', async (body) => {
    const mira = await api.register('mira');
    const told = () => api.deps.db.selectFrom('outbox').select('id').execute();
    const before = await told();
    expect(await change(mira, body)).toMatchObject({ status: 200, body: mira.user });
    expect(await told()).toEqual(before);
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
  const save = async (by: SignedIn, details: object) => await change(by, { payment_details: details });
  const iban = { kind: 'iban', value: 'DE89370400440532013000', holder: 'Mira Lind', town: null };
  const note = { kind: 'note', value: 'Cash is fine', holder: null, town: null };
  const none = { iban: null, link: null, text: null };

  it('are kept as a list in its order, the IBAN in capitals without spaces', async () => {
    const mira = await api.register('mira');
    const typed = { kind: 'iban', value: 'de89 3704 0044 0532 0130 00', holder: ' Mira Lind ' };
    const saved = { iban: iban.value, link: null, text: note.value, methods: [note, iban] };
    expect((await save(mira, { methods: [typed] })).body.payment_details.methods).toEqual([iban]);
    expect((await save(mira, { methods: [note, iban] })).body.payment_details).toEqual(saved);
    expect((await change(mira, { usage_reminders: false })).body.payment_details).toEqual(saved);
    // As answered.
    expect((await save(mira, saved)).body.payment_details).toEqual(saved);
    expect((await save(mira, { methods: [] })).body.payment_details).toEqual({ ...none, methods: [] });
  });

  it('are kept field by field for clients that know no list', async () => {
    const mira = await api.register('mira');
    const other = { kind: 'paypal', value: 'mira', holder: null, town: null };
    await save(mira, { methods: [other] });
    expect((await save(mira, { iban: 'DE89\u00a03704 0044 0532 0130 00' })).body.payment_details.iban).toBe(iban.value);
    expect((await save(mira, { text: ' Cash is fine ' })).body.payment_details).toEqual({
      ...none,
      iban: iban.value,
      text: note.value,
      methods: [other, { ...iban, holder: null }, note],
    });
    expect((await save(mira, { iban: null, text: null })).body.payment_details).toEqual({ ...none, methods: [other] });
  });

  it('lose nothing when several change at the same time', async () => {
    const mira = await api.register('mira');
    const fields = [{ iban: iban.value }, { link: 'https://pay.example/' }, { text: note.value }];
    await Promise.all(fields.map((field) => save(mira, field)));
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body.payment_details).toMatchObject(
      Object.assign({}, ...fields),
    );
  });

  it('are rejected as a whole when one is invalid, or too many', async () => {
    const mira = await api.register('mira');
    const full = Array.from({ length: 6 }, () => iban);
    const methods = [iban, { kind: 'link', value: 'https://paypal.com@evil.example/' }];
    expect(await save(mira, { methods })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { 'payment_details.methods.1.value': [expect.any(String)] } },
    });
    expect(await save(mira, { text: 'Cash', iban: 'DE89' })).toMatchObject({
      status: 400,
      body: { fields: { 'payment_details.iban': ['Enter a valid IBAN'] } },
    });
    expect(await save(mira, { account: '1' })).toMatchObject({ status: 400 });
    expect(await save(mira, { methods: full.concat(iban) })).toMatchObject({ status: 400 });
    expect(await save(mira, { methods: full, text: 'Cash' })).toMatchObject({
      status: 400,
      body: { error: 'You can add up to 6 ways to get paid', fields: { payment_details: [expect.any(String)] } },
    });
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body.payment_details).toEqual({
      ...none,
      methods: [],
    });
  });
});
