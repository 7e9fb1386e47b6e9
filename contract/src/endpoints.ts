import { z } from 'zod';
import { accountEndpoints } from './accounts.ts';
import { analyticsEndpoints } from './analytics.ts';
import { assetEndpoints } from './assets.ts';
import type { EndpointTable } from './calls.ts';
import { insightEndpoints } from './insights.ts';
import { periodEndpoints } from './periods.ts';
import { sessionEndpoints } from './sessions.ts';
import { settlementEndpoints } from './settlements.ts';
import { shareEndpoints } from './shares.ts';
import { statementEndpoints } from './statements.ts';

export type { Endpoint } from './calls.ts';

const About = z
  .object({
    /** The operator's email or web address, if the server has one. */
    contact: z.string().nullable(),
    /** Who may create an account. */
    registration: z.enum(['open', 'invited', 'closed']),
  })
  .meta({ id: 'About' });

/** The one table of calls, keyed by method and path; the server routes by it and the web client is typed by it. */
export const endpoints = {
  'GET /api/about/': {
    summary: 'How to contact the operator of this server, and who may create an account',
    public: true,
    answers: { 200: About },
  },
  ...accountEndpoints,
  ...assetEndpoints,
  ...periodEndpoints,
  ...shareEndpoints,
  ...sessionEndpoints,
  ...analyticsEndpoints,
  ...statementEndpoints,
  ...settlementEndpoints,
  ...insightEndpoints,
} as const satisfies EndpointTable;

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;

type SchemaAt<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? S : never;

/** Calls that can answer a file. */
export type CsvKey = { [K in EndpointKey]: Endpoints[K] extends { csv: true } ? K : never }[EndpointKey];

/** What a caller sends as path parameters, query or body, before the server parses it. */
export type InputOf<K extends EndpointKey, Part extends 'params' | 'query' | 'body'> = z.input<
  SchemaAt<Endpoints[K], Part>
>;

/** What the server's handler receives, parsed. */
export type ParsedOf<K extends EndpointKey, Part extends 'params' | 'query' | 'body'> = z.output<
  SchemaAt<Endpoints[K], Part>
>;

/** What a successful call answers; undefined if that may be a 204. */
export type AnswerOf<K extends EndpointKey> = {
  [S in keyof Endpoints[K]['answers']]: Endpoints[K]['answers'][S] extends z.ZodType
    ? z.output<Endpoints[K]['answers'][S]>
    : never;
}[keyof Endpoints[K]['answers']];
