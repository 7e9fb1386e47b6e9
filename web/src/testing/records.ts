import type { Analytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { NextTerms, Terms } from '@hourshare/contract/fields';
import type { Explanation, Statement, StatementCost, StatementLine } from '@hourshare/contract/statements';
import type { Finding, HistoryMonth } from '@hourshare/contract/insights';
import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Received } from './fake-server.ts';

// Server responses with defaults; a test overrides the fields it is about.

export const anAsset = (change: Partial<OwnedAsset> = {}): OwnedAsset => ({
  id: 3,
  name: 'Films',
  description: 'For the living room',
  subscription_cost: change.price_per_month ?? 22.99,
  price_per_month: change.subscription_cost ?? 22.99,
  cycle: null,
  spread: true,
  spread_from: null,
  trial_until: null,
  ends_on: null,
  cancel_by_days: null,
  auto_renews: true,
  reminder_days: [],
  currency: 'USD',
  time_zone: 'UTC',
  next_time_zone: null,
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_session_hours: 24,
  max_price_per_hour: null,
  extra_cost_limit: 0,
  max_price_chosen: false,
  owner_takes_part: false,
  measured: true,
  total_hours: 40,
  places: 2,
  next_terms: null,
  handover: null,
  archived: false,
  unbilled: false,
  used: true,
  owner: 'mira',
  your_role: 'owner',
  own_share_id: null,
  shared_with: [],
  ...change,
});

export const anEntry = (id: number, name: string | null, hours: number | null): OwnedAsset['shared_with'][number] => ({
  id,
  pending: name === null,
  accepted: name !== null,
  starts_on: null,
  shared_with_username: name,
  hue: name === null ? null : id % 8,
  person: false,
  manager: false,
  claim_expires_at: null,
  monthly_hours_allocated: hours,
  usage_this_month: name === null ? null : 0,
  active_session: name === null ? null : false,
  active_since: null,
  invitation_id: null,
  expires_at: null,
  agreed: null,
  asked: false,
  unconfirmed: false,
});

/** Terms of $20.00 a month, 40 h, split by use: an hour costs $0.50. */
export const someTerms = (change: Partial<Terms> = {}): Terms => ({
  split_method: 'usage',
  base_percent: 0,
  price: 20,
  currency: 'USD',
  total_hours: 40,
  places: 2,
  monthly_hours: 20,
  max_price_per_hour: null,
  extra_cost_limit: 0,
  ...change,
});

/** Terms from December on: split by use, in sessions of up to a day. */
export const someNextTerms = (change: Partial<NextTerms> = {}): NextTerms => ({
  from_month: '2026-12',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_session_hours: 24,
  max_price_per_hour: null,
  extra_cost_limit: 0,
  owner_takes_part: false,
  measured: true,
  ...change,
});

export const aShare = (change: Partial<SharedAsset> = {}): SharedAsset => ({
  id: 7,
  asset_name: 'Figma',
  owner: 'ben',
  owner_hue: 3,
  status: 'accepted',
  accepted: true,
  starts_on: null,
  ends_on: null,
  manager_since: null,
  offer: null,
  next_terms: null,
  own: false,
  measured: true,
  recorded_by: null,
  terms: someTerms(),
  cost_of_all: 10,
  agreed: someTerms(),
  asked: false,
  handover: null,
  next_owner: null,
  shared_at: '2026-08-01T10:00:00.000Z',
  ended_at: null,
  monthly_hours_allocated: 20,
  current_usage: 14.5,
  usage_this_month: 14.5,
  active_session: false,
  active_since: null,
  last_used_at: null,
  asset: { id: 1, name: 'Figma', description: 'Design', owner: 'ben' },
  ...change,
});

/** An offer of Figma: $20.00 a month, 20 h, split by use. */
export const anOffer = (change: Partial<NonNullable<SharedAsset['offer']>> = {}): SharedAsset =>
  aShare({
    status: 'offered',
    accepted: false,
    current_usage: 0,
    usage_this_month: 0,
    offer: {
      price: 20,
      next_price: null,
      currency: 'USD',
      split_method: 'usage',
      base_percent: 0,
      owner_hours: 0,
      members: 1,
      expires_at: '2026-12-07T12:00:00.000Z',
      meters: [],
      ...change,
    },
  });

export const someAnalytics = (change: Partial<Analytics> = {}): Analytics => ({
  asset_name: 'Figma',
  month: '2026-11',
  total_allocation: 20,
  total_usage: 14.5,
  remaining_hours: 5.5,
  utilization_percentage: 72.5,
  total_sessions: 4,
  avg_session_duration_minutes: 217.5,
  active_session: false,
  weekly_usage: [{ week: 1, hours: 14.5 }],
  daily_usage: { '2026-11-03': 14.5 },
  metered_usage: {},
  pace: null,
  ...change,
});

/** One part of an explanation: $5.00 of Mira's $20.00 for 10 of 40 hours. */
export const anExplanation = (change: Partial<Explanation> = {}): Explanation => ({
  method: 'usage',
  kind: 'used',
  price: 20,
  amount: 5,
  part: 36_000,
  whole: 144_000,
  unit: 'seconds',
  rounding: null,
  ...change,
});

/** The owner's line in an open month. */
export const aLine = (change: Partial<StatementLine> = {}): StatementLine => ({
  id: null,
  username: 'mira',
  hue: 4,
  role: 'owner',
  used_hours: 0,
  used_seconds: 0,
  sources: [],
  allocated_hours: 0,
  available_seconds: 0,
  days: 0,
  summed_hours: 0,
  amount: 15,
  price_amount: change.amount ?? 15,
  costs_amount: 0,
  costs_paid: 0,
  base_amount: 0,
  odd_cents: 0,
  agreed: null,
  maximum: null,
  covered: 0,
  asked: false,
  confirmed_at: null,
  costs: [],
  explanation: [anExplanation({ kind: 'rest', amount: 15, part: 0, whole: 0, unit: 'hours' })],
  status: null,
  status_since: null,
  objected_at: null,
  settled: false,
  paid_amount: null,
  open_amount: null,
  sent_amount: null,
  ...change,
});

export const bensLine = (change: Partial<StatementLine> = {}): StatementLine =>
  aLine({
    username: 'ben',
    role: 'member',
    used_hours: 10,
    used_seconds: 36_000,
    allocated_hours: 40,
    available_seconds: 144_000,
    days: 30,
    summed_hours: 1200,
    amount: 5,
    explanation: [anExplanation()],
    ...change,
  });

/** Mira's current month: $20.00, of which Ben used 10 of 40 hours. */
export const aStatement = (change: Partial<Statement> = {}): Statement => ({
  asset_id: 3,
  asset_name: 'Films',
  owner: 'mira',
  month: '2026-11',
  ended: false,
  closed: false,
  ends_at: '2026-12-01T12:00:00.000Z',
  closes_at: '2026-12-04T12:00:00.000Z',
  deleted_at: null,
  unbilled: false,
  price: 20,
  price_parts: [],
  renewal: null,
  price_changes: [],
  next_price: null,
  edited_sessions: [],
  silences: [],
  currency: 'USD',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_price_per_hour: null,
  owner_takes_part: false,
  measured: true,
  total_hours: 40,
  places: 2,
  used_seconds: 36_000,
  costs: [],
  lines: [aLine(), bensLine()],
  ...change,
});

/** $60.00 of fuel that ben paid, which the owner hasn't counted yet. */
export const aCost = (change: Partial<StatementCost> = {}): StatementCost => ({
  id: 1,
  version: 1,
  date: '2026-11-12',
  text: 'Fuel',
  amount: 60,
  split: 'usage',
  status: 'proposed',
  paid_by: 'ben',
  person: null,
  author: 'ben',
  ...change,
});

export const aHistoryMonth = (change: Partial<HistoryMonth> = {}): HistoryMonth => ({
  month: '2026-10',
  running: false,
  whole: true,
  price: 20,
  used_hours: 10,
  offered_hours: 40,
  kept_hours: 0,
  idle_hours: 30,
  idle_percentage: 75,
  price_per_used_hour: 2,
  members: [{ username: 'ben', hue: 1, used_hours: 10, allocated_hours: 40, available_hours: 40 }],
  ...change,
});

type FindingOf<K extends Finding['kind']> = Extract<Finding, { kind: K }>;

const findingFields = {
  asset_id: 3,
  asset_name: 'Films',
  currency: 'USD',
  months: 3,
  username: null,
  since: null,
  months_reached: null,
  percentage: null,
  allocated_hours: null,
  yearly_cost: null,
};

/** 75% of three months unused, at $20.00 a month. */
export const anIdleFinding = (change: Partial<FindingOf<'idle'>> = {}): Finding => ({
  ...findingFields,
  kind: 'idle',
  percentage: 75,
  yearly_cost: 180,
  ...change,
});

/** Unused since August 3, 2020, at $15.99 a month. */
export const anUnusedFinding = (change: Partial<FindingOf<'unused'>> = {}): Finding => ({
  ...findingFields,
  kind: 'unused',
  since: '2020-08-03',
  yearly_cost: 191.88,
  ...change,
});

/** Ben used all his hours in two of three months. */
export const aLimitReachedFinding = (change: Partial<FindingOf<'limit_reached'>> = {}): Finding => ({
  ...findingFields,
  kind: 'limit_reached',
  username: 'ben',
  months_reached: 2,
  ...change,
});

/** Ben used 8% of his 120 h. */
export const aLowUseFinding = (change: Partial<FindingOf<'low_use'>> = {}): Finding => ({
  ...findingFields,
  kind: 'low_use',
  username: 'ben',
  percentage: 8,
  allocated_hours: 120,
  ...change,
});

export const list = (...results: object[]) => ({ status: 200, json: { results, next: null } });

interface Lists {
  assets?: object[];
  shares?: object[];
  past?: object[];
  statements?: object[];
  balances?: object[];
}

/** Serves the lists of the dashboard and nothing else. */
export const serveLists = ({ assets = [], shares = [], past = [], statements = [], balances = [] }: Lists) => {
  const lists = new Map([
    ['/api/assets/', assets],
    ['/api/shared-assets/', shares],
    ['/api/shared-assets/?status=past', past],
    ['/api/statements/', statements],
    ['/api/statements/?role=member&proposed=include', statements],
    ['/api/balances/', balances],
    ['/api/deposits/', []],
  ]);
  return ({ path }: Received) => {
    if (path.startsWith('/api/notifications/?')) return { status: 200, json: { results: [], next: null, unread: 0 } };
    if (path === '/api/notifications/choices/') return list();
    if (path === '/api/me/sign-ins/') return { status: 200, json: { sign_ins: [] } };
    if (path.startsWith('/api/me/security-events/')) return list();
    if (path === '/api/me/access-tokens/') return { status: 200, json: { access_tokens: [] } };
    if (path === '/api/me/passkeys/') return { status: 200, json: { passkeys: [] } };
    if (path === '/api/me/two-step/') return { status: 200, json: { since: null, recovery_codes_left: 0 } };
    const results = lists.get(path);
    return results ? list(...results) : { status: 404 };
  };
};

/** What Ben owes Mira for Films in October. */
export const aCharge = ({ amount = 5, direction = 'they_owe', ...change }: Partial<BalanceLine> = {}): BalanceLine => ({
  id: 1,
  asset_id: 3,
  asset_name: 'Films',
  month: '2026-10',
  amount,
  open_amount: amount,
  sent_amount: 0,
  direction,
  your_mark: direction === 'they_owe' ? 'paid' : 'sent',
  status: 'due',
  status_since: null,
  ...change,
});

/** Mira's balance with Ben, with the sums of its lines. */
export function aBalance({ lines = [aCharge()], ...change }: Partial<Balance> = {}): Balance {
  const sum = (direction: BalanceLine['direction']) =>
    lines.reduce((total, line) => (line.direction === direction ? total + line.open_amount : total), 0);
  return {
    username: 'ben',
    hue: 1,
    account_deleted: false,
    they_owe: sum('they_owe'),
    you_owe: sum('you_owe'),
    net: sum('they_owe') - sum('you_owe'),
    they_sent: 0,
    you_sent: 0,
    currency: 'USD',
    lines,
    payment_details: null,
    ...change,
  };
}

/** Ben's payment of $5.00 to Mira, which she recorded. */
export const aSettlement = ({ amount = 5, ...change }: Partial<Settlement> = {}): Settlement => ({
  id: 9,
  username: 'ben',
  direction: 'they_paid',
  amount,
  currency: 'USD',
  settled_at: '2026-11-05T12:00:00.000Z',
  recorded_by: 'mira',
  status: 'paid',
  confirmed_at: '2026-11-05T12:00:00.000Z',
  undone_at: null,
  undo_asked_by: null,
  events: [{ kind: 'paid', username: 'mira', at: '2026-11-05T12:00:00.000Z' }],
  can: { confirm: false, reject: false, undo: 'alone', withdraw: false },
  lines: [
    {
      id: 1,
      asset_id: 3,
      asset_name: 'Films',
      month: '2026-10',
      amount,
      covered_amount: amount,
      direction: 'they_owe',
    },
  ],
  ...change,
});
