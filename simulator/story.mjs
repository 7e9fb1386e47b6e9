// A story: what people do and what breaks, step by step. It comes from a seed alone, so that it can be replayed, and
// says nothing about ids, so that it can be shortened. Hand-written because fast-check's commands run without time
// and without each other.

/**
 * What one person does, or what breaks. The dice choose among what is possible when it happens.
 *
 * @typedef {{ kind: string, dice: number[] }} Event
 */
/** @typedef {{ minutes: number, actions: Event[], fault?: Event }} Step time passes, then all actions begin at once */

const DICE = 8;
/** So that there is something to do. */
const BEGINNING = [
  Array.from({ length: 5 }, () => 'register'),
  Array.from({ length: 4 }, () => 'addAsset'),
  Array.from({ length: 8 }, () => 'offer'),
  Array.from({ length: 6 }, () => 'accept'),
];
const HOUR = 60;
const DAY = 24 * HOUR;

/** Returns a source of numbers from 0 to below 1, the same for the same seed (mulberry32). @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the element that a number from 0 to below 1 stands for. @template T @param {readonly T[]} list @param {number | undefined} die @returns {T | undefined} */
export const pick = (list, die = 0) => list[Math.floor(die * list.length)];

/** Returns a whole number of a range. @param {number | undefined} die @param {number} from @param {number} to */
export const between = (die = 0, from, to) => from + Math.floor(die * (to - from + 1));

/** Mostly hours, at times days, so that a thousand steps are about two years. @param {() => number} random */
function minutesOf(random) {
  const kind = random();
  if (kind < 0.6) return between(random(), 5, 5 * HOUR);
  if (kind < 0.9) return between(random(), 5 * HOUR, 30 * HOUR);
  return between(random(), 2 * DAY, 9 * DAY);
}

/**
 * @param {number} seed
 * @param {number} length in steps
 * @param {{ actions: Record<string, number>, faults: Record<string, number>, faultRate: number }} chances weights by kind
 * @returns {Step[]}
 */
export function makeStory(seed, length, { actions, faults, faultRate }) {
  const random = createRandom(seed);
  const bag = (/** @type {Record<string, number>} */ weights) =>
    Object.entries(weights).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  const [deeds, breaks] = [bag(actions), bag(faults)];
  const event = (/** @type {string[]} */ kinds) => ({
    kind: pick(kinds, random()) ?? '',
    dice: Array.from({ length: DICE }, () => Math.round(random() * 1e6) / 1e6).map((die) => Math.min(die, 0.999999)),
  });
  const beginning = BEGINNING.map((kinds) => ({
    minutes: 60,
    actions: kinds.map((kind) => ({ ...event(deeds), kind })),
  }));
  const rest = Array.from({ length: Math.max(0, length - beginning.length) }, () => {
    const minutes = minutesOf(random);
    const count = between(random(), 1, 4);
    const step = { minutes, actions: Array.from({ length: count }, () => event(deeds)) };
    return breaks.length > 0 && random() < faultRate ? { ...step, fault: event(breaks) } : step;
  });
  return [...beginning.slice(0, length), ...rest];
}

/** Returns the time that a story takes, in milliseconds. @param {Step[]} story */
export const durationOf = (story) => story.reduce((sum, { minutes }) => sum + minutes, 0) * 60_000;

/**
 * Returns a shorter story that still fails: steps are left out in ever smaller groups, then single actions and faults.
 * Time doesn't shrink, because what is left out passes all the same.
 *
 * @param {Step[]} story that fails
 * @param {(story: Step[]) => Promise<boolean>} fails
 * @param {() => boolean} isTimeUp
 */
export async function shorten(story, fails, isTimeUp) {
  let shortest = story;
  const attempt = async (/** @type {Step[]} */ candidate) => {
    if (isTimeUp() || !(await fails(candidate))) return false;
    shortest = candidate;
    return true;
  };
  const isEmpty = (/** @type {Step} */ { actions, fault }) => actions.length === 0 && fault === undefined;
  /** Empties steps without removing their time, and merges the time of empty ones. @param {number} from @param {number} to */
  const without = (from, to) => {
    /** @type {Step[]} */
    const kept = [];
    let waited = 0;
    for (const [index, step] of shortest.entries()) {
      const emptied = index >= from && index < to ? { minutes: step.minutes, actions: [] } : step;
      if (isEmpty(emptied)) waited += step.minutes;
      else {
        kept.push({ ...emptied, minutes: emptied.minutes + waited });
        waited = 0;
      }
    }
    // The time before the end may be what it takes.
    if (waited > 0) kept.push({ minutes: waited, actions: [] });
    return kept;
  };
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < shortest.length && !isTimeUp();) {
      // Leaving out what is empty already would never end.
      const isGain = !shortest.slice(from, from + size).every(isEmpty);
      if (!isGain || !(await attempt(without(from, from + size)))) from += size;
    }
  for (let index = shortest.length - 1; index >= 0 && !isTimeUp(); index -= 1) {
    const step = shortest[index];
    if (!step) continue;
    const replaced = (/** @type {Step} */ changed) => shortest.with(index, changed);
    if (step.fault) await attempt(replaced({ minutes: step.minutes, actions: step.actions }));
    for (let action = step.actions.length - 1; action >= 0; action -= 1) {
      const current = shortest[index] ?? step;
      if (current.actions.length > 1)
        await attempt(replaced({ ...current, actions: current.actions.toSpliced(action, 1) }));
    }
  }
  return shortest;
}
