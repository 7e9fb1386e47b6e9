/** Why the server can't start, as one sentence for whoever starts it: it says what to do, and needs no stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
