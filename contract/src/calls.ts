import { z } from 'zod';
import { Format, PathId } from './fields.ts';

// Each noun has a table of its calls, which endpoints.ts combines.

/** What an access token for scripts can do: use one share, read the account, or hear what happens. */
export type TokenScope = 'share' | 'account' | 'events';

/** One call: who may make it, its input, and its answers by status. All errors have the shape in errors.ts. */
export interface Endpoint {
  summary: string;
  /** Callable without an access token. */
  public?: true;
  /**
   * The access tokens for scripts that may make it: `share`, if the path names its share as `id`, `account`, or `events`. By
   * default, none.
   */
  scripts?: readonly TokenScope[];
  /** Callable with the token of a meter alone. */
  meter?: true;
  /** How large its body may be; left out if no larger than others (BODY_MAX_BYTES). */
  bodyMaxBytes?: number;
  /** Honors `Idempotency-Key`, because doing it twice would create something twice, or fail. */
  idempotent?: true;
  /** Requires the caller to have signed in or made `POST /api/me/check/` in the last minutes (CHECK_MINUTES). */
  recentCheck?: true;
  /** Answers 404 to everyone but administrators, who need two-step sign-in to change anything. */
  administrator?: true;
  /** Its answer contains a secret, so it is encrypted where it is stored for `Idempotency-Key`. */
  secret?: true;
  /** Can also answer a file; its query takes `format`. */
  csv?: true;
  /** The media type of the file that it answers, which is generated while it is sent. */
  file?: 'application/json' | 'application/zip' | 'text/calendar';
  /** Answers server-sent events until the client or the sign-in ends them. */
  stream?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A request without a body counts as one with an empty object. */
  body?: z.ZodType;
  answers: Partial<Record<200 | 201 | 204, z.ZodType>>;
}

/** Calls by method and path. */
export type EndpointTable = Record<
  `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}${'/' | '.ics'}`,
  Endpoint
>;

/** The body of a 204. */
export const NoContent = z.undefined();

/** Scopes of calls that read the account, and of those that a token for one share, or for events, may make, too. */
export const READABLE = ['account'] as const;
export const READABLE_BY_SHARE = ['share', 'account'] as const;
export const READABLE_WITH_EVENTS = ['account', 'events'] as const;

export const ById = z.strictObject({ id: PathId });

export const AnyFormat = z.strictObject({ format: Format });
