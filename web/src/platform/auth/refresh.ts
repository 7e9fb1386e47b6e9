import type { TokenPair } from '@hourshare/contract/sign-ins';
import { ApiError, NoConnection } from '../http/errors.ts';
import { withLock } from '../live/tab-lock.ts';
import { clearSignIn, storedAccess, storedRefresh, storeTokens } from './sign-in.ts';
import { transmit } from '../http/transmit.ts';

const LOCK_NAME = 'hourshare-token-refresh';

let inFlight: Promise<string | null> | null = null;

/**
 * Returns a new access token after the server rejected one, or null if the user is signed out. Requests and tabs share
 * one refresh, because using a replaced refresh token again ends the sign-in. Signs out only if the server itself says
 * that the token is invalid; otherwise throws NoConnection or ApiError, and the token stays for the next attempt.
 */
export function refreshAccess(refused: string): Promise<string | null> {
  const stored = storedAccess();
  if (stored !== refused) return Promise.resolve(stored);
  inFlight ??= withLock(LOCK_NAME, () => refreshOnce(refused)).finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function refreshOnce(refused: string): Promise<string | null> {
  // Another tab may have replaced the tokens or signed out while this one waited for the lock.
  const stored = storedAccess();
  if (stored !== refused) return stored;
  const refresh = storedRefresh();
  if (refresh === null) {
    clearSignIn('expired');
    return null;
  }
  const ask = () =>
    transmit<TokenPair>('/api/token/refresh/', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ refresh }),
    });
  // The answer may have got lost, and the token works until its successor is used.
  const answer = await ask().catch(ask);
  // The user signed out or switched during the request, so discard the new tokens.
  if (storedRefresh() !== refresh) return storedAccess();
  const { status, body: pair } = answer;
  if (status >= 400) {
    const error = new ApiError(status, pair);
    if (error.code !== 'invalid_refresh_token') throw error;
    clearSignIn('expired');
    return null;
  }
  if (typeof pair?.access !== 'string') throw new NoConnection();
  storeTokens(pair);
  return pair.access;
}
