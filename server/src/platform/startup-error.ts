/** Why the server can't start, in one sentence that says what to do. It needs no stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
