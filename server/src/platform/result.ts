import type { ErrorCode } from '@hourshare/contract/errors';

/** An expected outcome that isn't a success. Without a message, the catalog's is shown. */
export interface Failure {
  ok: false;
  code: ErrorCode;
  message?: string;
  fields?: Record<string, string[]>;
  retryAfterSeconds?: number;
  /** Whether a separate security event has been recorded, so that the log needs no line for the refusal. */
  isRecorded?: boolean;
}

export interface Success<T> {
  ok: true;
  value: T;
}

/** What use cases return. Throwing is for the unexpected. */
export type Result<T> = Success<T> | Failure;

export const ok = <T>(value: T): Success<T> => ({ ok: true, value });

export const fail = (code: ErrorCode, detail: Omit<Failure, 'ok' | 'code'> = {}): Failure => ({
  ok: false,
  code,
  ...detail,
});
