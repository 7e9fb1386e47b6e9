import { pino, type DestinationStream, type Logger } from 'pino';

// PostgreSQL's error details may quote whole rows, with addresses, names and hashes.
const QUOTES_ROWS = ['err.detail', 'err.where', 'err.internalQuery'];

/** Creates the server's log: JSON lines on standard output, or wherever a test wants them. */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: { paths: QUOTES_ROWS, remove: true } }, destination);
