import { z } from 'zod';
import { Format, Id, Instant, listOf, pageFields, pageOrFile } from './fields.ts';
import { LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from './limits.ts';

/** One stretch of use. Without an `end_time` it is active; `duration` is minutes with two decimals, null while active. */
export const Session = z
  .object({
    id: Id,
    asset_name: z.string(),
    start_time: Instant,
    end_time: Instant.nullable(),
    duration: z.number().nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** What clients send to end a session is not laid down, so any fields are taken, and none is read. */
export const EndSessionRequest = z.looseObject({}).meta({ id: 'EndSessionRequest' });

/** That a member has corrected or removed a session: when, and how it first stood. */
export const SessionEdit = z
  .object({ kind: z.enum(['corrected', 'removed']), at: Instant, start_time: Instant, end_time: Instant })
  .meta({ id: 'SessionEdit' });
export type SessionEdit = z.infer<typeof SessionEdit>;

/** A session as the asset's owner reads it. One that was removed has the duration 0. */
export const MemberSession = Session.extend({ username: z.string(), edited: SessionEdit.nullable() }).meta({
  id: 'MemberSession',
});
export type MemberSession = z.infer<typeof MemberSession>;

export const MemberSessionList = listOf(MemberSession).meta({ id: 'MemberSessionList' });

export const SessionList = listOf(Session).meta({ id: 'SessionList' });

/** An instant as a client writes it: ISO 8601 with its zone. */
const time = (label: string) =>
  z.iso.datetime({ offset: true, error: `${label} must be a date and time with its zone` });

/** What is left out stays. */
export const CorrectSessionRequest = z
  .strictObject({ start_time: time('Start').optional(), end_time: time('End').optional() })
  .meta({ id: 'CorrectSessionRequest' });
export type CorrectSessionRequest = z.infer<typeof CorrectSessionRequest>;

export const LogsQuery = pageOrFile(
  z.strictObject({ format: Format, ...pageFields(LOGS_PAGE_SIZE_MAX) }),
  LOGS_PAGE_SIZE,
  LOGS_PAGE_SIZE_MAX,
);
