import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { errorCatalogue, type ErrorCode } from '@hourshare/contract/errors';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@hourshare/contract/limits';
import { z } from 'zod';

type Json = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';

// Which of the catalogue's entries any call of a kind can answer; what a single case says is in its `code`.
const everyCall: ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];
const signedInCalls: ErrorCode[] = ['not_signed_in'];
const callsWithParams: ErrorCode[] = ['not_found'];
const callsWithInput: ErrorCode[] = ['validation_failed'];
// Also of those that need no body: whatever is sent is read before the call is known to want none of it.
const writingCalls: ErrorCode[] = ['validation_failed', 'body_too_large', 'unsupported_media_type'];
const creatingCalls: ErrorCode[] = ['idempotency_key_reused'];
const callsThatNameAUser: ErrorCode[] = ['user_not_found'];

function errorStatusesOf(key: string, endpoint: Endpoint): number[] {
  const codes = [
    ...everyCall,
    ...(endpoint.public ? [] : signedInCalls),
    ...(endpoint.params ? callsWithParams : []),
    ...(endpoint.query ? callsWithInput : []),
    ...(key.startsWith('GET ') ? [] : writingCalls),
    ...(endpoint.creates ? creatingCalls : []),
    ...(key.includes('/login/') || key.includes('/refresh/') ? signedInCalls : []),
    ...(key === 'POST /api/settlements/' ? callsThatNameAUser : []),
  ];
  return [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b);
}

/** Named schemas become components once; what has no name stands where it is used. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = schema.meta()?.id;
  if (name !== undefined) return { $ref: SCHEMAS + name };
  const { $schema: _dialect, ...inline } = z.toJSONSchema(schema, { io });
  return inline;
}

function parametersOf(endpoint: Endpoint): Json[] {
  const of = (schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] => {
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
    description: 'The same key and body answer the same bytes again for 24 hours, without doing it twice.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
  };
  return [...of(endpoint.params, 'path'), ...of(endpoint.query, 'query'), ...(endpoint.creates ? [key] : [])];
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

/** An answer, which some calls also give as a file: a name for each column, then a row for each thing. */
const answered = (schema: Json, { csv }: Endpoint): Json => ({
  content: {
    'application/json': { schema },
    ...(csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
  },
});

function operationOf(key: string, endpoint: Endpoint): Json {
  const responses: Json = {};
  for (const [status, schema] of Object.entries(endpoint.answers))
    responses[status] =
      status === '204'
        ? { description: 'Nothing to say' }
        : { description: 'Done', ...answered(schemaOf(schema, 'output'), endpoint) };
  for (const status of errorStatusesOf(key, endpoint))
    responses[String(status)] = { description: 'Refused', ...json({ $ref: `${SCHEMAS}Error` }) };
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
            ...json(schemaOf(endpoint.body, 'input')),
          },
        }
      : {}),
    responses,
    ...(endpoint.public ? { security: [] } : {}),
  };
}

/** Every named schema of the contract: requests as they are sent, the rest as it is received. */
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

/** The whole API as OpenAPI 3.1, made from the table that validates requests and serializes answers. */
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
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}
