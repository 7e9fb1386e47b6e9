import { recordReachable } from './connection.ts';
import { NoConnection } from './http-errors.ts';

interface Answer<Body> {
  status: number;
  /** The body the contract promises for this call, or an error; undefined for 204 and for anything but JSON. */
  body: Body;
  date: string | null;
}

/**
 * Sends one request and reads its response, by default as JSON. Throws NoConnection, also for a truncated body, or the
 * signal's reason when aborted.
 */
export async function transmit<Body>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<Body> = readJson,
): Promise<Answer<Body>> {
  try {
    const response = await fetch(address, { ...init, credentials: 'include' });
    recordReachable(true);
    return { status: response.status, body: await read(response), date: response.headers.get('date') };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    recordReachable(false);
    throw new NoConnection(error);
  }
}

// A proxy in between may send HTML; the status still says what happened.
export async function readJson(response: Response) {
  const text = response.status === 204 ? '' : await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
