import type { z } from 'zod';
import type { EndpointKey, Endpoints } from './endpoints.ts';

// What the table of calls means to a compiler: the server's routes and the web app's client are typed by it.

type SchemaAt<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? S : never;

/** The calls that can be asked for as a file. */
export type CsvKey = { [K in EndpointKey]: Endpoints[K] extends { csv: true } ? K : never }[EndpointKey];

/** What a caller sends as path parameters, query or body, before the server parses it. */
export type InputOf<K extends EndpointKey, Part extends 'params' | 'query' | 'body'> = z.input<
  SchemaAt<Endpoints[K], Part>
>;

/** What the server's handler receives, parsed. */
export type ParsedOf<K extends EndpointKey, Part extends 'params' | 'query' | 'body'> = z.output<
  SchemaAt<Endpoints[K], Part>
>;

/** What a successful call answers; undefined where it may answer 204. */
export type AnswerOf<K extends EndpointKey> = {
  [S in keyof Endpoints[K]['answers']]: Endpoints[K]['answers'][S] extends z.ZodType
    ? z.output<Endpoints[K]['answers'][S]>
    : never;
}[keyof Endpoints[K]['answers']];
