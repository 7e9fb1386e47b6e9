/** What a meter told of a day. Instants are milliseconds since 1970. */
export interface Told {
  /** Who sent it and of whom, so that what one name says replaces nothing of another. */
  from: string;
  id: string;
  /** `add` adds to its day, `replace` is all of the day up to then. A `cost` is apart from both. */
  type: 'add' | 'replace' | 'cost';
  /** Millionths of a second, or of a US dollar. */
  micros: number;
  /** `YYYY-MM-DD` */
  day: string;
  /** When it happened, or else when it came. */
  at: number;
  /** The order of those that came at one time without saying when they happened; null for others. */
  place: number | null;
}

type Ranked = Pick<Told, 'at' | 'place' | 'micros' | 'id'>;

/** Whether one happened after another; what says nothing of that came after it. */
const isAfter = (one: Pick<Told, 'at' | 'place'>, other: Pick<Told, 'at' | 'place'>): boolean =>
  one.at > other.at || (one.at === other.at && (one.place ?? -1) > (other.place ?? -1));

/** Of two that happened at once, the larger one counts. */
const goesAfter = (one: Ranked, other: Ranked): boolean => {
  if (isAfter(one, other)) return true;
  if (isAfter(other, one)) return false;
  return one.micros > other.micros || (one.micros === other.micros && one.id > other.id);
};

/**
 * Returns what is kept of two events with one id, so that it doesn't matter how often they come. With instants, it doesn't matter in
 * which order either; without, a total that replaces is the one that came last.
 */
export function keepOne<Event extends Told>(known: Event, next: Event): Event {
  if (known.type !== next.type) return known.type > next.type ? known : next;
  const isSame = known.micros === next.micros && known.day === next.day;
  if (isSame && (known.place !== null || next.place !== null)) return known;
  if (known.type === 'replace') return goesAfter(next, known) ? next : known;
  if (known.micros !== next.micros) return next.micros > known.micros ? next : known;
  if (known.place !== null && next.place !== null) return next.day > known.day ? next : known;
  return goesAfter(next, known) ? next : known;
}

export interface DaySum {
  micros: number;
  /** Null if no cost was told. */
  costMicros: number | null;
  lastAt: number;
  /** The ids, with whom they are from, of what another total replaces. */
  replaced: ReadonlySet<string>;
}

export const keyOf = ({ from, id }: Pick<Told, 'from' | 'id'>): string => JSON.stringify([from, id]);

/** Returns what the events of one day, of which each has an id of its own, come to. */
export function sumOf(events: readonly Told[]): DaySum {
  const bases = new Map<string, Told>();
  for (const event of events) {
    if (event.type !== 'replace') continue;
    const known = bases.get(event.from);
    if (!known || goesAfter(event, known)) bases.set(event.from, event);
  }
  let [micros, lastAt] = [0, 0];
  let costMicros: number | null = null;
  const replaced = new Set<string>();
  for (const event of events) {
    lastAt = Math.max(lastAt, event.at);
    const base = bases.get(event.from);
    if (event.type === 'cost') costMicros = (costMicros ?? 0) + event.micros;
    else if (!base || event === base || (event.type === 'add' && isAfter(event, base))) micros += event.micros;
    else replaced.add(keyOf(event));
  }
  return { micros, costMicros, lastAt, replaced };
}

/** Where a cumulative counter stood. */
export interface Reading {
  at: number;
  micros: number;
}

/**
 * Returns what a cumulative counter has added since a reading, and since when; nothing if it says no more than that. A lower value is
 * one that began anew. Without a reading, all of it counts, unless it began before an instant that is too early to know of.
 */
export function addedSince(
  known: Reading | undefined,
  next: Reading & { startedAt: number | null },
  tooEarly: number,
): { micros: number; since: number } | undefined {
  if (known && next.at <= known.at) return undefined;
  if (known) return { micros: next.micros >= known.micros ? next.micros - known.micros : next.micros, since: known.at };
  if (next.startedAt !== null && next.startedAt < tooEarly) return { micros: 0, since: next.at };
  return { micros: next.micros, since: Math.min(next.startedAt ?? next.at, next.at) };
}
