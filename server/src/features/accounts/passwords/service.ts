import { SENTENCES } from '@hourshare/contract/sentences';
import type { Deps } from '../../../deps.ts';
import { isGuessablePassword } from '../../../platform/guessable-passwords.ts';
import { normalizePassword } from '../../../platform/passwords.ts';
import { extractNames, passwordProblem } from '../rules.ts';

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
