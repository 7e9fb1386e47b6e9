import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import { afterEach, describe, expect, it } from 'vitest';
import { fieldText } from './field-texts.ts';
import { setLanguage } from './language.ts';
import { loadMessages } from './messages.ts';

afterEach(() => setLanguage('en'));

async function inGerman() {
  setLanguage('de');
  await loadMessages('app');
}

const filled = Object.values(TEMPLATES).map((template) => template.replace(/\{\w+\}/, '42'));
const all = [...Object.values(SENTENCES), ...filled];

describe('a sentence of the contract', () => {
  it.each(all)('stays the same in English: %s', (sentence) => {
    expect(fieldText(sentence)).toBe(sentence);
  });

  it.each(all)('is translated: %s', async (sentence) => {
    await inGerman();
    const numbers = sentence.replace('4217', '').match(/\d+/g) ?? [];
    expect(fieldText(sentence)).not.toBe(sentence);
    for (const number of numbers) expect(fieldText(sentence)).toContain(number);
  });

  it('keeps what people have typed', async () => {
    await inGerman();
    const typed = '$& "not found" {username} (a+)';
    const sentence = fillTemplate(TEMPLATES.userNotFound, { username: typed });
    expect(sentence).toBe(`User "${typed}" not found`);
    expect(fieldText(sentence)).toBe(`„${typed}“ wurde nicht gefunden`);
  });
});

it('leaves other sentences as they came', async () => {
  await inGerman();
  expect(fieldText('A sentence of a newer server')).toBe('A sentence of a newer server');
  expect(fieldText('')).toBe('');
});
