/** Returns the items of a list response: an array or an object with `results`. Anything else counts as empty. */
export function readResults<T>(answer: { results: T[] } | T[] | null | undefined): T[] {
  if (Array.isArray(answer)) return answer;
  return Array.isArray(answer?.results) ? answer.results : [];
}
