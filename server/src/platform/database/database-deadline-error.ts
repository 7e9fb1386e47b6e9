/** A statement got no answer in time; whether it took effect is unknown. */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';
}
