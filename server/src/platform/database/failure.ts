import { DatabaseDeadlineError } from './database-deadline-error.ts';
import { EngineStoppedError } from './engine-stopped-error.ts';

// Classifies failures by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or by Node's code
// of a failed connection. Both engines report the same codes.

interface Failure {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
}

const constraintCodes = new Set(['23505', '23514', '23503', '23502', '23001']);

/** Returns whether an error violates this constraint or unique index. */
export function violates(error: unknown, constraintName: string): boolean {
  const { code, constraint } = asFailure(error);
  return typeof code === 'string' && constraintCodes.has(code) && constraint === constraintName;
}

/** Awaits a write. Returns undefined when the row that this foreign key refers to has been deleted. */
export async function unlessGone<T>(write: Promise<T>, foreignKey: string): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (violates(error, foreignKey)) return undefined;
    throw error;
  }
}

/**
 * Returns whether a retry may succeed, because the database gave up on a transaction in favor of another or lost a
 * prepared statement.
 */
export function isTransient(error: unknown): boolean {
  const { code } = asFailure(error);
  return code === '40001' || code === '40P01' || losesStatement(error);
}

/**
 * Returns whether a prepared statement can no longer be used: a pooler made it disappear (26000) or gave its name to
 * someone else (42P05), or a migration changed its result columns (0A000).
 */
export function losesStatement(error: unknown): boolean {
  const { code, message } = asFailure(error);
  if (code === '0A000') return message === 'cached plan must not change result type';
  return code === '26000' || code === '42P05';
}

/** Returns whether the role lacks a right, such as that to create tables. */
export const isForbidden = (error: unknown): boolean => asFailure(error).code === '42501';

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // the socket of a stopped server
  'ENOSPC',
  '25006', // read-only: a standby, or a primary that has just become one
  '25P03', // idle in transaction for too long
  '57014', // statement timeout
  '57P01', // shut down by an administrator
  '57P02', // another server process crashed
  '57P03', // starting up
  '57P05', // idle for too long
]);

/** Returns whether the database could not write because its disk is full. The embedded engine stops if that happens to its log. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof EngineStoppedError
    ? /ENOSPC|EDQUOT/.test(error.message)
    : ['53100', 'ENOSPC'].includes(String(asFailure(error).code));

// 08 connection lost, 53 out of disk, memory or connections, 58 input or output failed
const unavailableClasses = new Set(['08', '53', '58']);

// The driver's own errors have no code.
const driverMessages = [
  /^Connection terminated/,
  /^timeout (expired|exceeded)/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Cannot use a pool after calling end/,
  /^driver has already been destroyed/,
];

/**
 * Returns whether the database can't be used at the moment through no fault of the request, which may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseDeadlineError || error instanceof EngineStoppedError) return true;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { code, message } = asFailure(error);
  if (typeof code === 'string') {
    if (unavailableCodes.has(code)) return true;
    return /^[0-9A-Z]{5}$/.test(code) && unavailableClasses.has(code.slice(0, 2));
  }
  return typeof message === 'string' && driverMessages.some((pattern) => pattern.test(message));
}

function asFailure(error: unknown): Failure {
  return typeof error === 'object' && error !== null ? error : {};
}
