import type { NewPasskeyOptions, SignedIn } from '@hourshare/contract/sign-ins';
import type { IsolationLevel } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createMailer } from '../../../platform/mail.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { createPasskey } from '../../../testing/authenticator.ts';
import { makeKey, switchTwoStepOn } from '../../../testing/two-step.ts';
import { deleteMe, updateMe } from '../../accounts/service.ts';
import { createToken } from '../../shares/access-tokens/service.ts';
import { endOtherSignIns, endSignIn } from '../devices/service.ts';
import { addPasskey, removePasskey } from '../passkeys/service.ts';
import { changePassword, removePassword } from '../passwords/service.ts';
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

/** Dependencies of a request that waits, before it first writes, until something else is done. */
function waitingFor(meanwhile: () => Promise<unknown>): Deps {
  const { db } = api.deps;
  let waited = false;
  const transaction = () => ({
    setIsolationLevel: (level: IsolationLevel) => ({
      async execute<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
        if (!waited) await meanwhile();
        waited = true;
        return db.transaction().setIsolationLevel(level).execute(work);
      },
    }),
  });
  const get = (_: Database, name: keyof Database) => {
    if (name === 'transaction') return transaction;
    const value: unknown = db[name];
    return typeof value === 'function' ? value.bind(db) : value;
  };
  return { ...api.deps, db: new Proxy(db, { get }) };
}

/** What needs the password, or a check if there is none. Each is called as it waits. */
const PROVEN = {
  'a new password': (deps: Deps, caller: Caller, password?: string) =>
    changePassword(deps, caller, { current_password: password, new_password: 'a walnut on the stairs' }, CLIENT),
  'a new address': (deps: Deps, caller: Caller, password?: string) =>
    updateMe(deps, caller, { email: 'thief@example.org', current_password: password }, CLIENT),
  'a new address to confirm': (deps: Deps, caller: Caller, password?: string) => {
    const mailer = createMailer({ url: 'smtp://127.0.0.1:9', from: 'hours@example.org' });
    return updateMe({ ...deps, mailer }, caller, { email: 'thief@example.org', current_password: password }, CLIENT);
  },
  'a deletion': (deps: Deps, caller: Caller, password?: string) =>
    deleteMe(deps, caller, { current_password: password, keep_name: true }, CLIENT),
};
const PROVEN_CALLS = Object.entries(PROVEN);

const accounts = async () => ({
  users: await api.deps.db.selectFrom('users').select(['username', 'email', 'password_hash']).orderBy('id').execute(),
  changes: await api.deps.db.selectFrom('email_changes').select('email').execute(),
  active: await api.deps.db.selectFrom('sign_ins').select('id').where('ended_at', 'is', null).orderBy('id').execute(),
  failed: await api.deps.db
    .selectFrom('security_events')
    .select('id')
    .where('event', '=', 'password_check_failed')
    .execute(),
});

it.each(PROVEN_CALLS)('%s that waited until a second step was turned on needs a check with it', async (_, call) => {
  const { mira, caller } = await miraAndThief();
  const before = await accounts();
  const deps = waitingFor(() => switchTwoStepOn(api, mira));
  expect(await call(deps, caller, TEST_PASSWORD)).toMatchObject({ ok: false, code: 'check_required' });
  expect(await accounts()).toEqual(before);
});

it.each(PROVEN_CALLS)('%s without a password that waited until its check ended changes nothing', async (_, call) => {
  const { mira, caller } = await miraAndThief();
  await api.deps.db.updateTable('users').set({ password_hash: null }).execute();
  const before = await accounts();
  const deps = waitingFor(() => api.addPasskey(mira));
  expect(await call(deps, caller)).toMatchObject({ ok: false, code: 'check_required' });
  expect(await accounts()).toEqual(before);
});

it.each(PROVEN_CALLS)('%s that waited until its sign-in ended changes nothing', async (_, call) => {
  const { mira, caller } = await miraAndThief();
  const { users } = await accounts();
  const own = { userId: mira.user.id, signIn: (await api.deps.tokens.signInOf(mira.access)) ?? '' };
  const deps = waitingFor(() => endOtherSignIns(api.deps, own, CLIENT));
  expect(await call(deps, caller, TEST_PASSWORD)).toMatchObject({ ok: false, code: 'not_signed_in' });
  expect(await accounts()).toMatchObject({ users, changes: [], failed: [] });
});

it.each(PROVEN_CALLS)('%s that waited until the password changed takes the old one as wrong', async (_, call) => {
  const { caller } = await miraAndThief();
  const { users, active } = await accounts();
  const changed = users.map((user) => ({ ...user, password_hash: 'another' }));
  const deps = waitingFor(() => api.deps.db.updateTable('users').set({ password_hash: 'another' }).execute());
  expect(await call(deps, caller, TEST_PASSWORD)).toMatchObject({ ok: false, code: 'wrong_password' });
  expect(await accounts()).toEqual({ users: changed, changes: [], active, failed: [{ id: expect.anything() }] });
});

it('a password whose removal waited until the check with a passkey ended stays', async () => {
  const { mira, caller } = await miraAndThief();
  const checked = { checked_with: 'passkey' } as const;
  await api.deps.db.updateTable('sign_ins').set(checked).where('handle', '=', caller.signIn).execute();
  const before = await accounts();
  const deps = waitingFor(() => api.addPasskey(mira));
  expect(await removePassword(deps, caller, CLIENT)).toMatchObject({ ok: false, code: 'check_required' });
  expect(await accounts()).toEqual(before);
});

it('a change of address that waited until its own sign-in turned on a second step is requested', async () => {
  const mira = await api.register('mira');
  const caller = { userId: mira.user.id, signIn: (await api.deps.tokens.signInOf(mira.access)) ?? '' };
  const deps = waitingFor(() => switchTwoStepOn(api, mira));
  expect(await PROVEN['a new address to confirm'](deps, caller, TEST_PASSWORD)).toMatchObject({ ok: true });
  expect((await accounts()).changes).toEqual([{ email: 'thief@example.org' }]);
});
