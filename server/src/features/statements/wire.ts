import { hueOf, toHours } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import type {
  Explanation,
  MarkedLine,
  SplitLine,
  Statement,
  StatementLine,
  UseSource,
} from '@hourshare/contract/statements';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { toNextPrice } from '../periods/prices/service.ts';
import { owedCents, type NewLine, type NewStatement } from './closing/store.ts';
import { costLines, splitCosts, type CostPart } from './costs/rules.ts';
import { closedCosts, openCosts, toLineCosts, toStatementCosts } from './costs/wire.ts';
import { costsMore, toWireTerms, type AgreedTerms } from '../assets/terms/service.ts';
import { explainLines, type ExplainedPart } from './explaining/rules.ts';
import { daysInMonth, maximumOf, secondsOfSummedHours, splitPeriod, usedSeconds, type PeriodToSplit } from './rules.ts';
import type { RecordedUse, StoredLine } from './sql.ts';
import type { AnyPeriod, ClosedPeriod, OpenPeriod } from './store.ts';

// Converts stored periods and lines to those of the rules and of the contract.

const toTerms = (period: AnyPeriod): PeriodToSplit['terms'] => ({
  method: period.split_method,
  basePercent: period.base_percent,
  ownerHours: period.owner_hours,
  maxHourCents: period.max_hour_cents,
  ownerTakesPart: period.owner_takes_part,
  measured: period.measured,
});

const toPeriodToSplit = (period: OpenPeriod): PeriodToSplit => ({
  month: period.month,
  priceCents: period.price_cents,
  terms: toTerms(period),
  ownerId: period.owner_id,
  ownerUsedSeconds: period.owner_seconds,
  totalHours: period.total_hours,
  places: period.places,
  members: period.members,
});

/** Returns the usernames of a period's lines in order: the owner, then the members. */
const participantNames = ({ owner, members }: OpenPeriod): string[] => [
  owner,
  ...members.map(({ username }) => username),
];

/** Splits a period. Returns its lines under the given names, the owner's first. */
export function splitLines(period: PeriodToSplit, names: readonly string[]): (NewLine & { userId: number })[] {
  return splitPeriod(period).map((line, index) => {
    const member = period.members[index - 1];
    return {
      ...line,
      username: names[index] ?? '',
      allocationHours: member?.allocationHours ?? period.terms.ownerHours,
      usedSeconds: member?.usedSeconds ?? period.ownerUsedSeconds,
      days: member?.days ?? 0,
      summedHours: member?.summedHours ?? period.terms.ownerHours * daysInMonth(period.month),
      agreed: member?.agreed ?? null,
      lowestPriceCents: member?.lowestPriceCents ?? null,
      costCents: 0,
      paidCents: 0,
    };
  });
}

/** Splits an open period with its costs. Returns its lines, the owner's first, and the parts of each cost that counts. */
export function splitOpenPeriod(period: OpenPeriod): { lines: (NewLine & { userId: number })[]; parts: CostPart[][] } {
  const toSplit = toPeriodToSplit(period);
  const counted = period.costs.filter(({ status }) => status === 'counted');
  const costLimits = period.members.map(({ agreed }) =>
    agreed ? Math.min(agreed.extraCostCents, period.extra_cost_cents) : null,
  );
  const parts = splitCosts({ ...toSplit, costLimits }, counted);
  const extra = costLines(toSplit, counted, parts);
  const lines = splitLines(toSplit, participantNames(period)).map((line, index) => ({ ...line, ...extra[index] }));
  return { lines, parts };
}

/** Returns a period that was just closed, with the ids of its new rows. */
export function toClosedPeriod(
  { period, lines, costs }: NewStatement,
  ids: { asset_id: number; month: string; statement_id: number; line_id: number; username: string }[],
  { removed, now }: { removed: readonly number[]; now: Date },
): ClosedPeriod {
  const rows = ids.filter((row) => row.asset_id === period.asset_id && row.month === period.month);
  const lineIds = new Map(rows.map((row) => [row.username, row.line_id]));
  return {
    ...period,
    asset_id: removed.includes(period.asset_id) ? null : period.asset_id,
    id: rows[0]?.statement_id ?? 0,
    cycle_cents: null,
    plan: null,
    next_price: null,
    owner_seconds: null,
    owner_recorded: null,
    members: null,
    costs,
    lines: lines.map((line) => ({
      id: lineIds.get(line.username) ?? 0,
      month: period.month,
      user_id: line.userId,
      username: line.username,
      role: line.role,
      allocation_hours: line.allocationHours,
      used_seconds: line.usedSeconds,
      sources: line.recorded,
      days: line.days,
      summed_hours: line.summedHours,
      agreed: line.agreed,
      lowest_price_cents: line.lowestPriceCents,
      covered_cents: line.coveredCents,
      base_cents: line.baseCents,
      odd_cents: line.oddCents,
      cost_cents: line.costCents,
      paid_cents: line.paidCents,
      amount_cents: owedCents(line),
      place: line.place,
      sent_cents: 0,
      settled_cents: 0,
      marked_sent: false,
      marked_paid: line.objectedAt !== null,
      since: line.objectedAt && now.toISOString(),
      objected_at: line.objectedAt,
    })),
  };
}

/** Returns the statement a user may see: the owner and co-managers see every line, a member only their own. */
export function toStatement(period: AnyPeriod, userId: number, now: Date): Statement {
  const readerId = period.managed && period.owner_id !== null ? period.owner_id : userId;
  const header = { ...toHeader(period), edited_sessions: toEditedSessions(period, { userId, readerId }) };
  return period.lines === null
    ? toEstimate(period, readerId, header, now)
    : toClosedStatement(period, readerId, header);
}

const toExplanation = ({ priceCents, amountCents, ...part }: ExplainedPart, currency: string): Explanation => ({
  ...part,
  price: toAmount(priceCents, currency),
  amount: toAmount(amountCents, currency),
});

export const toSplitLine = (line: NewLine, { month, currency }: { month: string; currency: string }): SplitLine => {
  const maximum = maximumOf(line, month);
  return {
    username: line.username,
    hue: line.userId === null ? null : hueOf(line.userId),
    role: line.role,
    used_hours: toHours(line.usedSeconds),
    used_seconds: line.usedSeconds,
    allocated_hours: line.allocationHours,
    available_seconds: secondsOfSummedHours(line.summedHours, month),
    days: line.days,
    summed_hours: line.summedHours,
    amount: toAmount(owedCents(line), currency),
    price_amount: toAmount(line.amountCents, currency),
    costs_amount: toAmount(line.costCents, currency),
    costs_paid: toAmount(line.paidCents, currency),
    base_amount: toAmount(line.baseCents, currency),
    odd_cents: line.oddCents,
    agreed: line.agreed && toWireTerms(line.agreed, currency),
    maximum: maximum === null ? null : toAmount(maximum, currency),
    covered: toAmount(line.coveredCents, currency),
  };
};

const toHeader = (period: AnyPeriod) => ({
  asset_id: period.asset_id,
  asset_name: period.asset_name,
  owner: period.owner,
  month: period.month,
  ends_at: period.ends_at.toISOString(),
  closes_at: period.closes_at.toISOString(),
  deleted_at: period.deleted_at?.toISOString() ?? null,
  unbilled: period.unbilled,
  price: toAmount(period.price_cents, period.currency),
  renewal: period.renewal,
  price_parts: (period.price_parts ?? []).map(({ cycle_cents: price, cents, so_far_cents: soFar, ...part }) => ({
    ...part,
    cycle_price: toAmount(price, period.currency),
    amount: toAmount(cents, period.currency),
    so_far: toAmount(soFar, period.currency),
  })),
  price_changes: period.price_changes.map((change) => ({
    at: toInstant(change.changed_at),
    from: toAmount(change.from_cents, period.currency),
    to: toAmount(change.to_cents, period.currency),
  })),
  next_price: period.next_price && toNextPrice(period.next_price, period.currency),
  silences: period.silences.map(({ meter, since, until }) => ({
    meter,
    since: toInstant(since),
    until: toInstant(until),
  })),
  currency: period.currency,
  split_method: period.split_method,
  base_percent: period.base_percent,
  owner_hours: period.owner_hours,
  max_price_per_hour: period.max_hour_cents === null ? null : toAmount(period.max_hour_cents, period.currency),
  owner_takes_part: period.owner_takes_part,
  measured: period.measured,
  total_hours: period.total_hours,
  places: period.places,
});

/** Only the user's own answer is waited for, also if they see what another does. */
const toEditedSessions = (
  period: AnyPeriod,
  { userId, readerId }: { userId: number; readerId: number },
): Statement['edited_sessions'] =>
  period.edited_sessions
    .filter((session) => isShownTo(period, readerId, session))
    .map(({ session_id, username, by_owner, kind, objection, objected_by, request, ...session }) => ({
      session_id,
      username,
      by_owner,
      kind,
      at: toInstant(session.at),
      recorded_start: toInstant(session.recorded_start),
      recorded_end: toInstant(session.recorded_end),
      start_time: session.started_at && toInstant(session.started_at),
      end_time: session.ended_at && toInstant(session.ended_at),
      objection,
      objected_by,
      request: request && {
        status: request.status,
        requested_at: toInstant(request.requested_at),
        start_time: request.started_at && toInstant(request.started_at),
        end_time: request.ended_at && toInstant(request.ended_at),
        waits_for_you: request.waits_for.includes(userId),
      },
    }));

/**
 * Whether a user sees that a session was edited: the owner, or whose line it counts in, also if that was someone else's before. With
 * `share_of_use`, it counts in all lines.
 */
const isShownTo = (period: AnyPeriod, userId: number, session: AnyPeriod['edited_sessions'][number]): boolean =>
  period.split_method === 'share_of_use' ||
  period.owner_id === userId ||
  session.member_id === userId ||
  (period.lines?.some((line) => line.user_id === userId && line.username === session.username) ?? false);

const toInstant = (at: string): string => new Date(at).toISOString();

type Header = ReturnType<typeof toHeader> & Pick<Statement, 'edited_sessions'>;

function toEstimate(period: OpenPeriod, userId: number, header: Header, now: Date): Statement {
  const periodToSplit = toPeriodToSplit(period);
  const { lines, parts } = splitOpenPeriod(period);
  const explanations = explainLines(periodToSplit, lines);
  const costs = openCosts(period, parts);
  return {
    ...header,
    costs: toStatementCosts(costs, {
      position: lines.findIndex((line) => line.userId === userId),
      names: participantNames(period),
      currency: period.currency,
      hadAccess: (id) =>
        period.costs.find((cost) => cost.id === id)?.access.some((each) => each.userId === userId) ?? false,
    }),
    ended: period.ended,
    closed: false,
    used_seconds: usedSeconds(periodToSplit),
    lines: lines
      .map((line, index) => ({
        ...line,
        explanation: explanations[index] ?? [],
        costs: toLineCosts(costs, index, period.currency),
      }))
      .filter((line) => period.owner_id === userId || line.userId === userId)
      .map((line) => ({
        id: null,
        ...toSplitLine(line, period),
        sources: toSources(line.usedSeconds, recordedOf(period, line.userId)),
        asked: isAsked(period, line.userId, now),
        confirmed_at: toMoment(period, line.userId, 'confirmedAt'),
        explanation: line.explanation.map((part) => toExplanation(part, period.currency)),
        costs: line.costs,
        status: null,
        status_since: null,
        objected_at: toMoment(period, line.userId, 'objectedAt'),
        settled: false,
        paid_amount: null,
        open_amount: null,
        sent_amount: null,
      })),
  };
}

const recordedOf = ({ members, owner_recorded: own }: OpenPeriod, userId: number): RecordedUse =>
  members.find((member) => member.userId === userId)?.recorded ?? own;

/** Adds what was pressed to what was recorded otherwise. */
function toSources(usedSeconds: number, recorded: RecordedUse): UseSource[] {
  const pressed = usedSeconds - recorded.reduce((sum, { seconds }) => sum + seconds, 0);
  return [...recorded, { source: 'pressed' as const, meter: null, seconds: pressed }]
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => other.seconds - one.seconds);
}

/** Returns whether a member is asked to agree to what a running period costs them, and can. */
function isAsked(period: OpenPeriod, userId: number, now: Date): boolean {
  const member = period.members.find((each) => each.userId === userId);
  if (period.ended || !member?.agreed || !member.canAgree) return false;
  const terms: AgreedTerms = {
    method: period.split_method,
    basePercent: period.base_percent,
    priceCents: period.cycle_cents,
    plan: period.plan,
    totalHours: period.total_hours,
    places: period.places,
    monthlyHours: member.allocationHours,
    maxHourCents: period.max_hour_cents,
    extraCostCents: period.extra_cost_cents,
  };
  return costsMore(terms, member.agreed, now);
}

function toMoment({ members }: OpenPeriod, userId: number, name: 'confirmedAt' | 'objectedAt'): string | null {
  const at = members.find((member) => member.userId === userId)?.[name] ?? null;
  return at && toInstant(at);
}

function toClosedStatement(period: ClosedPeriod, userId: number, header: Header): Statement {
  const split = closedSplit(period);
  const explanations = explainLines(split.period, split.lines);
  const costs = closedCosts(period);
  const position = period.owner_id === userId ? 0 : period.lines.findIndex((line) => line.user_id === userId);
  return {
    ...header,
    costs: toStatementCosts(costs, {
      position,
      names: split.names,
      currency: period.currency,
      hadAccess: (id) => (costs.find((cost) => cost.id === id)?.parts?.[position]?.standing ?? 'out') !== 'out',
    }),
    ended: true,
    closed: true,
    used_seconds: usedSeconds(split.period),
    lines: period.lines
      .map((line, index) => ({ line, index, explanation: explanations[index] ?? [] }))
      .filter(({ line }) => period.owner_id === userId || line.user_id === userId)
      .map(({ line, index, explanation }) => ({
        ...toMarkedLine(line, period.currency),
        costs: toLineCosts(costs, index, period.currency),
        explanation: explanation.map((part) => toExplanation(part, period.currency)),
      })),
  };
}

type LinePayment = Pick<StoredLine, 'amount_cents' | 'sent_cents' | 'settled_cents' | 'marked_sent' | 'marked_paid'>;

/** Returns whether payments, confirmed or not, cover all of a closed line. */
export const isCovered = ({ amount_cents, sent_cents, settled_cents }: LinePayment): boolean =>
  amount_cents !== 0 && sent_cents + settled_cents === Math.abs(amount_cents);

/** Returns whether a closed line is due, sent or paid. A line that payments cover in part is due. */
export function lineStatus(line: LinePayment): 'due' | 'sent' | 'paid' {
  if (line.marked_paid || (isCovered(line) && line.sent_cents === 0)) return 'paid';
  return line.marked_sent || isCovered(line) ? 'sent' : 'due';
}

/** Returns what is still owed of a closed line, in either direction, in minor units. What was sent but not confirmed is still owed. */
const openCents = ({ amount_cents, settled_cents, marked_paid }: LinePayment): number =>
  marked_paid ? 0 : Math.abs(amount_cents) - settled_cents;

const fromStoredLine = (line: StoredLine): NewLine => ({
  userId: line.user_id,
  username: line.username,
  role: line.role,
  allocationHours: line.allocation_hours,
  usedSeconds: line.used_seconds,
  days: line.days,
  summedHours: line.summed_hours,
  agreed: line.agreed,
  lowestPriceCents: line.lowest_price_cents,
  coveredCents: line.covered_cents,
  baseCents: line.base_cents,
  oddCents: line.odd_cents,
  amountCents: line.amount_cents - line.cost_cents + line.paid_cents,
  costCents: line.cost_cents,
  paidCents: line.paid_cents,
});

/** Returns a closed line with its status, without its explanation. */
export const toMarkedLine = (line: StoredLine, currency: string): MarkedLine => {
  const amountOf = (cents: number) => (line.role === 'owner' ? null : toAmount(cents, currency));
  const open = openCents(line);
  return {
    id: line.id,
    ...toSplitLine(fromStoredLine(line), { month: line.month, currency }),
    sources: toSources(line.used_seconds, line.sources),
    asked: false,
    confirmed_at: null,
    status: line.role === 'owner' ? null : lineStatus(line),
    status_since: line.since === null ? null : new Date(line.since).toISOString(),
    objected_at: line.objected_at === null ? null : new Date(line.objected_at).toISOString(),
    settled: isCovered(line) && line.sent_cents === 0,
    paid_amount: amountOf(Math.abs(line.amount_cents) - open),
    open_amount: amountOf(open),
    sent_amount: amountOf(Math.min(line.sent_cents, open)),
  };
};

/** A period and its lines under its own terms; `period` allows trying others. */
interface PeriodSplit {
  period: PeriodToSplit;
  names: string[];
  currency: string;
  lines: NewLine[];
}

export const toPeriodSplit = (period: AnyPeriod): PeriodSplit =>
  period.lines === null ? openSplit(period) : closedSplit(period);

const openSplit = (openPeriod: OpenPeriod): PeriodSplit => {
  const [period, names] = [toPeriodToSplit(openPeriod), participantNames(openPeriod)];
  return { period, names, currency: openPeriod.currency, lines: splitLines(period, names) };
};

function closedSplit(closedPeriod: ClosedPeriod): PeriodSplit {
  // What costs add isn't part of what the terms give.
  const lines = closedPeriod.lines.map((line) => ({ ...fromStoredLine(line), costCents: 0, paidCents: 0 }));
  const period: PeriodToSplit = {
    month: closedPeriod.month,
    priceCents: closedPeriod.price_cents,
    terms: toTerms(closedPeriod),
    // Deleted accounts have no id: each gets its own.
    ownerId: closedPeriod.owner_id ?? Number.MAX_SAFE_INTEGER,
    ownerUsedSeconds: lines[0]?.usedSeconds ?? 0,
    totalHours: closedPeriod.total_hours,
    places: closedPeriod.places,
    members: lines.slice(1).map((line, index) => ({
      ...line,
      userId: line.userId ?? Number.MAX_SAFE_INTEGER - 1 - index,
    })),
    positions: closedPeriod.lines.map(({ place }) => place),
  };
  return { period, names: lines.map(({ username }) => username), currency: closedPeriod.currency, lines };
}

const secondsBy = ({ sources }: StatementLine, by: UseSource['source']): number =>
  sources.reduce((sum, { source, seconds }) => sum + (source === by ? seconds : 0), 0);

/** Returns what a cycle adds to a price, as '2026-03-14: 30 of 365 days of 120 = 9.86'. */
const toPartText = (part: Statement['price_parts'][number]): string =>
  `${part.cycle_from}: ${part.days} of ${part.cycle_days} days of ${part.cycle_price} = ${part.amount}`;

/** Returns a row for each line of the statements, with the same columns for every month and asset. */
const statementsTable = (
  name: readonly string[],
  statements: readonly Statement[],
  next: string | null = null,
): Table =>
  tableOf(
    name,
    statements.flatMap((statement) => statement.lines.map((line) => ({ statement, line }))),
    {
      asset_name: ({ statement }) => statement.asset_name,
      owner: ({ statement }) => statement.owner,
      month: ({ statement }) => statement.month,
      closed: ({ statement }) => statement.closed,
      closes_at: ({ statement }) => statement.closes_at,
      price: ({ statement }) => statement.price,
      currency: ({ statement }) => statement.currency,
      split_method: ({ statement }) => statement.split_method,
      base_percent: ({ statement }) => statement.base_percent,
      owner_hours: ({ statement }) => statement.owner_hours,
      max_price_per_hour: ({ statement }) => statement.max_price_per_hour,
      total_hours: ({ statement }) => statement.total_hours,
      places: ({ statement }) => statement.places,
      username: ({ line }) => line.username,
      role: ({ line }) => line.role,
      used_hours: ({ line }) => line.used_hours,
      allocated_hours: ({ line }) => line.allocated_hours,
      days: ({ line }) => line.days,
      summed_hours: ({ line }) => line.summed_hours,
      used_seconds: ({ line }) => line.used_seconds,
      available_seconds: ({ line }) => line.available_seconds,
      amount: ({ line }) => line.amount,
      base_amount: ({ line }) => line.base_amount,
      odd_cents: ({ line }) => line.odd_cents,
      maximum: ({ line }) => line.maximum,
      covered: ({ line }) => line.covered,
      status: ({ line }) => line.status,
      status_since: ({ line }) => line.status_since,
      settled: ({ line }) => line.settled,
      paid_amount: ({ line }) => line.paid_amount,
      open_amount: ({ line }) => line.open_amount,
      sent_amount: ({ line }) => line.sent_amount,
      ends_at: ({ statement }) => statement.ends_at,
      deleted_at: ({ statement }) => statement.deleted_at,
      unbilled: ({ statement }) => statement.unbilled,
      added_seconds: ({ line }) => secondsBy(line, 'added'),
      metered_seconds: ({ line }) => secondsBy(line, 'metered'),
      price_parts: ({ statement }) => statement.price_parts.map(toPartText).join('; '),
      price_amount: ({ line }) => line.price_amount,
      costs_amount: ({ line }) => line.costs_amount,
      costs_paid: ({ line }) => line.costs_paid,
    },
    next,
  );

export const statementTable = (statement: Statement): Table =>
  statementsTable(['statement', statement.asset_name, statement.month], [statement]);

export const assetStatementsTable = ({ results, next }: Page<Statement>): Table =>
  statementsTable(['statements', results[0]?.asset_name ?? ''], results, next);

export const monthStatementsTable = ({ results, next }: Page<Statement>): Table =>
  statementsTable(['statements', results[0]?.month ?? ''], results, next);
