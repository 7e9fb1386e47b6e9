import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

export type JourneyLanguage = 'en' | 'de';

type Texts = (message: string, values?: Record<string, string>) => string;

// One choice: {asked, select, yes { until {name} agrees} other {}}, or {hours, plural, one {# hour} other {# hours}}.
const CHOICE = /\{(\w+), (?:select|plural), ((?:\w+ \{(?:[^{}]|\{[^{}]*\})*\} ?)+)\}/g;
const BRANCH = /(\w+) \{((?:[^{}]|\{[^{}]*\})*)\}/g;

function choose(text: string, values: Record<string, string>): string {
  return text.replace(CHOICE, (_, name: string, list: string) => {
    const branches = new Map([...list.matchAll(BRANCH)].map(([, key = '', branch = '']) => [key, branch]));
    const value = values[name] ?? '';
    return (branches.get(value === '1' ? 'one' : value) ?? branches.get('other') ?? '').replaceAll('#', value);
  });
}

/** Returns what a message of the app is in a language, as elements are named by it. */
export function namesIn(language: JourneyLanguage): Texts {
  const file = join(import.meta.dirname, '..', 'web', 'src', 'messages', 'de.json');
  const german = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (message, values = {}) => {
    const known = language === 'de' ? german[message] : message.replace(/ \[\[.*\]\]$/, '');
    if (known === undefined) throw new Error(`No page says "${message}" in ${language}.`);
    const filled = Object.entries(values).reduce(
      (all, [name, value]) => all.replaceAll(`{${name}}`, value),
      choose(known, values),
    );
    return filled.replace(/\s*<\/?hidden>\s*/g, ' ').trim();
  };
}

/** Returns dollars as the app writes them in a language. */
export const dollarsIn = (language: JourneyLanguage): ((amount: number) => string) => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  return (amount) => format.format(amount);
};

/** Shows the app in a language on a device that has opened it. */
export const speak = (page: Page, language: JourneyLanguage): Promise<void> =>
  page.evaluate((chosen) => localStorage.setItem('hourshare_language', chosen), language);
