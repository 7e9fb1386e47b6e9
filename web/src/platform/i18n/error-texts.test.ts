import { errorCatalog } from '@hourshare/contract/errors';
import { afterEach, describe, expect, it } from 'vitest';
import german from '../../messages/de.json' with { type: 'json' };
import { errorText } from './error-texts.ts';
import { ApiError, NoConnection } from '../http/errors.ts';
import { setLanguage } from './language.ts';
import { loadMessages } from './messages.ts';

const translations: Record<string, string> = german;
const answer = (code: string, error: string) => new ApiError(400, { code, error });

afterEach(() => setLanguage('en'));

async function inGerman() {
  setLanguage('de');
  await loadMessages('app');
}

describe('the message of a failed call', () => {
  it('is the server’s sentence in English', () => {
    expect(errorText(answer('not_found', 'Asset not found.'))).toBe('Asset not found.');
    expect(errorText(answer('not_found', 'Something newer.'))).toBe('Something newer.');
    expect(errorText(new NoConnection())).toBe(new NoConnection().message);
  });

  it.each(Object.entries(errorCatalog))('is translated by the code %s', async (code, { message }) => {
    await inGerman();
    expect(translations[message]).toBeTruthy();
    expect(errorText(answer(code, 'A sentence of a newer server.'))).toBe(translations[message]);
  });

  it('is as exact as the server’s sentence in other languages', async () => {
    await inGerman();
    expect(errorText(answer('not_found', 'Statement not found.'))).toBe('Abrechnung nicht gefunden.');
    expect(errorText(answer('user_not_found', 'User "zoe" not found'))).toBe('„zoe“ wurde nicht gefunden');
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
      error: errorCatalog.internal.message,
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
