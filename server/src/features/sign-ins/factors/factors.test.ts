import type { NewPasskeyOptions, SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { createPasskey } from '../../../testing/authenticator.ts';
import { makeKey, switchTwoStepOn } from '../../../testing/two-step.ts';
import { createToken } from '../../shares/access-tokens/service.ts';
import { userWithPassword } from '../../users/service.ts';
import { requestEmailChange } from '../email-changes/service.ts';
import { endOtherSignIns, endSignIn } from '../devices/service.ts';
import { addPasskey, removePasskey } from '../passkeys/service.ts';
import { connectProvider, disconnectProvider } from '../providers/service.ts';
import { confirmKey, renewRecoveryCodes, switchTwoStepOff } from '../two-step/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const CLIENT = { device: '', network: '203.0.113.7', requestId: 'a' };

/** Signs Mira in twice, and returns her and who has the other sign-in. */
async function miraAndThief() {
  const mira = await api.register('mira');
  const body = { username: 'mira', password: TEST_PASSWORD };
  const thief = (await api.call<SignedIn>('POST', '/api/login/', { body })).body;
  const signIn = await api.deps.tokens.signInOf(thief.access);
  return { mira, thief, caller: { userId: mira.user.id, signIn: signIn ?? '' } };
}

// These are called as if the request had been checked before, and had waited for the lock since.
it('a request that waited until another one ended its check changes nothing', async () => {
  const { mira, thief, caller } = await miraAndThief();
  const { added } = await api.addPasskey(mira);
  const body = { current_password: TEST_PASSWORD };
  expect((await api.call('POST', '/api/me/check/', { as: thief, body })).status).toBe(200);
  const options = await api.call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as: thief });
  const { created } = createPasskey(options.body);
  await switchTwoStepOn(api, mira);
  const stored = async () => ({
    passkeys: await api.deps.db.selectFrom('passkeys').select('id').execute(),
    codes: await api.deps.db.selectFrom('recovery_codes').select('code_hash').orderBy('code_hash').execute(),
    tokens: await api.deps.db.selectFrom('access_tokens').select('id').execute(),
    signIns: await api.deps.db.selectFrom('sign_ins').select(['id', 'ended_at']).orderBy('id').execute(),
    users: await api.deps.db.selectFrom('users').select('two_step_since').execute(),
  });
  const before = await stored();

  const { deps } = api;
  const [ownSignIn] = await deps.db.selectFrom('sign_ins').select('id').orderBy('id').execute();
  const refused = await Promise.all([
    renewRecoveryCodes(deps, caller, CLIENT),
    switchTwoStepOff(deps, caller, CLIENT),
    addPasskey(deps, caller, { passkey: created }, { ...CLIENT, origin: 'http://localhost' }),
    removePasskey(deps, caller, added.id, CLIENT),
    connectProvider(deps, caller, { ticket: 'x', browser: undefined, client: CLIENT }),
    disconnectProvider(deps, caller, 1, CLIENT),
    endOtherSignIns(deps, caller, CLIENT),
    endSignIn(deps, caller, ownSignIn?.id ?? 0, CLIENT),
    createToken(deps, caller, { name: 'script', expires_in_days: 1 }, CLIENT),
  ]);
  expect(refused.map((result) => !result.ok && result.code)).toEqual(refused.map(() => 'check_required'));
  expect(await stored()).toEqual(before);
});

it('a request that waited until another one ended its check turns on no second step', async () => {
  const { mira, thief, caller } = await miraAndThief();
  await makeKey(api, thief);
  await api.addPasskey(mira);
  expect(await confirmKey(api.deps, caller, '123456', CLIENT)).toMatchObject({ code: 'check_required' });
});

it('a change of address that waited until a second step was turned on is not requested', async () => {
  const { mira } = await miraAndThief();
  const user = await userWithPassword(api.deps.db, mira.user.id);
  await switchTwoStepOn(api, mira);
  expect(user && (await requestEmailChange(api.deps, user, 'thief@example.org', CLIENT))).toBe(false);
  expect(await api.deps.db.selectFrom('email_changes').select('email').execute()).toEqual([]);
});
