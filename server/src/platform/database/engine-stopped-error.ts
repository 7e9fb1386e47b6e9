/** The embedded engine has stopped for good, as a PostgreSQL server does in a panic: when its log can't be written, say. */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}
