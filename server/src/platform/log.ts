import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

// PostgreSQL's error details may quote whole rows, with addresses, names and hashes.
const QUOTES_ROWS = new Set(['detail', 'where', 'internalQuery']);

/** Class 22, data exceptions, whose messages quote the value. */
function isDataException(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause }: { code?: unknown; cause?: unknown } = error;
  return (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) || isDataException(cause);
}

const withoutQuotes = (text: unknown): unknown => (typeof text === 'string' ? text.replaceAll(/"[^]*"/g, '"…"') : text);

/** Returns an error as the log has it: without what its statement read or wrote. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized = stdSerializers.err(error);
  const safe: Record<string, unknown> = {};
  // The serializer's own fields are inherited.
  for (const key in serialized) if (!QUOTES_ROWS.has(key)) safe[key] = serialized[key];
  if (error instanceof AggregateError) safe['aggregateErrors'] = error.errors.map(serializeError);
  if (isDataException(error)) {
    safe['message'] = withoutQuotes(serialized.message);
    safe['stack'] = withoutQuotes(serialized.stack);
  }
  return safe;
}

/**
 * Creates the server's log: JSON lines on standard output, or wherever a test wants them. Every line gets the current
 * fields, if there are any.
 */
export const createLog = (level: string, destination?: DestinationStream, fields?: () => object): Logger =>
  pino({ level, serializers: { err: serializeError }, ...(fields && { mixin: fields }) }, destination);
