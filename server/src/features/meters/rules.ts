/** What a meter was told about one name: signs of life at an instant, or a whole use. Instants are milliseconds since 1970. */
export type Sign = { type: 'start' | 'beat' | 'stop'; at: number } | { type: 'session'; at: number; until: number };

export interface Span {
  from: number;
  to: number;
}

/** A stretch of use. One that goes on has no `to`. */
export type Use = ({ from: number } & Ended) | ({ from: number } & Going);

interface Ended {
  to: number;
  /** Whether it ended at its last sign of life. */
  silent: boolean;
}

interface Going {
  to: null;
  /** When it ends unless something is heard of it. */
  until: number;
  /** Where it ends then; null if that is at `until`. */
  last: number | null;
}

export interface Conditions {
  now: number;
  graceMs: number;
  mergeMs: number;
  minMs: number;
  /** How long a session that starts at an instant may last, in milliseconds. */
  limitAt: (from: number) => number;
}

/** Returns when the first month began that isn't settled, of times in which a meter can't record. */
export const openSinceOf = (times: readonly { reason: string; until: Date | null }[]): Date =>
  new Date(Math.max(0, ...times.map(({ reason, until }) => (reason === 'month_closed' ? (until?.getTime() ?? 0) : 0))));

/** Returns what of spans is in the times of sessions. Both are in order, and none of one kind overlap. */
export function keepWithin<Kept extends { from: number; to: number | null }>(
  spans: readonly Kept[],
  sessions: readonly { startedAt: Date; endedAt: Date | null }[],
): Kept[] {
  const endOf = (index: number) => sessions[index]?.endedAt?.getTime() ?? Infinity;
  const kept: Kept[] = [];
  let next = 0;
  for (const span of spans) {
    while (next < sessions.length && endOf(next) <= span.from) next += 1;
    for (let index = next; index < sessions.length; index += 1) {
      const from = Math.max(span.from, sessions[index]?.startedAt.getTime() ?? Infinity);
      const to = Math.min(span.to ?? Infinity, endOf(index));
      if (from >= (span.to ?? Infinity)) break;
      if (from < to) kept.push({ ...span, from, to: to === Infinity ? null : to });
    }
  }
  return kept;
}

const ORDER = { beat: 0, stop: 1, start: 2 };
/** At the instant of a start and a stop, what began then also ended then, and what ran before begins anew. */
const ORDER_IF_IDLE = { start: 0, beat: 1, stop: 2 };

type Point = Extract<Sign, { type: 'start' | 'beat' | 'stop' }>;

/**
 * Returns what the signs of one name say about its use, in order. A start runs until it is stopped or to the limit; once there are
 * beats, only as long as each follows within the grace. Depends on the set of signs alone.
 */
export function usesOf(signs: readonly Sign[], conditions: Conditions): Use[] {
  const points = signs.filter((sign): sign is Point => sign.type !== 'session');
  const byInstant = new Map<number, Point[]>();
  for (const point of points) byInstant.set(point.at, [...(byInstant.get(point.at) ?? []), point]);
  const uses: Use[] = signs.flatMap((sign) =>
    sign.type === 'session' ? [{ from: sign.at, to: sign.until, silent: false }] : [],
  );
  let running: ({ from: number } & Going) | undefined;
  const endBefore = (instant: number) => {
    if (!running || running.until >= instant) return;
    uses.push(endOf(running));
    running = undefined;
  };
  for (const [at, together] of [...byInstant].toSorted(([one], [other]) => one - other)) {
    endBefore(at);
    const order = running ? ORDER : ORDER_IF_IDLE;
    for (const { type } of together.toSorted((one, other) => order[one.type] - order[other.type])) {
      if (type === 'stop') {
        if (running) uses.push({ from: running.from, to: at, silent: false });
        running = undefined;
      } else if (type === 'beat') {
        running = { from: running?.from ?? at, to: null, until: at + conditions.graceMs, last: at };
      } else {
        running ??= { from: at, to: null, until: at + conditions.limitAt(at), last: null };
        // Says as much as a beat to what lives by beats.
        if (running.last !== null) running = { ...running, until: at + conditions.graceMs, last: at };
      }
    }
  }
  endBefore(conditions.now);
  if (running) uses.push(running);
  return uses.toSorted((one, other) => one.from - other.from);
}

const endOf = ({ from, until, last }: { from: number } & Going): Use => ({
  from,
  to: last ?? until,
  silent: last !== null,
});

/**
 * Joins uses that overlap, or with gaps that are too short to count. What lives by beats reaches to its last sign of life, also while
 * another may follow, so that it doesn't matter when this is asked.
 */
export function mergeUses(uses: readonly Use[], { mergeMs, graceMs }: Conditions): Use[] {
  const merged: Use[] = [];
  for (const use of uses.toSorted((one, other) => one.from - other.from)) {
    const before = merged.pop();
    if (!before) merged.push(use);
    else if (use.from - (before.to ?? before.last ?? Infinity) <= mergeMs) merged.push(join(before, use, graceMs));
    else merged.push(before.to === null ? endOf(before) : before, use);
  }
  return merged;
}

function join(one: Use, other: Use, graceMs: number): Use {
  const { from } = one;
  if (one.to !== null && other.to !== null) {
    const later = one.to >= other.to ? one : other;
    return { ...later, from };
  }
  if (one.to === null && other.to === null) {
    // One that doesn't live by beats goes on without them.
    const steady = one.last === null ? one : other.last === null ? other : undefined;
    if (steady) return { ...steady, from };
    return { from, to: null, until: Math.max(one.until, other.until), last: Math.max(one.last ?? 0, other.last ?? 0) };
  }
  if (one.to === null) return other.to === null ? one : prolong(one, other.to, graceMs);
  return other.to === null ? { ...prolong(other, one.to, graceMs), from } : one;
}

/** Returns a use that goes on, of which another name or session says that it was alive until an instant. */
const prolong = <Running extends Going>(running: Running, alive: number, graceMs: number): Running =>
  running.last === null
    ? running
    : { ...running, until: Math.max(running.until, alive + graceMs), last: Math.max(running.last, alive) };

/**
 * Returns what is left of uses outside of spans, which may overlap. What goes on ends where a span begins that doesn't end, and what
 * lives by beats at its last one before a span, unless there is one after it.
 */
export function subtract(uses: readonly Use[], spans: readonly Span[]): Use[] {
  const taken = spans.toSorted((one, other) => one.from - other.from);
  return uses.flatMap((use) => {
    const parts: Use[] = [];
    let { from } = use;
    const end = use.to ?? Infinity;
    for (const span of taken) {
      if (span.to <= from || span.from >= end || span.from >= span.to) continue;
      const isSilent = use.to === null && use.last !== null && use.last <= span.from;
      if (span.from > from) parts.push(isSilent ? { ...endOf(use), from } : { from, to: span.from, silent: false });
      from = span.to;
      if (from >= end) break;
    }
    if (from < end) parts.push({ ...use, from });
    return parts;
  });
}

/** Drops uses that are too short to count, and those that go on but of which nothing has been heard since they could. */
const dropShort = (uses: readonly Use[], { minMs }: Conditions): Use[] =>
  uses.filter((use) =>
    use.to === null ? use.last === null || use.last >= use.from : use.to > use.from && use.to - use.from >= minMs,
  );

/** Until when it is known that a use went on: while more may follow, what lives by beats to its last one. */
const knownEndOf = (use: Use, now: number): number => use.to ?? use.last ?? Math.max(use.from, now);

/** Cuts uses that are longer than the limit. */
export const cutAtLimit = (uses: readonly Use[], { limitAt, now }: Conditions): Use[] =>
  uses.flatMap((use) => {
    const parts: Use[] = [];
    let { from } = use;
    for (; from + limitAt(from) < knownEndOf(use, now); from += limitAt(from))
      parts.push({ from, to: from + limitAt(from), silent: false });
    const rest = use.to === null ? { ...use, until: Math.min(use.until, from + limitAt(from)) } : use;
    return [...parts, { ...rest, from }];
  });

/** A month, and how much more of it may be used. */
export interface Budget extends Span {
  leftMs: number;
}

/** Of the instants that a bill tells apart, the last one up to an instant. */
const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/**
 * Ends uses where nothing is left of the month, of which each takes as many whole seconds as it is billed for. Returns what counts,
 * and until when what goes on could.
 */
export function capUses(
  uses: readonly Use[],
  budgets: readonly Budget[],
  now: number,
): { counted: Use[]; spentAt: number } {
  let spentAt = Infinity;
  const months = budgets.map((budget) => ({ ...budget }));
  const leftAt = (at: number) => months.find(({ from, to }) => from <= at && to > at)?.leftMs ?? 0;
  const counted = uses.flatMap((use) => {
    const end = knownEndOf(use, now);
    const parts: Span[] = [];
    for (const month of months) {
      const [from, to] = [Math.max(use.from, month.from), Math.min(end, month.to)];
      if (from >= to || month.leftMs <= 0) continue;
      const ms = toSecond(to) - toSecond(from);
      const until = ms <= month.leftMs ? to : toSecond(from) + month.leftMs;
      month.leftMs -= Math.min(ms, month.leftMs);
      const before = parts.at(-1);
      if (before?.to === from) before.to = until;
      else parts.push({ from, to: until });
    }
    const isSilent = use.to === null ? use.last !== null : use.silent;
    const ended = (span: Span): Use => ({ ...span, silent: span.to === end && isSilent });
    if (use.to !== null) return parts.map(ended);
    const left = leftAt(end);
    const last = parts.at(-1) ?? { from: use.from, to: end };
    if (left <= 0 || last.to < end) return parts.map(ended);
    spentAt = toSecond(end) + left;
    return [...parts.slice(0, -1).map(ended), { ...use, from: last.from, until: Math.min(use.until, spentAt) }];
  });
  return { counted, spentAt };
}

/** Returns the sessions that some uses make, apart from times that are taken or don't count. */
export function sessionsOf(
  uses: readonly Use[],
  { taken, budgets, ...conditions }: Conditions & { taken: readonly Span[]; budgets: readonly Budget[] | null },
): { counted: Use[]; spentAt: number } {
  const whole = cutAtLimit(dropShort(subtract(mergeUses(uses, conditions), taken), conditions), conditions);
  return budgets ? capUses(whole, budgets, conditions.now) : { counted: whole, spentAt: Infinity };
}

/** Returns the parts of uses, up to now, that none of the counted ones covers. */
export const uncountedOf = (
  uses: readonly Use[],
  counted: readonly { from: number; to: number | null }[],
  now: number,
): Span[] =>
  subtract(
    uses.map((use) => ({ from: use.from, to: knownEndOf(use, now), silent: false })),
    counted.map(({ from, to }) => ({ from, to: to ?? Infinity })),
  ).flatMap(({ from, to }) => (to !== null && from < to ? { from, to } : []));
