import { isMetered, isSamePayment, meterNameOf, monthsNow, noteOwnShare, notePayment, noteShares } from './actions.mjs';
import { fixedParts } from './changes.mjs';
import { must, Violation } from '../harness/client.mjs';
import { checkCosts, checkCostsOfMonth } from './costs.mjs';
import { cycleAround, dateOf, dayOf, mostOf, partsOf } from './plans.mjs';
import { knownStatement, lasting, noteStatement } from './statements.mjs';

// What holds after every step, whatever broke: nothing acknowledged is lost, nothing is there twice, charges add up,
// closed statements never change, and no one sees what isn't theirs.

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Asset} Asset */
/** @typedef {import('./world.mjs').Share} Share */
/** @typedef {import('./world.mjs').Session} Session */
/** @typedef {import('./world.mjs').Person} Person */

/** How many checks run at once, because each step waits for all of them. */
const AT_ONCE = 4;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OFFER_LASTS_MS = 14 * DAY_MS;
/** Smallest units of the currencies that the simulation uses. @type {Record<string, number>} */
const UNITS = { USD: 100, EUR: 100, JPY: 1, KWD: 1000 };

/** Returns whether an objection has restored a session: to its edit, or to one that overlaps. @param {any} seen the session as the server shows it */
const isRestored = ({ edited }) => edited?.kind === 'restored';

/** @param {Session} session @param {any} seen the session as the server shows it @param {Asset} asset */
function checkSession(session, seen, asset) {
  const what = () =>
    `Session ${session.id} of ${session.share.member ?? 'a person'} on ${asset.word}: acknowledged ${JSON.stringify(session.times)}, shown ${seen.start_time} to ${seen.end_time}`;
  const [start, end] = [Date.parse(seen.start_time), seen.end_time === null ? undefined : Date.parse(seen.end_time)];
  must(end === undefined || end >= start, () => `${what()}: it ends before it starts`);
  // What a fault had left unsure is certain now.
  const isShown = (/** @type {import('./world.mjs').Times} */ times) =>
    times.start === seen.start_time && times.end === seen.end_time;
  const known = [...session.times, ...session.earlier];
  const isPart = (/** @type {import('./world.mjs').Times} */ times) =>
    times.start <= seen.start_time && (times.end === null || (seen.end_time !== null && seen.end_time <= times.end));
  // A restored one keeps what is in closed months, and one pressed offline gives way to it.
  const mayBePart = (isRestored(seen) || session.isLate) && known.some(isPart);
  const wasRecorded =
    session.isLate && isRestored(seen) && isPart({ start: seen.edited.start_time, end: seen.edited.end_time });
  if (session.times.some(isShown) || mayBePart || wasRecorded) {
    session.times = [{ start: seen.start_time, end: seen.end_time }];
    session.isEdited = false;
    return;
  }
  const active = session.times.find((times) => times.end === null && times.start === seen.start_time);
  if (active === undefined || end === undefined) throw new Violation(what());
  const hours = (end - start) / HOUR_MS;
  must(session.mayHaveEnded || asset.limits.has(hours), () => `${what()}: nothing ended it`);
  session.times = [{ start: seen.start_time, end: seen.end_time }];
}

/**
 * @param {World} world
 * @param {any[]} results as the server lists them
 * @param {Asset} asset
 * @param {(session: Session) => boolean} belongs whether a session may be in the list
 * @param {boolean} isWhole whether each session that may be in it must be
 */
function checkSessions(world, results, asset, belongs, isWhole) {
  const seen = new Set();
  for (const result of results) {
    must(!seen.has(result.id), () => `Session ${result.id} of ${asset.word} is listed twice.`);
    seen.add(result.id);
    const session = world.sessions.get(result.id);
    // What is in a closed month stays there as a session of its own when an objection restores the rest.
    const isKept = results.filter(isRestored).some(({ id }) => {
      const { times = [], earlier = [] } = world.sessions.get(id) ?? {};
      return [...times, ...earlier].some(({ start }) => start === result.start_time);
    });
    if (!session && isKept) continue;
    if (!session && result.source === 'metered') {
      must(
        [...world.shares.values()].some((share) => share.asset === asset && share.mayBeMetered),
        () => `A meter recorded someone on ${asset.word}, where no one agreed: ${JSON.stringify(result)}`,
      );
      continue;
    }
    if (!session) throw new Violation(`${asset.word} has a session that no one was told of: ${JSON.stringify(result)}`);
    must(belongs(session), () => `Session ${result.id} of ${session.share.asset.word} is in another list.`);
    const answered = isSameMonth(world) ? world.changes.sessionAsAnswered(asset, result.id) : undefined;
    for (const key of answered ? ['start_time', 'end_time', 'edited', 'objection', 'request'] : [])
      must(
        JSON.stringify(result[key]) === JSON.stringify(answered[key]),
        () =>
          `Session ${result.id} of ${asset.word} has another ${key} than acknowledged, ${JSON.stringify(answered[key])}: ${JSON.stringify(result)}`,
      );
    if (session.isLate && result.edited?.kind === 'removed') session.isRemoved = true;
    session.isRemoved ??= result.edited?.kind === 'removed';
    if (session.isRemoved && result.edited?.kind === 'removed') continue;
    if (session.isRemoved && isRestored(result)) session.isRemoved = false;
    must(
      !session.isRemoved,
      () => `Session ${result.id} of ${asset.word} was removed and counts: ${JSON.stringify(result)}`,
    );
    checkSession(session, result, asset);
  }
  for (const session of world.sessions.values()) {
    if (!isWhole || session.isRemoved || !belongs(session)) continue;
    if (session.isRemoved === undefined || session.isLate) session.isRemoved = !seen.has(session.id);
    else
      must(
        seen.has(session.id),
        () => `Session ${session.id} of ${asset.word} is lost: ${JSON.stringify(session.times)}`,
      );
  }
}

/** No second counts twice, however it was recorded. @param {any[]} results as the member's log lists them @param {Share} share */
function checkApart(results, share) {
  const counted = results
    // What is counted by the day has no times.
    .filter(({ edited, day }) => edited?.kind !== 'removed' && typeof day !== 'string')
    .toSorted((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time));
  for (const [index, { id, start_time: start }] of counted.entries()) {
    const before = counted[index - 1];
    must(
      !before || (before.end_time !== null && Date.parse(before.end_time) <= Date.parse(start)),
      () => `Sessions ${before.id} and ${id} of ${share.member} on ${share.asset.word} overlap.`,
    );
  }
}

/** Returns how long spans are, apart from where they overlap. @param {import('./world.mjs').Span[]} spans */
function lengthOf(spans) {
  let [length, covered] = [0, 0];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return length;
}

/** Returns what spans have in common with another. @param {import('./world.mjs').Span[]} spans @param {import('./world.mjs').Span} other */
const within = (spans, other) =>
  spans
    .map(({ from, to }) => ({ from: Math.max(from, other.from), to: Math.min(to, other.to) }))
    .filter(({ from, to }) => from < to);

/** @param {any} session that has ended */
const spanOf = ({ start_time: start, end_time: end }) => ({ from: Date.parse(start), to: Date.parse(end) });

/** What came with files is in the files, and nothing that a member removed is recorded again. @param {any[]} results as the member's log lists them @param {Share} share */
function checkRecorded(results, share) {
  const what = (/** @type {any} */ { id }) => `Session ${id} of ${share.member} on ${share.asset.word}`;
  for (const session of results.filter(isMetered)) {
    const span = spanOf(session);
    must(within(share.refused, span).length === 0, () => `${what(session)} is recorded again, though they removed it.`);
    must(
      session.meter !== 'Netflix' || lengthOf(within(share.imported, span)) === span.to - span.from,
      () => `${what(session)} is in no file: ${JSON.stringify(session)}`,
    );
  }
}

/**
 * Imports the last file of an asset again, while nothing else happens: nothing is added, as was said before. Returns how much of the
 * rows of each name counts, in milliseconds.
 *
 * @param {World} world
 * @param {Asset} asset
 */
async function importAgain(world, { id, word, owner, files }) {
  const { rows, counted = new Set() } = files ?? {};
  if (!files || !rows) return undefined;
  files.rows = undefined;
  const path = `/api/assets/${id}/meters/${files.id}/imports/`;
  const send = (/** @type {object} */ body) => world.ask(world.personOf(owner), `POST ${path}`, body);
  const [promised, answer] = [await send({ rows, dry_run: true }), await send({ rows })];
  if (answer.status !== 200) return undefined;
  must(
    promised.text === answer.text,
    () => `An import to ${word} was to become ${promised.text}, and became ${answer.text}`,
  );
  const known = new Map();
  for (const { external_name: name, hours, parts } of answer.body.names) {
    const sum = (/** @type {string[]} */ ...kinds) =>
      parts.reduce(
        (/** @type {number} */ total, /** @type {any} */ part) =>
          total + (kinds.length === 0 || kinds.includes(part.result) ? part.hours : 0),
        0,
      );
    must(Math.abs(sum() - hours) < 0.05, () => `Of ${hours} h of ${name} on ${word}, ${sum()} h became something.`);
    must(
      !counted.has(name) || sum('counted') === 0,
      () => `The same file again added ${sum('counted')} h of ${name} to ${word}.`,
    );
    const own = rows.filter((/** @type {any} */ row) => row.name === name);
    known.set(name, {
      hours: sum('known', 'counted'),
      spans: own.map((/** @type {any} */ { start, end }) => spanOf({ start_time: start, end_time: end })),
    });
  }
  return known;
}

/** What counts of a file is in the log. @param {any[]} results as the member's log lists them @param {Share} share @param {{ hours: number, spans: import('./world.mjs').Span[] } | undefined} known */
function checkImported(results, share, known) {
  if (!known) return;
  const shown = results.filter(isMetered).flatMap((session) => within(known.spans, spanOf(session)));
  must(
    lengthOf(shown) >= (known.hours - 0.05) * HOUR_MS,
    () =>
      `${known.hours} h of a file count for ${share.member} on ${share.asset.word}, of which ${lengthOf(shown) / HOUR_MS} h are recorded.`,
  );
}

/** Takes over what a fault has left unsure, once. @param {World} world @param {Share} share @param {any} entry of the owner's list */
function checkShare(world, share, entry) {
  const isOpen = entry !== undefined && !entry.pending;
  const what = () =>
    `Share ${share.id} of ${share.member ?? 'a person'} on ${share.asset.word} is ${share.state}, but shown as ${JSON.stringify(entry)}`;
  if (share.state === 'offered' && entry === undefined) {
    must(world.installation.now().getTime() - share.since >= OFFER_LASTS_MS - HOUR_MS, what);
    share.state = 'ended';
  } else if (share.state === 'unsure') {
    share.state = entry === undefined ? 'ended' : isOpen ? 'open' : 'offered';
  } else {
    must({ offered: entry?.pending === true, open: isOpen, ended: entry === undefined }[share.state], what);
  }
}

/** @param {World} world @param {Asset} asset @param {string} heir who owns it now */
function noteHandover(world, asset, heir) {
  // The heir's share, offers, and the shares of people without an account have ended; the former owner may have a share now.
  for (const share of world.shares.values()) {
    if (share.asset !== asset) continue;
    if (share.member === heir) share.state = 'unsure';
    else if (share.member === undefined || share.state === 'offered') share.state = 'ended';
  }
  for (const session of world.sessions.values()) if (session.share.asset === asset) session.mayHaveEnded = true;
  asset.names.add(asset.owner);
  asset.owner = heir;
  asset.heirs.delete(heir);
  asset.shown = undefined;
  asset.mayHaveNewShares = true;
  asset.hasHadOtherOwners = true;
  world.meet(asset);
}

/** Returns whether no month has begun anywhere since the last check. @param {World} world */
function isSameMonth(world) {
  const [first, last] = world.months.split(' ');
  return first === last && world.months === monthsNow(world);
}

/** What no action changed is as before, within a month, and what one action changed is as it was acknowledged. @param {World} world @param {Asset} asset @param {any} body */
function checkFixedParts(world, asset, body) {
  const text = fixedParts(body);
  const isComparable = isSameMonth(world);
  const answered = world.changes.assetAsAnswered(asset);
  if (answered && isComparable)
    must(
      text === fixedParts(answered),
      () => `${asset.word} was acknowledged as ${fixedParts(answered)}, and is ${text}.`,
    );
  const { shown } = asset;
  if (shown !== undefined && isComparable && !world.changes.hasChanged(asset))
    must(text === shown, () => `${asset.word} changed, though no one changed it, from ${shown} to ${text}.`);
  asset.shown = text;
}

/** A plan that has ended archives its asset. @param {World} world @param {Asset} asset @param {any} body */
function noteEnd(world, asset, body) {
  const { cycle, trial_until, ends_on: end, archived } = body;
  asset.plan = { cycle, trial_until, ends_on: end };
  if (!archived || asset.isArchived) return;
  // Someone may have changed the end since. Where it is later, a day begins earlier.
  const ends = [end, ...(world.changes.hasChanged(asset) ? asset.ends : [])].filter((each) => each !== null);
  if (
    !asset.mayEndWithCycles &&
    ends.every((each) => dayOf(each) * DAY_MS > world.installation.now().getTime() + DAY_MS)
  )
    return;
  Object.assign(asset, { isArchived: true, wasArchived: true });
  asset.shown = undefined;
  world.changes.begin(`PATCH /api/assets/${asset.id}/`);
  for (const session of world.sessions.values()) if (session.share.asset === asset) session.mayHaveEnded = true;
}

/** What a member said yes to changes only by a yes of theirs. @param {World} world @param {Share} share @param {any} entry of the owner's list */
function noteAgreed(world, share, entry) {
  const mayHaveAgreed = share.mayHaveAgreed === true;
  share.mayHaveAgreed = false;
  const [from, at] = [world.checkedAt, world.installation.now().getTime()];
  if (share.member === undefined || entry?.person) return;
  if (!entry?.agreed) {
    // They may have said yes, and left.
    if (mayHaveAgreed) share.agreed.push({ from, at, terms: undefined });
    return;
  }
  // Fewer hours need no yes.
  const { monthly_hours: _, ...terms } = entry.agreed;
  const last = share.agreed.at(-1);
  const text = (/** @type {any} */ value) => JSON.stringify(value);
  if (last && text(last.terms) === text(terms)) return;
  must(
    last?.terms === undefined || mayHaveAgreed,
    () => `${share.member} agreed to ${text(last?.terms)} on ${share.asset.word}, and without a yes to ${text(terms)}.`,
  );
  share.agreed.push({ from, at, terms });
}

/** Compares an asset with what was acknowledged, as its owner and each member see it. @param {World} world @param {Asset} asset */
async function checkAsset(world, asset) {
  if (asset.isDeleted || world.personOf(asset.owner).isDeleted) return;
  let answer = await world.ask(world.personOf(asset.owner), `GET /api/assets/${asset.id}/`);
  for (const name of answer.body?.your_role === 'owner' ? [] : asset.heirs) {
    if (world.personOf(name).isDeleted) continue;
    const asHeir = await world.ask(world.personOf(name), `GET /api/assets/${asset.id}/`);
    if (asHeir.body?.your_role !== 'owner') continue;
    answer = asHeir;
    noteHandover(world, asset, name);
    break;
  }
  must(
    answer.status === 200 && answer.body.your_role === 'owner',
    () => `${asset.owner} lost ${asset.word}: ${answer.text}`,
  );
  const { body } = answer;
  must(body.name === asset.word, () => `${asset.word} is called ${body.name}.`);
  noteEnd(world, asset, body);
  must(body.archived === asset.isArchived, () => `${asset.word} is ${body.archived ? '' : 'not '}archived.`);
  must(
    asset.prices.has(body.subscription_cost),
    () => `${asset.word} costs ${body.subscription_cost}, which no one set.`,
  );

  checkFixedParts(world, asset, body);
  must(
    (body.own_share_id !== null) === body.owner_takes_part || !isSameMonth(world),
    () =>
      `${asset.owner} takes ${body.owner_takes_part ? '' : 'no '}part in ${asset.word} with share ${body.own_share_id}.`,
  );
  noteOwnShare(world, asset, body);
  if (asset.mayHaveNewShares) noteShares(world, asset, body);
  asset.mayHaveNewShares = false;
  const own = [...world.shares.values()].filter((share) => share.asset === asset);
  const members = body.shared_with.filter(
    (/** @type {any} */ { person, shared_with_username: name }) => !person && name !== null,
  );
  must(
    new Set(members.map((/** @type {any} */ { shared_with_username: name }) => name)).size === members.length,
    () => `${asset.word} has a member twice: ${JSON.stringify(body.shared_with)}`,
  );
  for (const entry of body.shared_with)
    must(
      entry.invitation_id !== null || world.shares.has(entry.id),
      () => `${asset.word} has a member whom no one was told of: ${JSON.stringify(entry)}`,
    );
  for (const share of own) {
    if (share.own) continue;
    const isGone = share.member !== undefined && world.personOf(share.member).isDeleted;
    const entry = body.shared_with.find(
      (/** @type {any} */ each) => each.invitation_id === null && each.id === share.id,
    );
    // People without an account become members with the same share.
    if (entry && !entry.person && share.member === undefined) {
      share.member = entry.shared_with_username;
      share.state = 'open';
    }
    if (!isGone) checkShare(world, share, entry);
    noteAgreed(world, share, entry);
  }

  const owner = world.personOf(asset.owner);
  const prices = isSameMonth(world) ? world.changes.pricesAsAnswered(asset) : undefined;
  if (prices) {
    const { text } = await world.ask(owner, `GET /api/assets/${asset.id}/prices/`);
    must(
      text === JSON.stringify(prices),
      () => `The prices of ${asset.word} were acknowledged as ${JSON.stringify(prices)}, and are ${text}`,
    );
  }
  const known = await importAgain(world, asset);
  const all = await world.list(owner, `/api/assets/${asset.id}/sessions/?limit=200`);
  if (!all) throw new Violation(`${asset.owner} could not read the sessions of ${asset.word}.`);
  // Owners only see what members used in their own months.
  const isOfMember = (/** @type {Session} */ { share }) => share.asset === asset && !share.own;
  checkSessions(world, all.results, asset, isOfMember, !asset.hasHadOtherOwners);
  for (const share of own) {
    if (
      share.state !== 'open' ||
      share.member === undefined ||
      asset.isArchived ||
      world.personOf(share.member).isDeleted
    )
      continue;
    const logs = await world.list(world.personOf(share.member), `/api/shared-assets/${share.id}/logs/?limit=200`);
    if (!logs) throw new Violation(`${share.member} lost access to ${asset.word}.`);
    checkSessions(world, logs.results, asset, (session) => session.share === share, true);
    checkApart(logs.results, share);
    checkRecorded(logs.results, share);
    checkImported(logs.results, share, known?.get(meterNameOf(share)));
  }
  const costs = await checkCosts(world, asset);
  const replayed = await world.ask(owner, `POST /api/assets/${asset.id}/replay/`, {});
  const statements = await world.list(owner, `/api/assets/${asset.id}/statements/`);
  checkStatements(world, statements, { asset, costs });
  checkReplay(replayed, statements?.results ?? [], asset);
}

/** Replayed without any change, the last closed months cost everyone what they did. @param {import('../harness/client.mjs').Answer} replayed @param {any[]} statements @param {Asset} asset */
function checkReplay({ status, body, text }, statements, { word, owner }) {
  must(status === 200, () => `${owner} can't replay ${word}: ${text}`);
  const amounts = (/** @type {any[]} */ people) =>
    JSON.stringify(people.map(({ username, paid, replayed }) => `${username} ${paid} ${replayed}`).toSorted());
  for (const { month, people } of body.months) {
    const { lines = [] } = statements.find((each) => each.month === month && each.owner === owner && each.closed) ?? {};
    const paid = lines.map((/** @type {any} */ { username, price_amount: amount }) => ({
      username,
      paid: amount,
      replayed: amount,
    }));
    must(
      amounts(people) === amounts(paid),
      () => `${word} cost ${amounts(paid)} in ${month}, and is replayed as ${amounts(people)}.`,
    );
  }
}

/** @param {{ asset: Asset, month: string, text: string }} known @param {any} now as the owner reads it */
function checkUnchanged({ asset, month, text }, now) {
  must(
    lasting(now) === text,
    () => `The statement of ${asset.word} for ${month} changed from ${text} to ${lasting(now)}`,
  );
}

/** Returns whether the owner of a statement finds it with the asset. @param {{ asset: Asset, owner: string }} statement */
const isWithAsset = ({ asset, owner }) => !asset.isDeleted && !asset.hasHadOtherOwners && asset.owner === owner;

/** Returns the last renewal before a month and the next ones. @param {import('./plans.mjs').Cycle | null} cycle @param {string} month */
function renewalsAround(cycle, month) {
  if (!cycle) return [];
  const { start, end } = cycleAround(cycle, dayOf(`${month}-01`));
  return [start, end, cycleAround(cycle, end).end].map(dateOf);
}

/** A month costs what one of the plans makes of it that the asset may have had, at prices that someone set. @param {Asset} asset @param {any} statement */
function checkPrice({ word, prices, ...asset }, statement) {
  const { month, price, price_parts: parts, unbilled } = statement;
  const unit = UNITS[statement.currency] ?? 100;
  const cents = (/** @type {number} */ amount) => Math.round(amount * unit);
  const what = () => `${word} costs ${price} in ${month}, by ${JSON.stringify(parts)}`;
  const sum = parts.reduce((/** @type {number} */ total, /** @type {any} */ part) => total + cents(part.amount), 0);
  if (parts.length === 0) {
    const mayBeFree = unbilled || asset.cycles.size + asset.trials.size > 0;
    return must(prices.has(price) || (price === 0 && mayBeFree), () => `${what()}, which no one set.`);
  }
  must(sum === cents(price), () => `${what()}, which sum to ${sum / unit}.`);
  for (const { cycle_price: each } of parts) must(prices.has(each), () => `${what()}: no one set ${each}.`);
  const [{ every, unit: rhythm, spread: first }] = parts;
  const { spread, cycle_from: last } = parts.at(-1);
  const spread_from = spread === first ? null : last;
  const cycles = [null, ...[...asset.cycles].map((text) => JSON.parse(text))].filter(
    (cycle) => (cycle?.every ?? 1) === every && (cycle?.unit ?? 'month') === rhythm,
  );
  const priceOf = (/** @type {string} */ from) =>
    cents(parts.find((/** @type {any} */ part) => part.cycle_from === from)?.cycle_price ?? Number.NaN);
  const shown = JSON.stringify(
    parts.map((/** @type {any} */ { cycle_from, cycle_days, days, amount, so_far }) => ({
      cycle_from,
      cycle_days,
      days,
      amount: cents(amount),
      so_far: cents(so_far),
    })),
  );
  const isPossible = cycles.some((cycle) =>
    [null, ...asset.trials].some((trial_until) =>
      [null, ...asset.ends, ...(asset.mayEndWithCycles ? renewalsAround(cycle, month) : [])].some((end) =>
        [null, ...(cycle ? [cycle.anchor] : [])].some(
          (started_on) =>
            JSON.stringify(partsOf({ cycle, spread, spread_from, trial_until, started_on }, month, priceOf, end)) ===
            shown,
        ),
      ),
    ),
  );
  return must(isPossible, () => `${what()}, which no plan of it makes.`);
}

/** The months of a cycle sum to its price, spread or not. @param {Asset} asset @param {any[]} statements */
function checkCycles({ word }, statements) {
  /** @type {Map<string, { days: number, all: number, amount: number, price: number }>} */
  const cycles = new Map();
  for (const { currency, price_parts: parts } of statements)
    for (const { amount, days, cycle_days: all, cycle_price: price, ...part } of parts) {
      const unit = UNITS[currency] ?? 100;
      const key = JSON.stringify([part.every, part.unit, part.cycle_from, price]);
      const sum = cycles.get(key) ?? { days: 0, all, amount: 0, price: Math.round(price * unit) };
      cycles.set(key, { ...sum, days: sum.days + days, amount: sum.amount + Math.round(amount * unit) });
    }
  for (const [key, { days, all, amount, price }] of cycles)
    must(days < all || amount === price, () => `The months of cycle ${key} of ${word} sum to ${amount}, not ${price}.`);
}

/** Returns what someone may have said yes to last before a month ended; undefined if that isn't known. @param {World} world @param {Asset} asset @param {any} line @param {number} end */
function yesesOf({ shares }, asset, { username }, end) {
  const all = [...shares.values()]
    .filter((share) => share.asset === asset && share.member === username)
    .flatMap(({ agreed }) => agreed)
    // A server's clock may have been wrong by an hour.
    .filter(({ from }) => from - HOUR_MS < end)
    .toSorted((one, other) => one.at - other.at);
  const last = all.findLastIndex(({ at }) => at + HOUR_MS <= end);
  const possible = all.slice(Math.max(0, last)).map(({ terms }) => terms);
  return possible.includes(undefined) ? undefined : possible;
}

/** Returns how much of extra costs someone bears without being asked, by what they may have said yes to last. @param {any[] | undefined} yeses */
const limitBy = (yeses) =>
  yeses && yeses.length > 0 ? Math.max(...yeses.map(({ extra_cost_limit: limit }) => limit)) : undefined;

/** No month costs anyone more than what they last said yes to. @param {World} world @param {Asset} asset @param {any} statement */
function checkPromise(world, asset, { month, currency, ends_at: end, lines }) {
  const unit = UNITS[currency] ?? 100;
  for (const line of lines) {
    const yeses = line.role === 'member' ? yesesOf(world, asset, line, Date.parse(end)) : undefined;
    if (!yeses || yeses.length === 0) continue;
    const most = Math.max(...yeses.map((terms) => mostOf(terms, line, { month, unit })));
    must(
      Math.round(line.price_amount * unit) <= most,
      () =>
        `${line.username} pays ${line.price_amount} of ${asset.word} in ${month}, and said yes to ${most / unit} by ${JSON.stringify(yeses)}.`,
    );
  }
}

/** @param {World} world @param {{ results: any[] } | undefined} list as the owner reads it @param {{ asset: Asset, costs: any[] }} known with all that was entered */
function checkStatements(world, list, { asset, costs }) {
  const months = new Set(list?.results.map(({ month }) => month));
  const mark = world.changes.markAsAnswered();
  for (const known of world.statements.values())
    if (known.asset === asset && isWithAsset(known))
      must(months.has(known.month), () => `${known.owner} lost the statement of ${asset.word} for ${known.month}.`);
  checkCycles(asset, list?.results ?? []);
  for (const statement of list?.results ?? []) {
    if (statement.owner !== asset.owner) continue;
    const unit = UNITS[statement.currency] ?? 100;
    const amounts = statement.lines.map((/** @type {any} */ { amount }) => Math.round(amount * unit));
    const sum = amounts.reduce((/** @type {number} */ total, /** @type {number} */ each) => total + each, 0);
    must(
      sum === Math.round(statement.price * unit),
      () => `The charges of ${asset.word} in ${statement.month} sum to ${sum / unit}, not ${statement.price}.`,
    );
    for (const { username, amount, price_amount: ofPrice, costs_amount: parts, costs_paid: paid } of statement.lines)
      must(
        Math.round((ofPrice + parts - paid) * unit) === Math.round(amount * unit),
        () => `${username} owes ${amount} of ${asset.word} in ${statement.month}: ${ofPrice} + ${parts} − ${paid}.`,
      );
    for (const { username, price_amount: amount, maximum } of statement.lines)
      must(
        maximum === null || amount <= maximum,
        () => `${username} pays ${amount} of ${asset.word} in ${statement.month}, having agreed to ${maximum}.`,
      );
    for (const { role, username, used_seconds: used } of statement.lines)
      must(
        role !== 'owner' || statement.owner_takes_part || used === 0,
        () => `${username} takes no part in ${asset.word} in ${statement.month}, and used it for ${used} s.`,
      );
    for (const { id, status } of statement.lines)
      must(
        id !== mark?.id || status === mark.status,
        () => `Charge ${id} was marked as ${mark.status}, and is ${status}.`,
      );
    const known = knownStatement(world, asset, statement);
    if (!known) {
      checkPrice(asset, statement);
      checkPromise(world, asset, statement);
      const limitOf = (/** @type {any} */ line) => limitBy(yesesOf(world, asset, line, Date.parse(statement.ends_at)));
      checkCostsOfMonth(statement, { word: asset.word, unit, costs, limitOf });
    }
    if (!statement.closed)
      must(known === undefined, () => `${asset.word} in ${statement.month} was closed and is open again.`);
    else if (known) checkUnchanged(known, statement);
    else noteStatement(world, asset, statement);
  }
}

const LISTS = [
  '/api/assets/',
  '/api/shared-assets/',
  '/api/shared-assets/?status=past',
  '/api/statements/',
  '/api/balances/',
  '/api/settlements/',
  '/api/findings/',
  '/api/trusted-owners/',
  '/api/notifications/',
  '/api/renewals/',
  '/api/deposits/',
];

/** Returns whether there is nothing to read yet. @param {World} world @param {string} path */
const isEmpty = ({ assets, deposits }, path) =>
  (path === '/api/deposits/' && deposits.size === 0) ||
  (path === '/api/renewals/' && [...assets.values()].every(({ cycles, trials }) => cycles.size + trials.size === 0));

/** Looks for names of people and assets that a person never met. @param {World} world @param {Person} person @param {string} where @param {string} text */
function checkSight(world, { name, sees }, where, text) {
  for (const [word] of text.matchAll(/\b(?:user\d+q|asset\d+z)\b/g))
    must(sees.has(word) || !world.words.has(word), () => `${name} sees ${word} in ${where}, who isn't theirs to see.`);
}

/** Compares a person's assets with those that they own. @param {World} world @param {Person} person @param {any[]} list */
function checkOwned(world, { name }, list) {
  const ids = list.filter(({ your_role: role }) => role === 'owner').map(({ id }) => id);
  must(new Set(ids).size === ids.length, () => `${name} has an asset twice.`);
  for (const id of ids) {
    const asset = world.assets.get(id);
    must(
      asset?.owner === name && (!asset.isDeleted || asset.mayBeDeleted),
      () => `${name} owns asset ${id}, of which no one was told, or which was deleted.`,
    );
  }
  for (const asset of world.assets.values())
    if (asset.owner === name && !asset.isDeleted)
      must(ids.includes(asset.id), () => `${name} no longer finds ${asset.word}.`);
}

/** Each deposit is what both made of it, once, and nothing else is. @param {World} world @param {Person} person @param {any[]} list */
function checkDeposits({ deposits }, { name }, list) {
  const ids = list.map(({ id }) => id);
  must(new Set(ids).size === ids.length, () => `${name} has a deposit twice.`);
  for (const id of ids) must(deposits.has(id), () => `${name} has a deposit that no one was told of: ${id}.`);
  for (const known of deposits.values()) {
    const { id, giver, holder, amount, currency, states } = known;
    const seen = list.find((each) => each.id === id);
    if (name !== giver && name !== holder) must(!seen, () => `${name} sees deposit ${id}, which isn't theirs.`);
    else {
      const status = seen?.status ?? 'gone';
      must(states.has(status), () => `Deposit ${id} is ${status} for ${name}, not ${[...states].join(' or ')}.`);
      must(
        !seen ||
          (seen.amount === amount &&
            seen.currency === currency &&
            seen.direction === (name === giver ? 'they_hold' : 'you_hold')),
        () =>
          `Deposit ${id} of ${amount} ${currency} from ${giver} to ${holder} is ${JSON.stringify(seen)} for ${name}.`,
      );
      Object.assign(known, { states: new Set([status]), tries: 0 });
    }
  }
}

/** Renewals are on the days on which cycles begin, at prices that someone set, with what people said. @param {World} world @param {Person} person @param {any[]} list */
function checkRenewals(world, { name }, list) {
  const keys = list.map(({ asset_id: id, on, kind }) => `${id} ${on} ${kind}`);
  must(new Set(keys).size === keys.length, () => `${name} has a renewal twice: ${keys.join(', ')}`);
  for (const renewal of list) {
    const asset = world.assets.get(renewal.asset_id);
    const what = () => `A renewal of ${asset?.word} for ${name} is ${JSON.stringify(renewal)}`;
    if (!asset) throw new Violation(what());
    const { on, kind, price, cycle, decision } = renewal;
    must(asset.prices.has(price), () => `${what()}: no one set its price.`);
    must(
      kind !== 'renewal' || dateOf(cycleAround(cycle, dayOf(on)).start) === on,
      () => `${what()}: no cycle begins then.`,
    );
    must(decision === null || asset.decisions.has(`${on} ${decision}`), () => `${what()}: no one decided that.`);
    // Today, it may have ended and been restored.
    const isToCome = dayOf(on) * DAY_MS > world.installation.now().getTime() + DAY_MS;
    must(
      !isToCome || !(kind === 'end' ? decision === 'renewed' : decision === 'canceled'),
      () => `${what()}: it does the opposite of what was decided.`,
    );
    checkVotes(world, asset, renewal, what);
    const answered = isSameMonth(world) ? world.changes.renewalAsAnswered(asset) : undefined;
    if (answered?.on !== on || answered.kind !== kind) continue;
    for (const key of ['votes', 'decision', 'cancel_by'])
      must(
        JSON.stringify(renewal[key]) === JSON.stringify(answered[key]),
        () => `${what()}, and was acknowledged as ${JSON.stringify(answered)}.`,
      );
  }
  for (const asset of world.assets.values())
    if (asset.owner === name && !asset.isDeleted && !asset.isArchived && asset.plan?.cycle)
      checkRenewalDays(world, asset, list);
}

/** @param {World} world @param {Asset} asset @param {any} renewal @param {() => string} what */
function checkVotes(world, { votes }, { on, votes: shown }, what) {
  for (const { username } of shown) must(votes.has(`${on} ${username}`), () => `${what()}: ${username} never voted.`);
  for (const [key, possible] of votes) {
    const [date, voter = ''] = key.split(' ');
    if (date !== on || world.personOf(voter).isDeleted) continue;
    const choice = shown.find((/** @type {any} */ vote) => vote.username === voter)?.choice;
    must(possible.has(choice), () => `${what()}: ${voter} said ${[...possible].join(' or ')}.`);
    votes.set(key, new Set([choice]));
  }
}

/** All renewals of a year are listed. @param {World} world @param {Asset} asset @param {any[]} list as its owner reads it */
function checkRenewalDays({ installation }, { id, word, plan }, list) {
  if (!plan?.cycle) return;
  const today = Math.floor(installation.now().getTime() / DAY_MS);
  const firstPaid = plan.trial_until === null ? 0 : dayOf(plan.trial_until) + 1;
  const end = plan.ends_on === null ? Infinity : dayOf(plan.ends_on);
  // Where it is today isn't the same everywhere.
  for (let day = cycleAround(plan.cycle, today + 1).end; day < Math.min(end, today + 363);) {
    const on = dateOf(day);
    must(
      day <= firstPaid || list.some((each) => each.asset_id === id && each.kind === 'renewal' && each.on === on),
      () => `The renewal of ${word} on ${on} isn't listed.`,
    );
    day = cycleAround(plan.cycle, day).end;
  }
}

/** Each reminder of a renewal comes once: there are never more of them than were due. @param {World} world @param {Person} person @param {any[]} notices newest first */
function checkReminders({ assets }, { name }, notices) {
  /** @type {Map<string, { now: number, deadline: number }[]>} */
  const told = new Map();
  for (const { kind, text, detail, created_at: at, asset_name: word } of notices.toReversed()) {
    const asset = [...assets.values()].find((each) => each.word === word);
    if (kind !== 'renewal' || !asset) continue;
    const now = Date.parse(at);
    const day = /(?<=cancel by ).+/.exec(detail) ?? /(?<=renews on |paid from ).+/.exec(text);
    // The same day of another year is another renewal.
    const earlier = (told.get(text) ?? []).filter((each) => each.now > now - 180 * DAY_MS);
    const all = [...earlier, { now, deadline: dateAround(String(day), now) }];
    // The owner may have set another last day to cancel since.
    const deadline = Math.min(...all.map((each) => each.deadline));
    const due = [...asset.reminders].filter((days) => deadline - (days + 1) * DAY_MS <= now);
    told.set(text, all);
    must(
      all.length <= due.length,
      () => `${name} was told ${all.length} times, of ${due.length}: ${text}; ${detail} (${at})`,
    );
  }
}

/** Returns a day without a year next to an instant. @param {string} day such as "March 14" @param {number} at */
function dateAround(day, at) {
  const year = new Date(at).getUTCFullYear();
  const dates = [year - 1, year, year + 1].map((each) => Date.parse(`${day.replace(/,? \d{4}$/, '')}, ${each} UTC`));
  return dates.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at))[0] ?? Number.NaN;
}

/** Asks for what belongs to others: an asset that the person has never met, and a share. @param {World} world @param {Person} person @param {number} step */
async function checkForeign(world, person, step) {
  const assets = [...world.assets.values()].filter(({ word }) => !person.sees.has(word));
  const asset = assets[step % Math.max(assets.length, 1)];
  const shares = [...world.shares.values()].filter(({ member }) => member !== undefined && member !== person.name);
  const share = shares[step % Math.max(shares.length, 1)];
  const paths = [
    ...(asset ? ['', 'sessions/', 'statements/', 'prices/'].map((part) => `/api/assets/${asset.id}/${part}`) : []),
    ...(share ? ['', 'logs/', 'active-session/'].map((part) => `/api/shared-assets/${share.id}/${part}`) : []),
  ];
  for (const path of paths) {
    const { status, text } = await world.ask(person, `GET ${path}`);
    must(status === 404, () => `${person.name} asked for ${path}, which isn't theirs, and got ${status} ${text}`);
  }
}

/** Reads everything a person can. @param {World} world @param {Person} person */
async function checkPerson(world, person) {
  const read = new Map();
  for (const path of LISTS) {
    if (isEmpty(world, path)) {
      read.set(path, []);
      continue;
    }
    const list = await world.list(person, path);
    if (!list) throw new Violation(`${person.name} can't read ${path}.`);
    read.set(path, list.results);
    checkSight(world, person, path, list.text);
  }
  checkOwned(world, person, read.get('/api/assets/'));
  checkDeposits(world, person, read.get('/api/deposits/'));
  checkRenewals(world, person, read.get('/api/renewals/'));
  checkReminders(world, person, read.get('/api/notifications/'));
  const shared = read.get('/api/shared-assets/').map((/** @type {any} */ { id }) => id);
  must(new Set(shared).size === shared.length, () => `${person.name} has a share twice.`);
  const trusted = new Set(read.get('/api/trusted-owners/').map((/** @type {any} */ { username }) => username));
  for (const name of person.trusted)
    must(trusted.has(name) || world.personOf(name).isDeleted, () => `${person.name} no longer trusts ${name}.`);
  const me = await world.ask(person, 'GET /api/me/');
  must(
    me.body?.time_zone === (person.zone ?? me.body?.time_zone),
    () => `${person.name} chose ${person.zone}, and is in ${me.text}`,
  );
  const settlements = read.get('/api/settlements/');
  for (const known of world.payments.values()) {
    if (!known.people.includes(person.name)) continue;
    const seen = settlements.find((/** @type {any} */ { id }) => id === known.id);
    must(seen !== undefined, () => `${person.name} lost payment ${known.id}.`);
    must(
      isSamePayment(known, seen),
      () => `Payment ${known.id} of ${known.amount} with ${known.events.join(', ')} is ${JSON.stringify(seen)}.`,
    );
    notePayment(world, seen);
  }
  const ids = settlements.map((/** @type {any} */ { id }) => id);
  must(new Set(ids).size === ids.length, () => `${person.name} has a payment twice.`);
  for (const { id } of settlements)
    must(world.payments.has(id), () => `${person.name} has a payment that no one was told of: ${id}.`);
  return read.get('/api/balances/');
}

/** Compares what two people owe each other in the eyes of each. @param {Map<string, any[]>} balances by name */
function checkBalances(balances) {
  for (const [name, own] of balances)
    for (const { username, currency, net } of own) {
      const theirs = balances.get(username);
      if (!theirs) continue;
      const other = theirs.find((each) => each.username === name && each.currency === currency)?.net ?? 0;
      must(
        net === -other || (net === 0 && other === 0),
        () => `${name} is owed ${net} ${currency} by ${username}, who owes ${-other}.`,
      );
    }
}

/** What is open of a charge changes only by payments: deposits are no part of it. @param {World} world @param {Map<string, any[]>} balances by name */
function checkOpenAmounts(world, balances) {
  const open = new Map();
  for (const [name, own] of balances)
    for (const { username, currency, net, lines } of own) {
      const unit = UNITS[currency] ?? 100;
      const sum = lines.reduce(
        (/** @type {number} */ total, /** @type {any} */ { open_amount: amount, direction }) =>
          total + Math.round(amount * unit) * (direction === 'they_owe' ? 1 : -1),
        0,
      );
      must(
        sum === Math.round(net * unit),
        () => `${name} is owed ${net} ${currency} by ${username}, of ${sum / unit}.`,
      );
      for (const { id, open_amount: amount } of lines) open.set(id, amount);
    }
  for (const [id, amount] of open) {
    const before = world.openAmounts.get(id) ?? amount;
    must(
      amount === before || world.changes.mayHavePaid(),
      () => `Of charge ${id}, ${before} was open, and without a payment ${amount} is.`,
    );
  }
  world.openAmounts = open;
}

/**
 * Compares the closed statements that their owners don't find with the asset any more, because it was deleted or handed
 * over, with what they were.
 *
 * @param {World} world
 */
async function checkFormerStatements(world) {
  /** @type {Map<string, { owner: string, month: string, own: { text: string, asset: Asset }[] }>} */
  const byMonth = new Map();
  for (const { owner, month, text, asset } of world.statements.values()) {
    if (isWithAsset({ owner, asset }) || world.personOf(owner).isDeleted) continue;
    const key = `${owner} ${month}`;
    const entry = byMonth.get(key) ?? { owner, month, own: [] };
    byMonth.set(key, entry);
    entry.own.push({ text, asset });
  }
  await checkEach(byMonth.values(), async ({ owner, month, own }) => {
    const list = await world.list(world.personOf(owner), `/api/statements/?month=${month}&role=owner`);
    for (const { text, asset } of own) {
      const now = list?.results.find(({ asset_name: name }) => name === asset.word);
      must(now !== undefined, () => `${owner} lost the statement of ${asset.word} for ${month}.`);
      checkUnchanged({ asset, month, text }, now);
    }
  });
}

/** Reads a person's export: names that they never met, and charges that their owners don't have. @param {World} world @param {Person} person */
async function checkExport(world, person) {
  const { status, text, body } = await world.ask(person, 'GET /api/me/export/');
  must(status === 200, () => `${person.name} can't export their data: ${text}`);
  checkSight(world, person, 'their export', text);
  for (const statement of body.statements) {
    const known = [...world.statements.values()].find(
      ({ asset, owner, month }) =>
        asset.word === statement.asset_name && owner === statement.owner && month === statement.month,
    );
    for (const { id, amount } of known ? statement.lines : [])
      must(
        amount === known?.amounts.get(id),
        () =>
          `${person.name} is charged ${amount} for ${known?.asset.word}, the owner reads ${known?.amounts.get(id)}.`,
      );
  }
}

/** @param {World} world @param {number} step */
async function checkPeople(world, step) {
  const balances = new Map();
  const people = world.living();
  await checkEach(people, async (person) => {
    balances.set(person.name, await checkPerson(world, person));
    // The export repeats what the lists say, and takes as long as all of them.
    if (person !== people[step % people.length]) return;
    await checkForeign(world, person, step);
    await checkExport(world, person);
  });
  checkBalances(balances);
  checkOpenAmounts(world, balances);
}

/** @param {World} world */
async function checkTotals({ installation }) {
  const { code, output } = await installation.admin('verify');
  must(code === 0, () => `verify found: ${output}`);
}

/** Waits for all, so that nothing goes on after a failure. @param {Promise<void>[]} checks */
async function waitForAll(checks) {
  const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => Promise<void>} check
 */
async function checkEach(items, check) {
  const left = [...items].values();
  await waitForAll(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await check(item);
    }),
  );
}

/**
 * Checks every asset, every person, every closed month, and the totals in the database. Only exports and what isn't
 * someone's to see take turns: one person after each step.
 *
 * @param {World} world
 * @param {number} step
 */
export async function checkEverything(world, step) {
  const now = world.installation.now().getTime();
  // First, because assets tell who has met whom.
  await checkEach(world.assets.values(), (asset) => checkAsset(world, asset));
  await waitForAll([checkFormerStatements(world), checkPeople(world, step), checkTotals(world)]);
  world.changes.reset();
  world.months = monthsNow(world);
  world.checkedAt = now;
}
