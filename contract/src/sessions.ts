import { z } from 'zod';
import { ById, type EndpointTable, NoContent, READABLE, READABLE_BY_SHARE } from './calls.ts';
import {
  Format,
  Hue,
  Id,
  Instant,
  line,
  listOf,
  message,
  pageFields,
  pageOrFile,
  PathId,
  SeenTerms,
} from './fields.ts';
import { EXTERNAL_ID_MAX_LENGTH, LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX, OBJECTION_TEXT_MAX_LENGTH } from './limits.ts';
import { issue } from './sentences.ts';

/** Which ends of a session were pressed offline and added once the connection was back. */
export const AddedLate = z.enum(['start', 'end', 'both']);
export type AddedLate = z.infer<typeof AddedLate>;

/** How a session was recorded: `pressed` as it began and ended, also offline, `added` afterwards, or `metered`. */
export const SessionSource = z.enum(['pressed', 'added', 'metered']);
export type SessionSource = z.infer<typeof SessionSource>;

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
    /** Which of its ends were pressed offline and added later. */
    added_late: AddedLate.nullable(),
    source: SessionSource,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** `agrees` has the terms that were shown, which count as a yes. A plain start agrees to nothing new. */
export const StartSessionRequest = z.strictObject({ agrees: SeenTerms.optional() }).meta({ id: 'StartSessionRequest' });
export type StartSessionRequest = z.infer<typeof StartSessionRequest>;

/** Takes any fields and reads none: the specification doesn't say what clients send to end a session. */
export const EndSessionRequest = z.looseObject({}).meta({ id: 'EndSessionRequest' });

/**
 * A member's edit or removal of a session: when it was made, and the session's recorded start and end. Of a restored one, which
 * counts with the recorded times again, when it was restored.
 */
export const SessionEdit = z
  .object({
    kind: z.enum(['corrected', 'removed', 'restored']),
    at: Instant,
    start_time: Instant,
    end_time: Instant,
    /** When the month that it changes closes; null once that is closed, or if it changes nothing. */
    open_until: Instant.nullable(),
    /** Until when it can be objected to; null if it can't. */
    objection_until: Instant.nullable(),
  })
  .meta({ id: 'SessionEdit' });
export type SessionEdit = z.infer<typeof SessionEdit>;

/**
 * `upheld` when a month closed without an agreement, or `not_upheld` if the recorded times would have changed a closed month; all but
 * `open` are final.
 */
export const ObjectionStatus = z.enum(['open', 'withdrawn', 'agreed', 'upheld', 'not_upheld']);
export type ObjectionStatus = z.infer<typeof ObjectionStatus>;

/**
 * The open objection to the edits of a session, or else the last one. Without agreement by the close, the recorded times count.
 */
export const Objection = z
  .object({
    status: ObjectionStatus,
    objected_at: Instant,
    /** The asset's owner, or the co-manager or participant who objected. */
    username: z.string(),
    /** What the owner wrote with the objection, if anything, and the replies of both, oldest first. */
    messages: z.array(z.object({ username: z.string(), text: z.string(), at: Instant })),
  })
  .meta({ id: 'Objection' });
export type Objection = z.infer<typeof Objection>;

/** `lapsed` when the month closed without an answer; all but `open` are final. */
export const EditRequestStatus = z.enum(['open', 'accepted', 'declined', 'withdrawn', 'lapsed']);
export type EditRequestStatus = z.infer<typeof EditRequestStatus>;

const requestFields = {
  status: EditRequestStatus,
  requested_at: Instant,
  /** The requested times; both null to remove the session. */
  start_time: Instant.nullable(),
  end_time: Instant.nullable(),
};

/** The last edit of a session that takes time out of an ended month. It counts once it is accepted. */
export const EditRequest = z
  .object({
    ...requestFields,
    /** Who has yet to accept it, by username: the owner and, with `share_of_use`, everyone whose charge it raises. */
    waits_for: z.array(z.string()),
  })
  .meta({ id: 'EditRequest' });
export type EditRequest = z.infer<typeof EditRequest>;

/** Without names, because statements outlive accounts. */
export const RequestOnStatement = z
  .object({
    ...requestFields,
    /** Whether it is open and the reader has yet to accept or decline it. */
    waits_for_you: z.boolean(),
  })
  .meta({ id: 'RequestOnStatement' });

/** A session after an edit. If the edit takes time out of an ended month, the times are as before, and the request is open. */
export const SessionOrRequest = Session.extend({ request: EditRequest.nullable() }).meta({ id: 'SessionOrRequest' });
export type SessionOrRequest = z.infer<typeof SessionOrRequest>;

/** A session with what became of it. A removed one has a duration of 0. */
export const LoggedSession = Session.extend({
  /** The meter that recorded it, as it is called now; null without one, or once it is deleted. */
  meter: z.string().nullable(),
  /**
   * The day of which a meter told a total, instead of times. Such a line begins with the day, and ends as many seconds later; null for
   * sessions. It can be removed, but not edited.
   */
  day: z.iso.date().nullable(),
  /** Minutes that a meter told of that day, but that are beyond the allowance. */
  not_counted: z.number(),
  /** Whether its meter fell silent, so that it ended at the last sign of life. */
  ended_silently: z.boolean(),
  edited: SessionEdit.nullable(),
  objection: Objection.nullable(),
  request: EditRequest.nullable(),
}).meta({ id: 'LoggedSession' });
export type LoggedSession = z.infer<typeof LoggedSession>;

/** A session as the asset's owner sees it. */
export const MemberSession = LoggedSession.extend({
  username: z.string(),
  hue: Hue,
  share_id: Id,
  /** Whether it is someone without an account, whose sessions the owner records, edits, and removes. */
  person: z.boolean(),
}).meta({ id: 'MemberSession' });
export type MemberSession = z.infer<typeof MemberSession>;

export const MemberSessionList = listOf(MemberSession).meta({ id: 'MemberSessionList' });

/** A session as its member sees it, with what they called it when they added it. */
export const OwnSession = LoggedSession.extend({ external_id: z.string().nullable() }).meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof OwnSession>;

/** Of the removed sessions, only those to whose removal the owner objects. */
export const SessionList = listOf(OwnSession).meta({ id: 'SessionList' });

const ObjectionText = message({
  required: issue('objection_text_required'),
  characters: issue('objection_text_characters'),
}).max(OBJECTION_TEXT_MAX_LENGTH, issue('text_too_long', { max: OBJECTION_TEXT_MAX_LENGTH }));

export const ObjectionRequest = z.strictObject({ text: ObjectionText.optional() }).meta({ id: 'ObjectionRequest' });

export const ObjectionReply = z.strictObject({ text: ObjectionText }).meta({ id: 'ObjectionReply' });

/** An instant from a client: ISO 8601 with a zone. */
const time = (error: string) => z.iso.datetime({ offset: true, error });

const PRESSED_RULE = 'Enter a date and time with a UTC offset';

/**
 * A start or an end that was pressed offline: when, and the time now, both by the clock of the device. The server counts back from
 * its own clock, so it doesn't matter whether that of the device is right.
 */
export const LatePressRequest = z
  .strictObject({ at: time(PRESSED_RULE), client_time: time(PRESSED_RULE) })
  .meta({ id: 'LatePressRequest' });
export type LatePressRequest = z.infer<typeof LatePressRequest>;

/** Omitted fields stay unchanged. */
export const CorrectSessionRequest = z
  .strictObject({ start_time: time(issue('start_rule')).optional(), end_time: time(issue('end_rule')).optional() })
  .meta({ id: 'CorrectSessionRequest' });
export type CorrectSessionRequest = z.infer<typeof CorrectSessionRequest>;

/** A past session of someone without an account. */
export const RecordSessionRequest = z
  .strictObject({ start_time: time(issue('start_rule')), end_time: time(issue('end_rule')) })
  .meta({ id: 'RecordSessionRequest' });
export type RecordSessionRequest = z.infer<typeof RecordSessionRequest>;

const EXTERNAL_ID_RULE = `external_id must be one line of 1 to ${EXTERNAL_ID_MAX_LENGTH} characters`;

/** A past session. With an `external_id`, sending it again moves it instead of adding another. */
export const AddSessionRequest = z
  .strictObject({
    start_time: time(issue('start_rule')),
    end_time: time(issue('end_rule')),
    external_id: line({ required: EXTERNAL_ID_RULE, characters: EXTERNAL_ID_RULE })
      .min(1, EXTERNAL_ID_RULE)
      .max(EXTERNAL_ID_MAX_LENGTH, EXTERNAL_ID_RULE)
      .optional(),
  })
  .meta({ id: 'AddSessionRequest' });
export type AddSessionRequest = z.infer<typeof AddSessionRequest>;

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
    scripts: READABLE,
    summary: 'List the sessions of all members of an owned asset, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: MemberSessionList },
  },
  'POST /api/assets/{id}/share/{share_id}/sessions/': {
    summary: "Record a past session of someone who doesn't have an account",
    idempotent: true,
    params: ByShareOfPerson,
    body: RecordSessionRequest,
    answers: { 201: Session },
  },
  'PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
    summary: 'Edit a session of someone without an account, in a month that is still open',
    params: BySessionOfPerson,
    body: CorrectSessionRequest,
    answers: { 200: SessionOrRequest },
  },
  'DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
    summary: 'Remove a session of someone without an account, or request it, in a month that is still open',
    params: BySessionOfPerson,
    answers: { 204: NoContent },
  },
  'POST /api/shared-assets/{id}/start/': {
    scripts: ['share'],
    summary: 'Start a session',
    idempotent: true,
    params: ById,
    body: StartSessionRequest,
    answers: { 201: Session },
  },
  'POST /api/shared-assets/{id}/end/': {
    scripts: ['share'],
    summary: 'End the active session',
    idempotent: true,
    params: ById,
    body: EndSessionRequest,
    answers: { 200: Session },
  },
  'POST /api/shared-assets/{id}/late-start/': {
    summary: 'Add a start that was pressed offline',
    idempotent: true,
    params: ById,
    body: LatePressRequest,
    answers: { 201: Session },
  },
  'POST /api/shared-assets/{id}/late-end/': {
    summary: 'Add an end that was pressed offline; one that takes time out of an ended month asks for it',
    idempotent: true,
    params: ById,
    body: LatePressRequest,
    answers: { 200: SessionOrRequest },
  },
  'POST /api/shared-assets/{id}/logs/': {
    scripts: ['share'],
    summary: 'Add a past session of your own; 200 if there is one with its `external_id`, which gets the new times',
    idempotent: true,
    params: ById,
    body: AddSessionRequest,
    answers: { 200: SessionOrRequest, 201: SessionOrRequest },
  },
  'GET /api/shared-assets/{id}/logs/': {
    scripts: READABLE_BY_SHARE,
    summary: 'List the sessions of a share, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: SessionList },
  },
  'PATCH /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Edit the start or end of your own session; taking time out of an ended month asks for it',
    params: BySession,
    body: CorrectSessionRequest,
    answers: { 200: SessionOrRequest },
  },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Remove your own session: 204, or 200 with the open request if its month has ended',
    params: BySession,
    answers: { 200: SessionOrRequest, 204: NoContent },
  },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/request/': {
    summary: 'Withdraw a requested edit of your own session',
    params: BySession,
    answers: { 200: LoggedSession },
  },
  'POST /api/assets/{id}/sessions/{session_id}/request/accept/': {
    summary: 'Accept a requested edit, as the owner or, with `share_of_use`, as another participant',
    params: BySession,
    answers: { 200: MemberSession },
  },
  'POST /api/assets/{id}/sessions/{session_id}/request/decline/': {
    summary: 'Decline a requested edit, so that the recorded times count',
    params: BySession,
    answers: { 200: MemberSession },
  },
  'POST /api/assets/{id}/sessions/{session_id}/objection/': {
    summary: 'Object to an edit until 24 hours before its month closes; without agreement, the recorded times count',
    idempotent: true,
    params: BySession,
    body: ObjectionRequest,
    answers: { 201: MemberSession },
  },
  'DELETE /api/assets/{id}/sessions/{session_id}/objection/': {
    summary: 'Withdraw an objection, so that the edit counts',
    params: BySession,
    answers: { 200: MemberSession },
  },
  'POST /api/assets/{id}/sessions/{session_id}/objection/replies/': {
    summary: 'Reply in an objection, as its owner',
    idempotent: true,
    params: BySession,
    body: ObjectionReply,
    answers: { 201: MemberSession },
  },
  'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/': {
    summary: 'Reply to an objection, as the member',
    idempotent: true,
    params: BySession,
    body: ObjectionReply,
    answers: { 201: LoggedSession },
  },
  'POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/': {
    summary: 'Agree to an objection, which restores the recorded times at once',
    params: BySession,
    answers: { 200: LoggedSession },
  },
  'GET /api/shared-assets/{id}/active-session/': {
    scripts: READABLE_BY_SHARE,
    summary: 'Get the active session, or 204 if there is none',
    params: ById,
    answers: { 200: Session, 204: NoContent },
  },
} as const satisfies EndpointTable;
