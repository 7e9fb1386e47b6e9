import { noteReached } from './connection.ts';
import { NoConnection } from './http-errors.ts';

interface Answer<Body> {
  status: number;
  /** What the contract promises for this call, or an error answer; undefined for 204 and for what is not JSON. */
  json: Body;
  date: string | null;
}

/** One request, one answer. Throws NoConnection, or the signal's reason when aborted. */
export async function transmit<Body>(address: string, init: RequestInit): Promise<Answer<Body>> {
  try {
    const response = await fetch(address, { ...init, credentials: 'include' });
    noteReached(true);
    const text = response.status === 204 ? '' : await response.text();
    return { status: response.status, json: parse(text), date: response.headers.get('date') };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteReached(false);
    throw new NoConnection(error);
  }
}

// A proxy in between may answer HTML; its status still says what happened.
function parse(text: string) {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
