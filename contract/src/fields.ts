import { z } from 'zod';
import { LIST_PAGE_SIZE, OWNER_HOURS_MAX } from './limits.ts';

// Fields that several nouns share. People may read each message under its field.

// PostgreSQL can't store NUL, control characters don't belong in a name, and lone surrogates would be replaced on
// the way to the database. All are rejected rather than silently fixed.
const PLAIN_LINE = /^[^\p{Cc}\p{Cs}]*$/u;

export const line = (label: string) =>
  z.string({ error: `${label} is required` }).regex(PLAIN_LINE, `${label} contains characters that cannot be used`);

// Invisible characters make two names look the same, and bidirectional controls make a name read as another. Both
// are rejected except where a script or an emoji needs them to shape its neighbors.

/** Default ignorables have no shape of their own. The formats excluded here are visible signs before a number. */
const UNSEEN =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/u;
/** Text may also contain line breaks, soft hyphens, and the marks that people who write Arabic or Hebrew use. */
const UNSEEN_IN_TEXT = new RegExp(String.raw`(?![\n\r\t\u2028\u2029\u200E\u200F\u061C\u00AD])${UNSEEN.source}`, 'u');

/** A letter, mark or digit of a script that joiners shape: cursive scripts and those with conjuncts. */
const JOINED = String.raw`(?=[\p{L}\p{M}\p{N}])[${'Arab Syrc Nkoo Mong Adlm Rohg Mand Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr'
  .split(' ')
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')}]`;
/** Ends a consonant's vowel. A joiner after it also counts at the end of a word. */
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA]`;

const NEEDED = new RegExp(
  [
    // Joiners between letters, as in Persian and in conjuncts, and after a virama.
    String.raw`(?<=${JOINED})[\u200C\u200D](?=${JOINED})`,
    String.raw`(?<=${VIRAMA})[\u200C\u200D]`,
    // Emoji made of several, emoji marked as such by a selector, and keycaps.
    String.raw`(?<=\p{ExtPict}[\uFE0F\p{EMod}]?)\u200D(?=\p{ExtPict})`,
    String.raw`(?<=\p{ExtPict}\p{EMod}?)[\uFE0E\uFE0F]`,
    String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
    // Flags of regions, spelled in tags after a black flag.
    String.raw`(?<=\u{1F3F4})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,7}\u{E007F}`,
    // Variants of Chinese characters and of Mongolian letters.
    String.raw`(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
    String.raw`(?<=(?=\p{L})\p{Script=Mong})[\u180B-\u180F]`,
  ].join('|'),
  'gu',
);

const looksAsItIs = (text: string, unseen: RegExp) => !unseen.test(text.replace(NEEDED, ''));

/** Anything but a blank, including blanks that Unicode counts as letters or symbols. */
const SEEN = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]/u;

/** A trimmed one-line name that others read, with at least one visible character. */
export const name = (label: string) =>
  z
    .string({ error: `${label} is required` })
    .refine((text) => SEEN.test(text), { error: `${label} is required`, abort: true })
    .refine((text) => looksAsItIs(text, UNSEEN), `${label} can't contain invisible or control characters`)
    .trim()
    .min(1);

/** Multi-line text that others read. */
export const text = (label: string) =>
  z
    .string({ error: `${label} must be text` })
    .refine((text) => looksAsItIs(text, UNSEEN_IN_TEXT), `${label} can't contain invisible or control characters`);

/** A database id in a path. Anything that can't be one answers 404, like an unknown id. */
export const PathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

export const Id = z.int().positive();

/** An instant, ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 });

/** A month, `YYYY-MM`. */
export const Month = z.string().regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, 'Month must be written as YYYY-MM');

/** Hours of use with two decimals. */
export const Hours = z.number().min(0);

/** Money as a JSON number with at most the decimals of its currency: two for most, none for JPY, three for KWD. */
export const Amount = z.number();

/** Converts whole seconds to hours with two decimals, rounded half up. Use is rounded only here, on its way to the wire. */
export const toHours = (seconds: number): number => Math.round(seconds / 36) / 100;

/** The format of an answer; `csv` where the table of calls allows it. */
export const Format = z.enum(['json', 'csv'], 'format must be json or csv').default('json');

/** Returns the schema of a list: its results and, if there are more, an opaque cursor to the next page. */
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

const CURRENCY_RULE = 'Currency must be a code of ISO 4217, such as USD';
const CODES = new Set(Intl.supportedValuesOf('currency'));

export const Currency = z
  .string(CURRENCY_RULE)
  .regex(/^[A-Z]{3}$/, CURRENCY_RULE)
  .refine((code) => CODES.has(code), CURRENCY_RULE);

/** A monthly price; `priceProblem` says whether its currency has that amount. */
export const SubscriptionCost = z
  .number({
    error: (issue) =>
      issue.input === undefined
        ? 'Monthly subscription cost is required'
        : 'Monthly subscription cost must be a number',
  })
  .min(0, 'Monthly subscription cost must not be negative')
  .describe(
    'At most 999,999,999 minor units of its currency, with at most its decimals: 9999999.99 USD, 999999999 JPY',
  );

export const SplitMethod = z.enum(['usage', 'allocation', 'equal'], 'Split method must be usage, allocation or equal');
export type SplitMethod = z.infer<typeof SplitMethod>;

const BASE_PERCENT_RULE = 'Base part must be a whole number of percent from 0 to 100';
export const BasePercent = z.int(BASE_PERCENT_RULE).min(0, BASE_PERCENT_RULE).max(100, BASE_PERCENT_RULE);

const OWNER_HOURS_RULE = `Your own hours must be a whole number from 0 to ${OWNER_HOURS_MAX}`;
export const OwnerHours = z.int(OWNER_HOURS_RULE).min(0, OWNER_HOURS_RULE).max(OWNER_HOURS_MAX, OWNER_HOURS_RULE);
