import { NoConnection } from './errors.ts';

/** JSON from a proxy or captive portal, such as `{"status":"starting"}`, where a list was asked for. */
export class NotAList extends NoConnection {}

export const isListAnswer = (answer: unknown): boolean =>
  Array.isArray(answer) ||
  (typeof answer === 'object' && answer !== null && 'results' in answer && Array.isArray(answer.results));

/** Returns the items of a list response: an array or an object with `results`. Anything else counts as empty. */
export function readResults<T>(answer: { results: T[] } | T[] | null | undefined): T[] {
  if (Array.isArray(answer)) return answer;
  return Array.isArray(answer?.results) ? answer.results : [];
}
