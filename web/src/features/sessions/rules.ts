import type {
  AddedLate,
  EditRequest,
  LoggedSession,
  Objection,
  Session,
  SessionEdit,
} from '@hourshare/contract/sessions';
import type { Statement } from '@hourshare/contract/statements';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { errorText, sentenceText } from '../../platform/i18n/error-texts.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { instantOf, type Which } from '../../platform/forms/local-times.ts';
import { t } from '../../platform/i18n/messages.ts';
import { endText, momentText, skippedText } from '../../platform/format/time.ts';
import { listFormat } from '../../platform/i18n/language.ts';

export const isShareId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;

/** A call was not sent, because the address names no share. */
export class InvalidAssetId extends Error {}

/** Returns the error message for a failed start. */
export function startFailureText(error: unknown): string {
  if (error instanceof InvalidAssetId) return t('Cannot start session: Invalid asset ID.');
  if (!(error instanceof ApiError)) return t('Failed to start session: {reason}', { reason: t('Unknown error') });
  if (error.status === 400) return t('A session is already running for this asset. Refreshing...');
  return t('Failed to start session: {reason}', { reason: errorText(error) || t('Unknown error') });
}

export const endFailureText = (error: unknown): string =>
  error instanceof InvalidAssetId ? t('Cannot end session: Invalid asset ID.') : t('Failed to end session');

/**
 * Returns what a session adds to the member's charge at this month's rate: price × its time ÷ the time that divides the
 * price. Null where use doesn't divide it, for less than the smallest unit of money, and for a session that isn't wholly
 * in the statement's month; months are compared in UTC.
 */
export function sessionCost(
  { lines, month, ended, currency }: Pick<Statement, 'lines' | 'month' | 'ended' | 'currency'>,
  session: Pick<Session, 'start_time' | 'end_time'>,
): number | null {
  const byUse = lines[0]?.explanation.find(({ method }) => method === 'usage');
  const { start_time: start, end_time: end } = session;
  if (!byUse || byUse.whole === 0 || end === null || ended) return null;
  if (!start.startsWith(month) || !end.startsWith(month)) return null;
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  const whole = byUse.whole * (byUse.unit === 'seconds' ? 1 : 3_600);
  const minor = Math.round((toMinor(byUse.price, currency) * seconds) / whole);
  return minor === 0 ? null : toAmount(minor, currency);
}

interface Day<S> {
  /** In the viewer's time zone; tells days apart. */
  date: string;
  /** How long its sessions were together; null while one runs, if there is only one, or if others may not be loaded yet. */
  minutes: number | null;
  sessions: S[];
}

/** Returns sessions, newest first, by the day on which they started, in the viewer's time zone. */
export function byDay<S extends Pick<LoggedSession, 'start_time' | 'duration' | 'edited'>>(
  sessions: S[],
  { isComplete }: { isComplete: boolean },
): Day<S>[] {
  const days: Pick<Day<S>, 'date' | 'sessions'>[] = [];
  for (const session of sessions) {
    const date = new Date(session.start_time).toDateString();
    const last = days.at(-1);
    if (last?.date === date) last.sessions.push(session);
    else days.push({ date, sessions: [session] });
  }
  return days.map(({ date, sessions: ofDay }, index) => {
    const counted = ofDay.filter(({ edited }) => edited?.kind !== 'removed');
    const hasTotal =
      (isComplete || index < days.length - 1) &&
      counted.length > 1 &&
      counted.every(({ duration }) => duration !== null);
    return {
      date,
      minutes: hasTotal ? counted.reduce((sum, { duration }) => sum + (duration ?? 0), 0) : null,
      sessions: ofDay,
    };
  });
}

/** A local day and minute, and which is meant if the clocks showed it twice. */
interface Typed {
  local: string;
  which?: Which | undefined;
}

/** Returns a time as typed; the one before to the minute, which keeps its seconds; null if the clocks skipped what was typed. */
function typedInstant(before: string, { local, which }: Typed): string | null {
  const instant = instantOf(local, { which, near: Date.parse(before) });
  if (instant === null) return null;
  const isSame = Math.floor(Date.parse(before) / 60_000) * 60_000 === instant;
  return isSame ? before : new Date(instant).toISOString();
}

/** Returns the changed times as instants; null for one that the clocks skipped. Unchanged times are left out. */
export function changedTimes(
  session: { start_time: string; end_time: string },
  { start, end }: { start: Typed; end: Typed },
): { start_time?: string | null; end_time?: string | null } {
  const [startTime, endTime] = [typedInstant(session.start_time, start), typedInstant(session.end_time, end)];
  return {
    ...(startTime !== session.start_time && { start_time: startTime }),
    ...(endTime !== session.end_time && { end_time: endTime }),
  };
}

/** Returns whether a session may be in an open month: the current or previous one. The server decides. */
export function isPossiblyOpen(startTime: string, now: Date): boolean {
  return new Date(startTime) >= new Date(now.getFullYear(), now.getMonth() - 1, 1);
}

/** Returns when the closed months of an asset ended, in milliseconds; a session that started earlier can't be changed. */
export const openSince = (statements: Pick<Statement, 'closed' | 'ends_at'>[]): number =>
  Math.max(...statements.filter(({ closed }) => closed).map(({ ends_at }) => Date.parse(ends_at)), -Infinity);

/** The ended month of an asset that is still open. */
export interface EndedMonth {
  /** When it began and ended, in milliseconds. */
  since: number;
  until: number;
  owner: string;
  /** Whether everyone who used the asset accepts edits, not only the owner. */
  byAll: boolean;
}

type MonthOfAsset = Pick<Statement, 'ended' | 'closed' | 'ends_at' | 'owner' | 'split_method'>;

/** Returns the ended month of an asset that is still open; null if none is. */
export function endedMonth(statements: MonthOfAsset[]): EndedMonth | null {
  const month = statements.find(({ ended, closed }) => ended && !closed);
  if (!month) return null;
  return {
    since: openSince(statements),
    until: Date.parse(month.ends_at),
    owner: month.owner,
    byAll: month.split_method === 'share_of_use',
  };
}

type Times = { start_time: string; end_time: string };

/** Returns whether an edit takes time out of an ended month, so that it has to be accepted; `after` is null if it removes the session. */
export function takesFrom({ since, until }: EndedMonth, before: Times, after: Times | null): boolean {
  const start = Math.max(Date.parse(before.start_time), since);
  const end = Math.min(Date.parse(before.end_time), until);
  if (start >= end) return false;
  return !after || Date.parse(after.start_time) > start || Date.parse(after.end_time) < end;
}

/** Says who has to accept an edit. */
export const askText = ({ owner, byAll }: EndedMonth): string =>
  byAll
    ? t('The month has ended, so everyone whose charge it raises has to accept this.')
    : t('The month has ended, so {name} has to accept this.', { name: owner });

const requestedTimes = ({ start_time: start, end_time: end }: EditRequest) =>
  start !== null && end !== null ? { start: momentText(start), end: endText(start, end) } : null;

/** Says what a member asks for. */
export function requestText(request: EditRequest, name: string): string {
  const times = requestedTimes(request);
  return times ? t('{name} asks for {start}–{end}.', { name, ...times }) : t('{name} asks to remove it.', { name });
}

/** Says what became of the reader's own request; null if there is nothing to say. */
export function ownRequestText(request: EditRequest): string | null {
  switch (request.status) {
    case 'open': {
      const times = requestedTimes(request);
      const names = listFormat().format(request.waits_for);
      return times
        ? t('You asked for {start}–{end}. Waiting for {names}.', { names, ...times })
        : t('You asked to remove it. Waiting for {names}.', { names });
    }
    case 'declined':
      return t('Your edit was declined, so the recorded times count.');
    case 'lapsed':
      return t('No one answered your edit, so the recorded times count.');
    default:
      return null;
  }
}

export interface TimeProblem {
  /** The field it is about; null if it is about both times. */
  field: 'start' | 'end' | null;
  text: string;
}

/** Returns which of changed times the clocks skipped; null if none. */
export function skippedProblem(changes: ReturnType<typeof changedTimes>): TimeProblem | null {
  const field = changes.start_time === null ? 'start' : changes.end_time === null ? 'end' : null;
  return field && { field, text: skippedText() };
}

/**
 * Returns what the server would refuse about changed times, as far as it is known here; null if nothing is. The server
 * compares with all sessions, not only with those that are loaded.
 */
export function timeProblem(
  session: Pick<Session, 'id'> & { start_time: string; end_time: string },
  { others, since, now }: { others: Pick<Session, 'id' | 'start_time' | 'end_time'>[]; since: number; now: number },
): TimeProblem | null {
  const [start, end] = [Date.parse(session.start_time), Date.parse(session.end_time)];
  if (end > now) return { field: 'end', text: sentenceText({ code: 'end_in_future' }) };
  if (end <= start) return { field: 'end', text: sentenceText({ code: 'end_before_start' }) };
  if (start < since) return { field: 'start', text: t("This month is closed and can't be changed.") };
  const other = others.find(
    ({ id, start_time, end_time }) =>
      id !== session.id && Date.parse(start_time) < end && (end_time === null ? now : Date.parse(end_time)) > start,
  );
  if (!other) return null;
  return { field: null, text: t('This overlaps your session from {start}.', { start: momentText(other.start_time) }) };
}

/** Returns whether an edit can be objected to: once, if it changed something, until a day before its month closes. */
export function canObject(
  edit: SessionEdit | null,
  { start_time, end_time }: Pick<Session, 'start_time' | 'end_time'>,
  objection: Objection | null,
): boolean {
  if (!edit || edit.objection_until === null || edit.kind === 'restored') return false;
  const isChanged = edit.kind === 'removed' || start_time !== edit.start_time || end_time !== edit.end_time;
  return isChanged && (!objection || (objection.status !== 'open' && objection.objected_at < edit.at));
}

/** Says which ends of a session were pressed without a connection, so that the server learned of them only later. */
export function addedLateText(ends: AddedLate): string {
  if (ends === 'start') return t('Start pressed offline, added later');
  return ends === 'end' ? t('End pressed offline, added later') : t('Pressed offline, added later');
}
