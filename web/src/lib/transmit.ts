import { noteReached } from './connection.ts';
import { NoConnection } from './http-errors.ts';

interface Answer<Body> {
  status: number;
  /** What the contract promises for this call, or an error answer; undefined for 204 and for what is not JSON. */
  body: Body;
  date: string | null;
}

/**
 * One request, one answer, read as JSON unless told otherwise. Throws NoConnection, also for an answer cut short, or the
 * signal's reason when aborted.
 */
export async function transmit<Body>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<Body> = readJson,
): Promise<Answer<Body>> {
  try {
    const response = await fetch(address, { ...init, credentials: 'include' });
    noteReached(true);
    return { status: response.status, body: await read(response), date: response.headers.get('date') };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteReached(false);
    throw new NoConnection(error);
  }
}

// A proxy in between may answer HTML; its status still says what happened.
export async function readJson(response: Response) {
  const text = response.status === 204 ? '' : await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
