/** How far apart the clocks of several servers may be. */
const CLOCK_SKEW_MILLISECONDS = 60_000;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A sign-in that isn't used ends after this long. */
const REFRESH_TOKEN_DAYS = 30;

/** A sign-in ends this long after it was created, however often it is used. */
export const SIGN_IN_MAX_DAYS = 90;

/** By account, for all networks: only someone with the first factor gets this far. Open sign-ins aren't affected. */
export const CODES_BY_ACCOUNT = { name: 'codes by account', max: 10, windowSeconds: 900 };

/** By sign-in, in checks: wrong codes elsewhere must not keep users from what ends the sign-ins of an attacker. */
export const CODES_BY_SIGN_IN = { name: 'codes by sign-in', max: 10, windowSeconds: 900 };

/** Failures of a check whose first factor was right; wrong codes have their own limit. */
export const CODE_FAILURES = new Set<string>(['validation_failed', 'wrong_code', 'rate_limited']);

/** The most sign-ins a user can have at once; the least recently used end first. */
export const SIGN_INS_MAX = 50;

/** How long a replaced refresh token still gets its successor, even if that was used: a second tab may have sent both at once. */
const REPLAY_TOLERANCE_MILLISECONDS = 10_000;

/** The state of a sign-in when a refresh token other than its current one is presented. */
export interface SignInState {
  generation: number;
  replacedAt: Date | null;
  /** Whether the current token, or the access token that came with it, was used. */
  confirmed: boolean;
  expiresAt: Date;
  endedAt: Date | null;
}

/**
 * Returns what to do with a genuine refresh token that isn't current: `repeat` its answer (that got lost, or is moments
 * old), `end` the sign-in (someone else has a copy), or `refuse` it (the sign-in is over).
 */
export function judgeReplay(state: SignInState, generation: number, now: Date): 'repeat' | 'end' | 'refuse' {
  if (state.endedAt || state.expiresAt <= now || generation >= state.generation) return 'refuse';
  if (generation !== state.generation - 1) return 'end';
  const justReplaced =
    state.replacedAt !== null &&
    // A time in the future comes from a wrong clock and must not extend the tolerance.
    Math.abs(now.getTime() - state.replacedAt.getTime()) <= REPLAY_TOLERANCE_MILLISECONDS;
  return justReplaced || !state.confirmed ? 'repeat' : 'end';
}

/** Returns when a sign-in ends if it isn't used again. */
export const unusedSignInEnd = (now: Date): Date => new Date(now.getTime() + REFRESH_TOKEN_DAYS * DAY_MILLISECONDS);

/** Returns the latest time a sign-in can have been created, unless the clock was wrong then. */
export const latestSignIn = (now: Date): Date => new Date(now.getTime() + CLOCK_SKEW_MILLISECONDS);
