import { z } from 'zod';
import { accountEndpoints } from './accounts.ts';
import { administrationEndpoints } from './administration.ts';
import { analyticsEndpoints } from './analytics.ts';
import { assetEndpoints } from './assets.ts';
import { calendarEndpoints } from './calendar.ts';
import type { EndpointTable } from './calls.ts';
import { costEndpoints } from './costs.ts';
import { depositEndpoints } from './deposits.ts';
import { exportEndpoints } from './exports.ts';
import { Registration } from './fields.ts';
import { insightEndpoints } from './insights.ts';
import { liveEndpoints } from './notifications.ts';
import { meterEndpoints } from './meters.ts';
import { notificationEndpoints } from './notifications.ts';
import { periodEndpoints } from './periods.ts';
import { securityEventEndpoints } from './security-events.ts';
import { sessionEndpoints } from './sessions.ts';
import { settlementEndpoints } from './settlements.ts';
import { shareEndpoints } from './shares.ts';
import { ProviderName, signInEndpoints } from './sign-ins.ts';
import { statementEndpoints } from './statements.ts';

export type { Endpoint } from './calls.ts';

const About = z
  .object({
    /** The operator's email or web address, if the server has one. */
    contact: z.string().nullable(),
    /** Who may create an account. */
    registration: Registration,
    /** Whether `/` is the page about the product, rather than the sign-in. */
    landing: z.boolean(),
    /** Whether the server sends email, such as links to set a new password. */
    mail: z.boolean(),
    /** The only origin at which passkeys work; null if there is none. */
    passkey_origin: z.string().nullable(),
    /** The sign-in providers that the server has. */
    providers: z.array(z.object({ name: ProviderName, label: z.string() })),
  })
  .meta({ id: 'About' });

/** The one table of calls, keyed by method and path; the server routes by it and the web client is typed by it. */
export const endpoints = {
  'GET /api/about/': {
    summary:
      'Get how to contact the operator of this server, who may create an account, whether it sends email, where passkeys work, and with which providers people can sign in',
    public: true,
    answers: { 200: About },
  },
  ...signInEndpoints,
  ...accountEndpoints,
  ...securityEventEndpoints,
  ...assetEndpoints,
  ...periodEndpoints,
  ...shareEndpoints,
  ...sessionEndpoints,
  ...meterEndpoints,
  ...costEndpoints,
  ...analyticsEndpoints,
  ...statementEndpoints,
  ...settlementEndpoints,
  ...depositEndpoints,
  ...calendarEndpoints,
  ...insightEndpoints,
  ...liveEndpoints,
  ...notificationEndpoints,
  ...exportEndpoints,
  ...administrationEndpoints,
} as const satisfies EndpointTable;

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;

type SchemaAt<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? S : never;

/** Calls that only answer a file. */
export type FileKey = {
  [K in EndpointKey]: Endpoints[K] extends { file: string } ? K : never;
}[EndpointKey];

/** Calls that answer server-sent events. */
export type StreamKey = {
  [K in EndpointKey]: Endpoints[K] extends { stream: true } ? K : never;
}[EndpointKey];

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
