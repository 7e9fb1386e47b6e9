/** The languages that the app can speak. English is in the code; each other one has a file in web/src/messages. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED_AS = 'hourshare_language';
const RIGHT_TO_LEFT = new Set<string>(['ar']);

const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

let current: Language = 'en';
type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules | Intl.ListFormat;
let formatters = new Map<string, Formatter>();

/** Returns the language of this page load. It never changes while a page is shown: a choice loads the page again. */
export const currentLanguage = (): Language => current;

/** Sets the language, and that of the document if there is one. */
export function setLanguage(language: Language): void {
  current = language;
  formatters = new Map();
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

/** Starts with the document's language if its text was made at build time, else with the one that was chosen. */
export function startLanguage(isPrerendered: boolean): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORED_AS);
  } catch {
    // Without storage no choice is remembered.
  }
  const { lang } = document.documentElement;
  const language = isPrerendered ? lang : (stored ?? lang);
  setLanguage(isLanguage(language) ? language : 'en');
}

/** Returns a locale's language, or undefined for what isn't a locale, such as Chromium's "en-US@posix". */
function languageOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).language;
  } catch {
    return undefined;
  }
}

/**
 * Returns the locale for numbers and dates: the browser's variant of the language, such as "en-GB". English text keeps the
 * viewer's own formats, whatever the browser's language is; a translation has its own.
 */
export function formattingLocale(): string {
  const locales = typeof document === 'undefined' ? [] : navigator.languages.filter((locale) => languageOf(locale));
  return (
    locales.find((locale) => languageOf(locale) === current) ?? (current === 'en' ? locales[0] : undefined) ?? current
  );
}

function formatterOf<F extends Formatter, Options>(
  Type: new (locale: string, options?: Options) => F,
  options?: Options,
  locale = formattingLocale(),
): F {
  const key = Type.name + JSON.stringify(options ?? null);
  const known = formatters.get(key);
  if (known instanceof Type) return known;
  const made = new Type(locale, options);
  formatters.set(key, made);
  return made;
}

/** Formatters are expensive to create, so each is kept. */
export const numberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  formatterOf(Intl.NumberFormat, options);
export const dateFormat = (options?: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  formatterOf(Intl.DateTimeFormat, options);
// What belongs to words follows the language of the text, not the viewer's formats.
export const pluralRules = (options?: Intl.PluralRulesOptions): Intl.PluralRules =>
  formatterOf(Intl.PluralRules, options, current);
export const listFormat = (options?: Intl.ListFormatOptions): Intl.ListFormat =>
  formatterOf(Intl.ListFormat, options, current);
