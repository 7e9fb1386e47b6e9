import { PASSWORD_MAX_LENGTH } from '@hourshare/contract/limits';

/** How far the clocks of several servers may be apart. */
const CLOCK_SKEW_MILLISECONDS = 60_000;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A sign-in that isn't used ends after this long. */
const REFRESH_TOKEN_DAYS = 30;

/** A sign-in ends this long after it was made, however often it is used. */
export const SIGN_IN_MAX_DAYS = 90;

/** Sign-ins that one user can have at once; the least recently used ones end first. */
export const SIGN_INS_MAX = 50;

/** How long the token before the current one still gets its successor: a lost answer, a second tab. */
const REPLAY_TOLERANCE_MILLISECONDS = 10_000;

export const GUESSABLE = 'This password is too easy to guess. Choose a stronger one';

/**
 * Why a password cannot be chosen, or undefined when it can. Length counts characters as people do, not bytes or
 * halves of them.
 */
export function passwordProblem(
  password: string,
  { minLength, username, email }: { minLength: number; username: string; email: string },
): string | undefined {
  const length = Array.from(password).length;
  if (length < minLength) return `Password must be at least ${minLength} characters long`;
  if (length > PASSWORD_MAX_LENGTH) return `Password must be at most ${PASSWORD_MAX_LENGTH} characters long`;
  const lower = password.toLowerCase();
  if (lower === username.toLowerCase() || lower === email.toLowerCase())
    return 'Password must differ from the username and the email address';
  return undefined;
}

/** What a sign-in looks like when a refresh token is shown that is not its current one. */
export interface SignInState {
  generation: number;
  replacedAt: Date | null;
  expiresAt: Date;
  endedAt: Date | null;
}

/**
 * What to do about a genuine refresh token that was not the current one: `repeat` the answer it got (it was replaced a
 * moment ago), `end` the sign-in (somebody else holds a copy), or `refuse` (the sign-in is over).
 */
export function judgeReplay(state: SignInState, generation: number, now: Date): 'repeat' | 'end' | 'refuse' {
  if (state.endedAt || state.expiresAt <= now || generation >= state.generation) return 'refuse';
  const justReplaced =
    generation === state.generation - 1 &&
    state.replacedAt !== null &&
    // A replacement in the future was made by a clock in error, and must not be tolerated until that time.
    Math.abs(now.getTime() - state.replacedAt.getTime()) <= REPLAY_TOLERANCE_MILLISECONDS;
  return justReplaced ? 'repeat' : 'end';
}

/** Returns when a sign-in ends unless it is used again before. */
export const unusedSignInEnd = (now: Date): Date => new Date(now.getTime() + REFRESH_TOKEN_DAYS * DAY_MILLISECONDS);

/** Returns the latest instant at which a sign-in was made, unless the clock was in error then. */
export const latestSignIn = (now: Date): Date => new Date(now.getTime() + CLOCK_SKEW_MILLISECONDS);

/** Returns the words of a user's own names, which a password must not be made of: "mira.smith@…" gives mira and smith too. */
export function namesOf({ username, email }: { username: string; email: string }): string[] {
  const local = email.split('@', 1)[0] ?? '';
  return [...new Set([username, email, local, ...username.split(/[._-]+/), ...local.split(/[._+-]+/)])].filter(
    (name) => name.length >= 3,
  );
}
