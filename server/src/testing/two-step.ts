import type { RecoveryCodes, SignedIn, TwoStepKey } from '@hourshare/contract/sign-ins';
import { codeAt } from '../platform/one-time-codes.ts';
import type { TestApi } from './api.ts';

/** Returns a user's new key, whose first code isn't confirmed yet. */
export async function makeKey(api: TestApi, user: SignedIn): Promise<string> {
  return (await api.call<TwoStepKey>('POST', '/api/me/two-step/', { as: user })).body.key;
}

/** Makes signing in take a code. Returns the key and the recovery codes. */
export async function switchTwoStepOn(api: TestApi, user: SignedIn): Promise<{ key: string; codes: string[] }> {
  const key = await makeKey(api, user);
  const body = { code: codeAt(key, api.clock.now) };
  const confirmed = await api.call<RecoveryCodes>('POST', '/api/me/two-step/confirm/', { as: user, body });
  return { key, codes: confirmed.body.recovery_codes };
}
