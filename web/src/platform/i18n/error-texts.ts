import { readIssue, SENTENCES, type Sentence, type SentenceCode } from '@hourshare/contract/sentences';
import { ApiError, NoConnection } from '../http/errors.ts';
import { currentLanguage } from './language.ts';
import { compose, t } from './messages.ts';

/** Returns a sentence of the contract in the current language. */
export const sentenceText = (said: Sentence): string =>
  'english' in said ? said.english : compose(SENTENCES[said.code], said.params);

/** Returns a message of the contract's schemas in the current language. */
export const issueText = (message: string): string => sentenceText(readIssue(message));

/** A newer server may send codes that this app doesn't know, with its sentence in English. */
const isKnown = (code: string | null | undefined): code is SentenceCode =>
  typeof code === 'string' && Object.hasOwn(SENTENCES, code);

/** Returns why the server refused a field, in the current language; undefined if it didn't. */
export function fieldText(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [{ code, params } = {}] = error.fieldCodes[field] ?? [];
  return isKnown(code) ? sentenceText({ code, params }) : error.fields[field]?.[0];
}

/**
 * Returns the message of a failed call in the current language, or an empty string if there is none. People can quote
 * the request's id to the server's administrator, if the log has more under it.
 */
export function errorText(error: unknown): string {
  if (error instanceof NoConnection) return t("Can't reach the server. Check your connection and try again.");
  if (!(error instanceof ApiError)) return '';
  const { message, code, detail, params, requestId } = error;
  const known = [detail, code].find(isKnown);
  const text = currentLanguage() === 'en' || message === '' || !known ? message : sentenceText({ code: known, params });
  return requestId === null ? text : `${text} ${t('Request ID: {id}', { id: requestId })}`;
}

/** Returns why only an asset's owner can do something, for a co-manager; undefined for any other failure. */
export const ownerOnlyText = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'owner_only' ? errorText(error) : undefined;
