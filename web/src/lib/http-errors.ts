import type { ErrorAnswer } from '@hourshare/contract/errors';

/** The server answered, and the answer is an error. `message` is its sentence for people, where it had one. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly fields: Record<string, string[]>;
  /** What stands between here and the server, such as a proxy, may say what is wrong in a field `message` of its own. */
  readonly remark: string | null;

  constructor(status: number, body: unknown) {
    // A proxy in between may answer something else altogether.
    const answer: Partial<ErrorAnswer> & { message?: unknown } = typeof body === 'object' && body !== null ? body : {};
    super(typeof answer.error === 'string' ? answer.error : '');
    this.name = 'ApiError';
    this.status = status;
    this.code = answer.code ?? null;
    this.fields = answer.fields ?? {};
    this.remark = typeof answer.message === 'string' && answer.message !== '' ? answer.message : null;
  }
}

/** Nothing came back: no network, no server, or an answer cut short. */
export class NoConnection extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached. Check your connection and try again.', { cause });
    this.name = 'NoConnection';
  }
}
