// @vitest-environment happy-dom
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '@hourshare/contract/limits';
import { setLanguage } from './language.ts';
import { loadMessages, rich, t } from './messages.ts';

afterEach(() => setLanguage('en'));

const sessions = (count: number) => t('{count, plural, one {# session} other {# sessions}}', { count });

describe('a message', () => {
  it('is English as written in the code, without its note', () => {
    expect([t('Hello {name}', { name: 'mira' }), t('Share [[noun]]')]).toEqual(['Hello mira', 'Share']);
  });

  it('counts by the rules of the language, with its digits', () => {
    expect([0, 1, 1234].map(sessions)).toEqual(['0 sessions', '1 session', '1,234 sessions']);
    setLanguage('de');
    expect(sessions(1234)).toBe('1.234 sessions');
  });

  it('can contain elements', () => {
    const complaint = vi.spyOn(console, 'error');
    const message = rich('Read the <link>{what} and <b>more</b></link>.', {
      what: 'Terms',
      link: (text) => createElement('a', { href: '#' }, text),
      b: (text) => createElement('b', null, text),
    });
    expect(renderToStaticMarkup(message)).toBe('Read the <a href="#">Terms and <b>more</b></a>.');
    expect(complaint).not.toHaveBeenCalled();
  });

  it('takes what it names, and no text that is not in the code', () => {
    // @ts-expect-error -- a value is missing
    expect(() => t('Hello {name}')).toThrow('name');
    // @ts-expect-error -- no such value
    t('Hello {name}', { name: 'mira', nam: 'mira' });
    const text: string = 'Hello';
    // @ts-expect-error -- not word for word in the code
    expect(t(text)).toBe('Hello');
  });

  it('is in the language that was loaded', async () => {
    setLanguage('de');
    await loadMessages('app');
    expect(t('Settings')).toBe('Einstellungen');
    expect(document.documentElement.lang).toBe('de');
  });
});

it('each language but English has a file of translations', () => {
  const files = Object.keys(import.meta.glob('../../messages/*.json')).map((path) =>
    path.slice('../../messages/'.length, -'.json'.length),
  );
  expect(['en', ...files].toSorted()).toEqual([...LANGUAGES].toSorted());
});

describe('a value that may run in the other direction', () => {
  it('is kept apart from an Arabic sentence, and from none in the same direction', () => {
    expect(t('Hello {name}', { name: 'mira' })).toBe('Hello mira');
    expect(t('Hello {name}', { name: 'ميرا' })).toBe('Hello \u2068ميرا\u2069');
    setLanguage('ar');
    expect(t('Hello {name}', { name: 'mira' })).toBe('Hello \u2068mira\u2069');
    expect(t('{count, plural, one {# hour} other {# hours}}', { count: 3 })).toBe('3 hours');
  });

  it('still selects the words of a message', () => {
    setLanguage('ar');
    expect(t('{who, select, you {You pay} other {{name} pays}}', { who: 'you', name: 'mira' })).toBe('You pay');
  });
});
