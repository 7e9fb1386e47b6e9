import type { AnswerOf, CsvKey, EndpointKey, Endpoints, InputOf } from '@hourshare/contract/endpoints';
import { ApiError, NoConnection } from './http-errors.ts';
import { forgetUnanswered, idempotencyKeyFor, rememberUnanswered } from './idempotency.ts';
import { refreshAccess } from './refresh.ts';
import { storedAccess } from './sign-in.ts';
import { noteServerDate } from './server-clock.ts';
import { readJson, transmit } from './transmit.ts';

type KeysWith<Flag extends string> = {
  [K in EndpointKey]: Endpoints[K] extends Record<Flag, true> ? K : never;
}[EndpointKey];

// The contract's table carries Zod and stays out of the bundle; the compiler keeps these two lists equal to it.
const isPublic: Record<KeysWith<'public'>, true> = {
  'GET /api/about/': true,
  'POST /api/register/': true,
  'POST /api/login/': true,
  'POST /api/token/refresh/': true,
  'POST /api/logout/': true,
};
const creates: Record<KeysWith<'creates'>, true> = {
  'POST /api/assets/': true,
  'POST /api/assets/{id}/share/': true,
  'POST /api/assets/{id}/prices/': true,
  'POST /api/settlements/': true,
  'POST /api/shared-assets/{id}/start/': true,
};

type PathParams<K extends EndpointKey> = [InputOf<K, 'params'>] extends [never]
  ? object
  : { params: Record<keyof InputOf<K, 'params'>, string | number> };
// Asking for a file is another function.
type Query<K extends EndpointKey> = [InputOf<K, 'query'>] extends [never]
  ? object
  : { query?: Omit<InputOf<K, 'query'>, 'format'> };
// A body that may be empty may be left out too.
type Body<K extends EndpointKey> = Endpoints[K] extends { body: unknown }
  ? Partial<InputOf<K, 'body'>> extends InputOf<K, 'body'>
    ? { body?: InputOf<K, 'body'> }
    : { body: InputOf<K, 'body'> }
  : object;

export type CallInput<K extends EndpointKey> = PathParams<K> & Query<K> & Body<K> & { signal?: AbortSignal };

interface AnyInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size > 0 ? `${filled}?${search.toString()}` : filled;
}

/**
 * Makes one call of the contract's table. Throws ApiError for an error answer, NoConnection when none came, and what
 * an abort throws. A 401 is answered by one quiet refresh and one more try.
 */
export const call = <K extends EndpointKey>(key: K, input: CallInput<K>): Promise<AnswerOf<K>> =>
  callAndRead<AnswerOf<K>>(key, input, { accept: 'application/json', read: readJson });

/** A file as the server names it. */
export interface NamedFile {
  name: string;
  content: Blob;
}

/** Makes one call of the contract's table as `call` does, and answers the file that it can also be asked for as. */
export const callForFile = <K extends CsvKey>(key: K, input: CallInput<K>): Promise<NamedFile> =>
  callAndRead<NamedFile>(key, input, {
    format: 'csv',
    accept: 'text/csv, application/json',
    read: (response) => (response.ok ? readFile(response) : readJson(response)),
  });

async function readFile(response: Response): Promise<NamedFile> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? 'hourshare.csv', content: await response.blob() };
}

interface Reading<Body> {
  format?: 'csv';
  accept: string;
  read: (response: Response) => Promise<Body>;
}

async function callAndRead<Body>(
  key: EndpointKey,
  input: object,
  { format, accept, read }: Reading<Body>,
): Promise<Body> {
  const given: AnyInput = input;
  const [method = '', path = ''] = key.split(' ');
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  const address = addressOf(path, { ...given, query: { ...given.query, format } });
  // Calls without a body (a start) are told apart by nothing, so a key could never be sent again, and would only make the
  // server keep the answer.
  const wish =
    key in creates && body !== undefined
      ? { call: `${method} ${address}`, body, key: idempotencyKeyFor(`${method} ${address}`, body) }
      : undefined;

  const attempt = (access: string | null) => {
    const headers: Record<string, string> = { accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (wish) headers['idempotency-key'] = wish.key;
    if (access !== null) headers['authorization'] = `Bearer ${access}`;
    const { signal } = given;
    return transmit(address, { method, headers, ...(body !== undefined && { body }), ...(signal && { signal }) }, read);
  };

  try {
    const access = storedAccess();
    let answer = await attempt(access);
    if (answer.status === 401 && !(key in isPublic) && access !== null) {
      const fresh = await refreshAccess(access);
      if (fresh !== null) answer = await attempt(fresh);
    }
    if (wish) forgetUnanswered(wish.call, wish.body);
    noteServerDate(answer.date);
    if (answer.status >= 400) throw new ApiError(answer.status, answer.body);
    return answer.body;
  } catch (error) {
    if (error instanceof NoConnection && wish) rememberUnanswered(wish.call, wish.body, wish.key);
    throw error;
  }
}
