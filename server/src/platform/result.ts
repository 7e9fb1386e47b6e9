import type { ErrorCode } from '@hourshare/contract/errors';
import type { Sentence } from '@hourshare/contract/sentences';

/** An expected outcome that isn't a success. */
export interface Failure {
  ok: false;
  code: ErrorCode;
  /** That of the code, or a more exact one. */
  sentence: Sentence;
  fields?: Record<string, Sentence[]>;
  retryAfterSeconds?: number;
  /** Whether a separate security event has been recorded, so that the log needs no line for the refusal. */
  isRecorded?: boolean;
}

export interface Success<T> {
  ok: true;
  value: T;
  /** Of a call that creates something: that it was there already. */
  found?: true;
}

/** What use cases return. Throwing is for the unexpected. */
export type Result<T> = Success<T> | Failure;

export const ok = <T>(value: T): Success<T> => ({ ok: true, value });

export const found = <T>(value: T): Success<T> => ({ ok: true, value, found: true });

export const fail = (code: ErrorCode, detail: Partial<Omit<Failure, 'ok' | 'code'>> = {}): Failure => ({
  ok: false,
  code,
  sentence: { code },
  ...detail,
});

/** Returns the failure of a request with one invalid field. */
export const failField = (field: string, sentence: Sentence, code: ErrorCode = 'validation_failed'): Failure =>
  fail(code, { sentence, fields: { [field]: [sentence] } });
