import type { Explanation, MarkedLine, SplitLine, Statement } from '@hourshare/contract/statements';
import { toAmount, toHours } from '@hourshare/contract/fields';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import {
  availableSeconds,
  explainLines,
  offeredSeconds,
  splitMonth,
  usedSeconds,
  weights,
  type MonthToSplit,
  type PartExplained,
} from './rules.ts';
import type { StoredLine } from './sql.ts';
import type { AnyPeriod, ClosedPeriod, NewLine, NewStatement, OpenPeriod } from './store.ts';

// Months and lines as the contract has them, from what is stored.

export const toSplit = (month: OpenPeriod): MonthToSplit => ({
  month: month.month,
  priceCents: month.price_cents,
  terms: { method: month.split_method, basePercent: month.base_percent, ownerHours: month.owner_hours },
  ownerId: month.owner_id,
  members: month.members,
});

/** Who has a line, in the order of the lines: the owner, then members by username. */
export const namesIn = ({ owner, members }: OpenPeriod): string[] => [
  owner,
  ...members.map(({ username }) => username),
];

export function linesOf(of: MonthToSplit, names: readonly string[]): (NewLine & { userId: number })[] {
  return splitMonth(of).map((line, index) => {
    const member = of.members[index - 1];
    return {
      ...line,
      username: names[index] ?? '',
      allocationHours: member?.allocationHours ?? of.terms.ownerHours,
      usedSeconds: member?.usedSeconds ?? 0,
      days: member?.days ?? 0,
    };
  });
}

/** A period as it was just closed, with the ids that its rows have got. */
export function toClosed(
  { period, offeredSeconds: offered, lines }: NewStatement,
  ids: { asset_id: number; month: string; statement_id: number; line_id: number; username: string }[],
): ClosedPeriod {
  const own = ids.filter((each) => each.asset_id === period.asset_id && each.month === period.month);
  const lineIds = new Map(own.map((each) => [each.username, each.line_id]));
  return {
    ...period,
    id: own[0]?.statement_id ?? 0,
    offered_seconds: offered,
    members: null,
    lines: lines.map((line) => ({
      id: lineIds.get(line.username) ?? 0,
      user_id: line.userId,
      username: line.username,
      role: line.role,
      allocation_hours: line.allocationHours,
      used_seconds: line.usedSeconds,
      days: line.days,
      base_cents: line.baseCents,
      odd_cents: line.oddCents,
      amount_cents: line.amountCents,
      sent: false,
      paid: false,
      settled: false,
      since: null,
    })),
  };
}

/** A month as a user may see it: to its owner with every line, to a member with theirs. */
export const toStatement = (period: AnyPeriod, userId: number): Statement =>
  period.lines === null ? estimate(period, userId) : closedStatement(period, userId);

const SECONDS_PER_HOUR = 3600;

const toExplanation = ({ priceCents, amountCents, ...told }: PartExplained): Explanation => ({
  ...told,
  price: toAmount(priceCents),
  amount: toAmount(amountCents),
});

export const toSplitLine = (line: NewLine): SplitLine => ({
  username: line.username,
  role: line.role,
  used_hours: toHours(line.usedSeconds),
  used_seconds: line.usedSeconds,
  allocated_hours: line.allocationHours,
  available_seconds: line.allocationHours * SECONDS_PER_HOUR,
  days: line.days,
  amount: toAmount(line.amountCents),
  base_amount: toAmount(line.baseCents),
  odd_cents: line.oddCents,
});

/** What each method divides by. */
function dividersOf(
  of: MonthToSplit,
): Pick<Statement, 'offered_hours' | 'used_seconds' | 'available_seconds' | 'allotted_hour_days' | 'shared_days'> {
  const total = (method: 'allocation' | 'equal') => weights(of, method).reduce((sum, weight) => sum + weight, 0);
  return {
    offered_hours: toHours(offeredSeconds(of)),
    used_seconds: usedSeconds(of),
    available_seconds: availableSeconds(of),
    allotted_hour_days: total('allocation'),
    shared_days: total('equal'),
  };
}

function estimate(month: OpenPeriod, userId: number): Statement {
  const split = toSplit(month);
  const lines = linesOf(split, namesIn(month));
  const explained = explainLines(split, lines);
  return {
    asset_id: month.asset_id,
    asset_name: month.asset_name,
    owner: month.owner,
    month: month.month,
    ended: month.ended,
    closed: false,
    closes_at: month.closes_at.toISOString(),
    price: toAmount(month.price_cents),
    currency: month.currency,
    split_method: month.split_method,
    base_percent: month.base_percent,
    owner_hours: month.owner_hours,
    ...dividersOf(split),
    lines: lines
      .map((line, index) => ({ ...line, explanation: explained[index] ?? [] }))
      .filter((line) => month.owner_id === userId || line.userId === userId)
      .map((line) => ({
        id: null,
        ...toSplitLine(line),
        explanation: line.explanation.map(toExplanation),
        status: null,
        status_since: null,
        settled: false,
      })),
  };
}

function closedStatement(month: ClosedPeriod, userId: number): Statement {
  const { of, lines } = triedClosed(month);
  const explained = explainLines(of, lines);
  return {
    asset_id: month.asset_id,
    asset_name: month.asset_name,
    owner: month.owner,
    month: month.month,
    ended: true,
    closed: true,
    closes_at: month.closes_at.toISOString(),
    price: toAmount(month.price_cents),
    currency: month.currency,
    split_method: month.split_method,
    base_percent: month.base_percent,
    owner_hours: month.owner_hours,
    ...dividersOf(of),
    offered_hours: toHours(month.offered_seconds),
    lines: month.lines
      .map((line, index) => ({ line, explanation: explained[index] ?? [] }))
      .filter(({ line }) => month.owner_id === userId || line.user_id === userId)
      .map(({ line, explanation }) => ({ ...markedLine(line), explanation: explanation.map(toExplanation) })),
  };
}

/** Whether a closed line is due, sent or paid. */
export const statusOf = ({ paid, sent, settled }: { paid: boolean; sent: boolean; settled: boolean }) =>
  paid || settled ? 'paid' : sent ? 'sent' : 'due';

const asWritten = (line: StoredLine): NewLine => ({
  userId: line.user_id,
  username: line.username,
  role: line.role,
  allocationHours: line.allocation_hours,
  usedSeconds: line.used_seconds,
  days: line.days,
  baseCents: line.base_cents,
  oddCents: line.odd_cents,
  amountCents: line.amount_cents,
});

/** A closed line as it is told, without its explanation. */
export const markedLine = (line: StoredLine): MarkedLine => ({
  id: line.id,
  ...toSplitLine(asWritten(line)),
  status: line.role === 'owner' ? null : statusOf(line),
  status_since: line.since === null ? null : new Date(line.since).toISOString(),
  settled: line.settled,
});

/** A month that other terms are tried on, and how it is split as it stands. */
interface TriedMonth {
  of: MonthToSplit;
  names: string[];
  currency: string;
  lines: NewLine[];
}

export const toTried = (period: AnyPeriod): TriedMonth =>
  period.lines === null ? triedOpen(period) : triedClosed(period);

const triedOpen = (month: OpenPeriod): TriedMonth => {
  const [of, names] = [toSplit(month), namesIn(month)];
  return { of, names, currency: month.currency, lines: linesOf(of, names) };
};

function triedClosed(month: ClosedPeriod): TriedMonth {
  const lines = month.lines.map(asWritten);
  const of: MonthToSplit = {
    month: month.month,
    priceCents: month.price_cents,
    terms: { method: month.split_method, basePercent: month.base_percent, ownerHours: month.owner_hours },
    // An account that is gone has no id left: it stands behind those that are there, each apart.
    ownerId: month.owner_id ?? Number.MAX_SAFE_INTEGER,
    members: lines
      .slice(1)
      .map((line, index) => ({ ...line, userId: line.userId ?? Number.MAX_SAFE_INTEGER - 1 - index })),
  };
  return { of, names: lines.map(({ username }) => username), currency: month.currency, lines };
}

/** Statements with a row for each line, all months and assets under the same names. */
const statementsTable = (
  name: readonly string[],
  statements: readonly Statement[],
  next: string | null = null,
): Table =>
  tableOf(
    name,
    statements.flatMap((of) => of.lines.map((line) => ({ of, line }))),
    {
      asset_name: ({ of }) => of.asset_name,
      owner: ({ of }) => of.owner,
      month: ({ of }) => of.month,
      closed: ({ of }) => of.closed,
      closes_at: ({ of }) => of.closes_at,
      price: ({ of }) => of.price,
      currency: ({ of }) => of.currency,
      split_method: ({ of }) => of.split_method,
      base_percent: ({ of }) => of.base_percent,
      owner_hours: ({ of }) => of.owner_hours,
      offered_hours: ({ of }) => of.offered_hours,
      allotted_hour_days: ({ of }) => of.allotted_hour_days,
      shared_days: ({ of }) => of.shared_days,
      username: ({ line }) => line.username,
      role: ({ line }) => line.role,
      used_hours: ({ line }) => line.used_hours,
      allocated_hours: ({ line }) => line.allocated_hours,
      days: ({ line }) => line.days,
      amount: ({ line }) => line.amount,
      base_amount: ({ line }) => line.base_amount,
      odd_cents: ({ line }) => line.odd_cents,
      status: ({ line }) => line.status,
      status_since: ({ line }) => line.status_since,
      settled: ({ line }) => line.settled,
    },
    next,
  );

export const statementTable = (statement: Statement): Table =>
  statementsTable(['statement', statement.asset_name, statement.month], [statement]);

export const assetStatementsTable = ({ results, next }: Page<Statement>): Table =>
  statementsTable(['statements', results[0]?.asset_name ?? ''], results, next);

export const monthStatementsTable = ({ results, next }: Page<Statement>): Table =>
  statementsTable(['statements', results[0]?.month ?? ''], results, next);
