/** A statement wasn't answered in time. Whether it took effect is unknown. */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';
}
