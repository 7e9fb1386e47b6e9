import { z } from 'zod';
import { LIST_PAGE_SIZE } from './limits.ts';

// The kinds of field that several nouns have in common. Every sentence is one a person may read under the field.

// A NUL cannot be stored, other control characters have no place in a name, and half of a surrogate pair would be
// replaced on its way to the database: all are refused rather than mended in silence.
const PLAIN_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
const PLAIN_TEXT = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

export const line = (label: string) =>
  z.string({ error: `${label} is required` }).regex(PLAIN_LINE, `${label} contains characters that cannot be used`);

export const text = (label: string) =>
  z.string({ error: `${label} must be text` }).regex(PLAIN_TEXT, `${label} contains characters that cannot be used`);

/** A database id inside a path. Anything that cannot be one answers 404, as an unknown id does. */
export const PathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

export const Id = z.int().positive();

/** An instant, ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 });

/** A usage month, `YYYY-MM`. */
export const Month = z.string().regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, 'Month must be written as YYYY-MM');

/** Hours with two decimals, an amount of use. */
export const Hours = z.number().min(0);

/** Whole seconds to hours with two decimals, half up: the only rounding that use goes through, on its way to the wire. */
export const toHours = (seconds: number): number => Math.round(seconds / 36) / 100;

/** Money with at most two decimals, as a JSON number, to whole cents; the schemas refuse anything finer. */
export const toCents = (amount: number): number => Math.round(amount * 100);

/** Whole cents to money as a JSON number with at most two decimals. */
export const toAmount = (cents: number): number => cents / 100;

/** How a read answers; `csv` where the table of calls says that it can. */
export const Format = z.enum(['json', 'csv'], 'format must be json or csv').default('json');

/** Every list answers its results and, where there is more, an opaque cursor to the next page. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ results: z.array(item), next: z.string().nullable() });

const UNKNOWN_CURSOR = 'Unknown cursor';

/** The query of a list: at most `limit` results, starting after the page that answered `cursor` as its `next`. */
export const pageFields = (max: number) => {
  const rule = `limit must be a whole number from 1 to ${max}`;
  const digits = new RegExp(`^[1-9]\\d{0,${String(max).length - 1}}$`);
  return {
    limit: z
      .string(rule)
      .regex(digits, rule)
      .transform(Number)
      .refine((limit) => limit <= max, rule)
      .optional(),
    cursor: z.string(UNKNOWN_CURSOR).max(200, UNKNOWN_CURSOR).optional(),
  };
};

export const PageQuery = z
  .strictObject(pageFields(LIST_PAGE_SIZE))
  .transform(({ limit = LIST_PAGE_SIZE, cursor }) => ({ limit, cursor }));

interface PageOrFile {
  format: 'json' | 'csv';
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Lets a list be asked for as one file instead of a page, which the server then reads in pages of `max`. */
export const pageOrFile = <Query extends z.ZodType<PageOrFile>>(query: Query, size: number, max: number) =>
  query
    .refine(({ format, limit, cursor }) => format === 'json' || (limit === undefined && cursor === undefined), {
      path: ['format'],
      error: 'A CSV file has the whole list: leave limit and cursor out',
    })
    .transform((page) => ({ ...page, limit: page.limit ?? (page.format === 'csv' ? max : size) }));

export const PageOrFileQuery = pageOrFile(
  z.strictObject({ format: Format, ...pageFields(LIST_PAGE_SIZE) }),
  LIST_PAGE_SIZE,
  LIST_PAGE_SIZE,
);
