import type { Check, Identity, ProviderAnswer, SignedIn } from '@hourshare/contract/sign-ins';
import { PROVIDER_MINUTES } from '@hourshare/contract/limits';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from '../../../platform/one-time-codes.ts';
import { createOpenIdProvider } from '../../../platform/sign-in-providers.ts';
import { switchTwoStepOn } from '../../../testing/two-step.ts';
import { openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from '../../../testing/api.ts';
import { openTestOpenIdProvider, signInThere, type TestOpenIdProvider } from '../../../testing/openid-provider.ts';
import { GOOGLE, quietProvider } from '../../../testing/providers.ts';
import { connectProvider, deleteExpiredFlows } from './service.ts';

const APP = 'http://127.0.0.1:3000';
const MINUTE = 60_000;
const byNumber = (a: number, b: number) => a - b;

let there: TestOpenIdProvider;
let api: TestApi;
let mira: SignedIn;
let lines: string[];

const providersAt = ({ issuer, clientId: id, clientSecret: secret }: TestOpenIdProvider) => ({
  oidc: createOpenIdProvider({
    label: 'Home',
    issuer,
    client: { id, secret },
    canRequireLogin: true,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  }),
  google: quietProvider('Google', GOOGLE),
});

beforeAll(async () => {
  there = await openTestOpenIdProvider([`${APP}/sign-in/oidc`]);
  api = await openTestApi({ APP_URL: APP }, { providers: providersAt(there) });
});
beforeEach(async () => {
  await api.reset();
  there.emails.clear();
  there.answer = undefined;
  lines = [];
  mira = await api.register('mira');
});
afterAll(async () => {
  await api.close();
  await there.close();
});

type Purpose = 'sign-in' | 'link' | 'check';

/** A browser that keeps the cookies of this server and of the provider. */
function openBrowser(to = api) {
  let cookie = '';
  const jar = new Map<string, string>();
  const call = async <T>(method: string, path: string, options: CallOptions = {}) => {
    const answer = await to.call<T>(method, path, { ...options, ...(cookie === '' ? {} : { headers: { cookie } }) });
    const set = [answer.headers['set-cookie'] ?? []].flat().map(String);
    cookie = set.find((line) => line.startsWith('hourshare_browser='))?.replace(/;.*/, '') ?? cookie;
    return answer;
  };
  const start = async (purpose: Purpose = 'sign-in') =>
    (await call<{ address: string }>('POST', '/api/providers/start/', { body: { provider: 'oidc', purpose } })).body
      .address;
  const finish = (answer: string, provider = 'oidc') =>
    call<ProviderAnswer>('POST', '/api/providers/finish/', {
      body: { provider, answer: Buffer.from(answer).toString('base64url') },
    });
  /** Signs in at the provider under a name, or declines to. */
  const go = async (name: string | null, purpose: Purpose = 'sign-in') =>
    finish(await signInThere(await start(purpose), name, jar));
  const register = (ticket: string | null, body: object) =>
    call<SignedIn>('POST', '/api/providers/register/', { body: { ticket, ...body } });
  const connect = (as: SignedIn, ticket: string | null) =>
    call<Identity>('POST', '/api/me/identities/', { as, body: { ticket } });
  return { call, start, finish, go, register, connect, jar };
}

const vouchFor = (name: string, email = `${name}@example.org`, isVerified = true) =>
  there.emails.set(name, { email, email_verified: isVerified });

/** Signs up someone who has no password. */
async function signUp(name: string, browser = openBrowser()): Promise<SignedIn> {
  vouchFor(name);
  const { body } = await browser.go(name);
  return (await browser.register(body.ticket, { username: name })).body;
}

/** Gives a user a passkey that doesn't work anywhere. */
async function plantPasskey(userId: number): Promise<number> {
  const passkey = {
    user_id: userId,
    credential_id: `${userId}`,
    user_handle: `${userId}`,
    public_key: 'key',
    counter: 0,
    transports: [],
    backed_up: false,
    device: '',
    created_at: api.clock.now,
  };
  const row = await api.deps.db.insertInto('passkeys').values(passkey).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

const flows = () => api.deps.db.selectFrom('provider_flows').selectAll().execute();
const expired = { status: 400, body: { code: 'provider_expired' } };

describe('someone new', () => {
  it('creates an account without a password, and signs in with the provider from then on', async () => {
    vouchFor('ida');
    const browser = openBrowser();
    const { status, body } = await browser.go('ida');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        signed_in: null,
        ticket: expect.stringMatching(/^[\w-]{44}$/),
        email: 'ida@example.org',
        username: null,
        code_required: false,
      },
    });
    const created = await browser.register(body.ticket, {
      username: 'ida',
      time_zone: 'Europe/Berlin',
      language: 'de',
    });
    expect(created).toMatchObject({
      status: 201,
      body: { user: { username: 'ida', email: 'ida@example.org', time_zone: 'Europe/Berlin', language: 'de' } },
    });
    expect(await api.call('GET', '/api/me/', { as: created.body })).toMatchObject({ status: 200 });
    const { body: again } = await openBrowser().go('ida');
    expect(again).toMatchObject({ signed_in: { user: { id: created.body.user.id } }, ticket: null });
    expect(await flows()).toEqual([]);
    expect(await api.call('POST', '/api/login/', { body: { username: 'ida', password: TEST_PASSWORD } })).toMatchObject(
      {
        status: 401,
      },
    );
  });

  it('can correct the username, or enter an address that the provider does not vouch for, with the same ticket', async () => {
    vouchFor('ida', 'ida@example.org', false);
    const browser = openBrowser();
    const { body } = await browser.go('ida');
    expect(body).toMatchObject({ email: null, username: null });
    const needsEmail = { status: 400, body: { fields: { email: ['Email address is required'] } } };
    expect(await browser.register(body.ticket, { username: 'ida' })).toMatchObject(needsEmail);
    const taken = await browser.register(body.ticket, { username: 'MIRA', email: 'ida@example.org' });
    expect(taken).toMatchObject({ status: 400, body: { code: 'username_taken' } });
    expect(await browser.register(body.ticket, { username: 'ida', email: 'ida@example.org' })).toMatchObject({
      status: 201,
    });
    expect(await browser.register(body.ticket, { username: 'ida2', email: 'ida2@example.org' })).toMatchObject(expired);
  });

  it('accepts an invitation at the same time, which a server may require', async () => {
    const asset = await api.addAsset(mira);
    const { token } = await api.invite(mira, asset);
    api.deps.config.REGISTRATION = 'invited';
    try {
      vouchFor('ida');
      const browser = openBrowser();
      const { body } = await browser.go('ida');
      const refused = { status: 403, body: { code: 'invitation_required' } };
      expect(await browser.register(body.ticket, { username: 'ida' })).toMatchObject(refused);
      const created = await browser.register(body.ticket, { username: 'ida', invitation: token });
      expect(created.status).toBe(201);
      const shared = await api.call<{ results: unknown[] }>('GET', '/api/shared-assets/', { as: created.body });
      expect(shared.body.results).toHaveLength(1);
      api.deps.config.REGISTRATION = 'closed';
      vouchFor('kim');
      const late = openBrowser();
      const { ticket } = (await late.go('kim')).body;
      const closed = { status: 403, body: { code: 'registration_closed' } };
      expect(await late.register(ticket, { username: 'kim' })).toMatchObject(closed);
      expect((await openBrowser().go('ida')).body.signed_in?.user.username).toBe('ida');
    } finally {
      api.deps.config.REGISTRATION = undefined;
    }
  });

  it('gets only one account from concurrent requests', async () => {
    vouchFor('ida');
    const browser = openBrowser();
    const { body } = await browser.go('ida');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        browser.register(body.ticket, { username: `ida${n}`, email: `ida${n}@example.org` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([201, ...Array<number>(7).fill(400)]);
    expect(await api.deps.db.selectFrom('identities').select('id').execute()).toHaveLength(1);
    expect(await api.deps.db.selectFrom('users').select('id').execute()).toHaveLength(2);
  });
});

describe('an account with the same address', () => {
  it('is neither signed in to nor connected until its password has been entered', async () => {
    vouchFor('someone', 'MIRA@example.org');
    const browser = openBrowser();
    const { body } = await browser.go('someone');
    expect(body).toMatchObject({ signed_in: null, email: 'MIRA@example.org', username: 'mira' });
    const taken = await browser.register(body.ticket, { username: 'mira2' });
    expect(taken).toMatchObject({ status: 400, body: { code: 'email_taken' } });
    expect(await api.deps.db.selectFrom('identities').select('id').execute()).toEqual([]);

    const login = { body: { username: 'mira', password: TEST_PASSWORD } };
    const { body: signedIn } = await browser.call<SignedIn>('POST', '/api/login/', login);
    expect(await browser.connect(signedIn, body.ticket)).toMatchObject({
      status: 201,
      body: { provider: 'oidc', label: 'Home', name: 'MIRA@example.org', available: true },
    });
    expect((await openBrowser().go('someone')).body.signed_in?.user.username).toBe('mira');
  });

  it('is not revealed if the provider does not vouch for the address', async () => {
    vouchFor('someone', 'mira@example.org', false);
    expect((await openBrowser().go('someone')).body).toMatchObject({ email: null, username: null });
  });

  it('keeps its identity when the address there changes or someone else gets it', async () => {
    const ida = await signUp('ida');
    vouchFor('ida', 'new@example.org');
    expect((await openBrowser().go('ida')).body.signed_in?.user.id).toBe(ida.user.id);
    vouchFor('other', 'ida@example.org');
    expect((await openBrowser().go('other')).body).toMatchObject({ signed_in: null, username: 'ida' });
  });
});

describe('an account that asks for a code', () => {
  it('is signed in to with the ticket and a code, which can be tried again', async () => {
    const browser = openBrowser();
    const ida = await signUp('ida', browser);
    const { codes } = await switchTwoStepOn(api, ida);
    const { status, body } = await browser.go('ida');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { signed_in: null, code_required: true, email: null },
    });
    const signIn = (code: string, from = browser) =>
      from.call<SignedIn>('POST', '/api/providers/sign-in/', { body: { ticket: body.ticket, code } });
    expect(await signIn(codes[0]!, openBrowser())).toMatchObject(expired);
    expect(await signIn('000000')).toMatchObject({ status: 401, body: { code: 'second_step_wrong' } });
    const signedIn = await signIn(codes[0]!);
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: ida.user.id } } });
    expect((await api.call('GET', '/api/me/', { as: signedIn.body })).status).toBe(200);
    expect(await signIn(codes[1]!)).toMatchObject(expired);
  });

  it('is not signed in to with the ticket of someone unknown', async () => {
    vouchFor('kim');
    const browser = openBrowser();
    const { body } = await browser.go('kim');
    const request = { body: { ticket: body.ticket, code: '123456' } };
    expect(await browser.call('POST', '/api/providers/sign-in/', request)).toMatchObject(expired);
  });
});

describe('an answer of the provider', () => {
  it('works once, in the browser that started the sign-in', async () => {
    await signUp('ida');
    const [mine, other] = [openBrowser(), openBrowser()];
    await other.start();
    const answer = await signInThere(await mine.start(), 'ida');
    expect(await openBrowser().finish(answer)).toMatchObject(expired);
    // Planted by someone who signed in there, so that others use their account.
    expect(await other.finish(answer)).toMatchObject(expired);
    expect((await mine.finish(answer)).body.signed_in?.user.username).toBe('ida');
    expect(await mine.finish(answer)).toMatchObject(expired);
  });

  it('signs in only once from concurrent requests', async () => {
    await signUp('ida');
    const browser = openBrowser();
    const answer = await signInThere(await browser.start(), 'ida');
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => browser.finish(answer)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted(byNumber)).toEqual([200, ...Array<number>(7).fill(400)]);
  });

  it.each([
    ['no state', (answer: string) => answer.replace(/state=[^&]+/, '')],
    ['another state', (answer: string) => answer.replace(/state=[^&]+/, 'state=x')],
    ['two states', (answer: string) => `state=x&${answer}`],
  ])('with %s is refused', async (_, change) => {
    const browser = openBrowser();
    expect(await browser.finish(change(await signInThere(await browser.start(), 'ida')))).toMatchObject(expired);
  });

  it.each([
    ['a made-up code', (answer: string) => answer.replace(/code=[^&]+/, 'code=x')],
    ['no code', (answer: string) => answer.replace(/code=[^&]+&?/, '')],
    ['two codes', (answer: string) => `${answer}&code=x`],
    ['another issuer', (answer: string) => answer.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['no issuer', (answer: string) => answer.replace(/&?iss=[^&]+/, '')],
    ['an ID token of its own', (answer: string) => `${answer}&id_token=x`],
  ])('with %s is refused', async (_, change) => {
    const browser = openBrowser();
    const answer = change(await signInThere(await browser.start(), 'ida'));
    expect(await browser.finish(answer)).toMatchObject({ status: 400, body: { code: 'provider_failed' } });
    expect(lines.join()).toContain('signing in with a provider failed');
  });

  it('needs the code verifier and the nonce of its own flow', async () => {
    const browser = openBrowser();
    const [first, second] = [await browser.start(), await browser.start()];
    const [one, two] = [await signInThere(first, 'ida'), await signInThere(second, 'ida')];
    const codeOf = (answer: string) => /code=[^&]+/.exec(answer)?.[0] ?? '';
    const mixed = await browser.finish(one.replace(codeOf(one), codeOf(two)));
    expect(mixed).toMatchObject({ status: 400, body: { code: 'provider_failed' } });

    const address = new URL(await browser.start());
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${APP}/sign-in/oidc`,
      state: expect.stringMatching(/^[\w-]{44}$/) as string,
    });
    address.searchParams.set('nonce', 'x');
    const swapped = await browser.finish(await signInThere(address.href, 'ida'));
    expect(swapped).toMatchObject({ status: 400, body: { code: 'provider_failed' } });
  });

  it('is only valid for the provider that was asked', async () => {
    const browser = openBrowser();
    const answer = await signInThere(await browser.start(), 'ida');
    expect(await browser.finish(answer, 'google')).toMatchObject(expired);
  });

  it('expires after some minutes, and is then deleted', async () => {
    const browser = openBrowser();
    const answer = await signInThere(await browser.start(), 'ida');
    api.clock.advance(PROVIDER_MINUTES * MINUTE);
    expect(await browser.finish(answer)).toMatchObject(expired);
    await browser.start();
    expect(await flows()).toHaveLength(2);
    await deleteExpiredFlows(api.deps);
    expect(await flows()).toHaveLength(1);
  });

  it('reports that the person declined', async () => {
    const denied = { status: 400, body: { code: 'provider_denied', error: 'Sign-in was canceled.' } };
    expect(await openBrowser().go(null)).toMatchObject(denied);
    expect(lines).toEqual([]);
  });

  it('leaves nothing readable in the database or the log', async () => {
    vouchFor('ida');
    const browser = openBrowser();
    const address = new URL(await browser.start());
    const [state, nonce] = ['state', 'nonce'].map((name) => address.searchParams.get(name) ?? '');
    const before = JSON.stringify(await flows());
    const answer = await signInThere(address.href, 'ida');
    const { body } = await browser.finish(answer);
    const after = JSON.stringify(await flows());
    for (const secret of [state, nonce, body.ticket, 'ida', new URLSearchParams(answer).get('code')]) {
      expect(secret).toBeTruthy();
      expect(before).not.toContain(secret);
      expect(after).not.toContain(secret);
    }
    expect(after).not.toBe('[]');
    await browser
      .start()
      .then((again) => signInThere(again, 'ida'))
      .then((late) => browser.finish(`${late}&code=canary`));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toMatch(/canary|only-the-two/);
  });
});

describe('a ticket', () => {
  it('works in its browser, for its purpose, once', async () => {
    const browser = openBrowser();
    const { body } = await browser.go('ida', 'link');
    expect(await openBrowser().connect(mira, body.ticket)).toMatchObject(expired);
    const ida = { username: 'ida', email: 'ida@example.org' };
    expect(await browser.register(body.ticket, ida)).toMatchObject(expired);
    expect(await browser.connect(mira, body.ticket)).toMatchObject({ status: 201 });
    expect(await browser.connect(mira, body.ticket)).toMatchObject(expired);

    const { body: check } = await browser.go('ida', 'check');
    expect(await browser.connect(mira, check.ticket)).toMatchObject(expired);
  });

  it('to connect does not sign in, regardless of the identity', async () => {
    await signUp('ida');
    const browser = openBrowser();
    const { body } = await browser.go('ida', 'link');
    expect(body.signed_in).toBeNull();
    expect(await browser.connect(mira, body.ticket)).toMatchObject({ status: 409, body: { code: 'identity_taken' } });
  });

  it('to connect an identity that the account already has changes nothing', async () => {
    const browser = openBrowser();
    const connected = await browser.connect(mira, (await browser.go('ida', 'link')).body.ticket);
    const again = await browser.connect(mira, (await browser.go('ida', 'link')).body.ticket);
    expect(again).toMatchObject({ status: 201, body: { id: connected.body.id } });
  });

  it('to connect needs a recent check, and remains valid without one', async () => {
    api.clock.advance(30 * MINUTE);
    const browser = openBrowser();
    const { body } = await browser.go('ida', 'link');
    expect(await browser.connect(mira, body.ticket)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    const password = { as: mira, body: { current_password: TEST_PASSWORD } };
    expect(await api.call('POST', '/api/me/check/', password)).toMatchObject({ status: 200 });
    expect(await browser.connect(mira, body.ticket)).toMatchObject({ status: 201 });
  });

  it('connects an identity to only one account, and an account to only one identity per provider', async () => {
    const ben = await api.register('ben');
    const browsers = [openBrowser(), openBrowser()] as const;
    const tickets = await Promise.all(browsers.map(async (browser) => (await browser.go('ida', 'link')).body.ticket));
    const answers = await Promise.all([
      browsers[0].connect(mira, tickets[0] ?? null),
      browsers[1].connect(ben, tickets[1] ?? null),
    ]);
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([201, 409]);
    const owner = answers[0].status === 201 ? mira : ben;
    const later = openBrowser();
    const { body } = await later.go('second', 'link');
    expect(await later.connect(owner, body.ticket)).toMatchObject({
      status: 400,
      body: { code: 'provider_replaced' },
    });
  });
});

describe('disconnecting', () => {
  const list = async (as: SignedIn) =>
    (await api.call<{ identities: Identity[] }>('GET', '/api/me/identities/', { as })).body.identities;
  const disconnect = (as: SignedIn, id: number | undefined) => api.call('DELETE', `/api/me/identities/${id}/`, { as });

  it('is refused for the last way to sign in, and allowed with a password', async () => {
    const ida = await signUp('ida');
    const [only] = await list(ida);
    expect(only).toMatchObject({ provider: 'oidc', label: 'Home', name: 'ida@example.org', available: true });
    expect(await disconnect(ida, only?.id)).toMatchObject({ status: 400, body: { code: 'only_way_to_sign_in' } });
    // Setting a password takes no current one, but a recent sign-in.
    const change = { as: ida, body: { new_password: 'a walnut on the stairs' } };
    expect(await api.call('POST', '/api/me/password/', change)).toMatchObject({ status: 204 });
    expect(await disconnect(ida, only?.id)).toMatchObject({ status: 204 });
    expect(await list(ida)).toEqual([]);
    expect((await openBrowser().go('ida')).body).toMatchObject({ signed_in: null, username: 'ida' });
  });

  it('is allowed with a passkey, which is then the last way to sign in', async () => {
    const ida = await signUp('ida');
    const passkey = await plantPasskey(ida.user.id);
    const [identity] = await api.deps.db.selectFrom('identities').select('id').execute();
    const remove = (path: string) => api.call('DELETE', path, { as: ida });
    expect((await remove(`/api/me/identities/${identity?.id}/`)).status).toBe(204);
    expect(await remove(`/api/me/passkeys/${passkey}/`)).toMatchObject({
      status: 400,
      body: { code: 'only_way_to_sign_in' },
    });
  });

  it('is not needed before removing a passkey, as the provider is then the last way to sign in', async () => {
    const ida = await signUp('ida');
    const passkey = await plantPasskey(ida.user.id);
    expect((await api.call('DELETE', `/api/me/passkeys/${passkey}/`, { as: ida })).status).toBe(204);
  });

  it('keeps one of two that are disconnected at once', async () => {
    const ida = await signUp('ida');
    await connectGoogle(ida);
    const ids = (await list(ida)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const statuses = (await Promise.all(ids.map((id) => disconnect(ida, id)))).map(({ status }) => status);
    expect(statuses.toSorted(byNumber)).toEqual([204, 400]);
    expect(await list(ida)).toHaveLength(1);
  });

  it('does not count a provider that the server no longer has', async () => {
    const ida = await signUp('ida');
    await connectGoogle(ida);
    await api.deps.db
      .updateTable('identities')
      .set({ issuer: 'https://gone.example' })
      .where('provider', '=', 'google')
      .execute();
    const [current, gone] = await list(ida);
    expect(gone).toMatchObject({ label: 'gone.example', available: false });
    expect(await disconnect(ida, current?.id)).toMatchObject({ status: 400, body: { code: 'only_way_to_sign_in' } });
    expect(await disconnect(ida, gone?.id)).toMatchObject({ status: 204 });
  });

  async function connectGoogle(as: SignedIn) {
    const browser = openBrowser();
    const body = { provider: 'google', purpose: 'link' };
    const { body: started } = await browser.call<{ address: string }>('POST', '/api/providers/start/', { body });
    const state = new URL(started.address).searchParams.get('state');
    const { body: finished } = await browser.finish(`code=ida&state=${state}`, 'google');
    expect(await browser.connect(as, finished.ticket)).toMatchObject({ status: 201 });
  }
});

describe('confirming who the user is', () => {
  const check = (as: SignedIn, browser: ReturnType<typeof openBrowser>, ticket: string | null) =>
    browser.call<Check>('POST', '/api/me/check/provider/', { as, body: { ticket } });

  it('takes a new sign-in at a provider that is connected to the account', async () => {
    const browser = openBrowser();
    const ida = await signUp('ida', browser);
    api.clock.advance(30 * MINUTE);
    const { body: before } = await api.call<Check>('GET', '/api/me/check/', { as: ida });
    expect(before).toEqual({ methods: ['provider'], expires_at: null });
    const { body } = await browser.go('ida', 'check');
    expect(body.signed_in).toBeNull();
    expect(await check(mira, browser, body.ticket)).toMatchObject({ status: 400, body: { code: 'provider_failed' } });
    const { body: again } = await browser.go('ida', 'check');
    const proven = await check(ida, browser, again.ticket);
    expect(proven).toMatchObject({ status: 200, body: { expires_at: expect.any(String) as string } });
    expect(await check(ida, browser, again.ticket)).toMatchObject(expired);
  });

  it('takes a code, too, where signing in does, and a missing or wrong one leaves the ticket valid', async () => {
    const browser = openBrowser();
    const ida = await signUp('ida', browser);
    const { key } = await switchTwoStepOn(api, ida);
    api.clock.advance(30 * MINUTE);
    const { body } = await browser.go('ida', 'check');
    const send = (code?: string) =>
      browser.call<Check>('POST', '/api/me/check/provider/', { as: ida, body: { ticket: body.ticket, code } });
    expect(await send()).toMatchObject({ status: 400, body: { fields: { code: ['Code is required'] } } });
    expect(await send('000000')).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    const { body: unproven } = await api.call<Check>('GET', '/api/me/check/', { as: ida });
    expect(unproven.expires_at).toBeNull();
    const code = codeAt(key, api.clock.now);
    expect(await send(code)).toMatchObject({ status: 200, body: { expires_at: expect.any(String) as string } });
    expect(await send(code)).toMatchObject(expired);
  });

  it('takes more than already being signed in there', async () => {
    const browser = openBrowser();
    await signUp('ida', browser);
    const address = new URL(await browser.start('check'));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    // Someone at an unlocked device could omit it.
    address.searchParams.delete('prompt');
    address.searchParams.delete('max_age');
    const answer = await signInThere(address.href, 'nobody: no form is shown', browser.jar);
    expect(await browser.finish(answer)).toMatchObject({ status: 400, body: { code: 'provider_untimed' } });
  });

  it('lists the available ways', async () => {
    expect((await api.call<Check>('GET', '/api/me/check/', { as: mira })).body.methods).toEqual(['password']);
    const browser = openBrowser();
    await browser.connect(mira, (await browser.go('someone', 'link')).body.ticket);
    const { body } = await api.call<Check>('GET', '/api/me/check/', { as: mira });
    expect(body.methods).toEqual(['password', 'provider']);
  });
});

describe('at the same time', () => {
  it('no one connects a provider with a sign-in that a new password ends', async () => {
    const password = (n: number) => (n === 0 ? TEST_PASSWORD : `a walnut on the stairs ${n}`);
    const connectedTo = () => api.deps.db.selectFrom('identities').select('user_id').execute();
    for (let round = 0; round < 8; round++) {
      const body = { username: 'mira', password: password(round) };
      const { body: thief } = await api.call<SignedIn>('POST', '/api/login/', { body });
      const browser = openBrowser();
      const { ticket } = (await browser.go(`thief${round}`, 'link')).body;
      const change = { current_password: password(round), new_password: password(round + 1) };
      const [connected, changed] = await Promise.all([
        browser.connect(thief, ticket),
        api.call('POST', '/api/me/password/', { as: mira, body: change }),
      ]);
      expect(changed.status).toBe(204);
      expect([201, 401]).toContain(connected.status);
      expect(await connectedTo()).toHaveLength(connected.status === 201 ? 1 : 0);
      await api.deps.db.deleteFrom('identities').execute();
    }
  });

  it('no one connects a provider with a sign-in that has just ended', async () => {
    const browser = openBrowser();
    const { ticket } = (await browser.go('thief', 'link')).body;
    const caller = { userId: mira.user.id, signIn: 'one that has ended' };
    const answer = await connectProvider(api.deps, caller, {
      ticket: ticket ?? '',
      browser: undefined,
      client: { device: '', network: '', requestId: '' },
    });
    expect(answer).toMatchObject({ ok: false, code: 'not_signed_in' });
    expect(await browser.connect(mira, ticket)).toMatchObject({ status: 201 });
  });
});

describe('a disabled account', () => {
  it('is not signed in to', async () => {
    const ida = await signUp('ida');
    await api.deps.db.updateTable('users').set({ disabled_at: api.clock.now }).where('id', '=', ida.user.id).execute();
    expect(await openBrowser().go('ida')).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
  });
});

it('has the same issuer with or without a slash at the end of the setting', async () => {
  const set = await openTestApi({ APP_URL: APP }, { providers: providersAt({ ...there, issuer: `${there.issuer}/` }) });
  vouchFor('ida');
  const browser = openBrowser(set);
  const { body } = await browser.go('ida');
  const { body: ida } = await browser.register(body.ticket, { username: 'ida' });
  const { body: listed } = await set.call<{ identities: Identity[] }>('GET', '/api/me/identities/', { as: ida });
  expect(listed.identities).toMatchObject([{ label: 'Home', available: true }]);
  expect((await openBrowser(set).go('ida')).body.signed_in?.user.id).toBe(ida.user.id);
  await set.close();
});

describe('a provider that fails', () => {
  const unavailable = { status: 503, body: { code: 'provider_unavailable' } };
  /** An app that hasn't contacted the provider yet. */
  const withFreshApi = async (work: (fresh: TestApi) => Promise<void>) => {
    const fresh = await openTestApi({ APP_URL: APP }, { providers: providersAt(there) });
    try {
      await work(fresh);
    } finally {
      await fresh.close();
    }
  };
  const start = (fresh: TestApi) =>
    fresh.call('POST', '/api/providers/start/', { body: { provider: 'oidc', purpose: 'sign-in' } });
  const metadata = (changes: object) =>
    JSON.stringify({
      issuer: there.issuer,
      authorization_endpoint: `${there.issuer}/auth`,
      token_endpoint: `${there.issuer}/token`,
      jwks_uri: `${there.issuer}/jwks`,
      ...changes,
    });

  it.each([
    ['answers an error', { status: 500, body: '{}' }],
    ['does not answer JSON', { status: 200, body: '<p>' }],
    ['redirects the server', { status: 302, body: '', headers: { location: '/elsewhere' } }],
    ['names another issuer', { status: 200, body: '{"issuer":"https://evil.example"}' }],
    ['answers without end', { status: 200, body: JSON.stringify({ x: 'x'.repeat(300_000) }) }],
  ])('because it %s does not affect other ways to sign in, and works again later', async (_, answer) => {
    await withFreshApi(async (fresh) => {
      there.answer = () => answer;
      there.requests.length = 0;
      expect(await start(fresh)).toMatchObject(unavailable);
      expect(there.requests).toEqual(['GET /.well-known/openid-configuration']);
      expect((await fresh.register('kim')).user.username).toBe('kim');
      there.answer = undefined;
      expect(await start(fresh)).toMatchObject({ status: 200 });
    });
  });

  it.each(['http://169.254.169.254/token', 'https://10.0.0.1/token', 'https://localhost/token'])(
    'because it names the internal address %s gets no request there',
    async (address) => {
      await withFreshApi(async (fresh) => {
        there.answer = (path) =>
          path.startsWith('/.well-known') ? { status: 200, body: metadata({ token_endpoint: address }) } : undefined;
        const browser = openBrowser(fresh);
        const answered = await browser.finish(await signInThere(await browser.start(), 'ida'));
        expect(answered).toMatchObject(unavailable);
        expect(lines.join()).toContain('The address is not allowed.');
      });
    },
  );

  it('because it is down when people return', async () => {
    const browser = openBrowser();
    const answer = await signInThere(await browser.start(), 'ida');
    there.answer = (path) => (path === '/token' ? { status: 503, body: '' } : undefined);
    expect(await browser.finish(answer)).toMatchObject(unavailable);
  });

  it('is refused if it is not set up', async () => {
    const refused = { status: 400, body: { fields: { provider: ["Provider isn't set up on this server"] } } };
    const body = { provider: 'github', purpose: 'sign-in' };
    expect(await api.call('POST', '/api/providers/start/', { body })).toMatchObject(refused);
    expect(await openBrowser().finish('state=x', 'github')).toMatchObject(refused);
    expect((await api.call<{ providers: object }>('GET', '/api/about/')).body.providers).toEqual([
      { name: 'oidc', label: 'Home' },
      { name: 'google', label: 'Google' },
    ]);
  });
});

it('limits how often a network starts a sign-in and returns from one', async () => {
  const limited = await openTestApi({ RATE_LIMIT: 'on' });
  const body = { provider: 'google', purpose: 'sign-in' };
  const starts = await Promise.all(
    Array.from({ length: 61 }, () => limited.call('POST', '/api/providers/start/', { body })),
  );
  expect(
    starts
      .map(({ status }) => status)
      .toSorted(byNumber)
      .slice(-2),
  ).toEqual([200, 429]);
  const finishes = await Promise.all(
    Array.from({ length: 61 }, () =>
      limited.call('POST', '/api/providers/finish/', { body: { provider: 'google', answer: 'c3RhdGU9eA' } }),
    ),
  );
  expect(
    finishes
      .map(({ status }) => status)
      .toSorted(byNumber)
      .slice(-2),
  ).toEqual([400, 429]);
  await limited.close();
});

describe('the page that providers redirect to', () => {
  const open = (path: string) => api.call('GET', path);

  it('gets the answer in the fragment, so that no server sees it again', async () => {
    const query = 'code=4%2F0Abc&state=123&iss=https%3A%2F%2Faccounts.google.com';
    const { status, headers } = await open(`/sign-in/google?${query}`);
    expect([status, headers['cache-control']]).toEqual([303, 'no-store']);
    const [path, hash = ''] = String(headers['location']).split('#');
    expect(path).toBe('/sign-in/google');
    expect(Buffer.from(hash, 'base64url').toString()).toBe(query);
  });

  it.each([
    '/sign-in//evil.example?code=x',
    '/sign-in/..%2f%2fevil.example?code=x',
    '/sign-in/https:%2f%2fevil.example?code=x',
    '/sign-in/%5c%5cevil.example?code=x',
    '/sign-in/evil.example?code=x',
    '/sign-in/google/?code=x',
    '/sign-in/__proto__?code=x',
    '/sign-in/google',
  ])('does not redirect elsewhere from %s', async (path) => {
    expect((await open(path)).headers['location'] ?? '').toMatch(/^(?:\/sign-in\/google#[\w-]+)?$/);
  });
});

it('protects the cookie', async () => {
  const secure = await openTestApi({ APP_URL: 'https://hours.example.org' });
  const body = { provider: 'google', purpose: 'sign-in' };
  const { headers } = await secure.call('POST', '/api/providers/start/', { body });
  expect(headers['set-cookie']).toMatch(
    /^__Host-hourshare_browser=[\w-]{22}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  await secure.close();
});
