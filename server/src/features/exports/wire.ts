import type { Export } from '@hourshare/contract/exports';
import type { Cell } from '../../platform/http/csv.ts';

/** The items of a part of the export; the account is a single item. */
export type ItemOf<Name extends keyof Export> = Export[Name] extends (infer Item)[] ? Item : Export[Name];

/** A CSV file of the export, made from one of its parts. */
interface ExportTable {
  name: string;
  part: keyof Export;
  head: string[];
  rowsOf: (item: object) => Cell[][];
}

/** Returns a table with rows for each item of a part: by default one, for the item itself. */
function table<Name extends keyof Export, Thing = ItemOf<Name>>(
  name: string,
  part: Name,
  columns: (keyof Thing & string)[],
  // oxlint-disable-next-line no-unsafe-type-assertion -- without this argument, it is the same type
  things: (item: ItemOf<Name>) => Thing[] = (item) => [item as unknown as Thing],
): ExportTable {
  return {
    name,
    part,
    head: columns,
    rowsOf: (item) =>
      // oxlint-disable-next-line no-unsafe-type-assertion -- items are read from that part
      things(item as ItemOf<Name>).map((thing) => columns.map((column) => toCell(thing[column]))),
  };
}

/** Nested values are JSON. */
const toCell = (value: unknown): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);

const assetColumns = ['id', 'name', 'description', 'subscription_cost', 'currency', 'time_zone'] as const;
const planColumns = [
  ...(['cycle', 'spread', 'trial_until', 'ends_on', 'cancel_by_days', 'auto_renews', 'reminder_days'] as const),
] as const;
const termColumns = [
  ...(['split_method', 'base_percent', 'owner_hours', 'max_session_hours', 'max_price_per_hour'] as const),
  'extra_cost_limit' as const,
  ...(['owner_takes_part', 'measured'] as const),
];
const costColumns = [
  ...(['id', 'month', 'date', 'text', 'amount', 'currency', 'paid_by', 'split', 'person', 'status'] as const),
  ...(['author', 'reply', 'repeats', 'earlier', 'answers'] as const),
];
const sessionColumns = [
  ...([
    'asset_name',
    'id',
    'start_time',
    'end_time',
    'duration',
    'recorded_by_owner',
    'added_late',
    'source',
    'meter',
    'day',
  ] as const),
];

export const tables: ExportTable[] = [
  table('account', 'account', [
    'username',
    'email',
    'time_zone',
    'language',
    'email_notifications',
    'usage_reminders',
    'payment_details',
    'email_change',
    'email_confirmed',
    'two_step',
    'two_step_since',
    'calendar_since',
  ]),
  table('sign-ins', 'sign_ins', ['device', 'name', 'signed_in_at', 'last_used_at', 'expires_at', 'ended_at']),
  table('access-tokens', 'access_tokens', [
    'name',
    'scope',
    'share_id',
    'asset_name',
    'share_ended',
    'created_at',
    'last_used_at',
    'expires_at',
  ]),
  table('passkeys', 'passkeys', ['name', 'device', 'created_at', 'last_used_at']),
  table('sign-in-providers', 'identities', ['provider', 'label', 'name', 'created_at', 'last_used_at']),
  table('security-events', 'security_events', [
    'id',
    'event',
    'detail',
    'count',
    'actor',
    'actor_name',
    'browser',
    'system',
    'sign_in_id',
    'at',
    'last_at',
  ]),
  table('trusted-owners', 'trusted_owners', ['username', 'offers', 'since', 'monthly_amount', 'currency']),
  table('assets', 'assets', [...assetColumns, ...planColumns, ...termColumns, 'archived', 'next_terms', 'spread_from']),
  table(
    'members',
    'assets',
    [
      'asset_id',
      'asset_name',
      'shared_with_username',
      'person',
      'pending',
      'monthly_hours_allocated',
      'usage_this_month',
      'expires_at',
    ],
    ({ id, name, shared_with: entries }) => entries.map((entry) => ({ ...entry, asset_id: id, asset_name: name })),
  ),
  table('prices', 'prices', ['asset_id', 'asset_name', 'from_month', 'subscription_cost', 'open']),
  table('asset-sessions', 'asset_sessions', [
    'asset_id',
    'username',
    ...sessionColumns,
    'edited',
    'objection',
    'request',
  ]),
  table('shares', 'shares', [
    'id',
    'asset_name',
    'owner',
    'own',
    'monthly_hours_allocated',
    'offered_at',
    'accepted_at',
    'ended_at',
    'allowances',
  ]),
  table('sessions', 'sessions', ['share_id', ...sessionColumns, 'external_id', 'edited', 'objection', 'request']),
  table('meters', 'meters', [
    'asset_id',
    'id',
    'name',
    'kind',
    'per_member',
    'grace_minutes',
    'merge_minutes',
    'min_seconds',
    'counter',
    'counted_types',
    'name_attribute',
    'created_at',
    'last_event_at',
    'late_events',
    'names',
    'members',
  ]),
  table('own-meters', 'own_meters', [
    'share_id',
    'id',
    'name',
    'kind',
    'per_member',
    'agreed',
    'beyond_allowance',
    'names',
    'has_token',
    'told_hours',
    'counted_hours',
    'list_price',
  ]),
  table('costs', 'costs', ['asset_id', ...costColumns]),
  table('shared-costs', 'shared_costs', ['share_id', ...costColumns]),
  table('statements', 'statements', [
    'asset_id',
    'asset_name',
    'owner',
    'month',
    'ends_at',
    'closes_at',
    'deleted_at',
    'price',
    'currency',
    'unbilled',
    'split_method',
    'base_percent',
    'owner_hours',
    'max_price_per_hour',
    'total_hours',
    'places',
    'price_changes',
    'price_parts',
    'edited_sessions',
    'silences',
    'costs',
  ]),
  table(
    'charges',
    'statements',
    [
      'asset_name',
      'owner',
      'month',
      'currency',
      'id',
      'username',
      'role',
      'used_hours',
      'allocated_hours',
      'days',
      'amount',
      'price_amount',
      'costs_amount',
      'costs_paid',
      'maximum',
      'covered',
      'status',
      'status_since',
      'paid_amount',
      'open_amount',
      'sent_amount',
    ],
    ({ asset_name, owner, month, currency, lines }) =>
      lines.map((line) => ({ ...line, asset_name, owner, month, currency })),
  ),
  table('balances', 'balances', ['username', 'currency', 'they_owe', 'you_owe', 'net']),
  table('payments', 'payments', [
    'id',
    'username',
    'direction',
    'amount',
    'currency',
    'settled_at',
    'recorded_by',
    'status',
    'confirmed_at',
    'undone_at',
    'events',
    'lines',
  ]),
  table('deposits', 'deposits', [
    ...(['id', 'username', 'direction', 'asset_id', 'asset_name', 'amount', 'currency', 'status'] as const),
    ...(['recorded_by', 'recorded_at', 'confirmed_at'] as const),
    ...(['returned_by', 'returned_at', 'return_confirmed_at'] as const),
  ]),
  table('renewals', 'renewals', [
    ...([
      'asset_id',
      'asset_name',
      'owner',
      'kind',
      'on',
      'cancel_by',
      'price',
      'currency',
      'cycle',
      'decision',
    ] as const),
    ...(['your_vote', 'votes'] as const),
  ]),
  table('notices', 'notices', ['id', 'kind', 'created_at', 'read', 'text', 'detail', 'path', 'actor', 'asset_name']),
  table('notice-choices', 'notice_choices', ['kind', 'bell', 'mail', 'push', 'mail_always']),
  table('notice-targets', 'notice_targets', ['id', 'format', 'host', 'kinds', 'amounts', 'created_at', 'off_since']),
];
