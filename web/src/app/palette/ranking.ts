import { foldedWords, foldText } from '../../platform/format/folding.ts';

export interface Searchable {
  group: string;
  text: string;
  /** Shown beside the text. */
  detail?: string | undefined;
  /** Words that find it too, but aren't shown. */
  keywords?: string | undefined;
}

export interface Group<Entry> {
  group: string;
  items: Entry[];
}

const SHOWN = 7;
/** Leaves room for other groups when one has many matches. */
const SHOWN_PER_GROUP = 3;

/** Returns how well an entry matches, or null if a word of the query isn't in it. */
function score(entry: Searchable, query: string): number | null {
  const words = foldedWords(entry.text);
  const others = foldedWords(`${entry.detail ?? ''} ${entry.keywords ?? ''}`);
  const scores = foldedWords(query).map((wanted) => {
    const position = words.findIndex((word) => word.startsWith(wanted));
    if (position >= 0) return position === 0 ? 4 : 3;
    if (others.some((word) => word.startsWith(wanted))) return 2;
    return foldText(entry.text).includes(wanted) ? 1 : null;
  });
  if (scores.includes(null)) return null;
  const text = foldText(entry.text);
  const wanted = foldText(query).trim();
  const whole = text === wanted ? 2 : text.startsWith(wanted) ? 1 : 0;
  return scores.reduce<number>((sum, each) => sum + (each ?? 0), whole);
}

/** Returns the entries that match all words of a query, the best first; entries that match as well keep their order. */
function findMatches<Entry extends Searchable>(entries: Entry[], query: string): Entry[] {
  return entries
    .flatMap((entry) => {
      const points = score(entry, query);
      return points === null ? [] : [{ entry, points }];
    })
    .toSorted((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

/** Returns up to seven matches by group. The group with the best match comes first, and in it the best match. */
export function rank<Entry extends Searchable>(entries: Entry[], query: string): Group<Entry>[] {
  const matches = findMatches(entries, query);
  const counts = new Map<string, number>();
  const isEarly = ({ group }: Entry) => {
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= SHOWN_PER_GROUP;
  };
  const inTurn = new Set([...matches.filter(isEarly), ...matches]);
  const shown = new Set([...inTurn].slice(0, SHOWN));
  const groups = new Map<string, Entry[]>();
  for (const entry of matches)
    if (shown.has(entry)) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, items]) => ({ group, items }));
}

/** Returns a text in parts, of which those that match the beginning of a word of the query are marked. */
export function markMatches(text: string, query: string): { part: string; marked: boolean }[] {
  const wanted = foldedWords(query);
  return text.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u).flatMap((word) => {
    const length = Math.max(0, ...wanted.filter((each) => foldText(word).startsWith(each)).map((each) => each.length));
    const letters = Array.from(word.normalize());
    // Folded text is longer where a letter consists of parts, as in Korean.
    let count = 0;
    while (foldText(letters.slice(0, count).join('')).length < length) count += 1;
    return [
      { part: letters.slice(0, count).join(''), marked: true },
      { part: letters.slice(count).join(''), marked: false },
    ].filter(({ part }) => part !== '');
  });
}
