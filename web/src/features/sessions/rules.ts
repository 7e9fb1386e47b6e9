import type { SessionEdit } from '@hourshare/contract/sessions';
import { ApiError } from '../../lib/http-errors.ts';

export const isShareId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;

const INVALID_ID = /^Cannot (?:start|end) session: Invalid asset ID\.$/;

const isInvalidId = (error: unknown): error is Error => error instanceof Error && INVALID_ID.test(error.message);

/** The message for a start that failed. */
export function startFailureText(error: unknown): string {
  if (isInvalidId(error)) return error.message;
  if (!(error instanceof ApiError)) return 'Failed to start session: Unknown error';
  if (error.status === 400) return 'A session is already running for this asset. Refreshing...';
  return `Failed to start session: ${error.message || 'Unknown error'}`;
}

export const endFailureText = (error: unknown): string =>
  isInvalidId(error) ? error.message : 'Failed to end session';

/** An instant as a field of date and time takes it: the viewer's wall clock, with seconds. */
export function fieldTime(instant: string): string {
  const when = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
  return `${date}T${two(when.getHours())}:${two(when.getMinutes())}:${two(when.getSeconds())}`;
}

/** What of a session's times has been changed in their fields, as instants; what stands as it did keeps its fractions. */
export function changedTimes(
  session: { start_time: string; end_time: string },
  { start, end }: { start: string; end: string },
): { start_time?: string; end_time?: string } {
  // Browsers leave out seconds that are zero.
  const differs = (text: string, instant: string) => Date.parse(text) !== Date.parse(fieldTime(instant));
  return {
    ...(differs(start, session.start_time) && { start_time: new Date(start).toISOString() }),
    ...(differs(end, session.end_time) && { end_time: new Date(end).toISOString() }),
  };
}

/** Whether a session may be of a month that is still open: the current one or the one before it; the server knows. */
export function maybeOpen(startTime: string, now: Date): boolean {
  return new Date(startTime) >= new Date(now.getFullYear(), now.getMonth() - 1, 1);
}

/** How an owner reads that a session is not as it was; a removed one still shows its times. */
export function editText(edit: SessionEdit, moment: (instant: string) => string): string {
  if (edit.kind === 'removed') return `Removed ${moment(edit.at)}.`;
  return `Corrected ${moment(edit.at)}. Was ${moment(edit.start_time)} until ${moment(edit.end_time)}.`;
}
