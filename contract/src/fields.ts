import { z } from 'zod';
import { PaidPlan } from './cycles.ts';
import { LINK_TOKEN_MAX_LENGTH, LIST_PAGE_SIZE, MAX_SESSION_HOURS_MAX, OWNER_HOURS_MAX } from './limits.ts';
import { decimalsOf, PRICE_MAX_MINOR, toAmount, toMinor } from './money.ts';
import { issue, sentence, type Sentence } from './sentences.ts';

// Fields that several nouns share. People may read each message under its field.

// PostgreSQL can't store NUL, control characters don't belong in a name, and lone surrogates would be replaced on
// the way to the database. All are rejected rather than silently fixed.
const PLAIN_LINE = /^[^\p{Cc}\p{Cs}]*$/u;

/** One line of text without control characters. */
export const line = (sentences: { required: string; characters: string }) =>
  z.string({ error: sentences.required }).regex(PLAIN_LINE, sentences.characters);

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
export const name = (sentences: { required: string; characters: string }) =>
  z
    .string({ error: sentences.required })
    .refine((text) => SEEN.test(text), { error: sentences.required, abort: true })
    .refine((text) => looksAsItIs(text, UNSEEN), { error: sentences.characters, abort: true })
    .trim()
    .min(1);

/** A name of at most `max` characters. */
export const nameUpTo = (max: number) =>
  name({ required: issue('name_required'), characters: issue('name_characters') }).max(
    max,
    issue('name_too_long', { max }),
  );

/** Multi-line text that others read. */
export const text = (sentences: { notText: string; characters: string }) =>
  z.string({ error: sentences.notText }).refine((text) => looksAsItIs(text, UNSEEN_IN_TEXT), sentences.characters);

/** Trimmed text that others read, with at least one visible character. */
export const message = ({ required, characters }: { required: string; characters: string }) =>
  z
    .string({ error: required })
    .refine((text) => SEEN.test(text), { error: required, abort: true })
    .refine((text) => looksAsItIs(text, UNSEEN_IN_TEXT), characters)
    .trim();

/** A database id in a path. Anything that can't be one answers 404, like an unknown id. */
export const PathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

export const Id = z.int().positive();

const HUES = 8;

/** Which of eight colors tells a person apart, the same wherever they appear. */
export const Hue = z
  .int()
  .min(0)
  .max(HUES - 1);

export const hueOf = (userId: number): number => userId % HUES;

/** An instant, ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 });

/** A month, `YYYY-MM`. */
export const Month = z.string().regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, issue('month_rule'));

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
      error: 'A CSV file contains the whole list. Leave out limit and cursor',
    })
    .transform((page) => ({ ...page, limit: page.limit ?? (page.format === 'csv' ? max : size) }));

export const PageOrFileQuery = pageOrFile(
  z.strictObject({ format: Format, ...pageFields(LIST_PAGE_SIZE) }),
  LIST_PAGE_SIZE,
  LIST_PAGE_SIZE,
);

/** Who may create an account. */
export const Registration = z.enum(['open', 'invited', 'closed'], 'registration must be open, invited, or closed');
export type Registration = z.infer<typeof Registration>;

const CODES = new Set(Intl.supportedValuesOf('currency'));

export const Currency = z
  .string(issue('currency_rule'))
  .regex(/^[A-Z]{3}$/, issue('currency_rule'))
  .refine((code) => CODES.has(code), issue('currency_rule'));

/** A monthly price; `priceProblem` says whether its currency has that amount. */
export const SubscriptionCost = z
  .number({
    error: ({ input }) => issue(input === undefined ? 'cost_required' : 'cost_not_number'),
  })
  .min(0, issue('cost_negative'))
  .describe(
    'At most 999,999,999 minor units of its currency, with at most its decimals: 9999999.99 USD, 999999999 JPY',
  );

const DECIMALS: Record<number, 'no' | 'three' | 'four'> = { 0: 'no', 3: 'three', 4: 'four' };

/** Returns how many decimals an amount may have in its currency, in a sentence; undefined if it has no more. */
function decimalsProblem(amount: number, currency: string, subject: 'cost' | 'amount'): Sentence | undefined {
  if (toAmount(toMinor(amount, currency), currency) === amount) return undefined;
  return sentence(`${subject}_${DECIMALS[decimalsOf(currency)] ?? 'two'}_decimals`);
}

/** Returns why a monthly price can't be one in its currency, or undefined if it can. */
export function priceProblem(price: number, currency: string): Sentence | undefined {
  const max = toAmount(PRICE_MAX_MINOR, currency);
  return price > max ? sentence('cost_too_high', { max }) : decimalsProblem(price, currency, 'cost');
}

/** Returns why an amount, such as a limit, can't be one in its currency, or undefined if it can. */
export function amountProblem(amount: number, currency: string): Sentence | undefined {
  const max = toAmount(PRICE_MAX_MINOR, currency);
  return amount > max ? sentence('amount_too_high', { max }) : decimalsProblem(amount, currency, 'amount');
}

/** Returns why a payment can't have this amount in its currency, `max` being what is open; undefined if it can. */
export function paymentProblem(amount: number, max: number, currency: string): Sentence | undefined {
  if (amount <= 0) return sentence('amount_too_low');
  return amount > max ? sentence('amount_too_high', { max }) : decimalsProblem(amount, currency, 'amount');
}

export const SplitMethod = z.enum(['usage', 'allocation', 'equal', 'share_of_use'], issue('split_method_rule'));
export type SplitMethod = z.infer<typeof SplitMethod>;

const baseShareRule = issue('base_share_rule', { min: 0, max: 100 });
export const BasePercent = z.int(baseShareRule).min(0, baseShareRule).max(100, baseShareRule);

const ownerHoursRule = issue('owner_hours_rule', { min: 0, max: OWNER_HOURS_MAX });
export const OwnerHours = z.int(ownerHoursRule).min(0, ownerHoursRule).max(OWNER_HOURS_MAX, ownerHoursRule);

const sessionLimitRule = issue('session_limit_rule', { min: 1, max: MAX_SESSION_HOURS_MAX });
export const MaxSessionHours = z
  .int(sessionLimitRule)
  .min(1, sessionLimitRule)
  .max(MAX_SESSION_HOURS_MAX, sessionLimitRule);

/** With split method `share_of_use`, the most that an hour costs a member; prefilled with the price ÷ all allowances. */
export const MaxPricePerHour = z.number(issue('max_price_rule')).min(0, issue('max_price_rule'));
/** How much of extra costs, such as fuel, a member bears a month without being asked. */
export const ExtraCostLimit = z.number(issue('extra_cost_limit_rule')).min(0, issue('extra_cost_limit_rule'));
export const OwnerTakesPart = z.boolean('owner_takes_part must be true or false');
export const Measured = z.boolean('measured must be true or false');

/** Terms that an owner may send. They apply from the next month, or from the current one if no one else is part of it. */
export const termChanges = {
  max_session_hours: MaxSessionHours.optional(),
  split_method: SplitMethod.optional(),
  base_percent: BasePercent.optional(),
  owner_hours: OwnerHours.optional(),
  max_price_per_hour: MaxPricePerHour.nullable().optional(),
  extra_cost_limit: ExtraCostLimit.optional(),
  owner_takes_part: OwnerTakesPart.optional(),
  measured: Measured.optional(),
};

/** As requests send them. */
export type TermChanges = z.infer<z.ZodObject<typeof termChanges>>;

export const termFields = {
  split_method: SplitMethod,
  base_percent: z.int(),
  owner_hours: z.int(),
  max_session_hours: z.int(),
  /** Null unless split by share of use. */
  max_price_per_hour: Amount.nullable(),
  /** How much of extra costs a member bears a month without being asked. */
  extra_cost_limit: Amount,
  /** Whether the owner starts and ends sessions, too. */
  owner_takes_part: z.boolean(),
  /** False: split evenly, without sessions or hours. */
  measured: z.boolean(),
};

/**
 * What a month of an asset costs one of its members: an hour costs `price` ÷ `total_hours`, a place `price` ÷ `places`.
 * Both count the fullest moment of the month so far, with the member in it.
 */
export const Terms = z
  .object({
    split_method: SplitMethod,
    base_percent: z.int(),
    price: Amount,
    currency: z.string(),
    total_hours: z.int(),
    places: z.int(),
    monthly_hours: z.int(),
    max_price_per_hour: Amount.nullable(),
    /** Where months cost different amounts: `price` is their average then, and this is what decides. */
    plan: PaidPlan.optional(),
    /** As in the terms of the asset: what a member bears of extra costs without another yes. */
    extra_cost_limit: Amount,
  })
  .meta({ id: 'Terms' });
export type Terms = z.infer<typeof Terms>;

/** Terms that someone says yes to. Without a limit of extra costs, they bear none. */
export const SeenTerms = Terms.extend({ extra_cost_limit: Amount.default(0) }).meta({ id: 'SeenTerms' });

/** Terms that apply from a month on and differ from the current ones. */
export const NextTerms = z.object({ from_month: Month, ...termFields }).meta({ id: 'NextTerms' });
export type NextTerms = z.infer<typeof NextTerms>;

/** The price from the first later month that has another one. */
export const NextPrice = z.object({ from_month: Month, price: Amount }).meta({ id: 'NextPrice' });
export type NextPrice = z.infer<typeof NextPrice>;

/**
 * What someone has seen of an offer. If it costs more by now, nothing is accepted. Omitted fields aren't compared.
 */
export const SeenOffer = z.strictObject({
  terms: SeenTerms.optional(),
  monthly_hours_allocated: z.int('monthly_hours_allocated must be a whole number').optional(),
  price: z.number('price must be a number').optional(),
  currency: z.string('currency must be a currency code').optional(),
  split_method: SplitMethod.optional(),
  base_percent: BasePercent.optional(),
  owner_hours: OwnerHours.optional(),
  next_terms: NextTerms.nullable().optional(),
  next_price: NextPrice.nullable().optional(),
});
export type SeenOffer = z.infer<typeof SeenOffer>;

const startsOnRule = issue('starts_on_rule');

/** When offered access begins: the first day of the next month, or now if omitted. */
export const StartsOn = z.iso.date(startsOnRule).regex(/-01$/, startsOnRule);

/** Any text is the token of some invitation, though most likely of none that is open. */
export const InvitationToken = z.string('The invitation must be text').max(LINK_TOKEN_MAX_LENGTH);

/** The answer of someone who joins to what was recorded in their name. */
export const claimAnswer = {
  /**
   * `accept`: sessions, unpaid charges, and what the open months cost are theirs. `object`: all that stays with the owner, and
   * only what they use from now on is theirs.
   */
  charges: z.enum(['accept', 'object'], 'charges must be accept or object'),
  /** The version of what they have read, which must still be the current one; not checked without it. */
  version: z.string('version must be text').max(LINK_TOKEN_MAX_LENGTH).optional(),
};

/** `sessions`: a meter tells when use starts and stops. `totals`: it counts the seconds of a day, without telling when. */
export const MeterKind = z.enum(['sessions', 'totals']);
export type MeterKind = z.infer<typeof MeterKind>;
