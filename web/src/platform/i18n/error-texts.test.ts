import { english, issue, SENTENCES, type Params, type SentenceCode } from '@hourshare/contract/sentences';
import { afterEach, describe, expect, it } from 'vitest';
import german from '../../messages/de.json' with { type: 'json' };
import { errorText, fieldText, issueText, sentenceText } from './error-texts.ts';
import { ApiError, NoConnection } from '../http/errors.ts';
import { setLanguage } from './language.ts';
import { loadMessages } from './messages.ts';

const translations: Record<string, string> = german;
const answer = (code: string, error: string, more: object = {}) => new ApiError(400, { code, error, ...more });

afterEach(() => setLanguage('en'));

async function inGerman() {
  setLanguage('de');
  await loadMessages('app');
}

describe('a sentence of the contract', () => {
  it.each(Object.entries(SENTENCES))('has its values in every language: %s', async (code, text) => {
    const params: Params = Object.fromEntries([...text.matchAll(/\{(\w+)/g)].map(([, name = ''], i) => [name, i + 40]));
    const said = { code: code as SentenceCode, params };
    expect(sentenceText(said)).toBe(english(said));
    await inGerman();
    expect(sentenceText(said)).not.toBe(english(said));
    for (const value of Object.values(params)) expect(sentenceText(said)).toContain(String(value));
  });

  it('keeps what people have typed', async () => {
    await inGerman();
    const username = '$& "not found" {username} (a+)';
    expect(sentenceText({ code: 'user_not_found', params: { username } })).toBe(`„${username}“ wurde nicht gefunden`);
  });

  it('formats amounts', async () => {
    const said = { code: 'amount_too_high', params: { max: 1234.5678 } } as const;
    expect(sentenceText(said)).toBe('Amount must be at most 1,234.5678');
    await inGerman();
    expect(sentenceText(said)).toBe('Der Betrag darf höchstens 1.234,5678 sein');
  });
});

it('says a message of a schema, and leaves one for other clients as it is', async () => {
  await inGerman();
  expect(issueText(issue('name_required'))).toBe('Name ist erforderlich');
  expect(issueText('format must be json or csv')).toBe('format must be json or csv');
});

describe('the message of a failed call', () => {
  it('is the server’s sentence in English', () => {
    expect(errorText(answer('not_found', 'Asset not found.', { detail: 'asset_not_found' }))).toBe('Asset not found.');
    expect(errorText(answer('not_found', 'Something newer.'))).toBe('Something newer.');
    expect(errorText(new NoConnection())).toBe(new NoConnection().message);
  });

  it('is as exact as the server’s sentence in other languages', async () => {
    await inGerman();
    expect(errorText(answer('not_found', 'Statement not found.', { detail: 'statement_not_found' }))).toBe(
      'Abrechnung nicht gefunden.',
    );
    expect(errorText(answer('user_not_found', 'User "zoe" not found', { params: { username: 'zoe' } }))).toBe(
      '„zoe“ wurde nicht gefunden',
    );
  });

  it.each(['english_only', 'from_the_future'])('is translated by the code if the detail is %s', async (detail) => {
    await inGerman();
    expect(errorText(answer('not_found', 'Something newer.', { detail }))).toBe(translations['Not found.']);
  });

  it('is the server’s sentence if the code is unknown', async () => {
    await inGerman();
    expect(errorText(answer('from_the_future', 'Something newer.'))).toBe('Something newer.');
    expect(errorText(new ApiError(502, { error: 'Bad gateway' }))).toBe('Bad gateway');
  });

  it('is translated without a connection', async () => {
    await inGerman();
    expect(errorText(new NoConnection())).toBe(translations[new NoConnection().message]);
  });

  it('ends with the id of the request, for the administrator, if the server sends it', async () => {
    const broken = new ApiError(500, {
      code: 'internal',
      error: SENTENCES.internal,
      request_id: '4f9c2a7e1b3d5566',
    });
    expect(errorText(broken)).toBe('Something went wrong on the server. Request ID: 4f9c2a7e1b3d5566');
    await inGerman();
    expect(errorText(broken)).toBe('Auf dem Server ist etwas schiefgegangen. Anfrage-ID: 4f9c2a7e1b3d5566');
  });

  it('is empty if there is none', async () => {
    expect(errorText(new ApiError(500, null))).toBe('');
    expect(errorText(new TypeError('x is undefined'))).toBe('');
    await inGerman();
    expect(errorText(new ApiError(500, null))).toBe('');
  });
});

it('tells why a field was refused', async () => {
  const refused = answer('validation_failed', 'Name is required', {
    fields: { name: ['Name is required'], at: ['Something newer.'] },
    field_codes: { name: [{ code: 'name_required' }], at: [{ code: 'from_the_future' }] },
  });
  await inGerman();
  expect(fieldText(refused, 'name')).toBe('Name ist erforderlich');
  expect(fieldText(refused, 'at')).toBe('Something newer.');
  expect([fieldText(refused, 'email'), fieldText(new NoConnection(), 'name')]).toEqual([undefined, undefined]);
});
