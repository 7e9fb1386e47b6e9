import type { ErrorAnswer } from '@hourshare/contract/errors';
import type { Params } from '@hourshare/contract/sentences';

/** An error response. `message` is the server's message for the user, or empty. */
export class ApiError extends Error {
  readonly status: number;
  /** Null in what isn't HourShare's own error, such as a proxy's. */
  readonly code: string | null;
  /** What the message says, if that is more exact than the code. */
  readonly detail: string | undefined;
  readonly params: Params | undefined;
  readonly fields: Record<string, string[]>;
  readonly fieldCodes: NonNullable<ErrorAnswer['field_codes']>;
  /** Where the server's log has more about this error. */
  readonly requestId: string | null;
  /** The `message` field of an error from a proxy in between. */
  readonly remark: string | null;

  constructor(status: number, body: unknown) {
    // A proxy in between may send any JSON.
    const answer: Partial<ErrorAnswer> & { message?: unknown } = typeof body === 'object' && body !== null ? body : {};
    super(typeof answer.error === 'string' ? answer.error : '');
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof answer.code === 'string' ? answer.code : null;
    this.detail = answer.detail;
    this.params = answer.params;
    this.fields = answer.fields ?? {};
    this.fieldCodes = answer.field_codes ?? {};
    this.requestId = typeof answer.request_id === 'string' ? answer.request_id : null;
    this.remark = typeof answer.message === 'string' && answer.message !== '' ? answer.message : null;
  }
}

/** No answer of HourShare: no network, no server, something in between that answers for it, or a truncated body. */
export class NoConnection extends Error {
  constructor(cause?: unknown) {
    // oxlint-disable-next-line hourshare/text-in-catalog -- for the log; error-texts.ts has what people read
    super("Can't reach the server. Check your connection and try again.", { cause });
    this.name = 'NoConnection';
  }
}

/** Whether HourShare didn't answer, so that it may have done what was asked, or may do it later. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof NoConnection || (error instanceof ApiError && error.code === null);
