import { Violation } from '../harness/client.mjs';
import { noteEntry, rhythmFrom } from './costs.mjs';
import { changeDeposit } from './deposits.mjs';
import { knownStatement, noteStatement } from './statements.mjs';
import { between, pick } from './story.mjs';
import { createAsset, createPerson, createShare } from './world.mjs';

// Everything people do. Each action chooses by dice among what is possible now, asks the server, and notes what the
// server acknowledged. Refusals are a part of life; what must never happen is checked in invariants.mjs.

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Person} Person */
/** @typedef {import('./world.mjs').Asset} Asset */
/** @typedef {import('./world.mjs').Share} Share */
/** @typedef {import('./world.mjs').Session} Session */
/** @typedef {(context: { world: World, dice: number[], ask: World['ask'] }) => Promise<import('../harness/client.mjs').Answer | undefined>} Act undefined if there was nothing to do */

const HOUR_MS = 3_600_000;
const PEOPLE_AT_MOST = 14;
const ASSETS_AT_MOST = 30;
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'America/St_Johns'];
/** By currency: the prices to choose from, in its own decimals. @type {[string, number[]][]} */
const PRICES = [
  ['USD', [0.01, 9.99, 22.99, 100, 1234.56]],
  ['EUR', [0.05, 7, 13.33, 249.9]],
  ['JPY', [1, 990, 12_345]],
  ['KWD', [0.001, 5.125, 40]],
];
/** Of extra costs a month. */
const LIMITS = [0, 10, 50, 1000];
const METHODS = ['usage', 'allocation', 'equal', 'share_of_use'];
/** How often a price is paid; some more often than others. */
const RHYTHMS = [
  { every: 1, unit: 'year' },
  { every: 1, unit: 'month' },
  { every: 1, unit: 'month' },
  { every: 3, unit: 'month' },
  { every: 7, unit: 'month' },
];
const DAY_MS = 24 * HOUR_MS;
/** What a meter of each kind is made with. Nothing but files comes to that of files. */
const METERS = {
  meter: { name: 'Plug' },
  counter: { name: 'Claude Code', kind: 'totals' },
  files: { name: 'Netflix' },
};

const isDone = (/** @type {{ status: number } | undefined} */ answer) => answer !== undefined && answer.status < 300;

const owned = (/** @type {World} */ { assets }, /** @type {string} */ name) =>
  [...assets.values()].filter((asset) => asset.owner === name && !asset.isDeleted);
const openAssets = (/** @type {World} */ world) =>
  [...world.assets.values()].filter(({ isDeleted, owner }) => !isDeleted && !world.personOf(owner).isDeleted);
/** @param {World} world @param {Share['state'][]} states @returns {(Share & { member: string })[]} also those of owners who take part */
const usableShares = ({ shares, personOf }, ...states) =>
  /** @type {(Share & { member: string })[]} */ (
    [...shares.values()].filter(
      ({ state, member, asset }) =>
        states.includes(state) && member !== undefined && !asset.isDeleted && !personOf(member).isDeleted,
    )
  );
/** @param {World} world @param {Share['state'][]} states of members with an account */
const sharesIn = (world, ...states) => usableShares(world, ...states).filter(({ own }) => !own);
/** Returns the shares of people without an account. @param {World} world */
const peopleWithoutAccount = ({ shares, personOf }) =>
  [...shares.values()].filter(
    ({ member, state, asset }) =>
      member === undefined && state === 'open' && !asset.isDeleted && !personOf(asset.owner).isDeleted,
  );
/** @param {World} world */
const endedSessions = ({ sessions }) =>
  [...sessions.values()].filter(
    ({ times, isRemoved, share }) => !isRemoved && times[0]?.end !== null && !share.asset.isDeleted,
  );
const isActive = (/** @type {Session} */ { times, isRemoved }) => !isRemoved && times.some(({ end }) => end === null);

/** @param {World} world @param {Share} share @param {any} body */
function noteSession(world, share, body) {
  const times = [{ start: body.start_time, end: body.end_time }];
  const known = world.sessions.get(body.id);
  const { id } = body;
  // A month that begins without the owner's part ends an own one.
  const mayHaveEnded = hasEnded(share) || share.own === true;
  if (known) known.times = times;
  else world.sessions.set(id, { id, share, times, earlier: [], isEdited: false, isRemoved: false, mayHaveEnded });
}

/**
 * Notes which session of a share was ended. Not always the one that was meant to be: that one may have reached its limit
 * before another started.
 *
 * @param {World} world @param {Share} share @param {import('../harness/client.mjs').Answer} answer to an end
 */
function noteEndedSession(world, share, answer) {
  if (!isDone(answer)) return;
  const ended = world.sessions.get(answer.body.id);
  if (!ended || isActive(ended)) noteSession(world, share, answer.body);
  // A late end shortens what has reached its limit.
  else ended.times.push({ start: answer.body.start_time, end: answer.body.end_time });
}

/** Returns whether access has ended, maybe while a start was on its way. @param {Share} share */
const hasEnded = ({ state, asset }) => ['ended', 'unsure'].includes(state) || asset.isArchived || asset.isDeleted;

/** Notes that an offer was accepted, as using it does, too. @param {Share} share */
function noteAccepted(share) {
  if (share.state === 'offered') share.state = 'open';
}

/** Access ends, and with it what is running. @param {World} world @param {Share} share @param {Share['state']} state */
function endShare({ sessions }, share, state) {
  share.state = state;
  for (const session of sessions.values()) if (session.share === share) session.mayHaveEnded = true;
}

/** @param {World} world @param {Share} share @param {import('../harness/client.mjs').Answer} answer to what ends access */
function noteEnd(world, share, answer) {
  if (isDone(answer)) endShare(world, share, 'ended');
  else if (answer.unsure) endShare(world, share, 'unsure');
}

/** @param {World} world @param {Asset} asset */
function endSessionsOf({ sessions }, asset) {
  for (const session of sessions.values()) if (session.share.asset === asset) session.mayHaveEnded = true;
}

/** Notes the members that an owner's answer lists. @param {World} world @param {Asset} asset @param {any} body of an asset */
export function noteShares(world, asset, body) {
  for (const entry of body.shared_with) {
    if (entry.invitation_id !== null || world.shares.has(entry.id)) continue;
    const member = entry.person ? undefined : entry.shared_with_username;
    const since = world.installation.now().getTime();
    const state = entry.pending ? 'offered' : 'open';
    world.shares.set(entry.id, createShare({ id: entry.id, asset, member, state, since }));
    if (member !== undefined) world.meet(asset, member);
  }
  noteOwnShare(world, asset, body);
}

/** Notes the share of an owner who takes part, and that theirs has ended. @param {World} world @param {Asset} asset @param {any} body of an asset */
export function noteOwnShare({ shares, installation }, asset, { own_share_id: id }) {
  for (const share of shares.values())
    if (share.own && share.asset === asset) share.state = share.id === id ? 'open' : 'ended';
  if (id === null || shares.has(id)) return;
  const since = installation.now().getTime();
  shares.set(id, createShare({ id, asset, member: asset.owner, state: 'open', since, own: true }));
}

/** Returns an event of a payment without the name, which changes when an account is deleted. @param {any} event */
const eventText = ({ kind, at }) => `${kind} ${at}`;

/** @param {World} world @param {any} payment as an answer shows it */
export function notePayment({ payments }, { id, events }) {
  const known = payments.get(id);
  if (known && events.length > known.events.length) known.events = events.map(eventText);
}

/** Returns whether a payment is what was acknowledged, with at most more events. @param {import('./world.mjs').Payment} known @param {any} seen */
export const isSamePayment = (known, seen) =>
  seen.amount === known.amount && known.events.every((event, index) => event === eventText(seen.events[index] ?? {}));

/** @param {Asset} asset @param {number | undefined} die */
const priceFrom = ({ currency }, die) => pick(PRICES.find(([known]) => known === currency)?.[1] ?? [1], die) ?? 1;

/** Returns the date, in UTC, some days from now. @param {World} world @param {number} days */
const dateFrom = ({ installation }, days) =>
  new Date(installation.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Returns a cycle that began lately, or renews soon. @param {World} world @param {{ rhythm: number | undefined, day: number | undefined }} dice */
const cycleFrom = (world, { rhythm, day }) => ({
  cycle: { every: 1, unit: 'month', ...pick(RHYTHMS, rhythm), anchor: dateFrom(world, between(day, -40, 40)) },
});

/** Notes what a request may make of how an asset is paid. @param {Asset} asset @param {any} changes */
function notePlan(
  asset,
  { subscription_cost: cost, cycle, trial_until: trial, ends_on: end, auto_renews: renews, reminder_days: reminders },
) {
  if (cost !== undefined) asset.prices.add(cost);
  if (cycle) asset.cycles.add(JSON.stringify(cycle));
  if (trial) asset.trials.add(trial);
  if (end) asset.ends.add(end);
  if (renews === false) asset.mayEndWithCycles = true;
  // The defaults: all of a cycle's, and the last two of a trial's.
  for (const days of reminders ?? (cycle ? [30, 7, 1] : trial ? [7, 1] : [])) asset.reminders.add(days);
}

/** @type {Record<string, { weight: number, act: Act }>} */
const ACTIONS = {
  register: {
    weight: 3,
    act: async ({ world, dice }) => {
      if (world.living().length >= PEOPLE_AT_MOST) return undefined;
      const number = world.people.length;
      const person = createPerson(`user${number}q`, `sparrow lantern ${number} quilt`);
      person.isDeleted = true;
      // Its number is taken at once, because others may register meanwhile.
      world.people.push(person);
      world.words.add(person.name);
      const body = { username: person.name, email: `${person.name}@example.org`, password: person.password };
      const answer = await world.client.send({
        method: 'POST',
        path: '/api/register/',
        body,
        loseAfterMs: lossOf(world, dice),
      });
      const isTaken = answer.unsure && answer.body?.code === 'validation_failed';
      if (!isDone(answer) && !isTaken && answer.body?.code !== 'username_taken')
        throw new Violation(`${person.name} could not register: ${answer.text}`);
      person.isDeleted = false;
      if (isDone(answer))
        Object.assign(person, {
          access: answer.body.access,
          refresh: answer.body.refresh,
          accessAt: world.installation.now().getTime(),
        });
      return answer;
    },
  },

  addAsset: {
    weight: 3,
    act: async ({ world, dice: [who, money, price, method, limit, zone, plan], ask }) => {
      const owner = pick(world.living(), who);
      if (!owner || openAssets(world).length >= ASSETS_AT_MOST) return undefined;
      const [currency, prices] = pick(PRICES, money) ?? ['USD', [1]];
      const word = `asset${world.words.size}z`;
      world.words.add(word);
      owner.sees.add(word);
      const terms = {
        subscription_cost: pick(prices, price) ?? 1,
        currency,
        split_method: pick(METHODS, method),
        max_session_hours: pick([1, 8, 24, 100], limit),
        time_zone: pick(ZONES, zone),
        extra_cost_limit: pick(LIMITS, method),
        ...((plan ?? 0) < 0.3 && cycleFrom(world, { rhythm: zone, day: limit })),
        ...((plan ?? 0) > 0.9 && { trial_until: dateFrom(world, 20) }),
      };
      const answer = await ask(owner, 'POST /api/assets/', { name: word, ...terms });
      if (!isDone(answer)) throw new Violation(`${owner.name} could not add an asset: ${answer.text}`);
      const { id } = answer.body;
      if (world.assets.has(id)) throw new Violation(`Two assets have the id ${id}.`);
      const { subscription_cost: cost, max_session_hours: hours = 24 } = terms;
      const made = createAsset({ id, word, owner: owner.name, currency, price: cost, limit: hours });
      made.countsAllUse = terms.split_method === 'share_of_use';
      notePlan(made, terms);
      world.assets.set(id, made);
      return answer;
    },
  },

  offer: {
    weight: 7,
    act: async ({ world, dice: [which, whom, hours], ask }) => {
      const asset = pick(openAssets(world), which);
      const member =
        asset &&
        pick(
          world.living().filter(({ name }) => name !== asset.owner && !asset.names.has(name)),
          whom,
        );
      if (!asset || !member) return undefined;
      // Before the answer, because the offer may be seen before it.
      world.meet(asset, member.name);
      const body = { username: member.name, monthly_hours_allocated: between(hours, 1, 60) };
      const answer = await ask(world.personOf(asset.owner), `POST /api/assets/${asset.id}/share/`, body);
      if (isDone(answer)) noteShares(world, asset, answer.body);
      return answer;
    },
  },

  accept: {
    weight: 8,
    act: async ({ world, dice: [which, seen], ask }) => {
      const share = pick(sharesIn(world, 'offered'), which);
      if (!share) return undefined;
      const body = (seen ?? 0) < 0.5 ? {} : { price: [...share.asset.prices].at(-1) };
      share.mayHaveAgreed = true;
      const answer = await ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/accept/`, body);
      if (isDone(answer)) noteAccepted(share);
      else if (answer.unsure) share.state = 'unsure';
      return answer;
    },
  },

  agree: {
    weight: 4,
    act: async ({ world, dice: [which, how], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const member = world.personOf(share.member);
      const { body } = await ask(member, `GET /api/shared-assets/${share.id}/`);
      if (!body?.terms) return undefined;
      share.mayHaveAgreed = true;
      if ((how ?? 0) < 0.5) return ask(member, `POST /api/shared-assets/${share.id}/agree/`, { terms: body.terms });
      const answer = await ask(member, `POST /api/shared-assets/${share.id}/start/`, { agrees: body.terms });
      if (isDone(answer)) noteSession(world, share, answer.body);
      return answer;
    },
  },

  confirmHours: {
    weight: 1,
    act: async ({ world, dice: [which], ask }) => {
      const share = pick(sharesIn(world, 'open', 'offered'), which);
      if (!share) return undefined;
      const path = `/api/assets/${share.asset.id}/share/${share.id}/confirm/`;
      return ask(world.personOf(share.asset.owner), `POST ${path}`);
    },
  },

  decline: {
    weight: 1,
    act: async ({ world, dice: [which], ask }) => {
      const share = pick(sharesIn(world, 'offered'), which);
      if (!share) return undefined;
      const answer = await ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/decline/`);
      noteEnd(world, share, answer);
      return answer;
    },
  },

  inviteByLink: {
    weight: 2,
    act: async ({ world, dice: [which, whom, hours], ask }) => {
      const asset = pick(openAssets(world), which);
      const guest =
        asset &&
        pick(
          world.living().filter(({ name }) => name !== asset.owner && !asset.names.has(name)),
          whom,
        );
      if (!asset || !guest) return undefined;
      const body = { monthly_hours_allocated: between(hours, 1, 60) };
      const made = await ask(world.personOf(asset.owner), `POST /api/assets/${asset.id}/invitations/`, body);
      if (!isDone(made)) return made;
      world.meet(asset, guest.name);
      asset.mayHaveNewShares = true;
      return ask(guest, `POST /api/invitations/${made.body.invitation.link.split('/').at(-1)}/`, {});
    },
  },

  start: {
    weight: 22,
    act: async ({ world, dice: [which], ask }) => {
      const free = usableShares(world, 'open', 'offered').filter(
        (share) => ![...world.sessions.values()].some((session) => session.share === share && isActive(session)),
      );
      const share = pick(free, which);
      if (!share) return undefined;
      share.mayHaveAgreed ||= share.state === 'offered';
      const answer = await ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/start/`);
      if (isDone(answer)) {
        noteAccepted(share);
        noteSession(world, share, answer.body);
      }
      return answer;
    },
  },

  end: {
    weight: 18,
    act: async ({ world, dice: [which], ask }) => {
      const session = pick(
        [...world.sessions.values()].filter((each) => isActive(each) && isUsable(world, each)),
        which,
      );
      if (!session) return undefined;
      const { share } = session;
      const answer = await ask(memberOf(world, session), `POST /api/shared-assets/${share.id}/end/`);
      noteEndedSession(world, share, answer);
      return answer;
    },
  },

  lateStart: {
    weight: 3,
    act: async ({ world, dice: [which, ago], ask }) => {
      const share = pick(usableShares(world, 'open'), which);
      return share && pressLate(world, ask, share, 'late-start', ago);
    },
  },

  lateEnd: {
    weight: 3,
    act: async ({ world, dice: [which, ago], ask }) => {
      const session = pick(
        [...world.sessions.values()].filter((each) => isActive(each) && isUsable(world, each)),
        which,
      );
      return session && pressLate(world, ask, session.share, 'late-end', ago);
    },
  },

  addSession: {
    weight: 3,
    act: async ({ world, dice: [which, ago, minutes], ask }) => {
      const share = pick(usableShares(world, 'open'), which);
      if (!share) return undefined;
      const end = world.installation.now().getTime() - between(ago, 1, 40) * HOUR_MS;
      const body = {
        start_time: new Date(end - between(minutes, 1, 120) * 60_000).toISOString(),
        end_time: new Date(end).toISOString(),
      };
      const answer = await ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/logs/`, body);
      if (isDone(answer)) noteSession(world, share, answer.body);
      return answer;
    },
  },

  agreeToMeter: {
    weight: 3,
    act: ({ world, dice: [which, how], ask }) => agreeTo(world, ask, { which, how, kind: 'meter', likely: 0.9 }),
  },

  // Less often, because there is nothing to press then.
  agreeToCounter: {
    weight: 2,
    act: ({ world, dice: [which, how], ask }) => agreeTo(world, ask, { which, how, kind: 'counter', likely: 0.6 }),
  },

  agreeToFiles: {
    weight: 3,
    act: ({ world, dice: [which, how], ask }) => agreeTo(world, ask, { which, how, kind: 'files', likely: 0.9 }),
  },

  importFile: {
    weight: 4,
    act: async ({ world, dice: [which, ...dice], ask }) => {
      const asset = pick(
        openAssets(world).filter(({ files }) => files),
        which,
      );
      if (!asset?.files) return undefined;
      const shares = [...world.shares.values()].filter((share) => share.asset === asset);
      const now = world.installation.now().getTime();
      // Most are of the last days. Some begin in another, are there twice, or have a name that means no one.
      const rows = [...dice, ...dice.slice(0, 3).map((die) => (die * 7) % 1)].map((die, index) => {
        const start = now - Math.floor(die * die * 30 * 24 * 60 + 300) * 60_000;
        const share = shares[(index * 3) % (shares.length + 1)];
        return { share, start, end: start + between((die * 100) % 1, 1, 290) * 60_000 };
      });
      // Before the answer, because it may get lost.
      for (const { share, start, end } of rows) share?.imported.push({ from: start, to: end });
      asset.files.rows = [...rows, ...rows.slice(0, 2)].map(({ share, start, end }) => ({
        name: share ? meterNameOf(share) : 'Guests',
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
      }));
      const path = `/api/assets/${asset.id}/meters/${asset.files.id}/imports/`;
      const answer = await ask(world.personOf(asset.owner), `POST ${path}`, { rows: asset.files.rows });
      asset.files.counted = new Set(isDone(answer) ? namesThatCount(answer.body) : []);
      return answer;
    },
  },

  refuseRecorded: {
    weight: 3,
    act: async ({ world, dice: [which, session], ask }) => {
      const share = pick(
        usableShares(world, 'open').filter(({ mayBeMetered }) => mayBeMetered),
        which,
      );
      if (!share) return undefined;
      const member = world.personOf(share.member);
      const logs = await world.list(member, `/api/shared-assets/${share.id}/logs/?limit=200`);
      const seen = pick((logs?.results ?? []).filter(isMetered).slice(0, 10), session);
      if (!seen) return undefined;
      const answer = await ask(member, `DELETE /api/shared-assets/${share.id}/logs/${seen.id}/`);
      // Its month may have closed before the attempt that got no answer.
      if (answer.status === 204 && !answer.unsure)
        share.refused.push({ from: Date.parse(seen.start_time), to: Date.parse(seen.end_time) });
      return answer;
    },
  },

  countUse: {
    weight: 4,
    act: async ({ world, dice: [which, ...dice] }) => {
      const shares = [...world.shares.values()].filter(({ asset }) => asset.counter && !asset.isDeleted);
      const share = pick(shares, which);
      const token = share?.asset.counter?.token;
      if (!share || token === undefined) return undefined;
      const now = world.installation.now().getTime();
      const events = dice.map((die, index) => {
        const at = new Date(now - Math.floor(die * 3 * 24 * 60) * 60_000).toISOString();
        const when = index % 3 === 0 ? { day: at.slice(0, 10) } : { at, replace: index % 3 === 1 };
        return { id: `${now} ${index} ${die}`, name: meterNameOf(share), seconds: Math.floor(die * 7200), ...when };
      });
      return world.client.send({ method: 'POST', path: '/api/meters/events/', body: { events }, access: token });
    },
  },

  tellOfUse: {
    weight: 6,
    act: async ({ world, dice: [which, ...dice] }) => {
      const shares = [...world.shares.values()].filter(({ asset }) => asset.meter && !asset.isDeleted);
      const share = pick(shares, which);
      const token = share?.asset.meter?.token;
      if (!share || token === undefined) return undefined;
      const now = world.installation.now().getTime();
      const types = ['start', 'beat', 'beat', 'stop'];
      const events = dice.map((die, index) => ({
        id: `${now} ${index} ${die}`,
        name: meterNameOf(share),
        type: types[index % types.length],
        at: new Date(now - Math.floor(die * 20 * 60) * 60_000).toISOString(),
      }));
      return world.client.send({ method: 'POST', path: '/api/meters/events/', body: { events }, access: token });
    },
  },

  editSession: {
    weight: 5,
    act: async ({ world, dice: [which, earlier, longer], ask }) => {
      const session = pick(
        endedSessions(world).filter((each) => isUsable(world, each)),
        which,
      );
      const [times] = session?.times ?? [];
      if (!session || !times?.end) return undefined;
      const start = new Date(Date.parse(times.start) - between(earlier, -60, 60) * 60_000).toISOString();
      const end = new Date(Date.parse(times.end) + between(longer, -120, 120) * 60_000).toISOString();
      const path = `/api/shared-assets/${session.share.id}/logs/${session.id}/`;
      const answer = await ask(memberOf(world, session), `PATCH ${path}`, { start_time: start, end_time: end });
      // An objection may restore any of the earlier ones.
      if (isDone(answer)) {
        const times = { start: answer.body.start_time, end: answer.body.end_time };
        session.earlier.push(...session.times);
        session.times = session.isEdited ? [...session.times, times] : [times];
        session.isEdited = true;
      } else if (answer.unsure) {
        session.earlier.push(...session.times);
        session.times.push({ start, end });
      }
      return answer;
    },
  },

  removeSession: {
    weight: 2,
    act: async ({ world, dice: [which], ask }) => {
      const session = pick(
        endedSessions(world).filter((each) => isUsable(world, each)),
        which,
      );
      if (!session) return undefined;
      const path = `/api/shared-assets/${session.share.id}/logs/${session.id}/`;
      const answer = await ask(memberOf(world, session), `DELETE ${path}`);
      if (isDone(answer)) session.isRemoved = answer.status === 204;
      // Its month may have closed before the attempt that got no answer.
      else if (answer.unsure) session.isRemoved = undefined;
      return answer;
    },
  },

  answerRequest: {
    weight: 3,
    act: async ({ world, dice: [which, how], ask }) => {
      const asset = pick(openAssets(world), which);
      const owner = asset && world.personOf(asset.owner);
      if (!asset || !owner || owner.isDeleted) return undefined;
      const listed = await ask(owner, `GET /api/assets/${asset.id}/sessions/`);
      const seen = isDone(listed)
        ? listed.body.results.find((/** @type {any} */ each) => each.request?.status === 'open')
        : undefined;
      const session = seen && world.sessions.get(seen.id);
      if (!session) return undefined;
      const verb = between(how, 0, 2) === 0 ? 'decline' : 'accept';
      const answer = await ask(owner, `POST /api/assets/${asset.id}/sessions/${seen.id}/request/${verb}/`);
      // By share of use, it may wait for others, too.
      const isAccepted = isDone(answer) && answer.body.request.status === 'accepted';
      if (verb === 'decline' || (!isAccepted && !answer.unsure)) return answer;
      // Without an answer, both times may count.
      const { start_time: start, end_time: end } = seen.request;
      if (start === null) session.isRemoved = isAccepted ? true : undefined;
      else {
        session.earlier.push(...session.times);
        session.times = isAccepted ? [{ start, end }] : [...session.times, { start, end }];
      }
      return answer;
    },
  },

  object: {
    weight: 3,
    act: async ({ world, dice: [which, then], ask }) => {
      const edited = [...world.sessions.values()].filter(
        ({ earlier, isRemoved, share }) =>
          (earlier.length > 0 || isRemoved) && !share.asset.isDeleted && !world.personOf(share.asset.owner).isDeleted,
      );
      const session = pick(edited, which);
      if (!session) return undefined;
      const { asset } = session.share;
      const owner = world.personOf(asset.owner);
      const path = `/api/assets/${asset.id}/sessions/${session.id}/objection/`;
      const answer = await ask(owner, `POST ${path}`, { text: 'I was there.' });
      if (!isDone(answer)) return answer;
      const kind = between(then, 0, 3);
      if (kind === 1) return ask(owner, `DELETE ${path}`);
      const member = session.share.member;
      if (member === undefined || world.personOf(member).isDeleted) return answer;
      const own = `/api/shared-assets/${session.share.id}/logs/${session.id}/objection/`;
      if (kind === 2) return ask(world.personOf(member), `POST ${own}replies/`, { text: 'So was I.' });
      if (kind === 3) return ask(world.personOf(member), `POST ${own}agree/`);
      return answer;
    },
  },

  changePrice: {
    weight: 4,
    act: async ({ world, dice: [which, price, when, again], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      const cost = priceFrom(asset, price);
      const owner = world.personOf(asset.owner);
      // Before the answer, so that what others see meanwhile is known.
      asset.prices.add(cost);
      if ((when ?? 0) < 0.6) return ask(owner, `PATCH /api/assets/${asset.id}/`, { subscription_cost: cost });
      const month = monthFrom(world, between(again, 0, 3));
      return ask(owner, `POST /api/assets/${asset.id}/prices/`, { from_month: month, subscription_cost: cost });
    },
  },

  changePlan: {
    weight: 4,
    act: async ({ world, dice: [which, how, rhythm, day, price], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      const cost = { subscription_cost: priceFrom(asset, price) };
      const soon = dateFrom(world, between(day, -3, 40));
      const body = pick(
        [
          { ...cycleFrom(world, { rhythm, day }), ...cost },
          { ...cycleFrom(world, { rhythm, day }), ...cost },
          { cycle: null, ...cost },
          { spread: (rhythm ?? 0) < 0.5 },
          { trial_until: soon },
          { trial_until: null, ends_on: null },
          { ends_on: soon },
          { reminder_days: pick([[30, 7, 1], [14, 3], []], rhythm), auto_renews: (day ?? 0) < 0.7 },
          { cancel_by_days: pick([null, 0, 3, 14], day) },
        ],
        how,
      );
      if (!body) return undefined;
      // Before the answer, so that what others see meanwhile is known.
      notePlan(asset, body);
      return ask(world.personOf(asset.owner), `PATCH /api/assets/${asset.id}/`, body);
    },
  },

  vote: {
    weight: 3,
    act: async ({ world, dice: [which, renewal, how], ask }) => {
      const share = pick(
        sharesIn(world, 'open').filter(({ asset }) => asset.cycles.size > 0),
        which,
      );
      if (!share) return undefined;
      const { member: name } = share;
      const member = world.personOf(name);
      const list = await world.list(member, '/api/renewals/');
      const open = (list?.results ?? []).filter(({ open, share_id: id }) => open && id !== null);
      const { on, asset_id: id, share_id: shareId } = pick(open, renewal) ?? {};
      const asset = world.assets.get(id);
      if (!asset) return undefined;
      asset.hasVotes = true;
      world.meet(asset);
      const choice = pick(['keep', 'smaller', 'cancel'], how) ?? 'keep';
      const key = `${on} ${name}`;
      const before = asset.votes.get(key);
      asset.votes.set(key, new Set([...(before ?? [undefined]), choice]));
      const body = { renews_on: on, choice, line: 'Two seats would do' };
      return ask(member, `POST /api/shared-assets/${shareId}/vote/`, body);
    },
  },

  decideRenewal: {
    weight: 3,
    act: async ({ world, dice: [which, renewal, how], ask }) => {
      const asset = pick(
        openAssets(world).filter(({ cycles, trials }) => cycles.size + trials.size > 0),
        which,
      );
      if (!asset) return undefined;
      const owner = world.personOf(asset.owner);
      const list = await world.list(owner, '/api/renewals/');
      const own = (list?.results ?? []).filter(({ asset_id: id, kind }) => id === asset.id && kind !== 'end');
      const { on } = pick(own.slice(0, 2), renewal) ?? {};
      if (on === undefined) return undefined;
      const decision = (how ?? 0) < 0.7 ? 'renewed' : 'canceled';
      if (decision === 'canceled') asset.ends.add(on);
      asset.decisions.add(`${on} ${decision}`);
      return ask(owner, `POST /api/assets/${asset.id}/renewal/`, { renews_on: on, decision });
    },
  },

  changeTerms: {
    weight: 4,
    act: async ({ world, dice: [which, method, base, hours, limit, zone, zoned, costs], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      const body = {
        split_method: pick(METHODS, method),
        base_percent: pick([0, 0, 10, 50, 100], base),
        owner_hours: pick([0, 5, 40], hours),
        extra_cost_limit: pick(LIMITS, costs),
        max_session_hours: pick([1, 8, 24, 100], limit),
        ...((zoned ?? 0) < 0.6 && { time_zone: pick(ZONES, zone) }),
      };
      asset.limits.add(body.max_session_hours ?? 24);
      asset.countsAllUse ||= body.split_method === 'share_of_use';
      world.meet(asset);
      return ask(world.personOf(asset.owner), `PATCH /api/assets/${asset.id}/`, body);
    },
  },

  takePart: {
    weight: 3,
    act: async ({ world, dice: [which, how], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      const body = { owner_takes_part: (how ?? 0) < 0.7 };
      return ask(world.personOf(asset.owner), `PATCH /api/assets/${asset.id}/`, body);
    },
  },

  changeHours: {
    weight: 2,
    act: async ({ world, dice: [which, hours], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const body = { monthly_hours_allocated: between(hours, 1, 744) };
      return ask(world.personOf(share.asset.owner), `PATCH /api/assets/${share.asset.id}/share/${share.id}/`, body);
    },
  },

  nameManager: {
    weight: 1,
    act: async ({ world, dice: [which, isManager], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const manager = (isManager ?? 0) < 0.7;
      if (manager) {
        share.asset.managers.add(share.member);
        world.meet(share.asset);
      }
      return ask(world.personOf(share.asset.owner), `PATCH /api/assets/${share.asset.id}/share/${share.id}/`, {
        manager,
      });
    },
  },

  leave: {
    weight: 1,
    act: async ({ world, dice: [which], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const answer = await ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/leave/`);
      noteEnd(world, share, answer);
      return answer;
    },
  },

  removeAccess: {
    weight: 1,
    act: async ({ world, dice: [which], ask }) => {
      const share = pick(sharesIn(world, 'open', 'offered'), which);
      if (!share) return undefined;
      const { asset } = share;
      const answer = await ask(world.personOf(asset.owner), `DELETE /api/assets/${asset.id}/share/${share.id}/`);
      noteEnd(world, share, answer);
      return answer;
    },
  },

  archive: {
    weight: 1,
    act: async ({ world, dice: [which, bill], ask }) => {
      const asset = pick(
        openAssets(world).filter(({ isArchived }) => !isArchived),
        which,
      );
      if (!asset) return undefined;
      asset.wasArchived = true;
      endSessionsOf(world, asset);
      const body = { archived: true, ...((bill ?? 0) < 0.3 && { bill: 'nothing' }) };
      const answer = await ask(world.personOf(asset.owner), `PATCH /api/assets/${asset.id}/`, body);
      if (isDone(answer)) asset.isArchived = true;
      // Others may have started sessions meanwhile.
      endSessionsOf(world, asset);
      return answer;
    },
  },

  restore: {
    weight: 2,
    act: async ({ world, dice: [which], ask }) => {
      const asset = pick(
        openAssets(world).filter(({ isArchived }) => isArchived),
        which,
      );
      if (!asset) return undefined;
      // After a day in the archive, members with an account are asked again.
      asset.mayHaveNewShares = true;
      for (const share of sharesIn(world, 'open')) {
        if (share.asset !== asset) continue;
        endShare(world, share, 'unsure');
        // Who trusts the owner accepts at once.
        share.mayHaveAgreed = true;
      }
      const answer = await ask(world.personOf(asset.owner), `PATCH /api/assets/${asset.id}/`, { archived: false });
      if (isDone(answer)) asset.isArchived = false;
      return answer;
    },
  },

  deleteAsset: {
    weight: 1,
    act: async ({ world, dice: [which, bill, sure], ask }) => {
      // Rarely, so that most assets grow old.
      const asset = (sure ?? 0) < 0.5 ? pick(openAssets(world), which) : undefined;
      if (!asset) return undefined;
      asset.isDeleted = true;
      endSessionsOf(world, asset);
      const query = (bill ?? 0) < 0.3 ? '?bill=nothing' : '';
      const answer = await ask(world.personOf(asset.owner), `DELETE /api/assets/${asset.id}/${query}`);
      if (!isDone(answer) && !answer.unsure) asset.isDeleted = false;
      asset.mayBeDeleted = !isDone(answer) && answer.unsure;
      return answer;
    },
  },

  closeMonth: {
    weight: 3,
    act: async ({ world, dice: [which, who], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      const path = `/api/assets/${asset.id}/statements/${monthFrom(world, -1)}`;
      const members = sharesIn(world, 'open').filter((share) => share.asset === asset);
      const member = pick(members, who);
      if (member && (who ?? 0) < 0.5) await ask(world.personOf(member.member), `POST ${path}/confirm/`);
      const answer = await ask(world.personOf(asset.owner), `POST ${path}/close/`);
      if (isDone(answer) && answer.body.closed && !knownStatement(world, asset, answer.body))
        noteStatement(world, asset, answer.body);
      return answer;
    },
  },

  addCost: {
    weight: 6,
    act: async ({ world, dice: [which, amount, way, payer, ago, again], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const { asset, member } = share;
      const isOwner = (amount ?? 0) < 0.5;
      const author = isOwner ? asset.owner : member;
      const rhythm = (again ?? 0) < 0.4 ? rhythmFrom(world, again) : null;
      asset.hasCosts = true;
      world.meet(asset);
      const others = isOwner ? await namesOnStatement(world, asset) : [asset.owner, member];
      const split = pick(['month', 'usage', 'equal', 'allocation', 'person'], way);
      const body = {
        text: noteEntry(world, { asset, author, rhythm }),
        amount: Math.ceil((amount ?? 0) * 100),
        split,
        ...(split === 'person' && { person: pick(others, payer) }),
        ...((payer ?? 0) < 0.5 && { paid_by: pick(others, (payer ?? 0) * 2) }),
        ...((ago ?? 0) < 0.4 && { date: dateFrom(world, between((ago ?? 0) * 2.5, -40, 0)) }),
        ...(rhythm && { repeats: rhythm }),
      };
      return ask(world.personOf(author), `POST /api/${costsPath(share, isOwner)}`, body);
    },
  },

  changeCost: {
    weight: 5,
    act: async ({ world, dice: [which, who, cost, how, value, again], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const { asset, member } = share;
      const isOwner = (who ?? 0) < 0.5;
      const author = isOwner ? asset.owner : member;
      const path = costsPath(share, isOwner);
      const list = await world.list(world.personOf(author), `/api/${path}`);
      const own = (list?.results ?? []).filter(
        ({ author: name, can, repeats }) => name === author && (can.change || repeats),
      );
      const known = pick(own, cost);
      if (!known) return undefined;
      const rhythm = rhythmFrom(world, again);
      const change = pick(
        [
          { amount: Math.ceil((value ?? 0) * 200) },
          { amount: Math.max(1, Math.floor(known.amount * (value ?? 0))) },
          { date: dateFrom(world, between(value, -30, 0)) },
          { split: pick(['month', 'usage', 'equal', 'allocation'], value), paid_by: asset.owner },
          { split: 'person', person: asset.owner, paid_by: member },
          { repeats: rhythm, text: noteEntry(world, { asset, author, rhythm }) },
          {
            repeats: rhythm,
            text: noteEntry(world, { asset, author, rhythm }),
            date: dateFrom(world, between(value, -10, 0)),
          },
          { repeats: null },
        ],
        how,
      );
      const call = `/api/${path}${known.id}/`;
      const person = world.personOf(author);
      return (value ?? 0) < 0.1 ? ask(person, `DELETE ${call}`) : ask(person, `PATCH ${call}`, change);
    },
  },

  answerCost: {
    weight: 5,
    act: async ({ world, dice: [which, cost, choice, part], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const [owner, member] = [world.personOf(share.asset.owner), world.personOf(share.member)];
      const owned = `/api/${costsPath(share, true)}`;
      const open = ((await world.list(owner, owned))?.results ?? []).filter(({ closed }) => !closed);
      const known = pick(open, cost);
      if (!known) return undefined;
      const seen = (part ?? 0) < 0.5 ? { version: known.version } : {};
      if (known.can.decide) {
        const answer = (choice ?? 0) < 0.8 ? 'count' : 'decline';
        return ask(owner, `POST ${owned}${known.id}/answer/`, { answer, ...seen });
      }
      const answer = pick(['yes', 'yes', 'no', 'none'], choice);
      const upTo = answer === 'yes' && (part ?? 0) < 0.7 ? { amount: Math.floor(known.amount * (part ?? 0)) } : {};
      return ask(member, `POST /api/${costsPath(share, false)}${known.id}/answer/`, { answer, ...seen, ...upTo });
    },
  },

  replay: {
    weight: 2,
    act: async ({ world, dice: [which, who, how, value], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const { asset, member } = share;
      const isOwner = (who ?? 0) < 0.5;
      const change = pick(
        [
          {},
          { price: priceFrom(asset, value) },
          { price: priceFrom(asset, value), hours: between(value, 1, 200) },
          { split_method: pick(METHODS, value) },
          { price_per_hour: priceFrom(asset, value) },
          { price_alone: priceFrom(asset, value) },
          isOwner ? { without: member } : { base_percent: 33 },
        ],
        how,
      );
      const path = isOwner ? `assets/${asset.id}` : `shared-assets/${share.id}`;
      return ask(world.personOf(isOwner ? asset.owner : member), `POST /api/${path}/replay/`, change);
    },
  },

  settle: {
    weight: 4,
    act: async ({ world, dice: [who, which, part], ask }) => {
      const person = pick(world.living(), who);
      if (!person) return undefined;
      const balances = await world.list(person, '/api/balances/');
      const balance = pick(
        (balances?.results ?? []).filter(({ net }) => net !== 0),
        which,
      );
      if (!balance) return undefined;
      const whole = Math.abs(balance.net);
      const amount = (part ?? 0) < 0.3 && Number.isInteger(whole) && whole > 1 ? { amount: 1 } : {};
      const body = { username: balance.username, currency: balance.currency, ...amount };
      const answer = await ask(person, 'POST /api/settlements/', body);
      if (isDone(answer)) {
        if (world.payments.has(answer.body.id)) throw new Violation(`Two payments have the id ${answer.body.id}.`);
        const { id, amount: paid, events } = answer.body;
        world.payments.set(id, {
          id,
          people: [person.name, balance.username],
          amount: paid,
          events: events.map(eventText),
        });
      }
      return answer;
    },
  },

  decidePayment: {
    weight: 4,
    act: async ({ world, dice: [who, which, how], ask }) => {
      const person = pick(world.living(), who);
      if (!person) return undefined;
      const list = await world.list(person, '/api/settlements/');
      const options = (list?.results ?? []).flatMap(({ id, can }) => [
        ...(can.confirm ? [`POST /api/settlements/${id}/confirm/`] : []),
        ...(can.reject ? [`POST /api/settlements/${id}/reject/`] : []),
        ...(can.undo === null ? [] : [`POST /api/settlements/${id}/undo/`]),
        ...(can.withdraw ? [`DELETE /api/settlements/${id}/undo/`] : []),
      ]);
      const call = pick(options, ((which ?? 0) + (how ?? 0)) % 1);
      if (call === undefined) return undefined;
      const answer = await ask(person, call, call.startsWith('DELETE') ? undefined : {});
      if (isDone(answer)) notePayment(world, answer.body);
      return answer;
    },
  },

  markCharge: {
    weight: 3,
    act: async ({ world, dice: [who, which, how], ask }) => {
      const person = pick(world.living(), who);
      if (!person) return undefined;
      const balances = await world.list(person, '/api/balances/');
      const line = pick(
        (balances?.results ?? []).flatMap(({ lines }) => lines),
        which,
      );
      if (!line) return undefined;
      const statuses = line.direction === 'they_owe' ? ['paid', 'due'] : ['sent', 'due'];
      return ask(person, `POST /api/statement-lines/${line.id}/mark/`, { status: pick(statuses, how) });
    },
  },

  recordDeposit: {
    weight: 3,
    act: async ({ world, dice: [which, by, amount], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const { member: giver, asset } = share;
      const { owner: holder, currency } = asset;
      const sum = Math.ceil((amount ?? 0) * 500) || 1;
      const answer =
        (by ?? 0) < 0.5
          ? await ask(world.personOf(giver), `POST /api/shared-assets/${share.id}/deposits/`, { amount: sum })
          : await ask(world.personOf(holder), `POST /api/assets/${asset.id}/deposits/`, {
              username: giver,
              amount: sum,
            });
      if (!isDone(answer)) return answer;
      const { id, status } = answer.body;
      if (world.deposits.has(id)) throw new Violation(`Two deposits have the id ${id}.`);
      // It has the owner of the moment.
      const people = { giver, holder: answer.body.held_by };
      world.deposits.set(id, { id, ...people, amount: sum, currency, states: new Set([status]), tries: 0 });
      return answer;
    },
  },

  decideDeposit: {
    weight: 4,
    act: async ({ world, dice: [which, who, how, seen], ask }) => {
      const known = pick(
        [...world.deposits.values()].filter(({ states }) => states.size > 1 || !states.has('gone')),
        which,
      );
      const person = known && world.personOf((who ?? 0) < 0.5 ? known.giver : known.holder);
      if (!person || person.isDeleted) return undefined;
      const list = await world.list(person, '/api/deposits/');
      const shown = list?.results.find(({ id }) => id === known.id);
      if (!shown) return undefined;
      const verb = pick(/** @type {const} */ (['confirm', 'confirm', 'return', 'withdraw']), how) ?? 'confirm';
      const isOpen = ['recorded', 'returning'].includes(shown.status);
      const body = (seen ?? 0) < 0.5 && isOpen ? { status: shown.status } : {};
      const isAlone = () => [known.giver, known.holder].some((name) => world.personOf(name).isDeleted);
      return changeDeposit(known, { verb, shown, person, isAlone }, () =>
        verb === 'withdraw'
          ? ask(person, `DELETE /api/deposits/${known.id}/`)
          : ask(person, `POST /api/deposits/${known.id}/${verb}/`, verb === 'confirm' ? body : undefined),
      );
    },
  },

  offerHandover: {
    weight: 1,
    act: async ({ world, dice: [which, stay], ask }) => {
      const share = pick(sharesIn(world, 'open'), which);
      if (!share) return undefined;
      const { asset } = share;
      asset.heirs.add(share.member);
      world.meet(asset);
      asset.mayHaveNewShares = true;
      const body = { username: share.member, stay_hours: (stay ?? 0) < 0.5 ? between(stay, 1, 100) : null };
      return ask(world.personOf(asset.owner), `POST /api/assets/${asset.id}/handover/`, body);
    },
  },

  answerHandover: {
    weight: 2,
    act: async ({ world, dice: [which, how], ask }) => {
      const share = pick(
        sharesIn(world, 'open').filter(({ asset, member }) => asset.heirs.has(member)),
        which,
      );
      if (!share) return undefined;
      const member = world.personOf(share.member);
      const path = `/api/shared-assets/${share.id}/`;
      if ((how ?? 0) > 0.9) return ask(member, `POST ${path}handover/decline/`);
      const { handover } = (await ask(member, `GET ${path}`)).body ?? {};
      if (!handover) return undefined;
      // The former owner may stay, with a share.
      share.asset.mayHaveNewShares = true;
      return ask(member, `POST ${path}handover/accept/`, { version: handover.version });
    },
  },

  addPerson: {
    weight: 2,
    act: async ({ world, dice: [which, hours], ask }) => {
      const asset = pick(openAssets(world), which);
      if (!asset) return undefined;
      // Before the answer, because someone may claim to be them meanwhile.
      asset.hosts.add(asset.owner);
      const body = { name: 'Grandma', monthly_hours_allocated: between(hours, 1, 60) };
      const answer = await ask(world.personOf(asset.owner), `POST /api/assets/${asset.id}/people/`, body);
      if (isDone(answer)) noteShares(world, asset, answer.body);
      return answer;
    },
  },

  recordSession: {
    weight: 3,
    act: async ({ world, dice: [which, ago, hours], ask }) => {
      const people = peopleWithoutAccount(world);
      const share = pick(people, which);
      if (!share) return undefined;
      const end = world.installation.now().getTime() - between(ago, 1, 40) * HOUR_MS;
      const body = {
        start_time: new Date(end - between(hours, 1, 8) * 600_000).toISOString(),
        end_time: new Date(end).toISOString(),
      };
      const path = `/api/assets/${share.asset.id}/share/${share.id}/sessions/`;
      const answer = await ask(world.personOf(share.asset.owner), `POST ${path}`, body);
      if (isDone(answer)) noteSession(world, share, answer.body);
      return answer;
    },
  },

  claim: {
    weight: 1,
    act: async ({ world, dice: [which, whom, how], ask }) => {
      const share = pick(peopleWithoutAccount(world), which);
      const guest =
        share &&
        pick(
          world.living().filter(({ name }) => name !== share.asset.owner && !share.asset.names.has(name)),
          whom,
        );
      if (!share || !guest) return undefined;
      const owner = share.asset.owner;
      const made = await ask(world.personOf(owner), `POST /api/assets/${share.asset.id}/share/${share.id}/claim/`);
      if (!isDone(made)) return made;
      // Of this owner, a person is the same on all assets, also on those to which they are added meanwhile, and owes what is
      // left of assets that were deleted or handed over.
      for (const asset of world.assets.values()) {
        if (!asset.hosts.has(owner)) continue;
        world.meet(asset, guest.name);
        asset.mayHaveNewShares = true;
      }
      for (const other of peopleWithoutAccount(world))
        if (other.asset.owner === owner) endShare(world, other, 'unsure');
      const body = { charges: (how ?? 0) < 0.7 ? 'accept' : 'object' };
      return ask(guest, `POST /api/claims/${made.body.claim.link.split('/').at(-1)}/`, body);
    },
  },

  trust: {
    weight: 1,
    act: async ({ world, dice: [who, whom, money], ask }) => {
      const person = pick(world.living(), who);
      const owner =
        person &&
        pick(
          world.living().filter(({ name }) => name !== person.name),
          whom,
        );
      if (!person || !owner) return undefined;
      person.sees.add(owner.name);
      const currency = pick(PRICES, money)?.[0] ?? 'USD';
      const answer = await ask(person, 'POST /api/trusted-owners/', {
        username: owner.name,
        monthly_amount: 1000,
        currency,
      });
      if (isDone(answer)) person.trusted.add(owner.name);
      return answer;
    },
  },

  changeZone: {
    weight: 1,
    act: async ({ world, dice: [who, zone], ask }) => {
      const person = pick(
        world.living().filter(({ isChangingZone }) => !isChangingZone),
        who,
      );
      if (!person) return undefined;
      Object.assign(person, { isChangingZone: true, zone: undefined });
      const answer = await ask(person, 'PATCH /api/me/', { time_zone: pick(ZONES, zone) });
      Object.assign(person, { isChangingZone: false, ...(isDone(answer) && { zone: pick(ZONES, zone) }) });
      return answer;
    },
  },

  changePassword: {
    weight: 1,
    act: async ({ world, dice: [who], ask }) => {
      const person = pick(world.living(), who);
      if (!person) return undefined;
      const next = `${person.password.replace(/ again.*/, '')} again ${world.installation.now().getTime()}`;
      const answer = await ask(person, 'POST /api/me/password/', {
        current_password: person.password,
        new_password: next,
      });
      if (isDone(answer)) person.password = next;
      // The old one no longer fits, so the first attempt has changed it.
      else if (answer.unsure && answer.body?.code === 'wrong_password') person.password = next;
      return answer;
    },
  },

  signOutElsewhere: {
    weight: 1,
    act: async ({ world, dice: [who], ask }) => {
      const person = pick(world.living(), who);
      if (!person) return undefined;
      await ask(person, 'POST /api/me/check/', { current_password: person.password });
      return ask(person, 'DELETE /api/me/sign-ins/');
    },
  },

  deleteAccount: {
    weight: 1,
    act: async ({ world, dice: [who, sure, keep], ask }) => {
      const person = (sure ?? 0) < 0.4 && world.living().length > 5 ? pick(world.living(), who) : undefined;
      if (!person) return undefined;
      // Whether a handover that is due with the new month comes first isn't certain.
      const isHandedOver = [...world.assets.values()].some(
        ({ owner, heirs }) => heirs.size > 0 && (owner === person.name || heirs.has(person.name)),
      );
      if (isHandedOver && monthsNow(world) !== world.months) return undefined;
      const body = { current_password: person.password, keep_name: (keep ?? 0) < 0.5 };
      person.isDeleted = true;
      for (const asset of owned(world, person.name)) {
        asset.isDeleted = true;
        endSessionsOf(world, asset);
      }
      for (const share of world.shares.values()) if (share.member === person.name) endShare(world, share, 'ended');
      await ask(person, 'POST /api/me/check/', { current_password: person.password });
      const answer = await ask(person, 'DELETE /api/me/', body);
      if (!isDone(answer) && !answer.unsure)
        throw new Violation(`${person.name} could not delete their account: ${answer.text}`);
      return answer;
    },
  },
};

/** @param {Share} share @param {boolean} isOwner who acts */
const costsPath = ({ id, asset }, isOwner) => `${isOwner ? `assets/${asset.id}` : `shared-assets/${id}`}/costs/`;

/** Returns the names of everyone with a line in the running month, as the owner reads it. @param {World} world @param {Asset} asset @returns {Promise<string[]>} */
async function namesOnStatement(world, { id, owner }) {
  const path = `/api/assets/${id}/statements/?limit=1`;
  const { body } = await world.ask(world.personOf(owner), `GET ${path}`);
  return (body?.results?.[0]?.lines ?? []).map((/** @type {any} */ { username }) => username);
}

/** @param {World} world @param {Session} session */
const isUsable = (world, { share }) =>
  share.member !== undefined &&
  !world.personOf(share.member).isDeleted &&
  share.state === 'open' &&
  !share.asset.isArchived;

/** @param {World} world @param {Session} session */
function memberOf(world, { share }) {
  return world.personOf(share.member ?? '');
}

/**
 * Has a member answer a meter of sessions, totals (`counter`), or files, which their asset gets first if it has none.
 *
 * @param {World} world
 * @param {World['ask']} ask
 * @param {{ which: number | undefined, how: number | undefined, kind: 'meter' | 'counter' | 'files', likely: number }} choice
 */
async function agreeTo(world, ask, { which, how = 0, kind, likely }) {
  const share = pick(usableShares(world, 'open'), which);
  if (!share) return undefined;
  const { asset } = share;
  const owner = world.personOf(asset.owner);
  if (!asset[kind]) {
    const made = await ask(owner, `POST /api/assets/${asset.id}/meters/`, METERS[kind]);
    if (!isDone(made)) return made;
    asset[kind] = { id: made.body.meter.id, token: made.body.token };
  }
  const names = [{ external_name: meterNameOf(share), share_id: share.id }];
  await ask(owner, `PUT /api/assets/${asset.id}/meters/${asset[kind].id}/names/`, { names });
  const body = { agreed: how < likely, beyond_allowance: how < 0.3 };
  // Before the answer, because it may get lost.
  share.mayBeMetered ||= body.agreed;
  return ask(world.personOf(share.member), `POST /api/shared-assets/${share.id}/meters/${asset[kind].id}/`, body);
}

/** Returns whether a session that has ended was recorded by a meter that tells times. @param {any} seen the session as the server shows it */
export const isMetered = ({ source, day, end_time: end, edited }) =>
  source === 'metered' && typeof day !== 'string' && end !== null && edited?.kind !== 'removed';

/** Returns the names of a file of which all rows count, or other sessions have their time. @param {{ names: any[] }} body of an import */
const namesThatCount = ({ names }) =>
  names
    .filter(({ parts }) =>
      parts.every((/** @type {any} */ { result }) => ['counted', 'known', 'absorbed'].includes(result)),
    )
    .map(({ external_name: name }) => name);

/** What a meter calls whom a share is for. @param {Share} share */
export const meterNameOf = ({ id }) => `Profile ${id}`;

/** Returns a month relative to the current one in UTC. @param {World} world @param {number} months */
export function monthFrom({ installation }, months) {
  const now = installation.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
}

/** Returns the months of all zones now, also of a server whose clock is wrong by an hour. @param {World} world */
export function monthsNow({ installation }) {
  const now = installation.now().getTime();
  return [-14, 16].map((hours) => new Date(now + hours * HOUR_MS).toISOString().slice(0, 7)).join(' ');
}

/** @param {World} world @param {World['ask']} ask @param {Share} share @param {'late-start' | 'late-end'} call @param {number | undefined} ago */
async function pressLate(world, ask, share, call, ago) {
  const now = world.installation.now();
  const at = new Date(now.getTime() - between(ago, 1, 25 * 60) * 60_000);
  const body = { at: at.toISOString(), client_time: now.toISOString() };
  const answer = await ask(world.personOf(share.member ?? ''), `POST /api/shared-assets/${share.id}/${call}/`, body);
  if (call === 'late-end') noteEndedSession(world, share, answer);
  else if (isDone(answer)) {
    noteAccepted(share);
    noteSession(world, share, answer.body);
  }
  const session = isDone(answer) ? world.sessions.get(answer.body.id) : undefined;
  if (session) session.isLate = true;
  return answer;
}

/** When the first attempt of an action gives up on its answer; undefined if it doesn't. @param {World} world @param {number[]} dice */
function lossOf(world, dice) {
  return world.losesAnswers ? between(dice.at(-1), 0, 40) : undefined;
}

/** The weights by which a story chooses. */
export const actionWeights = Object.fromEntries(Object.entries(ACTIONS).map(([kind, { weight }]) => [kind, weight]));

/** @param {World} world @param {import('./story.mjs').Event} event */
export async function act(world, { kind, dice }) {
  /** @type {World['ask']} */
  const ask = async (person, call, body) => {
    world.changes.begin(call);
    const answer = await world.ask(person, call, body, lossOf(world, dice));
    if (isDone(answer)) world.changes.note(call, answer.body);
    return answer;
  };
  const answer = await ACTIONS[kind]?.act({ world, dice, ask });
  world.count(kind, answer === undefined ? 'idle' : isDone(answer) ? 'done' : 'refused');
}
