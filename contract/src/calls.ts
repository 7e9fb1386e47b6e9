import { z } from 'zod';
import { Format, PathId } from './fields.ts';

// Each noun has a table of its calls, which endpoints.ts combines.

/** One call: who may make it, its input, and its answers by status. All errors have the shape in errors.ts. */
export interface Endpoint {
  summary: string;
  /** Callable without an access token. */
  public?: true;
  /** Honors `Idempotency-Key`, because it creates something that must not be created twice. */
  creates?: true;
  /** Its answer holds a secret, so what `Idempotency-Key` keeps of it is encrypted. */
  secret?: true;
  /** Can also answer a file; its query takes `format`. */
  csv?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A request without a body counts as one with an empty object. */
  body?: z.ZodType;
  answers: Partial<Record<200 | 201 | 204, z.ZodType>>;
}

/** Calls by method and path. */
export type EndpointTable = Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}/`, Endpoint>;

/** The body of a 204. */
export const NoContent = z.undefined();

export const ById = z.strictObject({ id: PathId });

export const AnyFormat = z.strictObject({ format: Format });
