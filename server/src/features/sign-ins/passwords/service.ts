import { SENTENCES } from '@hourshare/contract/sentences';
import type { Deps } from '../../../deps.ts';
import { isGuessablePassword } from '../../../platform/guessable-passwords.ts';
import { normalizePassword } from '../../../platform/passwords.ts';
import { extractNames, passwordProblem } from '../rules.ts';
import { renewPasswordHash as replaceHash } from '../store.ts';

/** Returns why an account can't have a password, in a sentence for its user; undefined if it can. */
export async function findPasswordProblem(
  deps: Deps,
  typed: string,
  names: { username: string; email: string },
): Promise<string | undefined> {
  const password = normalizePassword(typed);
  const problem = passwordProblem(password, { minLength: deps.config.PASSWORD_MIN_LENGTH, ...names });
  if (problem !== undefined) return problem;
  return (await isGuessablePassword(password, extractNames(names))) ? SENTENCES.passwordGuessable : undefined;
}

/**
 * Hashes a password again that has just been verified, if its hash has outdated parameters and is still the stored one. Never fails:
 * the next sign-in tries again.
 */
export async function renewPasswordHash(
  deps: Deps,
  { password, ...verified }: { userId: number; password: string; verifiedHash: string | null },
): Promise<void> {
  const { userId, verifiedHash } = verified;
  if (verifiedHash === null || !deps.passwords.isOutdated(verifiedHash)) return;
  try {
    await replaceHash(deps.db, { userId, verifiedHash, passwordHash: await deps.passwords.hash(password) });
  } catch (error) {
    deps.log.warn({ err: error }, 'a password could not be hashed again with the current parameters');
  }
}
