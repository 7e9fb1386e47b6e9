/** A statement wasn't answered in time, so it may or may not have taken effect. */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';
}
