/**
 * The embedded engine has stopped for good, as a PostgreSQL server does in a panic, such as when it can't write its
 * log.
 */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}
