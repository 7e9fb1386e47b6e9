import { randomUUID } from 'node:crypto';
import { createChanges } from './changes.mjs';
import { createClient, Violation } from '../harness/client.mjs';

// The people, and what the servers have acknowledged to them.

/**
 * `sees` is every word of the simulation that the person may ever have been shown.
 *
 * @typedef {object} Person
 * @property {string} name
 * @property {string} password
 * @property {Set<string>} sees
 * @property {boolean} isDeleted
 * @property {Set<string>} trusted
 * @property {string | undefined} zone undefined if a fault has left that unsure
 * @property {boolean} isChangingZone
 * @property {string} [access]
 * @property {string} [refresh]
 * @property {number} accessAt
 */
/**
 * `names` are those of everyone who ever had access.
 *
 * @typedef {object} Asset
 * @property {number} id
 * @property {string} word its name
 * @property {string} owner
 * @property {string} currency
 * @property {Set<number>} prices what the current price may be
 * @property {Set<number>} limits every session limit it ever had, in hours
 * @property {Set<string>} names
 * @property {Set<string>} managers
 * @property {Set<string>} heirs who was ever asked to become the owner
 * @property {boolean} hasHadOtherOwners
 * @property {boolean} countsAllUse whether it was ever split by the share of use
 * @property {boolean} hasCosts whether anyone ever entered a cost beside its price
 * @property {Map<number, any>} costs what was shown of them at the last check, by their ids
 * @property {boolean} wasArchived whether it was ever archived
 * @property {boolean} hasVotes whether anyone ever said whether to keep it
 * @property {Set<string>} cycles every cycle that it may ever have had, as JSON; none is always possible
 * @property {Set<string>} trials the last free days that it may ever have had
 * @property {Set<string>} ends the ends that it may ever have had
 * @property {boolean} mayEndWithCycles whether it may ever have ended with any renewal, because it doesn't renew by itself
 * @property {Set<number>} reminders how many days before a renewal people may ever have been reminded
 * @property {Map<string, Set<string | undefined>>} votes by date and name, what each may have said of a renewal
 * @property {Set<string>} decisions dates and what its owner may have decided about a renewal
 * @property {{ cycle: import('./plans.mjs').Cycle | null, ends_on: string | null, trial_until: string | null }} [plan] what was shown at the last check
 * @property {boolean} isArchived
 * @property {boolean} isDeleted
 * @property {boolean} mayBeDeleted whether a fault has left that unsure
 * @property {{ id: number, token: string }} [meter]
 * @property {{ id: number, token: string }} [counter] a meter of what is counted each day
 * @property {{ id: number, token: string, rows?: object[] | undefined, counted?: Set<string> }} [files] a meter of files, the last one since the last check, and the names in it of which all counted
 * @property {string | undefined} shown what was shown of it at the last check
 * @property {boolean} mayHaveNewShares whether someone joined in a way that doesn't name the share
 * @property {Set<string>} hosts owners who may have added someone without an account
 */
/**
 * Its `member` is undefined for people without an account, and the owner who takes part if it is `own`.
 *
 * @typedef {object} Share
 * @property {number} id
 * @property {Asset} asset
 * @property {string | undefined} member
 * @property {'offered' | 'open' | 'ended' | 'unsure'} state
 * @property {number} since
 * @property {true} [own]
 * @property {boolean} [mayBeMetered]
 * @property {boolean} [mayHaveAgreed] whether its member may have said yes to anything since the last check
 * @property {Agreed[]} agreed what checks found that they last said yes to, oldest first
 * @property {Span[]} imported the rows of files that may have been recorded
 * @property {Span[]} refused recorded times that its member removed
 */
/** `from` is when it was at the earliest, and `at` at the latest; `terms` are undefined if they are not known. @typedef {{ from: number, at: number, terms: any }} Agreed */
/** @typedef {{ from: number, to: number }} Span in milliseconds since 1970 */
/** @typedef {{ start: string, end: string | null }} Times */
/**
 * `times` are all that it may have now, and `earlier` what they were before edits, which an objection restores.
 *
 * @typedef {object} Session
 * @property {number} id
 * @property {Share} share
 * @property {Times[]} times
 * @property {Times[]} earlier
 * @property {boolean} isEdited whether it was edited since the last check, so that another edit may come before or after
 * @property {boolean | undefined} isRemoved undefined if a fault has left that unsure
 * @property {boolean} [isLate] whether its start or end was pressed offline: only the server knows what it had of it before
 * @property {boolean} mayHaveEnded whether something else than its member or its limit may have ended it
 */
/** `events` are those it had at the last check, or in an answer since. @typedef {{ id: number, people: [string, string], amount: number, events: string[] }} Payment */
/** `states` are all that it may be in now, and `tries` the requests since the last check. @typedef {{ id: number, giver: string, holder: string, amount: number, currency: string, states: Set<string>, tries: number }} Deposit */
/** @typedef {ReturnType<typeof createWorld>} World */

const ACCESS_MS = 10 * 60_000;

/** @param {string} name @param {string} password @returns {Person} */
export const createPerson = (name, password) => ({
  name,
  password,
  sees: new Set([name]),
  isDeleted: false,
  trusted: new Set(),
  zone: undefined,
  isChangingZone: false,
  accessAt: 0,
});

/** @param {{ id: number, word: string, owner: string, currency: string, price: number, limit: number }} asset @returns {Asset} */
export const createAsset = ({ price, limit, ...asset }) => ({
  ...asset,
  prices: new Set([price]),
  limits: new Set([limit]),
  names: new Set(),
  managers: new Set(),
  heirs: new Set(),
  hasHadOtherOwners: false,
  countsAllUse: false,
  hasCosts: false,
  costs: new Map(),
  wasArchived: false,
  hasVotes: false,
  cycles: new Set(),
  trials: new Set(),
  ends: new Set(),
  mayEndWithCycles: false,
  reminders: new Set(),
  votes: new Map(),
  decisions: new Set(),
  isArchived: false,
  isDeleted: false,
  mayBeDeleted: false,
  shown: undefined,
  mayHaveNewShares: false,
  hosts: new Set(),
});

/** @param {Omit<Share, 'agreed' | 'imported' | 'refused'>} share @returns {Share} */
export const createShare = (share) => ({ ...share, agreed: [], imported: [], refused: [] });

/** @param {import('../harness/installation.mjs').Installation} installation */
export function createWorld(installation) {
  const client = createClient(installation.urls);
  /** @type {Person[]} */
  const people = [];
  /** @type {Map<number, Asset>} */
  const assets = new Map();
  /** @type {Map<number, Share>} */
  const shares = new Map();
  /** @type {Map<number, Session>} */
  const sessions = new Map();
  /** @type {Map<number, Payment>} */
  const payments = new Map();
  /** @type {Map<number, Deposit>} */
  const deposits = new Map();
  /** What was entered of costs, by its text. @type {Map<string, import('./costs.mjs').Entry>} */
  const entries = new Map();
  /** The immutable parts of closed statements, by asset and month. @type {Map<string, { text: string, asset: Asset, owner: string, month: string, amounts: Map<number, number> }>} */
  const statements = new Map();
  /** @type {Set<string>} */
  const words = new Set();
  /** @type {Record<string, { done: number, refused: number, idle: number }>} */
  const outcomes = {};
  /** @type {Map<Person, ReturnType<typeof signIn>>} */
  const signingIn = new Map();

  /**
   * Signs a person in if their access token may have expired, once at a time, as the app does. Returns the refusal if
   * their account may be gone.
   *
   * @param {Person} person
   */
  function authorize(person) {
    const signedIn = signingIn.get(person) ?? signIn(person).finally(() => signingIn.delete(person));
    signingIn.set(person, signedIn);
    return signedIn;
  }

  /** @param {Person} person @returns {Promise<import('../harness/client.mjs').Answer | undefined>} */
  async function signIn(person) {
    const now = installation.now().getTime();
    if (person.access !== undefined && Math.abs(now - person.accessAt) < ACCESS_MS) return undefined;
    const renewed =
      person.refresh === undefined
        ? undefined
        : await client.send({ method: 'POST', path: '/api/token/refresh/', body: { refresh: person.refresh } });
    const { name: username, password } = person;
    const answer =
      renewed?.status === 200
        ? renewed
        : await client.send({ method: 'POST', path: '/api/login/', body: { username, password } });
    const { status, body, text } = answer;
    if (status === 401 && person.isDeleted) return answer;
    if (status !== 200) throw new Violation(`${username} could not sign in: ${status} ${text}`);
    Object.assign(person, { access: body.access, refresh: body.refresh, accessAt: now });
    return undefined;
  }

  /**
   * @param {Person} person
   * @param {string} call such as "GET /api/me/"
   * @param {object} [body]
   * @param {number} [loseAfterMs] when to give up on the first attempt
   */
  async function ask(person, call, body, loseAfterMs) {
    const [method = '', path = ''] = call.split(' ');
    const key = randomUUID();
    let unsure = false;
    for (let refusals = 0; ;) {
      // A server whose clock is wrong refuses the tokens of the others.
      const isClockRight = !installation.hasWrongClock();
      const refusal = await authorize(person);
      if (refusal) return { ...refusal, unsure };
      const answer = await client.send({ method, path, body, access: person.access, loseAfterMs }, key);
      unsure ||= answer.unsure;
      if (answer.status !== 401) return answer;
      if (isClockRight) refusals += 1;
      if (refusals === 3) return answer;
      // Another action signed them out, or changed their password.
      delete person.access;
    }
  }

  /** Reads a list to its end. @param {Person} person @param {string} path @returns {Promise<{ results: any[], text: string } | undefined>} undefined if they may not */
  async function list(person, path) {
    const results = [];
    let all = '';
    for (let cursor = ''; ;) {
      const { status, body, text } = await ask(
        person,
        `GET ${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`}`,
      );
      if (status === 404) return undefined;
      if (status !== 200) throw new Violation(`${person.name} could not read ${path}: ${status} ${text}`);
      results.push(...body.results);
      all += text;
      if (!body.next) return { results, text: all };
      cursor = body.next;
    }
  }

  /** @param {string} name */
  function personOf(name) {
    const person = people.find((each) => each.name === name);
    if (!person) throw new Error(`There is no ${name}.`);
    return person;
  }

  /** Lets everyone see whom and what they meet through an asset. @param {Asset} asset @param {string} [name] who joins */
  function meet(asset, name) {
    if (name !== undefined) asset.names.add(name);
    const leaders = [asset.owner, ...asset.managers, ...asset.heirs];
    for (const each of asset.names) {
      const { sees } = personOf(each);
      sees.add(asset.word);
      for (const leader of leaders) sees.add(leader);
      // All use decides what each pays, so each sees whose sessions were edited; a cost says who paid it, and a vote whose it is.
      if (asset.countsAllUse || asset.hasCosts || asset.hasVotes) for (const other of asset.names) sees.add(other);
    }
    for (const leader of leaders) {
      const { sees } = personOf(leader);
      sees.add(asset.word);
      for (const each of asset.names) sees.add(each);
    }
  }

  return {
    installation,
    /** Whether devices give up on the first answer of what they ask now. */
    losesAnswers: false,
    people,
    assets,
    shares,
    sessions,
    payments,
    deposits,
    entries,
    /** What was open of each charge at the last check, by its id. @type {Map<number, number>} */
    openAmounts: new Map(),
    statements,
    words,
    outcomes,
    /** The months of all zones at the last check. */
    months: '',
    /** When the last check began. */
    checkedAt: installation.now().getTime(),
    /** When servers last started undisturbed, and did what was due. */
    startedAt: installation.now().getTime(),
    changes: createChanges(assets, shares),
    client,
    ask,
    list,
    personOf,
    meet,
    living: () => people.filter(({ isDeleted }) => !isDeleted),
    /** @param {string} kind @param {'done' | 'refused' | 'idle'} outcome */
    count: (kind, outcome) => {
      const counted = (outcomes[kind] ??= { done: 0, refused: 0, idle: 0 });
      counted[outcome] += 1;
    },
  };
}
