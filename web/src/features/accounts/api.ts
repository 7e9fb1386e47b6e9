import type { DeleteAccountRequest, UpdateMeRequest } from '@hourshare/contract/accounts';
import type {
  ChangePasswordRequest,
  ConfirmResetRequest,
  LoginRequest,
  RegisterRequest,
  SignedIn,
} from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { call } from '../../platform/http/call.ts';
import { currentLanguage, preferredLanguage, rememberLanguage, type Language } from '../../platform/i18n/language.ts';
import { logError } from '../../platform/log.ts';
import {
  changeStoredUser,
  clearSignIn,
  currentSignIn,
  storedRefresh,
  storeSignIn,
} from '../../platform/auth/sign-in.ts';
import { sendTimeZone } from '../../platform/i18n/browser-time-zone.ts';
import { setAccountDeleted } from './deleted-account.ts';
import { pendingLogout } from './pending-logout.ts';

/**
 * The account's language applies on this device from now on, and is remembered where the browser asks for another. A
 * device's own choice stays where the account has none.
 */
export function adoptSignIn(answer: SignedIn): User {
  const { language } = answer.user;
  if (language !== null && language !== preferredLanguage()) rememberLanguage(language);
  storeSignIn(answer);
  pendingLogout.set(null);
  setAccountDeleted(false);
  return answer.user;
}

export const login = async (credentials: LoginRequest): Promise<User> =>
  adoptSignIn(await call('POST /api/login/', { body: credentials }));

export async function register(
  account: Pick<RegisterRequest, 'username' | 'email' | 'password' | 'passkey' | 'invitation' | 'seen' | 'claim'>,
): Promise<User> {
  const language = currentLanguage();
  return adoptSignIn(
    await sendTimeZone((zone) => call('POST /api/register/', { body: { ...account, time_zone: zone, language } })),
  );
}

/**
 * Reloads the user, because another device may have changed it. Ignores the response if this device changed the user in
 * the meantime.
 */
export async function refreshUser(): Promise<User> {
  const before = currentSignIn();
  const user = await call('GET /api/me/', {});
  if (currentSignIn() === before) changeStoredUser(user);
  return user;
}

/** As `refreshUser`, where no one waits for it. Does nothing if no one is signed in; signs out if the server has ended the sign-in. */
export function refreshUserInBackground(): void {
  if (currentSignIn() === null) return;
  refreshUser().catch((error: unknown) => {
    // Who has signed out in the meantime can't be read, and needn't be.
    if (currentSignIn() !== null) logError('The user could not be read again', error);
  });
}

export const patchMe = (change: UpdateMeRequest): Promise<User> => call('PATCH /api/me/', { body: change });

export async function updateMe(change: UpdateMeRequest): Promise<User> {
  const user = await patchMe(change);
  changeStoredUser(user);
  return user;
}

/** Saves the language in the account and on this device; null lets each browser decide. */
export async function saveLanguage(language: Language | null): Promise<void> {
  await updateMe({ language });
  rememberLanguage(language);
}

export async function requestReset(email: string): Promise<void> {
  await call('POST /api/password-reset/', { body: { email } });
}

export async function confirmReset(reset: ConfirmResetRequest): Promise<void> {
  await call('POST /api/password-reset/confirm/', { body: reset });
}

export async function confirmEmail(token: string): Promise<void> {
  await call('POST /api/me/email-change/confirm/', { body: { token } });
}

export async function cancelEmailChange(): Promise<void> {
  changeStoredUser(await call('DELETE /api/me/email-change/', {}));
}

export async function changePassword(passwords: ChangePasswordRequest): Promise<void> {
  await call('POST /api/me/password/', { body: passwords });
}

/** Deletes the account, and the sign-in on this device with it. */
export async function deleteAccount(request: DeleteAccountRequest): Promise<void> {
  await call('DELETE /api/me/', { body: request });
  setAccountDeleted(true);
  clearSignIn('logout');
}

/** A silent connection must not delay for minutes that this device forgets the user. */
const LOGOUT_WITHIN_MS = 10_000;

/** Revokes the sign-in on the server. If that fails, the login page offers to retry. */
export async function revokeSignIn(refreshToken: string | null): Promise<void> {
  pendingLogout.set(refreshToken);
  await call('POST /api/logout/', {
    body: refreshToken === null ? {} : { refresh_token: refreshToken },
    signal: AbortSignal.timeout(LOGOUT_WITHIN_MS),
  });
  pendingLogout.set(null);
}

/** Signs out on this device, even if the server cannot be reached. */
export async function logout(): Promise<void> {
  try {
    await revokeSignIn(storedRefresh());
  } catch (error) {
    logError('The server was not told of the logout', error);
  } finally {
    clearSignIn('logout');
  }
}
