import { ApiError } from '../../lib/http-errors.ts';

export const isShareId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;

const INVALID_ID = /^Cannot (?:start|end) session: Invalid asset ID\.$/;

const isInvalidId = (error: unknown): error is Error => error instanceof Error && INVALID_ID.test(error.message);

/** The catalogue's sentences. */
export function startFailureText(error: unknown): string {
  if (isInvalidId(error)) return error.message;
  if (!(error instanceof ApiError)) return 'Failed to start session: Unknown error';
  if (error.status === 400) return 'A session is already running for this asset. Refreshing...';
  return `Failed to start session: ${error.message || 'Unknown error'}`;
}

export const endFailureText = (error: unknown): string =>
  isInvalidId(error) ? error.message : 'Failed to end session';
