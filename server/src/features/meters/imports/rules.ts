import type { EventReason, ImportResult } from '@hourshare/contract/meters';
import { sessionsOf, uncountedOf, type Budget, type Conditions, type Span } from '../rules.ts';

export interface Row extends Span {
  name: string;
  /** Whether an earlier import brought it. */
  known: boolean;
}

export interface Barred extends Span {
  reason: EventReason;
}

interface Label {
  result: ImportResult;
  reason: EventReason | null;
}

type Piece = Span & Label;

export interface Surroundings extends Pick<Conditions, 'now' | 'minMs' | 'limitAt'> {
  /** Times in which nothing may be recorded, each with the reason; of several, the first counts. */
  barred: readonly Barred[];
  /** How much is left of each month; null if that doesn't matter. */
  budgets: readonly Budget[] | null;
  /** For what the rows wait; null if they count. */
  waitsFor: EventReason | null;
}

/** What became of the rows of a name with one result, in milliseconds. */
export interface Part extends Label {
  rows: number;
  ms: number;
}

/** Joins spans that overlap or touch. Returns them in order. */
function unite(spans: readonly Span[]): Span[] {
  const united: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const before = united.at(-1);
    if (from >= to) continue;
    if (before && from <= before.to) before.to = Math.max(before.to, to);
    else united.push({ from, to });
  }
  return united;
}

/** Cuts spans, in order and apart from each other, where others begin and end that are so, too. */
function split(spans: readonly Span[], others: readonly Span[]): { inside: Span[]; outside: Span[] } {
  const inside: Span[] = [];
  const outside: Span[] = [];
  let next = 0;
  for (const { from, to } of spans) {
    let at = from;
    for (let other = others[next]; other && other.from < to; other = others[next]) {
      const [begin, end] = [Math.max(at, other.from), Math.min(to, other.to)];
      if (begin < end) {
        if (at < begin) outside.push({ from: at, to: begin });
        inside.push({ from: begin, to: end });
        at = end;
      }
      // The next span may also be in one that reaches further.
      if (other.to > to) break;
      next += 1;
    }
    if (at < to) outside.push({ from: at, to });
  }
  return { inside, outside };
}

export interface Plan {
  counted: Span[];
  uncounted: Span[];
  parts: Map<string, Part[]>;
}

/**
 * Returns the sessions that rows of one share make, what exceeds the allowance, and what becomes of each row. Rows count to the
 * second: neither are gaps between them filled, nor does time count twice that several have. Depends on the set of rows alone.
 */
export function planRows(rows: readonly Row[], { barred, budgets, waitsFor, ...rest }: Surroundings): Plan {
  const conditions = { ...rest, graceMs: 0, mergeMs: 0 };
  const united = unite(rows);
  const uses = united.map((span) => ({ ...span, silent: false }));
  const endsOf = (use: { from: number; to: number | null }): Span => ({ from: use.from, to: use.to ?? use.from });
  const whole = sessionsOf(uses, { ...conditions, taken: unite(barred), budgets: null }).counted;
  const counted = budgets
    ? sessionsOf(uses, { ...conditions, taken: unite(barred), budgets }).counted.map(endsOf)
    : whole.map(endsOf);
  const pieces: Piece[] = [];
  let unlabeled = united;
  const label = (spans: readonly Span[], { result, reason }: Label) => {
    const { inside, outside } = split(unlabeled, spans);
    for (const span of inside) pieces.push({ ...span, result, reason });
    unlabeled = outside;
  };
  const counts: Label = waitsFor ? { result: 'waiting', reason: waitsFor } : { result: 'counted', reason: null };
  const knownSpans = unite(rows.filter(({ known }) => known));
  if (!waitsFor) label(split(counted, knownSpans).inside, { result: 'known', reason: null });
  label(counted, counts);
  for (const reason of new Set(barred.map((each) => each.reason)))
    label(
      unite(barred.filter((each) => each.reason === reason)),
      reason === 'other_session' ? { result: 'absorbed', reason } : { result: 'ignored', reason },
    );
  label(whole.map(endsOf), { result: 'ignored', reason: 'allowance_used' });
  label(united, { result: 'ignored', reason: 'not_counted' });
  pieces.sort((one, other) => one.from - other.from);
  return { counted, uncounted: uncountedOf(whole, counted, rest.now), parts: partsOf(rows, pieces) };
}

/** Says for each name what became of its rows. Of rows at the same time, what was known is first, and then what begins first. */
function partsOf(rows: readonly Row[], pieces: readonly Piece[]): Map<string, Part[]> {
  const parts = new Map<string, Map<string, Part>>();
  const coveredTo = { known: -Infinity, counted: -Infinity, waiting: -Infinity };
  const byStart = rows.toSorted((one, other) => one.from - other.from || one.to - other.to);
  for (const row of byStart) {
    const labels = new Map<string, Part>();
    const add = ({ result, reason }: Label, ms: number) => {
      if (ms <= 0) return;
      const key = `${result} ${reason ?? ''}`;
      const known = labels.get(key);
      if (known) known.ms += ms;
      else labels.set(key, { result, reason, rows: 0, ms });
    };
    for (let index = firstBeyond(pieces, row.from); index < pieces.length; index++) {
      const piece = pieces[index];
      if (!piece || piece.from >= row.to) break;
      const [from, to] = [Math.max(piece.from, row.from), Math.min(piece.to, row.to)];
      const { result } = piece;
      if (result !== 'known' && result !== 'counted' && result !== 'waiting') add(piece, to - from);
      else if (result === 'known' && !row.known) add({ result: 'absorbed', reason: 'other_session' }, to - from);
      else {
        const free = Math.min(to, Math.max(from, coveredTo[result]));
        add({ result: 'absorbed', reason: 'other_session' }, free - from);
        add(piece, to - free);
      }
    }
    for (const result of ['known', 'counted', 'waiting'] as const)
      if (result !== 'known' || row.known) coveredTo[result] = Math.max(coveredTo[result], row.to);
    const mainPart = [...labels.values()].toSorted(
      (one, other) => Number(isCounting(other)) - Number(isCounting(one)) || other.ms - one.ms,
    )[0];
    if (mainPart) mainPart.rows = 1;
    const ofName = parts.get(row.name) ?? new Map<string, Part>();
    parts.set(row.name, ofName);
    for (const [key, part] of labels) {
      const known = ofName.get(key);
      if (known) {
        known.rows += part.rows;
        known.ms += part.ms;
      } else ofName.set(key, part);
    }
  }
  return new Map([...parts].map(([name, byLabel]) => [name, [...byLabel.values()]]));
}

const isCounting = ({ result }: Label) => result === 'counted' || result === 'known' || result === 'waiting';

/** Returns the index of the first piece, in order and apart from each other, that reaches beyond an instant. */
function firstBeyond(pieces: readonly Span[], at: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.to ?? Infinity) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
