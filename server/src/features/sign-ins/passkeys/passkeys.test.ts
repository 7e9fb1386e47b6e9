import type { Check, NewPasskeyOptions, Passkey, PasskeyProof, SignedIn } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { CHECK_MINUTES, PASSKEY_MINUTES, PASSKEYS_MAX } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createLog } from '../../../platform/log.ts';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../../testing/api.ts';
import { createPasskey, type Deviation, type TestPasskey } from '../../../testing/authenticator.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { sendDueMails } from '../../mail/service.ts';
import { createResetLink } from '../recovery/service.ts';
import { passkeySite } from './rules.ts';
import { deleteExpiredChallenges } from './service.ts';

let smtp: TestMailServer;
let api: TestApi;
let mira: SignedIn;
beforeAll(async () => {
  smtp = await openTestMailServer();
  api = await openTestApi({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'HourShare <hours@example.org>',
    APP_URL: 'http://localhost',
  });
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

const MINUTE = 60_000;
const FORGOTTEN_AFTER = CHECK_MINUTES * MINUTE;

const list = async (as = mira) =>
  (await api.call<{ passkeys: Passkey[] }>('GET', '/api/me/passkeys/', { as })).body.passkeys;
const startAdding = (as = mira) => api.call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as });
const finishAdding = (passkey: unknown, as = mira) =>
  api.call<Passkey>('POST', '/api/me/passkeys/', { as, body: { passkey } });
const remove = (id: number, as = mira) => api.call('DELETE', `/api/me/passkeys/${id}/`, { as });
const signIn = (passkey: PasskeyProof) => api.call<SignedIn>('POST', '/api/login/passkey/', { body: { passkey } });
const signInWith = async (passkey: TestPasskey, deviation?: Deviation) =>
  signIn(passkey.use(await api.passkeyOptions(), deviation));
const check = (passkey: PasskeyProof, as = mira) =>
  api.call<Check>('POST', '/api/me/check/passkey/', { as, body: { passkey } });
const checkWith = async (passkey: TestPasskey, as = mira) => check(passkey.use(await api.passkeyOptions(as)), as);
const removePassword = (as = mira) => api.call('DELETE', '/api/me/password/', { as });
const logIn = (password: string) => api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password } });

const refused = {
  status: 401,
  body: { error: "This passkey doesn't work here. Sign in another way.", code: 'passkey_refused' },
};
const invalid = { status: 400, body: { code: 'passkey_invalid' } };
const onlyWay = { status: 400, body: { code: 'only_way_to_sign_in' } };
const checkRequired = { status: 403, body: { code: 'check_required' } };
const essence = ({ status, body }: Answer) => ({ status, body });

describe('where passkeys work', () => {
  it.each([
    ['https://hours.example.org', '', 'hours.example.org'],
    ['https://hours.example.org:8443', 'http://evil.example', 'hours.example.org'],
    ['http://localhost:3000', '', 'localhost'],
    [undefined, 'http://localhost:3000', 'localhost'],
    [undefined, 'https://localhost', 'localhost'],
    ['http://hours.example.org', 'http://localhost:3000', undefined],
    ['https://192.0.2.1', '', undefined],
    ['https://[2001:db8::1]', '', undefined],
    ['http://127.0.0.1:3000', '', undefined],
    [undefined, 'http://127.0.0.1:3000', undefined],
    [undefined, 'https://evil.example', undefined],
    [undefined, 'https://localhost.evil.example', undefined],
    [undefined, '', undefined],
  ])('for the address %s, requested from %s: %s', (address, requestOrigin, id) => {
    expect(passkeySite(address, requestOrigin)?.id).toBe(id);
  });

  it('is public, and passkeys are not created or used anywhere else', async () => {
    const passkeyOrigin = async (host: string) =>
      (await api.call('GET', '/api/about/', { headers: { host } })).body as { passkey_origin: string | null };
    expect(await passkeyOrigin('evil.example')).toMatchObject({ passkey_origin: 'http://localhost' });
    const bare = await openTestApi();
    const { body } = await bare.call('GET', '/api/about/', { headers: { host: 'evil.example' } });
    expect(body).toMatchObject({ passkey_origin: null });
    for (const path of ['/api/login/passkey/options/', '/api/register/passkey/options/']) {
      const request = path.includes('register') ? { body: { username: 'kim', email: 'kim@example.org' } } : {};
      const answer = await bare.call('POST', path, { ...request, headers: { host: 'evil.example' } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'passkeys_unavailable' } });
    }
    await bare.close();
  });
});

describe('adding a passkey', () => {
  it('asks the browser for one that identifies its user and verifies them', async () => {
    const { body } = await startAdding();
    expect(body).toMatchObject({
      rp: { id: 'localhost', name: 'HourShare' },
      user: { name: 'mira', displayName: 'mira' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: [],
    });
    const { passkey, created } = createPasskey(body);
    expect(await finishAdding(created)).toMatchObject({ status: 201, body: { name: null, last_used_at: null } });
    const { body: next } = await startAdding();
    // A user has the same handle on every device, and no device creates a second passkey.
    expect(next.user.id).toBe(body.user.id);
    expect(next.excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });

  it('lists, renames, and removes it', async () => {
    const { added } = await api.addPasskey(mira, 'Key ring');
    expect(await list()).toEqual([
      { ...added, name: 'Key ring', browser: null, system: null, backed_up: true, last_used_at: null },
    ]);
    const path = `/api/me/passkeys/${added.id}/`;
    expect((await api.call('PATCH', path, { as: mira, body: { name: '  Phone ' } })).body).toMatchObject({
      name: 'Phone',
    });
    expect((await api.call('PATCH', path, { as: mira, body: { name: '\u202E' } })).status).toBe(400);
    expect((await api.call('PATCH', path, { as: mira, body: { name: null } })).body).toMatchObject({ name: null });
    expect((await remove(added.id)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await remove(added.id)).status).toBe(404);
  });

  it('needs a recent check', async () => {
    const { added, passkey } = await api.addPasskey(mira);
    const options = await startAdding();
    const { created } = createPasskey(options.body);
    api.clock.advance(FORGOTTEN_AFTER);
    for (const answer of [await startAdding(), await finishAdding(created), await remove(added.id)])
      expect(answer).toMatchObject(checkRequired);
    expect((await checkWith(passkey)).status).toBe(200);
    expect((await startAdding()).status).toBe(200);
  });

  const wrong: Record<string, Deviation> = {
    'for another site': { rpId: 'evil.example' },
    'on a page of another site': { origin: 'https://evil.example' },
    'on another port': { origin: 'http://localhost:3001' },
    'as a sign-in': { type: 'webauthn.get' },
    'without a check of who uses it': { unverified: true },
  };
  it.each(Object.keys(wrong))('refuses one created %s', async (name) => {
    const { created } = createPasskey((await startAdding()).body, wrong[name]);
    expect(await finishAdding(created)).toMatchObject(invalid);
    expect(await list()).toEqual([]);
  });

  it('accepts self-attestation', async () => {
    const { passkey, created } = createPasskey((await startAdding()).body, { selfSigned: true });
    expect((await finishAdding(created)).status).toBe(201);
    expect((await signInWith(passkey)).status).toBe(200);
  });

  it('refuses a challenge that was used, has expired, or is for another sign-in or purpose', async () => {
    const { body: options } = await startAdding();
    expect((await finishAdding(createPasskey(options).created)).status).toBe(201);
    expect(await finishAdding(createPasskey(options).created)).toMatchObject(invalid);

    const { body: elsewhere } = await startAdding((await logIn(TEST_PASSWORD)).body);
    expect(await finishAdding(createPasskey(elsewhere).created)).toMatchObject(invalid);

    const body = { username: 'kim', email: 'kim@example.org' };
    const registering = await api.call<NewPasskeyOptions>('POST', '/api/register/passkey/options/', { body });
    expect(await finishAdding(createPasskey(registering.body).created)).toMatchObject(invalid);
    const invented = { ...options, challenge: api.deps.tokens.seal('{"passkey":"add"}') };
    expect(await finishAdding(createPasskey(invented).created)).toMatchObject(invalid);

    const { body: late } = await startAdding();
    api.clock.advance(PASSKEY_MINUTES * MINUTE);
    expect(await finishAdding(createPasskey(late).created)).toMatchObject(invalid);
    expect(await list()).toHaveLength(1);
  });

  it('refuses one that an account already has, and one under another credential id', async () => {
    const { passkey } = await api.addPasskey(await api.register('ben'));
    const { created } = createPasskey((await startAdding()).body);
    expect(await finishAdding({ ...created, id: passkey.id, rawId: passkey.id })).toMatchObject(invalid);
    expect((await finishAdding(created)).status).toBe(201);
    const { body: options } = await startAdding();
    const again = createPasskey(options, { id: created.id });
    expect(await finishAdding(again.created)).toMatchObject(invalid);
    expect(await list()).toHaveLength(1);
  });

  it('stops at the maximum number of passkeys', async () => {
    for (let n = 1; n < PASSKEYS_MAX; n++) await api.addPasskey(mira);
    const two = [await startAdding(), await startAdding()].map(({ body }) => createPasskey(body).created);
    const answers = [await finishAdding(two[0]), await finishAdding(two[1]), await startAdding()];
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400]);
    for (const answer of answers.slice(1)) expect(answer.body).toMatchObject({ code: 'too_many_passkeys' });
    expect(await list()).toHaveLength(PASSKEYS_MAX);
  });

  it('notifies the user by email, also of a removal', async () => {
    await api.call('PATCH', '/api/me/', { as: mira, body: { language: 'de' } });
    const { added } = await api.addPasskey(mira);
    await remove(added.id);
    await sendDueMails(api.deps);
    expect(smtp.received.map(({ parsed, recipients }) => [parsed.subject, recipients])).toEqual([
      ['Deinem HourShare-Konto wurde ein Passkey hinzugefügt', ['mira@example.org']],
      ['Ein Passkey deines HourShare-Kontos wurde entfernt', ['mira@example.org']],
    ]);
  });
});

describe('signing in with a passkey', () => {
  it('needs no username, answers like any sign-in, and counts as a check', async () => {
    const { passkey } = await api.addPasskey(mira);
    api.clock.advance(MINUTE);
    const options = await api.passkeyOptions();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    const answer = await signIn(passkey.use(options));
    expect(answer).toMatchObject({ status: 200, body: { user: mira.user } });
    expect(answer.headers['set-cookie']).toContain('hourshare_device=');
    expect((await api.call<User>('GET', '/api/me/', { token: answer.body.access })).body).toEqual(mira.user);
    expect(await list()).toMatchObject([{ last_used_at: api.clock.now.toISOString() }]);
    expect((await startAdding(answer.body)).status).toBe(200);
  });

  const wrong: Record<string, Deviation> = {
    'for another site': { rpId: 'evil.example' },
    'on a page of another site': { origin: 'https://evil.example' },
    'as a new one': { type: 'webauthn.create' },
    'without a check of who uses it': { unverified: true },
    'for another user': { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
  };
  it('refuses every invalid proof with the same answer as an unknown passkey', async () => {
    const { passkey, added } = await api.addPasskey(mira);
    const options = await api.passkeyOptions();
    const stranger = createPasskey((await startAdding()).body).passkey;
    const unknown = await signIn(stranger.use(options));
    expect(unknown).toMatchObject(refused);
    const right = passkey.use(options);
    const answers = [
      ...Object.values(wrong).map((deviation) => passkey.use(options, deviation)),
      passkey.use(await api.passkeyOptions(mira)),
      passkey.use({ ...options, challenge: options.challenge.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }),
      passkey.use({ ...options, challenge: api.deps.tokens.seal('{}') }),
      passkey.use({ ...options, challenge: api.deps.tokens.seal('not JSON') }),
      passkey.use({ ...options, challenge: 'AAAA' }),
      { ...right, response: { ...right.response, signature: stranger.use(options).response.signature } },
      { ...right, response: { ...right.response, userHandle: null } },
      { ...right, rawId: stranger.id },
    ];
    for (const proof of answers) expect(essence(await signIn(proof))).toEqual(essence(unknown));
    expect((await signIn(right)).status).toBe(200);
    await remove(added.id);
    expect(essence(await signInWith(passkey))).toEqual(essence(unknown));
  });

  it('accepts each challenge once, until it expires', async () => {
    const { passkey } = await api.addPasskey(mira);
    const proof = passkey.use(await api.passkeyOptions());
    const late = passkey.use(await api.passkeyOptions());
    expect((await signIn(proof)).status).toBe(200);
    expect(await signIn(proof)).toMatchObject(refused);
    api.clock.advance(PASSKEY_MINUTES * MINUTE);
    await deleteExpiredChallenges(api.deps);
    expect(await api.deps.db.selectFrom('used_challenges').selectAll().execute()).toEqual([]);
    for (const each of [proof, late]) expect(await signIn(each)).toMatchObject(refused);
  });

  it('stores nothing when options are requested', async () => {
    for (let n = 0; n < 5; n++) await api.passkeyOptions();
    await api.call('POST', '/api/register/passkey/options/', { body: { username: 'kim', email: 'kim@example.org' } });
    expect(await api.deps.db.selectFrom('used_challenges').selectAll().execute()).toEqual([]);
  });

  it('refuses a copy whose counter is not higher, unless either counter is 0', async () => {
    const { passkey } = await api.addPasskey(mira);
    const used: [counter: number, status: number][] = [
      [0, 200],
      [7, 200],
      [7, 401],
      [6, 401],
      [8, 200],
      [0, 200],
      [1, 200],
      [1, 401],
    ];
    for (const [counter, status] of used)
      expect([counter, (await signInWith(passkey, { counter })).status]).toEqual([counter, status]);
  });

  it('reveals that an account is disabled only to someone with its passkey', async () => {
    const { passkey } = await api.addPasskey(mira);
    await disableAccount(api.deps, mira.user.id);
    const { body: options } = await api.call<NewPasskeyOptions>('POST', '/api/register/passkey/options/', {
      body: { username: 'kim', email: 'kim@example.org' },
    });
    expect(await signInWith(createPasskey(options).passkey)).toMatchObject(refused);
    expect(await signInWith(passkey)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    expect(await signInWith(passkey, { unverified: true })).toMatchObject(refused);
  });

  it('limits failures and challenges by network', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const { passkey } = await limited.addPasskey(await limited.register('mira'));
    const options = await limited.passkeyOptions();
    const guess = (remoteAddress: string) =>
      limited.call('POST', '/api/login/passkey/', {
        body: { passkey: passkey.use(options, { unverified: true }) },
        remoteAddress,
      });
    for (let n = 0; n < 100; n++) expect((await guess('192.0.2.1')).status).toBe(401);
    expect((await guess('192.0.2.1')).status).toBe(429);
    expect((await guess('192.0.2.2')).status).toBe(401);
    const ask = () => limited.call('POST', '/api/login/passkey/options/', { remoteAddress: '192.0.2.1' });
    for (let n = 0; n < 600; n++) expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    await limited.close();
  });
});

describe('a check with a passkey', () => {
  it('accepts any passkey of the caller, and no one else’s', async () => {
    const { passkey } = await api.addPasskey(mira);
    const theirs = await api.addPasskey(await api.register('ben'));
    const options = await api.passkeyOptions(mira);
    expect(options.allowCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
    expect(await check(theirs.passkey.use(options))).toMatchObject(invalid);
    expect(await check(passkey.use(await api.passkeyOptions()))).toMatchObject(invalid);
    expect(await check(passkey.use(options))).toMatchObject({
      status: 200,
      body: { methods: ['password', 'passkey'], expires_at: expect.any(String) as string },
    });
    expect(await check(passkey.use(options))).toMatchObject(invalid);
  });

  it('is not offered without a passkey', async () => {
    expect(await api.call('POST', '/api/me/check/passkey/options/', { as: mira })).toMatchObject(invalid);
    expect((await api.call<Check>('GET', '/api/me/check/', { as: mira })).body.methods).toEqual(['password']);
  });

  it('replaces the password in changes of the account, until it expires', async () => {
    const { passkey } = await api.addPasskey(mira);
    const change = () => api.call('PATCH', '/api/me/', { as: mira, body: { email: 'new@example.org' } });
    const setPassword = () =>
      api.call('POST', '/api/me/password/', { as: mira, body: { new_password: 'a walnut on the stairs' } });
    const leave = () => api.call('DELETE', '/api/me/', { as: mira, body: { keep_name: false } });
    for (const answer of [await change(), await setPassword(), await leave()])
      expect(answer).toMatchObject({ status: 400, body: { fields: { current_password: expect.any(Array) as [] } } });
    await checkWith(passkey);
    expect(await change()).toMatchObject({ status: 200, body: { email_change: { email: 'new@example.org' } } });
    expect((await setPassword()).status).toBe(204);
    api.clock.advance(FORGOTTEN_AFTER);
    expect((await leave()).status).toBe(400);
    await checkWith(passkey);
    expect((await leave()).status).toBe(204);
    expect(await signInWith(passkey)).toMatchObject(refused);
  });
});

describe('removing a passkey', () => {
  it('ends the sign-ins that were made with it, but not the current one', async () => {
    const { added, passkey } = await api.addPasskey(mira);
    const other = await api.addPasskey(mira);
    const [one, two, kept] = [await signInWith(passkey), await signInWith(passkey), await signInWith(other.passkey)];
    expect((await remove(added.id, one.body)).status).toBe(204);
    const statusOf = async (as: SignedIn) => (await api.call('GET', '/api/me/', { as })).status;
    expect(await Promise.all([one.body, two.body, kept.body, mira].map(statusOf))).toEqual([200, 401, 200, 200]);
  });

  it('refuses the last one of an account without a password', async () => {
    const { added, passkey } = await api.addPasskey(mira);
    const second = await api.addPasskey(mira);
    await checkWith(passkey);
    expect((await removePassword()).status).toBe(204);
    expect((await remove(second.added.id)).status).toBe(204);
    expect(await remove(added.id)).toMatchObject(onlyWay);
    expect((await signInWith(passkey)).status).toBe(200);
  });
});

describe('an account without a password', () => {
  async function registerWith(names: { username: string; email: string }) {
    const { body: options } = await api.call<NewPasskeyOptions>('POST', '/api/register/passkey/options/', {
      body: names,
    });
    const { passkey, created } = createPasskey(options);
    const answer = await api.call<SignedIn>('POST', '/api/register/', { body: { ...names, passkey: created } });
    return { passkey, created, answer };
  }
  const kim = { username: 'kim', email: 'kim@example.org' };

  it('is created with a passkey', async () => {
    const { passkey, answer } = await registerWith(kim);
    expect(answer).toMatchObject({ status: 201, body: { user: { username: 'kim' } } });
    expect(await list(answer.body)).toMatchObject([{ name: null }]);
    expect((await signInWith(passkey)).status).toBe(200);
    for (const password of ['', 'null', 'undefined', TEST_PASSWORD])
      expect((await api.call('POST', '/api/login/', { body: { username: 'kim', password } })).status).not.toBe(200);
    expect((await api.call<Check>('GET', '/api/me/check/', { as: answer.body })).body.methods).toEqual(['passkey']);
    expect((await startAdding(answer.body)).status).toBe(200);
  });

  it('has a passkey or a password from the start', async () => {
    const { body: options } = await api.call<NewPasskeyOptions>('POST', '/api/register/passkey/options/', {
      body: kim,
    });
    const { created: passkey } = createPasskey(options);
    const register = (proof: object) => api.call('POST', '/api/register/', { body: { ...kim, ...proof } });
    expect(await register({})).toMatchObject({ status: 400, body: { fields: { password: ['Password is required'] } } });
    expect((await register({ passkey, password: TEST_PASSWORD })).status).toBe(400);
    expect(await register({ passkey: createPasskey({ ...options, challenge: 'AAAA' }).created })).toMatchObject(
      invalid,
    );
    expect(await api.call('POST', '/api/login/', { body: { username: 'kim', password: TEST_PASSWORD } })).toMatchObject(
      {
        status: 401,
      },
    );
    expect((await register({ passkey })).status).toBe(201);
    const again = { username: 'kay', email: 'kay@example.org', passkey };
    expect(await api.call('POST', '/api/register/', { body: again })).toMatchObject(invalid);
  });

  it('is refused for a taken name or address before a passkey is created, if anyone may register', async () => {
    const begin = (server: TestApi, body: object) => server.call('POST', '/api/register/passkey/options/', { body });
    expect(await begin(api, { ...kim, username: 'MIRA' })).toMatchObject({ body: { code: 'username_taken' } });
    expect(await begin(api, { ...kim, email: 'mira@example.org' })).toMatchObject({ body: { code: 'email_taken' } });
    const invited = await openTestApi({ REGISTRATION: 'invited' });
    await invited.deps.db
      .insertInto('users')
      .values({ ...kim, time_zone: 'UTC', created_at: invited.clock.now })
      .execute();
    // Names are only checked for people with an invitation.
    expect((await begin(invited, kim)).status).toBe(200);
    await invited.close();
    const closed = await openTestApi({ REGISTRATION: 'closed' });
    expect(await begin(closed, kim)).toMatchObject({ status: 403, body: { code: 'registration_closed' } });
    await closed.close();
  });

  it('gets a password with a link, which ends its sign-ins and keeps its passkeys', async () => {
    const { passkey, answer } = await registerWith(kim);
    const token = (await createResetLink(api.deps, answer.body.user.id))?.replace(/^.*#/, '');
    const body = { token, password: 'a walnut on the stairs' };
    expect((await api.call('POST', '/api/password-reset/confirm/', { body })).status).toBe(204);
    expect((await api.call('GET', '/api/me/', { as: answer.body })).status).toBe(401);
    const login = { username: 'kim', password: body.password };
    expect((await api.call('POST', '/api/login/', { body: login })).status).toBe(200);
    expect((await signInWith(passkey)).status).toBe(200);
  });

  it('can set a password, change its address, and be deleted after a check', async () => {
    const { passkey, answer } = await registerWith(kim);
    const as = answer.body;
    api.clock.advance(FORGOTTEN_AFTER);
    const calls: [string, string, object, number][] = [
      ['PATCH', '/api/me/', { email: 'new@example.org' }, 200],
      ['POST', '/api/me/password/', { new_password: 'a walnut on the stairs' }, 204],
    ];
    for (const [method, path, body] of calls)
      expect(await api.call(method, path, { as, body })).toMatchObject(checkRequired);
    await checkWith(passkey, as);
    for (const [method, path, body, status] of calls)
      expect((await api.call(method, path, { as, body })).status).toBe(status);
  });

  it('results from removing the password right after using a passkey', async () => {
    expect(await removePassword()).toMatchObject(checkRequired);
    const { passkey } = await api.addPasskey(mira);
    // A password that was just typed isn't enough, because someone else may have typed it.
    expect(await removePassword()).toMatchObject(checkRequired);
    const other = (await logIn(TEST_PASSWORD)).body;
    await checkWith(passkey);
    expect((await removePassword()).status).toBe(204);
    expect((await removePassword()).status).toBe(204);
    expect((await logIn(TEST_PASSWORD)).status).toBe(401);
    expect((await api.call('GET', '/api/me/', { as: other })).status).toBe(401);
    expect((await api.call('GET', '/api/me/', { as: mira })).status).toBe(200);
  });

  it('is not possible without a passkey', async () => {
    const { passkey, added } = await api.addPasskey(mira);
    await checkWith(passkey);
    await remove(added.id);
    expect(await removePassword()).toMatchObject(onlyWay);
    expect((await logIn(TEST_PASSWORD)).status).toBe(200);
  });
});

describe('the records of passkeys', () => {
  it('are in the export by name and dates, without keys', async () => {
    const { passkey } = await api.addPasskey(mira, 'Key ring');
    const { text, body } = await api.call<{ passkeys: object[] }>('GET', '/api/me/export/', { as: mira });
    expect(body.passkeys).toEqual([
      { name: 'Key ring', device: 'lightMyRequest', created_at: api.clock.now.toISOString(), last_used_at: null },
    ]);
    for (const secret of [passkey.id, passkey.publicKey, passkey.userHandle]) expect(text).not.toContain(secret);
  });

  it('are lines in the security log, without what was sent', async () => {
    let written = '';
    const log = createLog('info', { write: (line) => (written += line) });
    const app = await buildApp({ ...api.deps, log });
    const token = `Bearer ${mira.access}`;
    const post = async (url: string, payload: object = {}) =>
      (await app.inject({ method: 'POST', url, payload, headers: { authorization: token } })).json<never>();
    const { passkey, created } = createPasskey(await post('/api/me/passkeys/options/'));
    const added = await post('/api/me/passkeys/', { passkey: created });
    const options = await api.passkeyOptions();
    await post('/api/login/passkey/', { passkey: passkey.use(options) });
    await post('/api/login/passkey/', { passkey: passkey.use(options) });
    await post('/api/me/check/passkey/', { passkey: passkey.use(options) });
    await post('/api/me/check/passkey/', { passkey: passkey.use(await api.passkeyOptions(mira)) });
    const url = `/api/me/passkeys/${(added as Passkey).id}/`;
    await app.inject({ method: 'DELETE', url, payload: {}, headers: { authorization: token } });
    await app.close();
    const events = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; user_id: number; count?: number });
    expect(events.map(({ event, user_id: id }) => [event, id])).toEqual(
      [
        'passkey_added',
        'signed_in',
        'passkey_refused',
        'passkey_refused',
        'passkey_used',
        'passkey_removed',
        'sign_ins_ended',
      ].map((event) => [event, mira.user.id]),
    );
    for (const secret of [passkey.id, options.challenge]) expect(written).not.toContain(secret);
  });
});
