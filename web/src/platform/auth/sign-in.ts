import type { User } from '@hourshare/contract/users';

// The product specification fixes these three keys.
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';
const USER = 'user';

/** The id under which the server sends push messages to this browser, until the sign-in ends. */
export const PUSH_ID = 'hourshare_push';
/** The address to which it sends them, which browsers may change. */
export const PUSH_ENDPOINT = 'hourshare_push_endpoint';

/** The start of the keys under which platform/live/leader-tab.ts keeps what a user's tabs have read last. */
export const EVENTS = 'hourshare_events_';

/** The start of the keys under which features/statements/last-year.tsx keeps what plans of a user's own would cost. */
export const OWN_PRICES = 'hourshare_own_price_';

/**
 * How the sign-in changed: by a form, a logout, a server refusal or another tab; 'edited' means only the user's data.
 */
type SignInChange = 'signed in' | 'edited' | 'logout' | 'expired' | 'other tab';

export interface SignIn {
  user: User;
}

type Listener = (signIn: SignIn | null, change: SignInChange) => void;

// Not an atom: listeners hear how it changed, too, and reading it for the first time tells no one.
const listeners = new Set<Listener>();

/** undefined until first read. The object stays identical until storage changes, because React compares by identity. */
let current: SignIn | null | undefined;

export class UnreadableUser extends Error {}

function parseUser(text: string): User {
  try {
    const value: unknown = JSON.parse(text);
    if (isUser(value)) return value;
  } catch {
    // Not even JSON.
  }
  throw new UnreadableUser();
}

const isUser = (value: unknown): value is User =>
  typeof value === 'object' && value !== null && 'username' in value && typeof value.username === 'string';

/**
 * Leaves out how to pay the user, and what happens to their address: other programs on the device can read the
 * storage. Pages that show these read them from the server.
 */
const toText = (user: User): string => {
  const { payment_details: _details, email_change: _change, email_confirmed: _confirmed, ...stored } = user;
  return JSON.stringify(stored);
};

function read(): SignIn | null {
  const text = localStorage.getItem(USER);
  if (text === null) return null;
  const user = parseUser(text);
  return storedAccess() === null ? null : { user };
}

function publish(next: SignIn | null, change: SignInChange): void {
  current = next;
  for (const listener of listeners) listener(next, change);
}

/** Reads the sign-in from storage. Throws UnreadableUser if the stored user is invalid; the app then signs out. */
export function restoreSignIn(): void {
  current = null;
  current = read();
}

export function currentSignIn(): SignIn | null {
  if (current === undefined) {
    try {
      restoreSignIn();
    } catch {
      current = null;
    }
  }
  return current ?? null;
}

export const storedAccess = (): string | null => localStorage.getItem(ACCESS);
export const storedRefresh = (): string | null => localStorage.getItem(REFRESH);

export function storeSignIn(answer: { access: string; refresh: string; user: User }): void {
  localStorage.setItem(ACCESS, answer.access);
  localStorage.setItem(REFRESH, answer.refresh);
  localStorage.setItem(USER, toText(answer.user));
  // oxlint-disable-next-line hourshare/text-in-catalog -- a kind of change, not text
  publish({ user: answer.user }, 'signed in');
}

/** Updates the stored user. Ignores data of another user. */
export function changeStoredUser(change: Partial<User>): void {
  const before = currentSignIn();
  if (before === null || (change.id ?? before.user.id) !== before.user.id) return;
  const user = { ...before.user, ...change };
  localStorage.setItem(USER, toText(user));
  publish({ user }, 'edited');
}

/** Stores refreshed tokens. Notifies no one, because the user has not changed. */
export function storeTokens(pair: { access: string; refresh: string }): void {
  localStorage.setItem(ACCESS, pair.access);
  localStorage.setItem(REFRESH, pair.refresh);
}

export function clearSignIn(change: 'logout' | 'expired'): void {
  const own = Object.keys(localStorage).filter((key) => key.startsWith(EVENTS) || key.startsWith(OWN_PRICES));
  for (const key of [ACCESS, REFRESH, USER, PUSH_ID, PUSH_ENDPOINT, ...own]) localStorage.removeItem(key);
  publish(null, change);
}

export function onSignInChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies sign-in changes from other tabs. Returns a function that stops listening. */
export function followOtherTabs(onUnreadable: () => void): () => void {
  const follow = (event: StorageEvent) => {
    // A null key means localStorage.clear().
    if (event.key !== null && event.key !== USER && event.key !== ACCESS) return;
    try {
      const next = read();
      const before = currentSignIn();
      const same = next?.user.id === before?.user.id && next?.user.username === before?.user.username;
      // oxlint-disable-next-line hourshare/text-in-catalog -- a kind of change, not text
      if (!same) publish(next, 'other tab');
      else if (next && before && JSON.stringify(next.user) !== toText(before.user)) changeStoredUser(next.user);
    } catch {
      onUnreadable();
    }
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
