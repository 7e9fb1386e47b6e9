import { pino, type DestinationStream, type Logger } from 'pino';

// What PostgreSQL adds to an error may quote whole rows, with addresses, names and hashes in them.
const QUOTES_ROWS = ['err.detail', 'err.where', 'err.internalQuery'];

/** The server's log: JSON lines on standard output, or where a test wants them. */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: { paths: QUOTES_ROWS, remove: true } }, destination);
