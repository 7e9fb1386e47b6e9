import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { DatabaseConnection, QueryResult, RawBuilder } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from './platform/database/database.ts';
import * as guests from './features/accounts/guests/sql.ts';
import * as analytics from './features/analytics/store.ts';
import * as plans from './features/assets/plans/sql.ts';
import * as assets from './features/assets/sql.ts';
import { managedAssets } from './features/assets/store.ts';
import { readDeposits } from './features/deposits/store.ts';
import * as meters from './features/meters/sql.ts';
import * as notices from './features/notifications/notices/sql.ts';
import * as outbox from './features/outbox/sql.ts';
import * as periods from './features/periods/sql.ts';
import { extendPeriods, setTimeZone } from './features/periods/upkeep/store.ts';
import { readAssetSessions, readSessions } from './features/sessions/log/store.ts';
import { endSession, insertSession } from './features/sessions/presses/store.ts';
import * as sessions from './features/sessions/sql.ts';
import { openBalances, readSettlements } from './features/settlements/store.ts';
import * as agreements from './features/shares/agreements/sql.ts';
import { setAllowance } from './features/shares/allowances/store.ts';
import { endShares, openShares } from './features/shares/endings/store.ts';
import * as costs from './features/costs/sql.ts';
import * as handovers from './features/shares/handovers/sql.ts';
import { acceptOffer, insertShare, lockOffersTo } from './features/shares/offers/store.ts';
import { claimedAssets, claimedMonths } from './features/shares/people/store.ts';
import * as shares from './features/shares/sql.ts';
import { readShares } from './features/shares/store.ts';
import * as statements from './features/statements/sql.ts';
import { readPeriods } from './features/statements/store.ts';
import * as usage from './features/usage/sql.ts';
import { rebuildDays } from './features/usage/store.ts';

// Shows in review what a change does to SQL: every expression that stores share, and the statements that are put together from
// them, in which a call stands for the text of an expression.

const NOW = new Date('2026-03-15T12:00:00Z');
const [USER, ASSET, SHARE, LIMIT] = [700_001, 700_002, 700_003, 700_004];
const NAMES = new Map<unknown, string>([
  [NOW, 'now'],
  [USER, 'user'],
  [ASSET, 'asset'],
  [SHARE, 'share'],
  [LIMIT, 'limit'],
]);

const nameOf = (value: unknown): string =>
  NAMES.get(value) ?? JSON.stringify(value, (_, each: unknown) => NAMES.get(each) ?? each).replaceAll('"', '');

/** Puts names and values in the place of parameters, and joins lines that a template broke in the middle. */
const withValues = (text: string, parameters: readonly unknown[]): string =>
  text
    .replaceAll(/\$(\d+)/g, (_, index: string) => `{${nameOf(parameters[Number(index) - 1])}}`)
    .replaceAll(/"([a-z_]+)"/g, '$1')
    .replaceAll(/^\s*\n/gm, '')
    .replaceAll(/ \n\s*/g, ' ')
    .trim();

const compiler = new PostgresQueryCompiler();
const render = (expression: RawBuilder<unknown>): string => {
  const { sql: text, parameters } = compiler.compileQuery(expression.toOperationNode(), { queryId: 'rendered' });
  return withValues(text, parameters);
};

const isExpression = (value: unknown): value is RawBuilder<unknown> =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

/** The arguments with which to render each function of a file; the type checker misses none. */
type Arguments<File> = {
  [Name in keyof File as File[Name] extends (...values: never[]) => unknown ? Name : never]: File[Name] extends (
    ...values: infer Values
  ) => unknown
    ? Values
    : never;
};

const expressions: [call: string, text: string][] = [];
let files = 0;

function add<File extends object>(file: File, values: Arguments<File>): void {
  files++;
  for (const [name, exported] of Object.entries(file)) {
    const given = (values as Record<string, unknown[]>)[name] ?? [];
    const result: unknown =
      typeof exported === 'function' ? (exported as (...all: unknown[]) => unknown)(...given) : exported;
    const call =
      given.length === 0
        ? name
        : `${name}(${given.map((each) => (isExpression(each) ? render(each) : nameOf(each))).join(', ')})`;
    if (isExpression(result)) expressions.push([call, render(result)]);
    else
      for (const [key, each] of Object.entries(result as object))
        expressions.push([`${call}.${key}`, render(each as RawBuilder<unknown>)]);
  }
}

const rows = sql`ended`;
// Types alone.
add(plans, {});
add(assets, {
  belongsTo: ['a', USER],
  isOwnedBy: ['a', USER],
  isCoManagedBy: ['a', USER],
  actsFor: ['a', USER, sql`p.owner_id`],
  isKeptFor: ['a', USER],
  belongsToManager: ['a', USER],
  isManagedBy: ['a', USER],
});
const now = sql`${NOW}::timestamptz`;
const share = { shareId: SHARE, memberId: USER };
const managed = { userId: USER, assetId: ASSET, shareId: SHARE };
add(periods, {
  termColumns: ['p'],
  termValues: [
    {
      split_method: 'share_of_use',
      base_percent: 1,
      owner_hours: 2,
      max_session_hours: 3,
      max_hour_cents: 4,
      extra_cost_cents: 5,
      owner_takes_part: true,
      measured: true,
      max_hour_chosen: true,
    },
  ],
  periodAt: ['a', sql`instant`],
  currentPeriod: ['a', NOW],
  hasOwned: ['a', USER],
  ownerDuring: ['a', sql`condition`],
  ownerAt: ['a', now],
  ownedTimes: ['a', USER],
  priceInForce: [ASSET, NOW],
  sharedDuringPeriod: ['sh', 'p'],
  canAnswer: ['sh'],
  isDayOfPeriod: ['p', sql`d.day`],
  dateInPeriod: ['p', now],
  closesAt: ['p'],
  isDue: ['p', NOW],
  archivedThroughout: ['a', 'p'],
  hasPlanEnded: ['a', NOW],
  nextTerms: ['p', 'next'],
  pricePerCycle: ['p'],
  renewalIn: ['p'],
  nextPrice: ['a', 'p'],
  priceChanges: ['p'],
  currentMonth: [ASSET, NOW],
  termsOf: ['following'],
});
add(shares, {
  offerExpiry: ['sh'],
  isAgreedShare: ['sh'],
  isExpiredOffer: ['sh', NOW],
  isOpenShare: ['sh', NOW],
  accessFrom: ['a', 'sh', NOW],
  periodOfAccess: ['a', 'sh', NOW],
  startsLater: ['a', 'sh', NOW],
  pricing: ['a', 'p'],
  isUnconfirmed: ['sh'],
  memberCount: ['a'],
  isOpenInvitation: ['a', 'i', NOW],
  accessOnDay: ['a', 'p', sql`day`],
  accessInPeriod: ['p', sql`condition`],
  fullestMoment: ['a', 'p'],
  presentLevel: ['a', 'p'],
  mayManageShare: ['a', 'sh', USER],
  isShareOfMember: ['sh', share, NOW],
  isOpenShareOf: ['sh', managed, NOW, sql<boolean>`condition`],
  isManageableShare: ['sh', managed, NOW],
  countedBy: ['sh', NOW],
  metersOf: ['a'],
});
add(agreements, {
  termsAsJson: ['terms'],
  termsAt: ['p', 'sh', { totalHours: sql`1`, places: sql`1` }],
  shownTerms: ['a', 'p', 'sh'],
  lastAgreement: ['a', 'p', 'each'],
  agreedOfShare: ['sh'],
  shownByOffer: ['a', 'sh'],
});
add(costs, {
  lastVersion: ['c'],
  hasProposals: ['p'],
  costsOfPeriod: ['a', 'p'],
});
add(handovers, {
  termsToAgree: ['a', 'p', 'h'],
  isAcceptedFor: ['a', 'p', 'h'],
  isHandoverDue: ['a', NOW],
  isExpiredHandover: ['a', 'h', NOW],
  isHandedOver: ['a'],
  handoverOfAsset: ['a', 'p', NOW],
  handoverToShare: ['a', 'p', 'sh', NOW],
  nextOwner: ['a', 'p', NOW],
});
add(usage, {
  sessionEnd: ['s', NOW],
  cutIntoDays: [rows],
  addUse: [rows],
  subtractUse: [rows],
  changeDay: [{ shareId: SHARE, day: '2026-03-10', before: 60, after: 90 }],
  usedInPeriod: ['sh', 'p', NOW],
  recordedParts: ['p', NOW],
  recordedInPeriod: [sql`sh.member_id = each.member_id`, 'p', NOW],
  isUsed: ['a'],
  lastUsedAt: ['sh', NOW],
});
add(sessions, {
  firstPeriodOf: [sql`a.id`, sql`s.started_at`],
  disputedPeriod: [{ assetId: sql`a.id`, recorded: sql`recorded`, counted: sql`counted` }],
  objectionsEnd: ['p'],
  isAccepted: [sql`s.id`, sql`s.edited_at`],
  lastObjection: ['a', 'page'],
  whoAccepts: ['r', NOW],
  lastRequest: ['page', NOW],
  editedSessions: ['p', NOW],
  isActive: ['s', NOW],
  acceptedShare: ['a', 'sh', share],
  anyOwnShare: ['sh', share],
  openShare: ['a', 'sh', share, NOW],
  wholeSession: [SHARE],
});
add(meters, { silencesInPeriod: ['p', NOW], silencesOfMeter: ['m', { since: sql`since`, now: NOW }] });
add(statements, {
  lineSince: ['l'],
  assetScope: [ASSET],
  isAmong: [[ASSET]],
  wasSharedWith: [USER],
  ownerScope: [USER, ASSET],
  userScope: [USER, { role: 'member', proposals: true }],
  isStatement: [[ASSET]],
});
add(notices, { canBeNotified: ['u'], noticeColumns: ['n', 'actor'] });
add(guests, { renamedGuest: [sql`m.username`, { from: 'ana', to: 'ben' }] });
add(outbox, {
  addMessages: [rows, { kind: 'session.started', data: sql`'{}'`, happenedAt: NOW }],
  deleteMessages: [[1]],
});

/** Records statements, and answers each with one empty row, so that what comes after the first is sent, too. */
async function statementsOf(call: (db: Database) => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const connection = {
    executeQuery: ({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      sent.push(withValues(text, parameters));
      return Promise.resolve({ rows: [{}] } satisfies QueryResult<unknown>);
    },
  } as unknown as DatabaseConnection;
  class RecordingDriver extends DummyDriver {
    override acquireConnection = () => Promise.resolve(connection);
  }
  const db: Database = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RecordingDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => compiler,
    },
  });
  // An empty row is none that the store expects.
  await call(db).catch(() => undefined);
  return sent;
}

const page = { now: NOW, limit: LIMIT };
const statementsByName: Record<string, (db: Database) => Promise<unknown>> = {
  managedAssets: (db) => managedAssets(db, { userId: USER, ...page }),
  readShares: (db) => readShares(db, { memberId: USER, ...page }),
  lockOffersTo: (db) => lockOffersTo(db, { assetId: ASSET, memberId: USER, ownerId: USER, userId: USER, now: NOW }),
  insertShare: (db) =>
    insertShare(db, { assetId: ASSET, ownerId: USER, memberId: USER, allocationHours: 10, accepted: true, now: NOW }),
  acceptOffer: (db) => acceptOffer(db, SHARE, NOW),
  setAllowance: (db) => setAllowance(db, managed, { allocationHours: 10, now: NOW }),
  endShares: (db) => endShares(db, openShares.managed(managed, NOW), NOW),
  claimedAssets: (db) => claimedAssets(db, USER, NOW),
  claimedMonths: (db) => claimedMonths(db, USER, NOW),
  extendPeriods: (db) => extendPeriods(db, [ASSET], NOW),
  setTimeZone: (db) => setTimeZone(db, { assetId: ASSET, timeZone: 'Europe/Berlin', now: NOW }),
  insertSession: (db) => insertSession(db, share, NOW),
  endSession: (db) => endSession(db, share, NOW),
  rebuildDays: (db) => rebuildDays(db, ASSET, '2026-03-01'),
  readSessions: (db) => readSessions(db, share, { ...page, after: undefined }),
  readAssetSessions: (db) => readAssetSessions(db, { assetId: ASSET, userId: USER }, { ...page, after: undefined }),
  monthOfShare: (db) => analytics.monthOfShare(db, share, { month: undefined, now: NOW }),
  daysOfUse: (db) => analytics.readDays(db, { assetId: ASSET, month: '2026-03', shareIds: [share.shareId] }, NOW),
  monthsOfAsset: (db) => analytics.monthsOfAsset(db, { assetId: ASSET, userId: USER }, { month: '2026-03', now: NOW }),
  readPeriods: (db) => readPeriods(db, statements.userScope(USER), { now: NOW, seenBy: USER, limit: LIMIT }),
  openBalances: (db) => openBalances(db, { userId: USER, limit: LIMIT, after: undefined }),
  readSettlements: (db) => readSettlements(db, { userId: USER, limit: LIMIT }),
  readDeposits: (db) => readDeposits(db, { userId: USER, limit: LIMIT }),
};

/** Puts the calls in the place of the texts of expressions, the longest first. */
const withCalls = (text: string): string =>
  expressions
    .filter(([, each]) => each.length > 60 && each !== text)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .reduce((shorter, [call, each]) => shorter.replaceAll(each, `«${call}»`), text);

it('renders the expressions of every sql.ts', () => {
  const features = readdirSync(join(import.meta.dirname, 'features'), { recursive: true, encoding: 'utf8' });
  expect(files).toBe(features.filter((file) => /\bsql\.ts$/.test(file)).length);
});

it('has SQL as reviewed; if it should change, run "npm run generate" and commit it', async () => {
  const blocks = expressions.map(([call, text]) => `-- ${call}\n${withCalls(text)}`);
  for (const [name, call] of Object.entries(statementsByName)) {
    const sent = await statementsOf(call);
    expect({ name, sent }).not.toEqual({ name, sent: [] });
    blocks.push(...sent.map((text) => `-- statement of ${name}\n${withCalls(text)}`));
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'rendered.sql'));
});
