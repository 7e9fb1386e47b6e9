import { NoConnection } from './http-errors.ts';

export interface Answer {
  status: number;
  /** undefined for 204 and for a body that is not JSON. */
  json: unknown;
  date: string | null;
}

/** One request, one answer. Throws NoConnection, or the signal's reason when aborted. */
export async function transmit(address: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, { ...init, credentials: 'include' });
    const text = response.status === 204 ? '' : await response.text();
    return { status: response.status, json: parse(text), date: response.headers.get('date') };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new NoConnection(error);
  }
}

// A proxy in between may answer HTML; its status still says what happened.
function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
