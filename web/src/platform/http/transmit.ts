import { recordReachable } from './connection.ts';
import { NoConnection } from './errors.ts';
import { recordEventId } from '../live/stream-state.ts';

interface Answer<Body> {
  status: number;
  /** The body the contract promises for this call, or an error; undefined for 204 and for an error without a body. */
  body: Body;
  date: string | null;
}

/**
 * Sends one request and reads its response, by default as JSON. Throws NoConnection if HourShare doesn't answer, also for a
 * truncated body, or the signal's reason when aborted.
 */
export async function transmit<Body>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<Body> = readJson,
): Promise<Answer<Body>> {
  try {
    const response = await fetch(address, { ...init, credentials: 'include' });
    const body = await read(response);
    recordReachable(true);
    recordEventId(response.headers.get('event-id'));
    return { status: response.status, body, date: response.headers.get('date') };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    recordReachable(false);
    throw new NoConnection(error);
  }
}

/** Reads JSON. Throws for anything else: a proxy in between, or the page of a Wi-Fi, answers with any status. */
export async function readJson(response: Response) {
  const text = response.status === 204 ? '' : await response.text();
  if (text === '' && (response.status === 204 || !response.ok)) return undefined;
  const value = JSON.parse(text);
  if (typeof value !== 'object') throw new TypeError('Not an answer');
  return value;
}
