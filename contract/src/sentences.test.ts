import { expect, it } from 'vitest';
import { english, issueOf, readIssue, SENTENCES, type SentenceCode } from './sentences.ts';

const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name = ''], index) => [name, index + 40]);

it.each(Object.entries(SENTENCES))('says %s with its values, also as the message of a schema', (code, text) => {
  const values = valuesOf(text);
  const said = { code: code as SentenceCode, params: Object.fromEntries(values) };
  const sentence = english(said);
  expect(sentence).not.toMatch(/[{}]/);
  for (const [, value] of values) expect(sentence).toContain(String(value));
  expect(english(readIssue(issueOf(said)))).toBe(sentence);
});

it('keeps what people have typed', () => {
  const typed = '$& "not found" {username} (a+)';
  expect(english({ code: 'user_not_found', params: { username: typed } })).toBe(`User "${typed}" not found`);
});

it('leaves what only other clients can cause as it is', () => {
  expect(readIssue('format must be json or csv')).toEqual({ english: 'format must be json or csv' });
});
