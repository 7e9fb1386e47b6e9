import { PASSWORD_MAX_LENGTH } from '@hourshare/contract/limits';
import { sentence, type Sentence } from '@hourshare/contract/sentences';

/**
 * Returns why a password is not acceptable, or undefined if it is. Length counts code points, not bytes or UTF-16
 * units.
 */
export function passwordProblem(
  password: string,
  { minLength, username, email }: { minLength: number; username: string; email: string },
): Sentence | undefined {
  const length = Array.from(password).length;
  if (length < minLength) return sentence('password_too_short', { count: minLength });
  if (length > PASSWORD_MAX_LENGTH) return sentence('password_too_long', { max: PASSWORD_MAX_LENGTH });
  const lower = password.toLowerCase();
  if (lower === username.toLowerCase() || lower === email.toLowerCase()) return sentence('password_is_name');
  return undefined;
}

/**
 * Returns the parts of a user's own names, which a password must not consist of: "mira.smith@…" also gives mira and
 * smith.
 */
export function extractNames({ username, email }: { username: string; email: string }): string[] {
  const local = email.split('@', 1)[0] ?? '';
  return [...new Set([username, email, local, ...username.split(/[._-]+/), ...local.split(/[._+-]+/)])].filter(
    (name) => name.length >= 3,
  );
}
