// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import {
  chosenLanguage,
  formattingLocale,
  listFormat,
  pluralRules,
  preferredLanguage,
  rememberLanguage,
  setLanguage,
  startLanguage,
} from './language.ts';

afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
  localStorage.clear();
});

const browse = (...languages: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);

it.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-DE', 'en-GB'], 'en-GB'],
  ['en', ['de-DE'], 'de-DE'],
  ['en', ['en-US@posix', 'en-US'], 'en-US'],
  ['en', [], 'en'],
  ['de', ['en-US', 'de-AT'], 'de-AT'],
  ['de', ['en-US'], 'de'],
  ['pt-BR', ['pt-PT'], 'pt-PT'],
  ['ar', ['ar-EG'], 'ar-EG'],
] as const)('text in %s for a browser in %j has the formats of %s', (language, languages, locale) => {
  browse(...languages);
  setLanguage(language);
  expect(formattingLocale()).toBe(locale);
});

it('plurals and lists follow the language of the text', () => {
  browse('ja-JP');
  setLanguage('en');
  expect(pluralRules().select(1)).toBe('one');
  expect(listFormat().format(['ana', 'ben'])).toBe('ana and ben');
});

it.each([
  [['en-GB', 'de'], 'en'],
  [['de-AT'], 'de'],
  [['pt'], 'pt-BR'],
  [['pt-PT', 'es'], 'pt-BR'],
  [['pt-BR'], 'pt-BR'],
  [['zh-CN', 'ja-JP', 'en'], 'ja'],
  [['en-US@posix', 'fr-CA'], 'fr'],
  [['sv'], 'en'],
  [[], 'en'],
] as const)('a browser that asks for %j gets %s', (languages, language) => {
  browse(...languages);
  expect(preferredLanguage()).toBe(language);
});

it('a choice takes precedence over the browser until it is reset', () => {
  browse('de-DE');
  rememberLanguage('ja');
  expect([chosenLanguage(), preferredLanguage()]).toEqual(['ja', 'ja']);
  rememberLanguage(null);
  expect([chosenLanguage(), preferredLanguage()]).toEqual([null, 'de']);
});

it("a stored language that the app doesn't know leaves the browser to decide", () => {
  browse('fr-FR');
  localStorage.setItem('hourshare_language', 'tlh');
  expect([chosenLanguage(), preferredLanguage()]).toEqual([null, 'fr']);
});

it.each([
  [true, 'de', 'ltr'],
  [false, 'ar', 'rtl'],
] as const)(
  'a page starts in its own language only if it is prerendered (%s)',
  (isPrerendered, language, direction) => {
    document.documentElement.lang = 'de';
    rememberLanguage('ar');
    startLanguage(isPrerendered);
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([language, direction]);
  },
);
