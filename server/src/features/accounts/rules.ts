import { PASSWORD_MAX_LENGTH } from '@hourshare/contract/limits';

const REFRESH_TOKEN_DAYS = 30;

/** How long the token before the current one still gets its successor: a lost answer, a second tab. */
const REPLAY_TOLERANCE_MILLISECONDS = 10_000;

/**
 * Why a password cannot be chosen, or undefined when it can. Length counts characters as people do, not bytes or
 * halves of them. Source: decisions.md, Accounts.
 */
export function passwordProblem(
  password: string,
  { minLength, username, email, isCommon }: { minLength: number; username: string; email: string; isCommon: boolean },
): string | undefined {
  const length = Array.from(password).length;
  if (length < minLength) return `Password must be at least ${minLength} characters long`;
  if (length > PASSWORD_MAX_LENGTH) return `Password must be at most ${PASSWORD_MAX_LENGTH} characters long`;
  const lower = password.toLowerCase();
  if (lower === username.toLowerCase() || lower === email.toLowerCase())
    return 'Password must differ from the username and the email address';
  if (isCommon) return 'This password is too common. Choose another one';
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
    now.getTime() - state.replacedAt.getTime() <= REPLAY_TOLERANCE_MILLISECONDS;
  return justReplaced ? 'repeat' : 'end';
}

/** The end of a sign-in that is not used any more; every refresh moves it. */
export const signInExpiry = (now: Date): Date => new Date(now.getTime() + REFRESH_TOKEN_DAYS * 24 * 60 * 60 * 1000);
