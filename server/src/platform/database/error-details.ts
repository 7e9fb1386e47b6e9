import { getSystemErrorMap } from 'node:util';

// How the engine's file system numbers the system's errors (WASI), where one may reach a person.
const engineErrno: Record<number, string> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  33: 'EMFILE',
  37: 'ENAMETOOLONG',
  41: 'ENFILE',
  44: 'ENOENT',
  48: 'ENOMEM',
  51: 'ENOSPC',
  54: 'ENOTDIR',
  63: 'EPERM',
  69: 'EROFS',
};

/** What an error says, for sentences about it. The engine throws objects that are no Error, and some have no message. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message;
  const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  const name = 'name' in error && typeof error.name === 'string' ? error.name : 'unknown error';
  return codeOf(error) ?? (errno === undefined ? name : (inWords(engineErrno[errno]) ?? `${name} ${errno}`));
}

/** An error of the system as Node says it: "ENOSPC: no space left on device". */
function inWords(code: string | undefined): string | undefined {
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code);
  return known ? known.join(': ') : code;
}

/** The short code that Node and PostgreSQL give their errors. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
