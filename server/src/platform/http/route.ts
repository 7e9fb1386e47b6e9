import {
  endpoints,
  type AnswerOf,
  type CsvKey,
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  type FileKey,
  type ParsedOf,
  type StreamKey,
} from '@hourshare/contract/endpoints';
import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { isRecent } from '../checks.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { fail, ok, type Result, type Success } from '../result.ts';
import type { Script, Tokens } from '../tokens.ts';
import { sendFailure } from './answers.ts';
import { callerOf, notIdentified, tokenOf, type IdentifiedCaller } from './authentication.ts';
import type { Client } from './client.ts';
import { sendTable } from './csv-answers.ts';
import type { Table } from './csv.ts';
import type { EventStreams, Message } from './event-streams.ts';
import { sendFile, type FileToSend, type InTurn } from './file-answers.ts';
import { once, type StoredAnswer } from './idempotency.ts';
import { originOf } from './origin.ts';
import { networkOf } from './networks.ts';
import type { Limit, RateLimits } from './rate-limits.ts';
import { serializersOf } from './serialization.ts';
import type { Turns } from './turns.ts';
import { check } from './validation.ts';

/** What every route needs of the app's dependencies. */
export interface RouteDeps {
  db: Database;
  clock: Clock;
  limits: RateLimits;
  turns: Turns;
  tokens: Pick<Tokens, 'seal' | 'unseal'>;
  streams: Pick<EventStreams, 'lastId'>;
}

/** The calls that scripts may make; scripts have no sign-in. */
type ScriptKey = { [K in EndpointKey]: Endpoints[K] extends { scripts: readonly unknown[] } ? K : never }[EndpointKey];

/** A request whose parts have been validated. `caller` is set on every call that isn't public. */
interface ApiRequest<K extends EndpointKey> {
  params: ParsedOf<K, 'params'>;
  query: ParsedOf<K, 'query'>;
  body: ParsedOf<K, 'body'>;
  caller: K extends ScriptKey ? { userId: number } : IdentifiedCaller;
  /** The network the request came from, for rate limits. */
  network: string;
  /** Where it came from, for security events and the list of sign-ins. */
  client: Client;
  /** The origin the request was sent to, or an empty text. */
  origin: string;
  /** The Cookie header as sent. */
  cookies: string | undefined;
  /** The bearer token as sent. */
  bearer: string | undefined;
  /** Adds a Set-Cookie header to the response. */
  setCookie: (header: string) => void;
}

// No person writes this often, and a script is told when to retry.
const WRITES: Limit = { name: 'writes', max: 300, windowSeconds: 60 };

// Scripts don't count toward their user's own limit.
const CALLS_BY_TOKEN: Limit = { name: 'calls by access token', max: 60, windowSeconds: 60 };
const CALLS_BY_SCRIPTS: Limit = { name: 'calls by scripts of a user', max: 300, windowSeconds: 60 };

/**
 * The body of a writing call that needs none: unknown fields are rejected, so clients don't believe they had an effect.
 */
const NoFields = z.strictObject({});

type HandlerAnswer<K extends EndpointKey> = K extends FileKey ? FileToSend : AnswerOf<K>;

type Handler<D, K extends EndpointKey> = (deps: D, request: ApiRequest<K>) => Promise<Result<HandlerAnswer<K>>>;

/** Calls that also answer a file need a function from their response to a table. */
type ToTable<K extends EndpointKey> = K extends CsvKey ? [toTable: (answer: AnswerOf<K>) => Table] : [];

/** Serves one call of the contract: identifies the caller, validates the request and sends the response. */
export function route<D extends RouteDeps, K extends EndpointKey>(
  app: FastifyInstance,
  deps: D,
  key: K,
  handle: Handler<D, K>,
  ...rest: ToTable<K>
): void {
  // oxlint-disable-next-line no-unsafe-type-assertion -- each K has one of these two shapes
  const [toTable] = rest as [((answer: AnswerOf<K>) => Table)?];
  const endpoint: Endpoint = endpoints[key];
  const [method, path] = splitKey(key);
  const writes = method !== 'GET';

  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: { response: serializersOf(endpoint) },
    ...(endpoint.bodyMaxBytes !== undefined && { bodyLimit: endpoint.bodyMaxBytes }),
    config: { endpoint: key },
    handler: async (request, reply) => {
      const network = networkOf(request.ip);
      let caller: IdentifiedCaller | Script | undefined;
      if (!endpoint.public) {
        caller = await callerOf(request);
        if (!caller) return sendFailure(reply, notIdentified(request));
      }
      const script = caller && 'scope' in caller ? caller : undefined;
      // Set before anything is read, so that a stream that resumes after it misses nothing that the answer lacks.
      if (!writes && caller && !script && deps.streams.lastId !== undefined)
        void reply.header('event-id', deps.streams.lastId);
      const checkedAt = caller && 'checkedAt' in caller ? caller.checkedAt : null;
      if (script) {
        const refused = takeScriptCall(deps, script);
        if (refused) return sendFailure(reply, refused);
        if (endpoint.administrator) return sendFailure(reply, fail('not_found'));
        if (!mayCall(script, endpoint)) return sendFailure(reply, fail('token_scope'));
      }
      // Public calls have their own limits. A shared limit per network would let a flood of sign-outs block
      // sign-ins.
      if (writes && caller && !script) {
        const refused = deps.limits.take(WRITES, String(caller.userId));
        if (refused) return sendFailure(reply, refused);
      }
      if (endpoint.administrator) {
        const administrator = caller && (await app.findAdministrator(caller.userId));
        if (!administrator) return sendFailure(reply, fail('not_found'));
        if (writes && !administrator.twoStep) return sendFailure(reply, fail('two_step_required'));
      }
      if (endpoint.recentCheck && !isRecent(checkedAt, deps.clock())) return sendFailure(reply, fail('check_required'));
      const params = check(endpoint.params, request.params, 'params');
      if (!params.ok) return sendFailure(reply, params);
      if (typeof script?.scope === 'object' && !namesShare(params.value, script.scope.share))
        return sendFailure(reply, fail('not_found'));
      const query = check(endpoint.query, request.query, 'query');
      if (!query.ok) return sendFailure(reply, query);
      const sent = request.body === undefined ? {} : request.body;
      const body = check(endpoint.body ?? (writes ? NoFields : undefined), sent, 'body');
      if (!body.ok) return sendFailure(reply, body);

      // oxlint-disable-next-line no-unsafe-type-assertion -- each part was parsed by the schema from which its type is inferred
      const checked = {
        params: params.value,
        query: query.value,
        body: body.value,
        caller,
        network,
        client: {
          device: (request.headers['user-agent'] ?? '').slice(0, 200),
          network,
          requestId: request.id,
          ...signInOf(caller),
        },
        origin: originOf(request),
        cookies: request.headers.cookie,
        bearer: tokenOf(request),
        setCookie: (header: string) => void reply.header('set-cookie', header),
      } as ApiRequest<K>;

      const inTurn: InTurn = (work) => deps.turns.inTurn(caller?.userId, reply.raw, work);
      const idempotencyKey = request.headers['idempotency-key'];
      if (caller && endpoint.idempotent && typeof idempotencyKey === 'string') {
        // Not the address as sent: with or without a trailing slash or an empty body it's the same request.
        const keyed = { userId: caller.userId, key: idempotencyKey, request: [key, request.params, sent] };
        const answer = await inTurn(() =>
          once({ ...deps, answers: app.answers }, keyed, async (db) =>
            stored(reply, endpoint, await handle({ ...deps, db }, checked), endpoint.secret && deps.tokens.seal),
          ),
        );
        if (!answer.ok) return sendFailure(reply, answer);
        const body = endpoint.secret ? deps.tokens.unseal(answer.value.body) : answer.value.body;
        // It was kept under another secret.
        if (body === undefined) return sendFailure(reply, fail('idempotency_key_reused'));
        // Sent as bytes, because the serializer would turn them into a JSON string.
        return reply
          .code(answer.value.status)
          .header('cache-control', 'no-store')
          .header('content-type', 'application/json; charset=utf-8')
          .serializer((bytes: string) => bytes)
          .send(body);
      }
      if (toTable && asksForCsv(query.value))
        return sendTable(reply, async (cursor) => {
          const page = cursor === undefined ? checked : { ...checked, query: { ...checked.query, cursor } };
          const result = await inTurn(() => handle(deps, page));
          // oxlint-disable-next-line no-unsafe-type-assertion -- no such call only answers a file
          return result.ok ? ok(toTable(result.value as AnswerOf<K>)) : result;
        });
      const result = await inTurn(() => handle(deps, checked));
      const { file: type } = endpoint;
      // oxlint-disable-next-line no-unsafe-type-assertion -- what handlers of such calls return
      if (type && result.ok) return sendFile(reply, { type, inTurn }, result.value as FileToSend);
      return sendResult(reply, endpoint, result);
    },
  });
}

/** Where a stream's events come from. */
interface StreamSource {
  /** Runs before the stream is opened, from when on events are buffered for it. */
  prepare: () => Promise<void>;
  /** Returns what the stream begins with: what came after an event, or that it begins now. */
  first: (request: { userId: number; after: number | undefined }) => Promise<Message[]>;
}

// Each opening reads the database. Browsers reconnect a few times a minute at worst.
const STREAM_OPENINGS: Limit = { name: 'event streams', max: 60, windowSeconds: 60 };

/**
 * Serves a call of the contract that answers server-sent events. An open stream takes none of its user's turns, and ends when
 * the access token expires, the sign-in ends, or the token of a script is revoked.
 */
export function streamRoute(
  app: FastifyInstance,
  deps: Pick<RouteDeps, 'limits'> & { streams: EventStreams },
  key: StreamKey,
  { prepare, first }: StreamSource,
): void {
  const endpoint: Endpoint = endpoints[key];
  const [method, path] = splitKey(key);
  app.route({
    method,
    url: path,
    // Fastify would answer HEAD with a stream that no one reads.
    exposeHeadRoute: false,
    config: { endpoint: key },
    handler: async (request, reply) => {
      const caller = await callerOf(request);
      if (!caller) return sendFailure(reply, notIdentified(request));
      const script = 'scope' in caller ? caller : undefined;
      const flooded = script && takeScriptCall(deps, script);
      if (flooded) return sendFailure(reply, flooded);
      if (script && !mayCall(script, endpoint)) return sendFailure(reply, fail('token_scope'));
      const query = check(endpoint.query, request.query, 'query');
      if (!query.ok) return sendFailure(reply, query);
      // A script has limits of its own, so that it takes none of its user's streams.
      const refused = script ? undefined : deps.limits.take(STREAM_OPENINGS, String(caller.userId));
      if (refused) return sendFailure(reply, refused);
      await prepare();
      const { userId } = caller;
      const stream = deps.streams.open(reply, {
        userId,
        ...('scope' in caller
          ? { token: caller.token, expiresAt: caller.expiresAt }
          : { signIn: caller.signIn, expiresAt: expiryOf(tokenOf(request)) }),
      });
      if ('code' in stream) return sendFailure(reply, stream);
      try {
        const messages = await first({ userId, after: lastEventId(request.headers['last-event-id']) });
        // Checked again, because the sign-in may have ended before there was a stream to end.
        if (!(await callerOf(request))) {
          stream.end();
          return sendFailure(reply, notIdentified(request));
        }
        stream.begin(messages);
      } catch (error) {
        stream.end();
        throw error;
      }
      return (
        reply
          .header('cache-control', 'no-store, no-transform')
          .header('content-type', 'text/event-stream; charset=utf-8')
          // Otherwise, the connection of an ended stream would stay open, and a stopping server would wait for it.
          .header('connection', 'close')
          .header('x-accel-buffering', 'no')
          .send(stream.body)
      );
    },
  });
}

/** Returns the id after which a stream continues; for anything but an id, one that never exists. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : UNKNOWN_EVENT;
}

const UNKNOWN_EVENT = Number.MAX_SAFE_INTEGER;

const expiryOf = (token: string | undefined): Date => new Date((decodeJwt(token ?? '').exp ?? 0) * 1000);

const mayCall = ({ scope }: Script, { scripts }: Endpoint): boolean =>
  scripts?.includes(typeof scope === 'object' ? 'share' : scope) === true;

const takeScriptCall = ({ limits }: Pick<RouteDeps, 'limits'>, { token, userId }: Script) =>
  limits.take(CALLS_BY_TOKEN, String(token)) ?? limits.take(CALLS_BY_SCRIPTS, String(userId));

const signInOf = (caller: IdentifiedCaller | Script | undefined): Pick<Client, 'signIn'> =>
  caller && 'signIn' in caller ? { signIn: caller.signIn } : {};

const namesShare = (params: unknown, share: number | null): boolean =>
  typeof params === 'object' && params !== null && 'id' in params && params.id === share;

function splitKey(key: EndpointKey): [HTTPMethods, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

const asksForCsv = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'format' in query && query.format === 'csv';

function statusOf(endpoint: Endpoint, { value, found }: Success<unknown>): number {
  if (value === undefined) return 204;
  return endpoint.answers[201] && !found ? 201 : 200;
}

function sendResult(reply: FastifyReply, endpoint: Endpoint, result: Result<unknown>): FastifyReply {
  if (!result.ok) return sendFailure(reply, result);
  return reply.code(statusOf(endpoint, result)).header('cache-control', 'no-store').send(result.value);
}

function stored(
  reply: FastifyReply,
  endpoint: Endpoint,
  result: Result<unknown>,
  seal: Tokens['seal'] = (body) => body,
): Result<StoredAnswer> {
  if (!result.ok) return result;
  const status = statusOf(endpoint, result);
  const serialize = reply.getSerializationFunction(String(status)) ?? JSON.stringify;
  // oxlint-disable-next-line no-unsafe-type-assertion -- every response with a body is an object
  return ok({ status, body: seal(serialize(result.value as Record<string, unknown>)) });
}
