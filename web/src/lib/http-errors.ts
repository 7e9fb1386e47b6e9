import type { ErrorAnswer } from '@hourshare/contract/errors';

/** The server answered, and the answer is an error. `message` is its sentence for people, where it had one. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly fields: Record<string, string[]>;

  constructor(status: number, body: unknown) {
    // A proxy in between may answer something else altogether.
    const answer: Partial<ErrorAnswer> = typeof body === 'object' && body !== null ? body : {};
    super(typeof answer.error === 'string' ? answer.error : '');
    this.name = 'ApiError';
    this.status = status;
    this.code = answer.code ?? null;
    this.fields = answer.fields ?? {};
  }
}

/** Nothing came back: no network, no server, or an answer cut short. */
export class NoConnection extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached. Check your connection and try again.', { cause });
    this.name = 'NoConnection';
  }
}
