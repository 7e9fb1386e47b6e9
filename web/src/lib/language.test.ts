import { afterEach, expect, it, vi } from 'vitest';
import { formattingLocale, listFormat, pluralRules, setLanguage } from './language.ts';

afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
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
