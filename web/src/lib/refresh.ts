import type { TokenPair } from '@hourshare/contract/accounts';
import { ApiError } from './http-errors.ts';
import { clearSignIn, storedAccess, storedRefresh, storeTokens } from './sign-in.ts';
import { transmit } from './transmit.ts';

const LOCK_NAME = 'hourshare-token-refresh';

let inFlight: Promise<string | null> | null = null;

/**
 * A fresh access token in place of one that the server refused, or null when nobody is signed in any more. All
 * requests in flight share one refresh, and so do all tabs: the server replaces the refresh token at every use, and a
 * second use of a replaced one would end the sign-in. Throws NoConnection or ApiError when the server could not
 * decide; that signs nobody out.
 */
export function refreshAccess(refused: string): Promise<string | null> {
  const stored = storedAccess();
  if (stored !== refused) return Promise.resolve(stored);
  inFlight ??= withTabLock(() => refreshOnce(refused)).finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function refreshOnce(refused: string): Promise<string | null> {
  // While this tab waited for the lock another one may have replaced the tokens, or signed out.
  const stored = storedAccess();
  if (stored !== refused) return stored;
  const refresh = storedRefresh();
  if (refresh === null) {
    clearSignIn('expired');
    return null;
  }
  const answer = await transmit<TokenPair>('/api/token/refresh/', {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ refresh }),
  });
  // Signed out, or in as somebody else, while the answer was under way: the new pair belongs to nobody here.
  if (storedRefresh() !== refresh) return storedAccess();
  if (answer.status === 401) {
    clearSignIn('expired');
    return null;
  }
  const pair = answer.body;
  if (answer.status >= 400) throw new ApiError(answer.status, pair);
  storeTokens(pair);
  return pair.access;
}

// Browsers offer locks only in secure contexts; without them the server's tolerance of ten seconds for the previous
// refresh token covers two tabs that refresh at the same moment.
function withTabLock<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks ? locks.request(LOCK_NAME, work) : work();
}
