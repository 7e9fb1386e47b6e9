import type { SignedIn } from '@hourshare/contract/sign-ins';
import { setAdministrator } from '../features/accounts/administration/service.ts';
import type { TestApi } from './api.ts';
import { switchTwoStepOn } from './two-step.ts';

/** Adds an administrator who signs in in two steps. Returns also the key of their app. */
export async function addAdministrator(api: TestApi, username: string): Promise<SignedIn & { key: string }> {
  const user = await api.register(username);
  const { key } = await switchTwoStepOn(api, user);
  await setAdministrator(api.deps, user.user.id, true);
  return { ...user, key };
}
