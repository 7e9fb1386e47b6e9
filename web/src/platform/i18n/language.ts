import { LANGUAGES } from '@hourshare/contract/limits';

// English is in the code; each other language has a file in web/src/messages.
export type Language = (typeof LANGUAGES)[number];

/** Languages in their own words, for people who can't read the current one. */
// oxlint-disable hourshare/text-in-catalog -- the same in every language
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  ar: 'العربية',
};
// oxlint-enable hourshare/text-in-catalog

const STORED_AS = 'hourshare_language';
const RIGHT_TO_LEFT = new Set<string>(['ar']);

const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

let current: Language = 'en';
type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules | Intl.ListFormat | Intl.Collator;
let formatters = new Map<string, Formatter>();

/** Returns the language of this page load. It never changes while a page is shown: a choice loads the page again. */
export const currentLanguage = (): Language => current;

/** Whether text runs from right to left, so that the whole layout is mirrored. */
export const isRightToLeft = (): boolean => RIGHT_TO_LEFT.has(current);

/** Sets an amount apart in text from right to left, where its sign would go to the end, and "US$" would read "$US". */
export const isolateAmount = (amount: string): string =>
  isRightToLeft() ? `\u2066${amount.replaceAll(/[\u200e\u200f]/g, '')}\u2069` : amount;

/** Sets the language, and that of the document if there is one. */
export function setLanguage(language: Language): void {
  current = language;
  formatters = new Map();
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft() ? 'rtl' : 'ltr';
}

/** Returns a locale's language, or undefined for what isn't a locale, such as Chromium's "en-US@posix". */
function languageOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).language;
  } catch {
    return undefined;
  }
}

/** Returns the language chosen on this device; null while the browser decides, or if the app doesn't know it. */
export function chosenLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return isLanguage(stored) ? stored : null;
  } catch {
    // Without storage no choice is remembered.
    return null;
  }
}

/** Remembers a choice for the next page load; null lets the browser decide. */
export function rememberLanguage(choice: Language | null): void {
  if (choice === null) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, choice);
}

/** Returns the language that a page loaded now would have: the chosen one, else the first the browser asks for. */
export function preferredLanguage(): Language {
  const chosen = chosenLanguage();
  if (chosen !== null) return chosen;
  for (const locale of navigator.languages) {
    const language =
      LANGUAGES.find((each) => each === locale) ?? LANGUAGES.find((each) => languageOf(each) === languageOf(locale));
    if (language !== undefined) return language;
  }
  return 'en';
}

/** Starts with the document's language if its text was made at build time, else with the preferred one. */
export function startLanguage(isPrerendered: boolean): void {
  const { lang } = document.documentElement;
  setLanguage(isPrerendered && isLanguage(lang) ? lang : preferredLanguage());
}

/**
 * Returns the locale for numbers and dates: the browser's variant of the language, such as "en-GB". English text keeps the
 * viewer's own formats, whatever the browser's language is; a translation has its own.
 */
export function formattingLocale(): string {
  const locales = typeof document === 'undefined' ? [] : navigator.languages.filter((locale) => languageOf(locale));
  return (
    locales.find((locale) => languageOf(locale) === languageOf(current)) ??
    (current === 'en' ? locales[0] : undefined) ??
    current
  );
}

function formatterOf<F extends Formatter, Options>(
  Type: new (locale: string, options?: Options) => F,
  options?: Options,
  locale?: string,
): F {
  const key = Type.name + JSON.stringify(options ?? null);
  const known = formatters.get(key);
  if (known instanceof Type) return known;
  const made = new Type(locale ?? formattingLocale(), options);
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
/** Sorts names as people do: "Asset 2" before "Asset 10". */
export const compareNames = (one: string, other: string): number =>
  formatterOf(Intl.Collator, { numeric: true }).compare(one, other);
