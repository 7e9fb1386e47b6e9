import { setTimeout as pause } from 'node:timers/promises';
import { must, Violation } from '../harness/client.mjs';
import { between, pick } from './story.mjs';
import { addMonths, dateOf, dayOf } from './plans.mjs';

// Costs beside the price: what people enter and change, on which days it comes again, and who bears it.

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Asset} Asset */
/** @typedef {{ every: number, until: string | null }} Rhythm */
/**
 * What someone entered, or had come again otherwise. Nothing else has its text but what it became since.
 *
 * @typedef {{ asset: Asset, author: string, rhythm: Rhythm | null }} Entry
 */

/** A server that starts enters at once what comes again. */
const ENTERED_WITHIN_MS = 20_000;

/** @param {World} world @param {number | undefined} die @returns {Rhythm} */
export const rhythmFrom = ({ installation }, die = 0) => ({
  every: pick([1, 1, 1, 2], die) ?? 1,
  until: die * 7 - Math.floor(die * 7) < 0.5 ? null : dateOf(between(die, 20, 150) + dayIn(installation.now())),
});

/** Returns the day in UTC. @param {Date} instant */
const dayIn = (instant) => dayOf(instant.toISOString().slice(0, 10));

/** Notes what is about to be entered or to come again otherwise. Returns its text. @param {World} world @param {Entry} entry */
export function noteEntry({ entries }, entry) {
  const text = `Fuel ${entries.size}`;
  entries.set(text, entry);
  return text;
}

/** @param {any} cost @returns {any[]} oldest first */
const versionsOf = (cost) => [...cost.earlier, cost];

/** Returns what of a version never changes; its people may be deleted. @param {any} version */
const lasting = ({ version, at, date, text, amount, split }) =>
  JSON.stringify({ version, at, date, text, amount, split });

/** Returns the version that first had a text, and what came of it, in order. @param {any[]} costs oldest first @param {string} text */
function chainOf(costs, text) {
  const [first, ...again] = costs.filter((cost) => versionsOf(cost).some((version) => version.text === text));
  const root = first && versionsOf(first).find((version) => version.text === text);
  return { first, root, again };
}

/** Returns the days from which what has a text may be counted: another text alone changes none. @param {World} world @param {any[]} costs @param {string} text @returns {string[]} */
function startsOf(world, costs, text) {
  const { first, root } = chainOf(costs, text);
  const rhythm = JSON.stringify(world.entries.get(text)?.rhythm);
  const before = versionsOf(first)
    .slice(0, root.version - 1)
    .at(-1)?.text;
  const isSame = before !== undefined && JSON.stringify(world.entries.get(before)?.rhythm) === rhythm;
  return [root.date, ...(isSame ? startsOf(world, costs, before) : [])];
}

/** Returns the days on which something comes again up to one. @param {string} from @param {Rhythm} rhythm @param {string} last */
function daysOf(from, { every, until }, last) {
  const days = [];
  for (let months = every; ; months += every) {
    const day = dateOf(addMonths(from, months));
    if (day > last || (until !== null && day > until)) return days;
    days.push(day);
  }
}

/** What comes again does so on its days, once each. @param {World} world @param {Asset} asset @param {any[]} costs oldest first @param {string} text */
function checkRepetitions(world, asset, costs, text) {
  const { first, root, again } = chainOf(costs, text);
  const rhythm = world.entries.get(text)?.rhythm ?? null;
  const what = (/** @type {any} */ cost) =>
    `Cost ${cost.id} of ${asset.word}, ${JSON.stringify(versionsOf(cost).map(lasting))}, which comes again ${JSON.stringify(rhythm)} after ${lasting(root)}`;
  const starts = startsOf(world, costs, text);
  const daysUpTo = (/** @type {string} */ last) => starts.map((from) => (rhythm ? daysOf(from, rhythm, last) : []));
  let before = first;
  // Those of days before it was entered don't come again.
  let after = dateOf(Math.max(dayOf(root.date), dayIn(new Date(root.at)) + 1));
  for (const cost of again) {
    const [{ date, text: own, amount, split }] = versionsOf(cost);
    must(own === text, () => `${what(cost)}, has the text of another.`);
    const possible = daysUpTo(date).filter((days) => days.includes(date));
    must(possible.length > 0, () => `${what(cost)}, isn't on a day on which it comes again.`);
    must(
      versionsOf(before).some((version) => version.amount === amount && version.split === split),
      () => `${what(cost)}, isn't what came before: ${lasting(before)}`,
    );
    must(before === first || versionsOf(before)[0].date < date, () => `${what(cost)}, came twice.`);
    must(
      asset.wasArchived || possible.some((days) => !days.some((day) => day > after && day < date)),
      () => `${what(cost)}, didn't come after ${after}.`,
    );
    before = cost;
    after = date;
  }
  const last = [first, ...again].findLast((cost) => cost.text === text);
  for (const cost of [first, ...again]) {
    if (cost.text !== text || !cost.repeats) continue;
    const { every, until, next } = cost.repeats;
    must(cost === last, () => `${what(cost)}, comes again, though a later one does.`);
    must(
      rhythm !== null &&
        every === rhythm.every &&
        until === rhythm.until &&
        // Not if who paid it has left.
        (next === null || daysUpTo(next).flat().includes(next)),
      () => `${what(cost)}, comes again otherwise: ${JSON.stringify(cost.repeats)}`,
    );
  }
}

/** What was acknowledged of a cost is there, and nothing of it changes by itself but what waits when its month closes. @param {World} world @param {Asset} asset @param {any} cost */
function checkCost(world, asset, cost) {
  const what = () => `Cost ${cost.id} of ${asset.word} is ${JSON.stringify(cost)}`;
  const versions = versionsOf(cost);
  for (const { text } of versions)
    must(world.entries.get(text)?.asset === asset, () => `${what()}: no one wrote that.`);
  const { author = '' } = world.entries.get(versions[0].text) ?? {};
  must(cost.author === author || world.personOf(author).isDeleted, () => `${what()}: ${author} entered it.`);
  must(cost.month >= cost.date.slice(0, 7), () => `${what()}: it counts before its date.`);
  const before = asset.costs.get(cost.id);
  const kept = before ? versionsOf(before) : [];
  must(
    kept.every((version, index) => lasting(version) === lasting(versions[index] ?? {})),
    () => `${what()}, and was ${JSON.stringify(before)}.`,
  );
  const isWaiting = before?.status === 'proposed';
  const isLeft = isWaiting && ['proposed', 'declined'].includes(cost.status);
  // What waits moves on when its month closes.
  const mayChange = !before || isLeft || (world.changes.hasChanged(asset) && (isWaiting || !before.closed));
  must(
    mayChange || (cost.status === before.status && cost.month === before.month && versions.length === kept.length),
    () => `${what()}, and was ${JSON.stringify(before)}, which no one changed.`,
  );
  const answered = world.changes.costAsAnswered(asset, cost.id);
  const shown = (/** @type {any} */ each) =>
    JSON.stringify([versionsOf(each).map(lasting), each.paid_by, each.person, each.author]);
  must(
    !answered ||
      (shown(answered) === shown(cost) && (answered.status === cost.status || answered.status === 'proposed')),
    () => `${what()}, and was acknowledged as ${JSON.stringify(answered)}.`,
  );
}

/**
 * Reads an asset's costs as its owner, once a server has entered what is due.
 *
 * @param {World} world
 * @param {Asset} asset
 * @returns {Promise<any[]>} oldest first
 */
async function readCosts(world, { id, word, owner, ends, mayEndWithCycles, heirs }) {
  const today = dateOf(dayIn(new Date(world.startedAt)));
  // They wait while the asset is about to be archived or handed over.
  const mayWait = mayEndWithCycles || heirs.size > 0 || [...ends].some((end) => end <= today);
  const until = Date.now() + ENTERED_WITHIN_MS;
  for (;;) {
    const list = await world.list(world.personOf(owner), `/api/assets/${id}/costs/`);
    if (!list) throw new Violation(`${owner} could not read the costs of ${word}.`);
    // Everywhere, that day had begun.
    const late = list.results.find(({ repeats }) => repeats?.next && repeats.next < today);
    if (!late || mayWait) return list.results.toReversed();
    must(Date.now() < until, () => `Cost ${late.id} of ${word} was to come again: ${JSON.stringify(late)}`);
    await pause(200);
  }
}

/** Checks what was entered for an asset. Returns it as its owner reads it. @param {World} world @param {Asset} asset */
export async function checkCosts(world, asset) {
  if (!asset.hasCosts) return [];
  const costs = await readCosts(world, asset);
  const ids = new Set(costs.map(({ id }) => id));
  must(ids.size === costs.length, () => `${asset.word} has a cost twice.`);
  if (asset.hasHadOtherOwners) return costs;
  for (const id of asset.costs.keys()) must(ids.has(id), () => `${asset.word} lost cost ${id}.`);
  for (const cost of costs) checkCost(world, asset, cost);
  const texts = new Set(costs.flatMap((cost) => versionsOf(cost).map(({ text }) => text)));
  for (const text of texts) checkRepetitions(world, asset, costs, text);
  asset.costs = new Map(costs.map((cost) => [cost.id, cost]));
  return costs;
}

/**
 * Each cost that counts is split once, and credited once to the person who paid it. Above what a member said yes to, it costs them
 * something only with a yes to it.
 *
 * @param {any} statement as the owner reads it
 * @param {{ word: string, unit: number, costs: any[], limitOf: (line: any) => number | undefined }} where `costs` are all of the asset; a member's limit is not always known
 */
export function checkCostsOfMonth({ month, lines, ...statement }, { word, unit, costs, limitOf }) {
  const cents = (/** @type {number} */ amount) => Math.round(amount * unit);
  const total = (/** @type {any[]} */ list, /** @type {(each: any) => number} */ amountOf) =>
    list.reduce((sum, each) => sum + cents(amountOf(each)), 0);
  const ofMonth = costs.filter((cost) => cost.month === month && cost.status === 'counted');
  const counted = statement.costs.filter((/** @type {any} */ { status }) => status === 'counted');
  const shown = (/** @type {any[]} */ list) =>
    JSON.stringify(list.map(({ id, date, text, amount }) => [id, date, text, amount]));
  must(
    shown(counted) === shown(ofMonth),
    () => `Of ${word} in ${month}, ${shown(ofMonth)} counts, and on the statement ${shown(counted)}.`,
  );
  for (const { id, amount } of counted) {
    const parts = lines.flatMap((/** @type {any} */ line) =>
      line.costs.filter((/** @type {any} */ part) => part.id === id),
    );
    const split = total(parts, (part) => part.amount);
    must(
      split === cents(amount),
      () => `Cost ${id} of ${amount} of ${word} in ${month} is split into ${split / unit}.`,
    );
  }
  for (const line of lines) {
    const { username, costs_amount: parts, costs_paid: paid } = line;
    const what = () => `${username} on ${word} in ${month}, with ${JSON.stringify(line.costs)}`;
    must(total(line.costs, ({ amount }) => amount) === cents(parts), () => `${what()}, bears ${parts}.`);
    const own = counted.filter((/** @type {any} */ { paid_by: payer }) => payer === username);
    const isOnly = lines.filter((/** @type {any} */ other) => other.username === username).length === 1;
    must(
      !isOnly || total(own, ({ amount }) => amount) === cents(paid),
      () => `${what()}, paid ${paid}, which is ${JSON.stringify(own)}.`,
    );
    if (line.role !== 'member') continue;
    const isAgreed = (/** @type {any} */ { id, amount }) => {
      const { author, answers = [] } = costs.find((cost) => cost.id === id) ?? {};
      const { answer, amount: agreed } = answers.find((/** @type {any} */ each) => each.username === username) ?? {};
      must(answer !== 'no' || amount === 0, () => `${what()}, pays for ${id}, to which they said no.`);
      return author === username || (answer === 'yes' && (agreed === null || amount <= agreed));
    };
    const unasked = total(
      line.costs.filter((/** @type {any} */ part) => !isAgreed(part)),
      ({ amount }) => amount,
    );
    const limit = limitOf(line);
    must(
      limit === undefined || unasked <= cents(limit),
      () => `${what()}, pays ${unasked / unit} of costs without a yes, beyond ${limit}.`,
    );
  }
}
