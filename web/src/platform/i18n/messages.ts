import type { GetICUArgs } from '@schummar/icu-type-parser';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format';
import { createElement, Fragment, type ReactNode } from 'react';
import { currentLanguage, dateFormat, isRightToLeft, type Language, numberFormat, pluralRules } from './language.ts';

// What people read is in the code in English, in ICU syntax. The build (web/messages.mjs) replaces it with short ids
// and writes a catalog for each language and group of pages. In development and in tests English is compiled when it is shown.

/**
 * What the pages that need no sign-in show, the long texts among them, the pages about the account and the server, the dashboard and
 * the lists, what opens from them, and what opens later in that.
 */
export type MessageGroup = 'public' | 'documents' | 'account' | 'app' | 'details' | 'meters' | 'plans';

type Catalog = Record<string, CompiledMessage>;

type PlainValues<M extends string> = GetICUArgs<
  M,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date }
>;
type TagsOf<M extends string> = M extends `${string}</${infer Name}>${infer Rest}` ? Name | TagsOf<Rest> : never;
type RichValues<M extends string> = PlainValues<M> & Record<TagsOf<M>, (content: ReactNode) => ReactNode>;
/** Text that isn't in the code, word for word, is in no catalog either. */
type Written<M extends string> = string extends M ? never : M;
type ArgumentsOf<Values> = keyof Values extends never ? [] : [values: Values];

// What is shown before any page is always there in English, for when no catalog can be loaded.
const catalogs = new Map<Language, Catalog>();

function currentCatalog(): Catalog {
  const language = currentLanguage();
  const catalog = catalogs.get(language) ?? (import.meta.env.DEV ? {} : { ...BASE_MESSAGES });
  catalogs.set(language, catalog);
  return catalog;
}

function compiled(key: string): CompiledMessage {
  const catalog = currentCatalog();
  const known = catalog[key];
  if (known !== undefined) return known;
  if (import.meta.env.DEV) return (catalog[key] = compile(key.replace(/ \[\[.*\]\]$/, '')));
  throw new Error(`No catalog that has been loaded has message ${key}`);
}

const formatters = {
  getDateTimeFormat: (_: unknown, options?: Intl.DateTimeFormatOptions) => dateFormat(options),
  getNumberFormat: (_: unknown, options?: Intl.NumberFormatOptions) => numberFormat(options),
  getPluralRules: (_: unknown, options?: Intl.PluralRulesOptions) => pluralRules(options),
};

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
// The kind of a node in a compiled message, as in icu-minify's types.
const SELECT = 1;

/** Puts text that may run in the other direction, such as a name, between marks, so that it doesn't reorder its sentence. */
function isolated<Values extends object>(message: CompiledMessage, values: Values): Values {
  const mayDiffer = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'string' &&
    (isRightToLeft() || RIGHT_TO_LEFT.test(value)) &&
    !JSON.stringify(message).includes(`["${name}",${SELECT},`);
  const marked = Object.entries(values)
    .filter(mayDiffer)
    .map(([name, value]) => [name, `\u2068${value}\u2069`]);
  return { ...values, ...Object.fromEntries(marked) };
}

function formatted<Element>(key: string, values?: FormatValues<Element>) {
  const message = compiled(key);
  return format<Element>(message, currentLanguage(), values && isolated(message, values), { formatters });
}

/**
 * Returns a message in the current language: `t('{count, plural, one {# session} other {# sessions}}', { count })`.
 * Ends in ` [[a note]]`, which no one sees, where the same English needs two translations: `t('Share [[noun]]')`.
 */
export function t<const M extends string>(message: Written<M>, ...values: ArgumentsOf<PlainValues<M>>): string;
export function t(message: string, values?: FormatValues<string>): string {
  return String(formatted<string>(message, values));
}

/** Returns a message that isn't in the app's code, but in the contract's table of sentences. */
export const compose = (message: string, values?: Record<string, string | number>): string =>
  String(formatted<string>(message, values));

/** Returns a message with elements in it: `rich('Read the <a>Terms</a>.', { a: (text) => <Link …>{text}</Link> })`. */
export function rich<const M extends string>(message: Written<M>, values: RichValues<M>): ReactNode;
export function rich(
  message: string,
  values: Record<string, string | number | Date | ((content: ReactNode) => ReactNode)>,
): ReactNode {
  const wrapped = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: ReactNode[]) => value(createElement(Fragment, null, ...parts)) : value,
  ]);
  const parts = formatted<ReactNode>(message, Object.fromEntries(wrapped));
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts;
}

/** Loads the messages of a group of pages, in the current language alone. */
export async function loadMessages(group: MessageGroup): Promise<void> {
  const catalog = currentCatalog();
  if (!import.meta.env.DEV) {
    const address = `${CATALOGS}${currentLanguage()}-${group}.js`;
    const { default: messages }: { default: Catalog } = await import(/* @vite-ignore */ address);
    Object.assign(catalog, messages);
  } else if (currentLanguage() !== 'en') {
    const { default: translations }: { default: Record<string, string> } = await import(
      `../../messages/${currentLanguage()}.json`
    );
    for (const [key, translation] of Object.entries(translations)) catalog[key] = compile(translation);
  }
}

/** Loads a page, or a frame of pages, with the messages of its group. The build reads from these calls what a group shows. */
export const withMessages =
  <Module>(group: MessageGroup, load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadMessages(group)]);
    return module;
  };
