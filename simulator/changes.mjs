// What people changed since the last check, and what the answers said about it. Where only one action changed something,
// its answer must still be true; where none did, what was shown before.

/** @typedef {import('./world.mjs').Asset} Asset */
/** @typedef {import('./world.mjs').Share} Share */

/** What only an action changes, or a month that begins. */
const FIELDS = [
  'name',
  'description',
  'subscription_cost',
  'currency',
  'time_zone',
  'next_time_zone',
  'archived',
  'split_method',
  'base_percent',
  'owner_hours',
  'max_session_hours',
  'max_price_per_hour',
  'extra_cost_limit',
  'owner_takes_part',
  'measured',
  'next_terms',
  'cycle',
  'spread',
  'spread_from',
  'trial_until',
  'ends_on',
  'cancel_by_days',
  'auto_renews',
  'reminder_days',
];

/** Returns these fields of an asset, and its members with their hours and roles, as text. @param {any} body as the owner reads it */
export function fixedParts(body) {
  const members = body.shared_with
    .filter((/** @type {any} */ { pending }) => !pending)
    .map((/** @type {any} */ { id, monthly_hours_allocated: hours, manager }) => ({ id, hours, manager }))
    .toSorted((/** @type {any} */ one, /** @type {any} */ other) => one.id - other.id);
  return JSON.stringify([...FIELDS.map((field) => body[field]), members]);
}

/**
 * @param {Map<number, Asset>} assets
 * @param {Map<number, Share>} shares
 */
export function createChanges(assets, shares) {
  /** How often each asset was changed. @type {Map<Asset, number>} */
  let counts = new Map();
  const noAnswers = () => ({
    assets: new Map(),
    sessions: new Map(),
    prices: new Map(),
    renewals: new Map(),
    costs: new Map(),
  });
  /** By the id of the asset, session, or cost. @type {Record<'assets' | 'sessions' | 'prices' | 'renewals' | 'costs', Map<number, any>>} */
  let answers = noAnswers();
  let payments = 0;
  /** @type {any} */
  let mark;
  /** How often something changed whose assets its path doesn't say. */
  let others = 0;

  const timesOf = (/** @type {Asset} */ asset) => others + (counts.get(asset) ?? 0);

  return {
    /** Counts a request before it is sent. @param {string} call such as "PATCH /api/assets/1/" */
    begin: (call) => {
      // A deposit changes nothing else.
      if (call.startsWith('GET ') || call.includes('/deposits/')) return;
      const [, kind, id] = /^\w+ \/api\/([a-z-]+)\/(\d+)\//.exec(call) ?? [];
      const asset =
        kind === 'assets'
          ? assets.get(Number(id))
          : kind === 'shared-assets'
            ? shares.get(Number(id))?.asset
            : undefined;
      if (asset) counts.set(asset, (counts.get(asset) ?? 0) + 1);
      else if (/\/(?:settlements|statement-lines)\//.test(call)) payments += 1;
      else if (/\/(?:invitations|claims)\/|^DELETE \/api\/me\/$/.test(call)) others += 1;
    },
    /** @param {string} call @param {any} body of an answer that acknowledged it */
    note: (call, body) => {
      if (call.startsWith('GET ') || !body) return;
      if (body.shared_with) answers.assets.set(body.id, body);
      else if ('earlier' in body) answers.costs.set(body.id, body);
      else if ('objection' in body) answers.sessions.set(body.id, body);
      else if (call.endsWith('/mark/')) mark = body;
      else if ('your_vote' in body) answers.renewals.set(body.asset_id, body);
      else if (call.endsWith('/prices/')) answers.prices.set(Number(call.split('/')[3]), body);
    },
    /** Returns what the answer to the only change of an asset said. @param {Asset} asset */
    assetAsAnswered: (asset) => (timesOf(asset) === 1 ? answers.assets.get(asset.id) : undefined),
    /** @param {Asset} asset */
    pricesAsAnswered: (asset) => (timesOf(asset) === 1 ? answers.prices.get(asset.id) : undefined),
    /** @param {Asset} asset */
    renewalAsAnswered: (asset) => (timesOf(asset) === 1 ? answers.renewals.get(asset.id) : undefined),
    /** @param {Asset} asset @param {number} id of one of its sessions */
    sessionAsAnswered: (asset, id) => (timesOf(asset) === 1 ? answers.sessions.get(id) : undefined),
    /** @param {Asset} asset @param {number} id of one of its costs */
    costAsAnswered: (asset, id) => (timesOf(asset) === 1 ? answers.costs.get(id) : undefined),
    /** Returns the only charge that was marked, unless something else may have changed it. */
    markAsAnswered: () => (payments === 1 && others === 0 ? mark : undefined),
    /** Returns whether anything may have changed what is paid, apart from new charges. */
    mayHavePaid: () => payments > 0 || others > 0,
    /** @param {Asset} asset */
    hasChanged: (asset) => timesOf(asset) > 0,
    /** Begins anew, after a check. */
    reset: () => {
      counts = new Map();
      answers = noAnswers();
      payments = 0;
      mark = undefined;
      others = 0;
    },
  };
}
