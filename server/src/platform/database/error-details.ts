import { getSystemErrorMap } from 'node:util';

// WASI numbers of the system errors that may reach a person through the engine's file system.
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

/** Returns the text of an error for messages. The engine throws objects that aren't Errors, some without a message. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message;
  const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  const name = 'name' in error && typeof error.name === 'string' ? error.name : 'unknown error';
  return codeOf(error) ?? (errno === undefined ? name : (inWords(engineErrno[errno]) ?? `${name} ${errno}`));
}

/** Returns a system error as Node words it: "ENOSPC: no space left on device". */
function inWords(code: string | undefined): string | undefined {
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code);
  return known ? known.join(': ') : code;
}

/** Returns the short code that Node and PostgreSQL give their errors. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
