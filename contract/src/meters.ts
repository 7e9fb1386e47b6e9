import { z } from 'zod';
import { ById, type EndpointTable, NoContent, READABLE } from './calls.ts';
import { Hours, Id, Instant, line, MeterKind, nameUpTo, PathId } from './fields.ts';
import {
  DAY_SECONDS,
  EXTERNAL_ID_MAX_LENGTH,
  EXTERNAL_NAME_MAX_LENGTH,
  IMPORT_BODY_MAX_BYTES,
  METER_COUNTER_DEFAULT,
  METER_COUNTER_MAX_LENGTH,
  METER_BODY_MAX_BYTES,
  METER_EVENTS_MAX,
  METER_GRACE_MINUTES_DEFAULT,
  METER_GRACE_MINUTES_MAX,
  METER_MERGE_MINUTES_DEFAULT,
  METER_MERGE_MINUTES_MAX,
  METER_MIN_SECONDS_DEFAULT,
  METER_MIN_SECONDS_MAX,
  METER_NAME_MAX_LENGTH,
  METER_NAMES_MAX,
  METER_ROWS_MAX,
} from './limits.ts';

const COUNTER_RULE = `counter must be one line of 1 to ${METER_COUNTER_MAX_LENGTH} characters`;

const wholeNumber = (field: string, min: number, max: number) => {
  const rule = `${field} must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
};

const settings = {
  grace_minutes: wholeNumber('grace_minutes', 1, METER_GRACE_MINUTES_MAX).describe(
    'What has sent a beat ends at its last one if none follows for so long.',
  ),
  merge_minutes: wholeNumber('merge_minutes', 0, METER_MERGE_MINUTES_MAX).describe(
    'Gaps of at most so long count as use, in one session.',
  ),
  min_seconds: wholeNumber('min_seconds', 0, METER_MIN_SECONDS_MAX).describe("Shorter sessions don't count."),
};

/** Which of the data points of a counter count, by their attribute `type`. */
export const CountedTypes = z.enum(['all', 'user'], 'counted_types must be all or user');
export type CountedTypes = z.infer<typeof CountedTypes>;

/** The attribute that says whom a data point means. */
export const NameAttribute = z.enum(
  ['user.email', 'user.account_uuid', 'user.id'],
  'name_attribute must be user.email, user.account_uuid, or user.id',
);
export type NameAttribute = z.infer<typeof NameAttribute>;

/** What a meter of totals reads of OpenTelemetry metrics. Others have these settings, but don't use them. */
const otlpSettings = {
  counter: line({ required: COUNTER_RULE, characters: COUNTER_RULE })
    .min(1, COUNTER_RULE)
    .max(METER_COUNTER_MAX_LENGTH, COUNTER_RULE)
    .describe('The counter of seconds.'),
  counted_types: CountedTypes,
  name_attribute: NameAttribute,
};

/** What a meter calls someone: events with that name are of the share, or wait until it is known of which. */
export const MeterName = z
  .object({
    external_name: z.string(),
    share_id: Id.nullable(),
    /** Events of the last days, and the hours that they would make; both 0 once they count. */
    waiting_events: z.int(),
    waiting_hours: Hours,
    last_event_at: Instant,
  })
  .meta({ id: 'MeterName' });
export type MeterName = z.infer<typeof MeterName>;

/** What a meter recorded in the current month; `list_price` is for information alone, and null unless it was told. */
const thisMonth = {
  /** Also those that don't count, because they are beyond the allowance or in sessions; not those that the member removed. */
  told_hours: Hours,
  counted_hours: Hours,
  /** In US dollars: an estimate at list prices of what was used. */
  list_price: z.number().nullable(),
};

/** Something that records use by itself, as those see it who manage its asset. */
export const Meter = z
  .object({
    id: Id,
    name: z.string(),
    kind: MeterKind,
    ...settings,
    ...otlpSettings,
    /** Whether each member has a token of their own, for what runs on their machine. */
    per_member: z.boolean(),
    created_at: Instant,
    last_event_at: Instant.nullable(),
    /** When it sent nothing for 24 hours or longer in the last 30 days, newest first. */
    silences: z.array(z.object({ since: Instant, until: Instant.nullable() })),
    /** Events that came too late for their month, or waited too long for a name or an answer. */
    late_events: z.int(),
    names: z.array(MeterName),
    members: z.array(
      z.object({
        share_id: Id,
        username: z.string(),
        /** Null as long as they have said neither yes nor no. */
        agreed: z.boolean().nullable(),
        ...thisMonth,
      }),
    ),
  })
  .meta({ id: 'Meter' });
export type Meter = z.infer<typeof Meter>;

export const MeterList = z.object({ results: z.array(Meter) }).meta({ id: 'MeterList' });

/** With its token, which isn't shown again; null if each member has one. */
export const MeterWithToken = z.object({ meter: Meter, token: z.string().nullable() }).meta({ id: 'MeterWithToken' });
export type MeterWithToken = z.infer<typeof MeterWithToken>;

const MeterNameOfOwner = nameUpTo(METER_NAME_MAX_LENGTH);

export const CreateMeterRequest = z
  .strictObject({
    name: MeterNameOfOwner,
    kind: MeterKind.default('sessions'),
    per_member: z.boolean('per_member must be true or false').default(false),
    grace_minutes: settings.grace_minutes.default(METER_GRACE_MINUTES_DEFAULT),
    merge_minutes: settings.merge_minutes.default(METER_MERGE_MINUTES_DEFAULT),
    min_seconds: settings.min_seconds.default(METER_MIN_SECONDS_DEFAULT),
    counter: otlpSettings.counter.default(METER_COUNTER_DEFAULT),
    counted_types: CountedTypes.default('all'),
    name_attribute: NameAttribute.default('user.email'),
  })
  .meta({ id: 'CreateMeterRequest' });
export type CreateMeterRequest = z.infer<typeof CreateMeterRequest>;

/** Omitted fields stay unchanged. Changes apply to new events, and to those of the last days when their sessions are made again. */
export const UpdateMeterRequest = z
  .strictObject({
    name: MeterNameOfOwner.optional(),
    grace_minutes: settings.grace_minutes.optional(),
    merge_minutes: settings.merge_minutes.optional(),
    min_seconds: settings.min_seconds.optional(),
    counter: otlpSettings.counter.optional(),
    counted_types: CountedTypes.optional(),
    name_attribute: NameAttribute.optional(),
  })
  .meta({ id: 'UpdateMeterRequest' });
export type UpdateMeterRequest = z.infer<typeof UpdateMeterRequest>;

const oneLine = (field: string, max: number) => {
  const rule = `${field} must be one line of 1 to ${max} characters`;
  return line({ required: rule, characters: rule }).min(1, rule).max(max, rule);
};

const ExternalName = oneLine('external_name', EXTERNAL_NAME_MAX_LENGTH);

/** Names that aren't listed stay as they are. */
export const MatchNamesRequest = z
  .strictObject({
    names: z
      .array(z.strictObject({ external_name: ExternalName, share_id: Id.nullable() }))
      .min(1)
      .max(METER_NAMES_MAX)
      .refine(
        (names) => new Set(names.map(({ external_name: name }) => name)).size === names.length,
        'Each name may be listed once',
      ),
  })
  .meta({ id: 'MatchNamesRequest' });
export type MatchNamesRequest = z.infer<typeof MatchNamesRequest>;

/** A meter as a member sees it, whom it may record. */
export const MemberMeter = z
  .object({
    id: Id,
    name: z.string(),
    kind: MeterKind,
    per_member: z.boolean(),
    /** Null as long as they have said neither yes nor no. */
    agreed: z.boolean().nullable(),
    /** Whether it also records what is beyond the allowance. */
    beyond_allowance: z.boolean(),
    /** What the meter calls them. */
    names: z.array(z.string()),
    /** Whether there is a token of their own, for a meter with one for each member. */
    has_token: z.boolean(),
    ...thisMonth,
  })
  .meta({ id: 'MemberMeter' });
export type MemberMeter = z.infer<typeof MemberMeter>;

export const MemberMeterList = z.object({ results: z.array(MemberMeter) }).meta({ id: 'MemberMeterList' });

/** `beyond_allowance` is false unless it is sent. */
export const AgreeToMeterRequest = z
  .strictObject({
    agreed: z.boolean('agreed must be true or false'),
    beyond_allowance: z.boolean('beyond_allowance must be true or false').default(false),
  })
  .meta({ id: 'AgreeToMeterRequest' });
export type AgreeToMeterRequest = z.infer<typeof AgreeToMeterRequest>;

export const MemberMeterWithToken = z
  .object({ meter: MemberMeter, token: z.string() })
  .meta({ id: 'MemberMeterWithToken' });
export type MemberMeterWithToken = z.infer<typeof MemberMeterWithToken>;

const instant = (field: string) =>
  z.iso.datetime({ offset: true, error: `${field} must be a date and time with a UTC offset` });

const eventFields = {
  id: oneLine('id', EXTERNAL_ID_MAX_LENGTH),
  /** Whom the meter means; left out with the token of a member. */
  name: oneLine('name', EXTERNAL_NAME_MAX_LENGTH).optional(),
};

const totalRule = `seconds must be a number from 0 to ${DAY_SECONDS}`;

/**
 * `beat` says that use goes on. A `session` is one that has ended. A meter of kind `totals` sends `total` instead, which needs no type:
 * seconds of a `day`, or of that in which `at` is. They are added to the day or, with `replace`, are all of it up to then.
 */
export const MeterEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ ...eventFields, type: z.enum(['start', 'beat', 'stop']), at: instant('at') }),
    z.strictObject({ ...eventFields, type: z.literal('session'), start: instant('start'), end: instant('end') }),
    z
      .strictObject({
        ...eventFields,
        type: z.literal('total').optional(),
        day: z.iso.date('day must be a date').optional(),
        at: instant('at').optional(),
        seconds: z.number(totalRule).min(0, totalRule).max(DAY_SECONDS, totalRule),
        replace: z.boolean('replace must be true or false').default(false),
      })
      .refine(({ day, at }) => (day === undefined) !== (at === undefined), {
        error: 'Send either day or at',
        path: ['day'],
      }),
  ])
  .meta({ id: 'MeterEvent' });
export type MeterEvent = z.infer<typeof MeterEvent>;

export const MeterEventsRequest = z
  .strictObject({ events: z.array(MeterEvent).min(1).max(METER_EVENTS_MAX) })
  .meta({ id: 'MeterEventsRequest' });
export type MeterEventsRequest = z.infer<typeof MeterEventsRequest>;

/**
 * `recorded`: a session, or a day, began with it. `extended`: it belongs to one that was known. `absorbed`: another session has that
 * time, or a later total replaces it.
 * `waiting`: it counts once someone says of whom it is, or they agree. `ignored`: it never counts.
 */
export const EventResult = z.enum(['recorded', 'extended', 'absorbed', 'waiting', 'ignored']);
export type EventResult = z.infer<typeof EventResult>;

export const EventReason = z.enum([
  'other_session',
  'unknown_name',
  'not_agreed',
  'refused',
  'too_old',
  'in_future',
  'end_before_start',
  'month_closed',
  'no_access',
  'archived',
  'not_measured',
  'allowance_used',
  'not_counted',
  'replaced',
  'wrong_kind',
]);
export type EventReason = z.infer<typeof EventReason>;

export const EventResults = z
  .object({ results: z.array(z.object({ id: z.string(), result: EventResult, reason: EventReason.nullable() })) })
  .meta({ id: 'EventResults' });
export type EventResults = z.infer<typeof EventResults>;

const ImportedRow = z.strictObject({
  name: oneLine('name', EXTERNAL_NAME_MAX_LENGTH),
  start: instant('start'),
  end: instant('end'),
});

/** Rows that the browser read in a file. With `dry_run`, nothing is stored. */
export const ImportRequest = z
  .strictObject({
    dry_run: z.boolean('dry_run must be true or false').default(false),
    rows: z
      .array(ImportedRow)
      .min(1)
      .max(METER_ROWS_MAX)
      .refine(
        (rows) => new Set(rows.map(({ name }) => name)).size <= METER_NAMES_MAX,
        `rows may have at most ${METER_NAMES_MAX} names`,
      ),
  })
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.input<typeof ImportRequest>;

/**
 * `counted`: it is new. `known`: an earlier import brought it. `absorbed`: other use has that time. `waiting`: it counts once someone
 * says of whom it is, or they agree. `ignored`: it doesn't count.
 */
export const ImportResult = z.enum(['counted', 'known', 'absorbed', 'waiting', 'ignored']);
export type ImportResult = z.infer<typeof ImportResult>;

/** Each second of the rows is in one of the parts, and each row in the part that has most of its counted seconds, or else of all. */
const ImportedPart = z.object({
  result: ImportResult,
  reason: EventReason.nullable(),
  rows: z.int(),
  hours: Hours,
});
export type ImportedPart = z.infer<typeof ImportedPart>;

/** What becomes of the rows of a name. */
export const ImportedName = z
  .object({
    external_name: z.string(),
    share_id: Id.nullable(),
    rows: z.int(),
    hours: Hours,
    parts: z.array(ImportedPart),
  })
  .meta({ id: 'ImportedName' });
export type ImportedName = z.infer<typeof ImportedName>;

export const ImportAnswer = z.object({ names: z.array(ImportedName) }).meta({ id: 'ImportAnswer' });
export type ImportAnswer = z.infer<typeof ImportAnswer>;

const ByMeter = z.strictObject({ id: PathId, meter_id: PathId });

export const meterEndpoints = {
  'GET /api/assets/{id}/meters/': {
    scripts: READABLE,
    summary: 'List the meters of an asset, with the names they use and who agreed',
    params: ById,
    answers: { 200: MeterList },
  },
  'POST /api/assets/{id}/meters/': {
    summary: 'Add a meter; its token is shown once',
    idempotent: true,
    secret: true,
    params: ById,
    body: CreateMeterRequest,
    answers: { 201: MeterWithToken },
  },
  'PATCH /api/assets/{id}/meters/{meter_id}/': {
    summary: 'Change a meter',
    params: ByMeter,
    body: UpdateMeterRequest,
    answers: { 200: Meter },
  },
  'DELETE /api/assets/{id}/meters/{meter_id}/': {
    summary: 'Delete a meter; what it recorded stays, and what runs ends',
    params: ByMeter,
    answers: { 204: NoContent },
  },
  'POST /api/assets/{id}/meters/{meter_id}/token/': {
    summary: 'Replace the token of a meter, which then no longer works',
    idempotent: true,
    secret: true,
    params: ByMeter,
    answers: { 201: MeterWithToken },
  },
  'PUT /api/assets/{id}/meters/{meter_id}/names/': {
    summary: 'Say whom the names mean that a meter uses; an outside name belongs to one member, or to nobody (null)',
    params: ByMeter,
    body: MatchNamesRequest,
    answers: { 200: Meter },
  },
  'POST /api/assets/{id}/meters/{meter_id}/imports/': {
    bodyMaxBytes: IMPORT_BODY_MAX_BYTES,
    summary:
      'Import sessions from a file into the open months, or say what would become of them; the same again changes nothing',
    params: ByMeter,
    body: ImportRequest,
    answers: { 200: ImportAnswer },
  },
  'GET /api/shared-assets/{id}/meters/': {
    summary: 'List the meters that may record you, and whether you agreed',
    params: ById,
    answers: { 200: MemberMeterList },
  },
  'POST /api/shared-assets/{id}/meters/{meter_id}/': {
    summary: 'Let a meter record your use, or stop it at once',
    params: ByMeter,
    body: AgreeToMeterRequest,
    answers: { 200: MemberMeter },
  },
  'POST /api/shared-assets/{id}/meters/{meter_id}/token/': {
    summary: 'Make your own token of a meter that you agreed to; an earlier one no longer works',
    idempotent: true,
    secret: true,
    params: ByMeter,
    answers: { 201: MemberMeterWithToken },
  },
  'POST /api/meters/events/': {
    public: true,
    meter: true,
    bodyMaxBytes: METER_BODY_MAX_BYTES,
    summary: 'Send what a meter has seen, with its token: at most 500 events a call, in any order, also again',
    body: MeterEventsRequest,
    answers: { 200: EventResults },
  },
} as const satisfies EndpointTable;
