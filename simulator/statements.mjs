// Closed statements, which never change.

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Asset} Asset */

/** What of a closed statement depends on payments, on whose account a line is now, or on whether the asset still exists. */
const CHANGING = new Set([
  'asset_id',
  'username',
  'hue',
  'owner',
  'status',
  'status_since',
  'objected_at',
  'settled',
  'paid_amount',
  'open_amount',
  'sent_amount',
]);

/** Returns what of a closed statement never changes, as text. Its lines are in the order of names, which may. @param {any} statement */
export const lasting = (statement) =>
  JSON.stringify(
    {
      ...statement,
      lines: statement.lines.toSorted((/** @type {any} */ one, /** @type {any} */ other) => one.id - other.id),
    },
    (key, value) => (CHANGING.has(key) ? undefined : value),
  );

/** @param {Asset} asset @param {any} statement */
const keyOf = (asset, { month, owner }) => `${asset.id} ${month} ${owner}`;

/** Returns what is known of a statement, if it was closed. @param {World} world @param {Asset} asset @param {any} statement */
export const knownStatement = ({ statements }, asset, statement) => statements.get(keyOf(asset, statement));

/** @param {World} world @param {Asset} asset @param {any} statement as its owner reads it, closed */
export function noteStatement({ statements }, asset, statement) {
  const { owner, month, lines } = statement;
  const amounts = new Map(lines.map((/** @type {any} */ { id, amount }) => [id, amount]));
  statements.set(keyOf(asset, statement), { text: lasting(statement), asset, owner, month, amounts });
}
