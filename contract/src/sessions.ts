import { z } from 'zod';
import { ById, type EndpointTable, NoContent } from './calls.ts';
import { Format, Id, Instant, listOf, pageFields, pageOrFile, PathId } from './fields.ts';
import { LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from './limits.ts';
import { SENTENCES } from './sentences.ts';

/** One session. Without an `end_time` it is active; `duration` is minutes with two decimals, null while active. */
export const Session = z
  .object({
    id: Id,
    asset_name: z.string(),
    start_time: Instant,
    end_time: Instant.nullable(),
    duration: z.number().nullable(),
    /** Whether the owner recorded it, for someone who had no account then. */
    recorded_by_owner: z.boolean(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** Takes any fields and reads none: the specification doesn't say what clients send to end a session. */
export const EndSessionRequest = z.looseObject({}).meta({ id: 'EndSessionRequest' });

/** A member's edit or removal of a session: when it was made, and the session's original start and end. */
export const SessionEdit = z
  .object({ kind: z.enum(['corrected', 'removed']), at: Instant, start_time: Instant, end_time: Instant })
  .meta({ id: 'SessionEdit' });
export type SessionEdit = z.infer<typeof SessionEdit>;

/** A session as the asset's owner sees it. A removed one has a duration of 0. */
export const MemberSession = Session.extend({
  username: z.string(),
  share_id: Id,
  /** Whether it is someone without an account, whose sessions the owner records, edits, and removes. */
  person: z.boolean(),
  edited: SessionEdit.nullable(),
}).meta({ id: 'MemberSession' });
export type MemberSession = z.infer<typeof MemberSession>;

export const MemberSessionList = listOf(MemberSession).meta({ id: 'MemberSessionList' });

export const SessionList = listOf(Session).meta({ id: 'SessionList' });

/** An instant from a client: ISO 8601 with a zone. */
const time = (error: string) => z.iso.datetime({ offset: true, error });

/** Omitted fields stay unchanged. */
export const CorrectSessionRequest = z
  .strictObject({ start_time: time(SENTENCES.startRule).optional(), end_time: time(SENTENCES.endRule).optional() })
  .meta({ id: 'CorrectSessionRequest' });
export type CorrectSessionRequest = z.infer<typeof CorrectSessionRequest>;

/** A past session of someone without an account. */
export const RecordSessionRequest = z
  .strictObject({ start_time: time(SENTENCES.startRule), end_time: time(SENTENCES.endRule) })
  .meta({ id: 'RecordSessionRequest' });
export type RecordSessionRequest = z.infer<typeof RecordSessionRequest>;

export const LogsQuery = pageOrFile(
  z.strictObject({ format: Format, ...pageFields(LOGS_PAGE_SIZE_MAX) }),
  LOGS_PAGE_SIZE,
  LOGS_PAGE_SIZE_MAX,
);

const BySession = z.strictObject({ id: PathId, session_id: PathId });

const ByShareOfPerson = z.strictObject({ id: PathId, share_id: PathId });
const BySessionOfPerson = z.strictObject({ id: PathId, share_id: PathId, session_id: PathId });

export const sessionEndpoints = {
  'GET /api/assets/{id}/sessions/': {
    summary: 'Sessions of all members of an owned asset, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: MemberSessionList },
  },
  'POST /api/assets/{id}/share/{share_id}/sessions/': {
    summary: "Record a past session of someone who doesn't have an account",
    creates: true,
    params: ByShareOfPerson,
    body: RecordSessionRequest,
    answers: { 201: Session },
  },
  'PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
    summary: 'Edit a session of someone without an account, in a month that is still open',
    params: BySessionOfPerson,
    body: CorrectSessionRequest,
    answers: { 200: Session },
  },
  'DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
    summary: 'Remove a session of someone without an account, in a month that is still open',
    params: BySessionOfPerson,
    answers: { 204: NoContent },
  },
  'POST /api/shared-assets/{id}/start/': {
    summary: 'Start a session',
    creates: true,
    params: ById,
    answers: { 201: Session },
  },
  'POST /api/shared-assets/{id}/end/': {
    summary: 'End the active session',
    params: ById,
    body: EndSessionRequest,
    answers: { 200: Session },
  },
  'GET /api/shared-assets/{id}/logs/': {
    summary: 'Sessions of a share, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: SessionList },
  },
  'PATCH /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Edit the start or end of your own session while its months are open',
    params: BySession,
    body: CorrectSessionRequest,
    answers: { 200: Session },
  },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Remove your own session while its months are open',
    params: BySession,
    answers: { 204: NoContent },
  },
  'GET /api/shared-assets/{id}/active-session/': {
    summary: 'The active session, or 204 if there is none',
    params: ById,
    answers: { 200: Session, 204: NoContent },
  },
} as const satisfies EndpointTable;
