import type { NewPasskeyOptions, Passkey, SignedIn } from '@hourshare/contract/sign-ins';
import { PASSKEYS_MAX } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { createPasskey, type TestPasskey } from '../../../testing/authenticator.ts';
import { disableAccount } from '../../accounts/administration/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const ROUNDS = 12;

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Waits a little longer in each round, so that the calls overlap at different points. */
async function after<T>(ticks: number, work: () => PromiseLike<T>): Promise<T> {
  for (let waited = 0; waited < ticks; waited++) await nextTick();
  return work();
}

const remove = (as: SignedIn, id: number) => api.call('DELETE', `/api/me/passkeys/${id}/`, { as });
const removePassword = (as: SignedIn) => api.call('DELETE', '/api/me/password/', { as });
const prepareSignIn = async (passkey: TestPasskey) => {
  const body = { passkey: passkey.use(await api.passkeyOptions()) };
  return () => api.call<SignedIn>('POST', '/api/login/passkey/', { body });
};
const check = async (as: SignedIn, passkey: TestPasskey) =>
  api.call('POST', '/api/me/check/passkey/', { as, body: { passkey: passkey.use(await api.passkeyOptions(as)) } });
const statusOf = async (as: SignedIn) => (await api.call('GET', '/api/me/', { as })).status;
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const passkeysOf = async (as: SignedIn) =>
  (await api.call<{ passkeys: Passkey[] }>('GET', '/api/me/passkeys/', { as })).body.passkeys;

it('only one of several uses of a proof signs in', async () => {
  const { passkey } = await api.addPasskey(await api.register('mira'));
  for (let round = 0; round < ROUNDS; round++) {
    const signIn = await prepareSignIn(passkey);
    const answers = await Promise.all([0, round, round * 2].map((ticks) => after(ticks, signIn)));
    expect(statusesOf(answers)).toEqual([200, 401, 401]);
  }
});

it('no sign-in survives the removal of its passkey', async () => {
  const mira = await api.register('mira');
  for (let round = 0; round < ROUNDS; round++) {
    const { added, passkey } = await api.addPasskey(mira);
    const signIn = await prepareSignIn(passkey);
    const [signedIn, removed] = await Promise.all([signIn(), after(round, () => remove(mira, added.id))]);
    expect(removed.status).toBe(204);
    expect([200, 401]).toContain(signedIn.status);
    expect(signedIn.status === 200 ? await statusOf(signedIn.body) : 401).toBe(401);
  }
});

it('no sign-in survives disabling or deleting its account', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await api.register(`mira${round}`);
    const { passkey } = await api.addPasskey(user);
    const signIn = await prepareSignIn(passkey);
    const body = { current_password: TEST_PASSWORD, keep_name: false };
    const end = async () => {
      if (round % 2 === 1) return (await api.call('DELETE', '/api/me/', { as: user, body })).status;
      await disableAccount(api.deps, user.user.id);
      return 204;
    };
    const [signedIn, ended] = await Promise.all([signIn(), after(round, end)]);
    expect(ended).toBe(204);
    expect([200, 401, 403]).toContain(signedIn.status);
    expect(signedIn.status === 200 ? await statusOf(signedIn.body) : 401).toBe(401);
  }
});

it('some way to sign in always remains', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await api.register(`mira${round}`);
    const [one, two] = [await api.addPasskey(user), await api.addPasskey(user)];
    await check(user, one.passkey);
    const answers = await Promise.all([
      removePassword(user),
      after(round, () => remove(user, one.added.id)),
      after(round * 2, () => remove(user, two.added.id)),
    ]);
    expect(statusesOf(answers)).toEqual([204, 204, 400]);
    const login = { username: user.user.username, password: TEST_PASSWORD };
    const byPassword = await api.call('POST', '/api/login/', { body: login });
    expect((byPassword.status === 200 ? 1 : 0) + (await passkeysOf(user)).length).toBe(1);
  }
});

it('no one adds a passkey with a sign-in that a new password ends, or more than the maximum', async () => {
  const start = async (as: SignedIn) =>
    createPasskey((await api.call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as })).body).created;
  const add = (as: SignedIn, passkey: object) => api.call('POST', '/api/me/passkeys/', { as, body: { passkey } });
  const password = (n: number) => `a walnut on the stairs ${n}`;
  const mira = await api.register('mira');
  const change = (n: number) => {
    const current = n === 0 ? TEST_PASSWORD : password(n - 1);
    return api.call('POST', '/api/me/password/', {
      as: mira,
      body: { current_password: current, new_password: password(n) },
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    const body = { username: 'mira', password: round === 0 ? TEST_PASSWORD : password(round - 1) };
    const { body: thief } = await api.call<SignedIn>('POST', '/api/login/', { body });
    const created = await start(thief);
    const known = (await passkeysOf(mira)).length;
    const [added, changed] = await Promise.all([add(thief, created), after(round, () => change(round))]);
    expect(changed.status).toBe(204);
    expect([201, 401]).toContain(added.status);
    expect(await passkeysOf(mira)).toHaveLength(known + (added.status === 201 ? 1 : 0));
    // The thief's passkey outdates the check of Mira's sign-in.
    await api.call('POST', '/api/me/check/', { as: mira, body: { current_password: password(round) } });
    if (added.status === 201) await remove(mira, (await passkeysOf(mira)).at(-1)?.id ?? 0);
  }
  for (let n = 1; n < PASSKEYS_MAX; n++) await api.addPasskey(mira);
  const created = [await start(mira), await start(mira), await start(mira)];
  const answers = await Promise.all(created.map((passkey) => add(mira, passkey)));
  expect(statusesOf(answers)).toEqual([201, 400, 400]);
});
