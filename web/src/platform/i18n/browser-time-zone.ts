import { ApiError } from '../http/errors.ts';

// Apart from time.ts, because signing up needs it before any text is loaded.

// oxlint-disable-next-line hourshare/text-in-catalog -- what Chrome says where the system doesn't name its zone
const UNKNOWN = 'Etc/Unknown';

function ownTimeZone(): string | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== UNKNOWN ? timeZone : undefined;
}

/** Returns the viewer's IANA time zone; UTC in browsers that hide it or don't know it. */
export const browserTimeZone = (): string => ownTimeZone() ?? 'UTC';

/**
 * Sends something with the viewer's time zone, which they haven't chosen and don't see: with another one if the browser doesn't
 * know it, or is newer than the server and knows one that the server doesn't.
 */
export async function sendTimeZone<T>(send: (timeZone: string) => Promise<T>, otherwise = 'UTC'): Promise<T> {
  const timeZone = ownTimeZone() ?? otherwise;
  try {
    return await send(timeZone);
  } catch (error) {
    if (timeZone === otherwise || !(error instanceof ApiError) || !('time_zone' in error.fields)) throw error;
    return send(otherwise);
  }
}
