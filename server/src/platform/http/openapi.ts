import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { errorStatus, type ErrorCode } from '@hourshare/contract/errors';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@hourshare/contract/limits';
import { z } from 'zod';

type Json = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';

// Errors that every call of a kind may answer. The `code` tells the cases apart.
const everyCall: ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];
const signedInCalls: ErrorCode[] = ['not_signed_in', 'token_scope'];
const signIns: ErrorCode[] = ['not_signed_in'];
const callsWithParams: ErrorCode[] = ['not_found'];
const callsWithInput: ErrorCode[] = ['validation_failed'];
// Includes calls that need no body, because whatever is sent is read before the call is known to want none.
const writingCalls: ErrorCode[] = ['validation_failed', 'body_too_large', 'unsupported_media_type'];
const checkedCalls: ErrorCode[] = ['check_required'];
const administratorCalls: ErrorCode[] = ['not_found'];
const administratorChanges: ErrorCode[] = ['two_step_required'];
const idempotentCalls: ErrorCode[] = ['idempotency_key_reused'];
const signingIn: ErrorCode[] = ['account_disabled'];
const registration: ErrorCode[] = ['registration_closed', 'invitation_required', 'invitation_not_found'];
const callsAboutIdentities: ErrorCode[] = ['identity_taken'];
const callsAboutEdits: ErrorCode[] = ['objection_ended', 'request_ended'];
const callsThatAddAgain: ErrorCode[] = ['session_edited'];
const callsAboutTerms: ErrorCode[] = ['offer_changed'];
const callsAboutCosts: ErrorCode[] = ['cost_changed', 'cost_answered'];
const callsThatNameAUser: ErrorCode[] = ['user_not_found'];
const callsThatNameAShare: ErrorCode[] = ['not_found'];

/** Returns the statuses of errors that a call may answer. */
export function errorStatusesOf(key: string, endpoint: Endpoint): number[] {
  const codes = [
    ...everyCall,
    ...(endpoint.public ? [] : signedInCalls),
    ...(endpoint.meter ? signIns : []),
    ...(endpoint.params ? callsWithParams : []),
    ...(endpoint.query || key.includes('/invitations/{token}/') ? callsWithInput : []),
    ...(key.startsWith('GET ') ? [] : writingCalls),
    ...(endpoint.administrator ? administratorCalls : []),
    ...(endpoint.administrator && !key.startsWith('GET ') ? administratorChanges : []),
    ...(endpoint.idempotent ? idempotentCalls : []),
    ...(endpoint.recentCheck ? checkedCalls : []),
    ...(/\/(?:login|refresh|providers\/sign-in)\//.test(key) ? signIns : []),
    ...(/\/(?:login|providers\/finish)\//.test(key) ? signingIn : []),
    ...(key.includes('/register/') ? registration : []),
    ...(key === 'POST /api/me/identities/' ? callsAboutIdentities : []),
    ...(/\/(?:objection|request|close)\//.test(key) ? callsAboutEdits : []),
    ...(key.includes('{cost_id}') ? callsAboutCosts : []),
    ...(/^POST .*\/logs\/$/.test(key) ? callsThatAddAgain : []),
    ...(/^POST .*\/(?:accept|agree|\{id\}\/start|register|invitations\/\{token\})\/$/.test(key) ? callsAboutTerms : []),
    ...(/^POST .*\/(?:settlements|trusted-owners)\/$/.test(key) ? callsThatNameAUser : []),
    ...(key === 'POST /api/me/access-tokens/' ? callsThatNameAShare : []),
  ];
  return [...new Set(codes.map((code) => errorStatus[code]))].toSorted((a, b) => a - b);
}

/** Returns the schema: a reference to a component if it has a name, otherwise inline. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = schema.meta()?.id;
  if (name !== undefined) return { $ref: SCHEMAS + name };
  const { $schema: _dialect, ...inline } = z.toJSONSchema(schema, { io });
  return inline;
}

function parametersOf(endpoint: Endpoint): Json[] {
  const parametersIn = (schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] => {
    if (!schema) return [];
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: property,
    }));
  };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours, repeating a request with the same key and body returns the same response without doing it twice.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
  };
  return [
    ...parametersIn(endpoint.params, 'path'),
    ...parametersIn(endpoint.query, 'query'),
    ...(endpoint.idempotent ? [key] : []),
  ];
}

const jsonContent = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

/** Returns the content of a response. Some calls also offer a file with a header row and one row per item. */
const contentOf = (schema: Json, { csv, file = 'application/json', stream }: Endpoint): Json => ({
  content: {
    ...(stream
      ? // The schema is the one of each event's data.
        {
          'text/event-stream': {
            schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema },
          },
        }
      : { [file]: { schema } }),
    ...(csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
  },
});

function operationOf(key: string, endpoint: Endpoint): Json {
  const responses: Json = {};
  for (const [status, schema] of Object.entries(endpoint.answers))
    responses[status] =
      status === '204'
        ? { description: 'No content' }
        : { description: 'Success', ...contentOf(schemaOf(schema, 'output'), endpoint) };
  for (const status of errorStatusesOf(key, endpoint))
    responses[String(status)] = { description: 'Error', ...jsonContent({ $ref: `${SCHEMAS}Error` }) };
  const parameters = parametersOf(endpoint);
  return {
    operationId: key
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '_')
      .replaceAll(/^_|_$/g, ''),
    summary: endpoint.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.body.safeParse({}).success,
            ...jsonContent(schemaOf(endpoint.body, 'input')),
          },
        }
      : {}),
    responses,
    ...(endpoint.meter ? { security: [{ meterToken: [] }] } : endpoint.public ? { security: [] } : {}),
    // The kinds of access tokens for scripts that may make the call; absent if none may.
    ...(endpoint.scripts ? { 'x-scripts': endpoint.scripts } : {}),
  };
}

/** Returns every named schema of the contract: requests as they are sent, the others as they are received. */
function components(): Json {
  const all = (io: 'input' | 'output') => z.toJSONSchema(z.globalRegistry, { io, uri: (id) => SCHEMAS + id }).schemas;
  const sent = all('input');
  const received = all('output');
  const schemas: Json = {};
  for (const id of Object.keys(received).toSorted()) {
    const { $schema: _dialect, $id: _uri, id: _id, ...schema } = (id.endsWith('Request') ? sent : received)[id] ?? {};
    schemas[id] = schema;
  }
  return schemas;
}

/** Returns the whole API as OpenAPI 3.1, made from the table that validates requests and serializes responses. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(key, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'HourShare',
      version: '1',
      description: 'Share what you pay for, and split it by the hours each person uses.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ accessToken: [] }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        meterToken: { type: 'http', scheme: 'bearer', bearerFormat: 'hm_…' },
      },
    },
  };
}
