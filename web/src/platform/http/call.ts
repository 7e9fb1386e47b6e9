import type { AnswerOf, CsvKey, EndpointKey, Endpoints, FileKey, InputOf } from '@hourshare/contract/endpoints';
import { ApiError, isUnanswered } from './errors.ts';
import { forgetUnanswered, idempotencyKeyFor, rememberUnanswered } from './idempotency.ts';
import { proveIdentity } from '../auth/identity.ts';
import { randomId } from './random-id.ts';
import { refreshAccess } from '../auth/refresh.ts';
import { storedAccess } from '../auth/sign-in.ts';
import { recordServerDate } from './server-clock.ts';
import { readJson, transmit } from './transmit.ts';

type KeysWith<Flag extends string> = {
  [K in EndpointKey]: Endpoints[K] extends Record<Flag, true> ? K : never;
}[EndpointKey];

/** What only other programs call. */
type OfPrograms = 'GET /api/calendar/{token}.ics' | 'POST /api/meters/events/';

// The contract's endpoint table includes Zod and stays out of the bundle. The compiler keeps these lists in step
// with it.
const isPublic: Record<Exclude<KeysWith<'public'>, OfPrograms>, true> = {
  'GET /api/about/': true,
  'GET /api/claims/{token}/': true,
  'GET /api/claims/{token}/estimate/': true,
  'GET /api/unsubscribe/{token}/': true,
  'GET /api/invitations/{token}/': true,
  'POST /api/register/': true,
  'POST /api/register/passkey/options/': true,
  'POST /api/login/': true,
  'POST /api/login/passkey/': true,
  'POST /api/login/passkey/options/': true,
  'POST /api/token/refresh/': true,
  'POST /api/logout/': true,
  'POST /api/me/email-change/confirm/': true,
  'POST /api/password-reset/': true,
  'POST /api/password-reset/confirm/': true,
  'POST /api/providers/start/': true,
  'POST /api/providers/finish/': true,
  'POST /api/providers/sign-in/': true,
  'POST /api/providers/register/': true,
  'POST /api/unsubscribe/{token}/': true,
};
const isFile: Record<Exclude<FileKey, OfPrograms>, true> = {
  'GET /api/me/export/': true,
  'GET /api/me/export/csv/': true,
};
const idempotent: Record<KeysWith<'idempotent'>, true> = {
  'POST /api/administration/accounts/{id}/reset-link/': true,
  'POST /api/administration/invitations/': true,
  'POST /api/assets/': true,
  'POST /api/assets/{id}/invitations/': true,
  'POST /api/assets/{id}/costs/': true,
  'POST /api/assets/{id}/meters/': true,
  'POST /api/shared-assets/{id}/costs/': true,
  'POST /api/assets/{id}/deposits/': true,
  'POST /api/shared-assets/{id}/deposits/': true,
  'POST /api/assets/{id}/meters/{meter_id}/token/': true,
  'POST /api/shared-assets/{id}/meters/{meter_id}/token/': true,
  'POST /api/assets/{id}/handover/': true,
  'POST /api/assets/{id}/people/': true,
  'POST /api/assets/{id}/sessions/{session_id}/objection/': true,
  'POST /api/assets/{id}/sessions/{session_id}/objection/replies/': true,
  'POST /api/assets/{id}/share/': true,
  'POST /api/assets/{id}/share/{share_id}/claim/': true,
  'POST /api/assets/{id}/share/{share_id}/sessions/': true,
  'POST /api/assets/{id}/prices/': true,
  'POST /api/claims/{token}/': true,
  'POST /api/invitations/{token}/': true,
  'POST /api/me/access-tokens/': true,
  'POST /api/me/calendar/': true,
  'POST /api/notifications/targets/': true,
  'POST /api/me/two-step/confirm/': true,
  'POST /api/me/identities/': true,
  'POST /api/settlements/': true,
  'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/': true,
  'POST /api/shared-assets/{id}/end/': true,
  'POST /api/shared-assets/{id}/late-end/': true,
  'POST /api/shared-assets/{id}/logs/': true,
  'POST /api/shared-assets/{id}/late-start/': true,
  'POST /api/shared-assets/{id}/start/': true,
  'POST /api/trusted-owners/': true,
};

type PathParams<K extends EndpointKey> = [InputOf<K, 'params'>] extends [never]
  ? object
  : { params: Record<keyof InputOf<K, 'params'>, string | number> };
// `format` belongs to callForFile.
type Query<K extends EndpointKey> = [InputOf<K, 'query'>] extends [never]
  ? object
  : { query?: Omit<InputOf<K, 'query'>, 'format'> };
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

function buildUrl(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size > 0 ? `${filled}?${search.toString()}` : filled;
}

/**
 * Calls an endpoint. Throws ApiError for an error response, NoConnection without one, and the signal's reason when
 * aborted; a 401 triggers one token refresh and retry, and `check_required` one question and retry.
 */
export const call = <K extends EndpointKey>(key: K, input: CallInput<K>): Promise<AnswerOf<K>> =>
  callAndRead<AnswerOf<K>>(key, input, { accept: 'application/json', read: readJson });

/** A file with the name the server gave it. */
export interface NamedFile {
  name: string;
  content: Blob;
}

/** Calls an endpoint as `call` does and returns its file: CSV, unless the call only answers a file. */
export const callForFile = <K extends CsvKey | FileKey>(key: K, input: CallInput<K>): Promise<NamedFile> =>
  callAndRead<NamedFile>(key, input, {
    ...(key in isFile ? { accept: '*/*' } : { format: 'csv', accept: 'text/csv, application/json' }),
    read: (response) => (response.ok ? readFile(response) : readJson(response)),
  });

async function readFile(response: Response): Promise<NamedFile> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  // A page of something in between must not be saved as the file.
  if (name === undefined) throw new TypeError('Not a file');
  return { name, content: await response.blob() };
}

const isCheckRequired = ({ status, body }: { status: number; body: unknown }): boolean =>
  status === 403 && new ApiError(status, body).code === 'check_required';

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
  const request: AnyInput = input;
  const [method = '', path = ''] = key.split(' ');
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const address = buildUrl(path, { ...request, query: { ...request.query, format } });
  // Identical calls without a body can't be told apart, so theirs is only for proxies, which repeat what has a key.
  const isIdempotent = key in idempotent;
  const creation =
    isIdempotent && body !== undefined
      ? { call: `${method} ${address}`, body, key: idempotencyKeyFor(`${method} ${address}`, body) }
      : undefined;
  const idempotencyKey = isIdempotent ? (creation?.key ?? randomId()) : undefined;

  const attempt = (access: string | null) => {
    const headers: Record<string, string> = { accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    // oxlint-disable-next-line hourshare/text-in-catalog -- the name of an authentication scheme
    if (access !== null) headers['authorization'] = `Bearer ${access}`;
    const { signal } = request;
    return transmit(address, { method, headers, ...(body !== undefined && { body }), ...(signal && { signal }) }, read);
  };

  try {
    const access = storedAccess();
    let answer = await attempt(access);
    if (answer.status === 401 && !(key in isPublic) && access !== null) {
      const fresh = await refreshAccess(access);
      if (fresh !== null) answer = await attempt(fresh);
    }
    if (isCheckRequired(answer) && (await proveIdentity())) answer = await attempt(storedAccess());
    if (creation) forgetUnanswered(creation.call, creation.body);
    recordServerDate(answer.date);
    if (answer.status >= 400) throw new ApiError(answer.status, answer.body);
    return answer.body;
  } catch (error) {
    if (creation && isUnanswered(error)) rememberUnanswered(creation.call, creation.body, creation.key);
    throw error;
  }
}
