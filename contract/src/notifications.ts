import { z } from 'zod';
import { Language } from './users.ts';
import { ById, type EndpointTable, NoContent, READABLE_WITH_EVENTS } from './calls.ts';
import { issue } from './sentences.ts';
import { Hue, Id, Instant, listOf, pageFields } from './fields.ts';
import { LINK_TOKEN_MAX_LENGTH, LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from './limits.ts';

/** What users are notified of. */
export const NoticeKind = z.enum([
  ...(['access_offered', 'access_accepted', 'access_declined', 'access_changed', 'access_ended'] as const),
  ...(['access_unconfirmed'] as const),
  ...(['invitation_accepted', 'allowance_nearly_used', 'allowance_used', 'session_long', 'session_limit'] as const),
  ...([
    'session_edited',
    'session_removed',
    'session_objection',
    'session_request',
    'price_changed',
    'terms_changed',
  ] as const),
  ...(['cost', 'renewal'] as const),
  ...(['month_closing', 'statement_ready', 'payment_sent', 'payment_confirmed', 'payment_undone'] as const),
  ...(['balance_old', 'target_off', 'sign_in', 'password_changed', 'email_changed'] as const),
]);
export type NoticeKind = z.infer<typeof NoticeKind>;

export const Notice = z
  .object({
    id: Id,
    kind: NoticeKind,
    created_at: Instant,
    read: z.boolean(),
    /** One sentence, in the language that was asked for. */
    text: z.string(),
    /** More about it, such as an amount or a month; empty if there is none. */
    detail: z.string(),
    /** The page of the app that it leads to, such as `/costs`. */
    path: z.string(),
    /** Who did it, by username; null if no one did. */
    actor: z.string().nullable(),
    /** The color of who did it; null like the name. */
    actor_hue: Hue.nullable(),
    asset_name: z.string().nullable(),
  })
  .meta({ id: 'Notice' });
export type Notice = z.infer<typeof Notice>;

export const NoticeList = listOf(Notice)
  .extend({ unread: z.int().min(0) })
  .meta({ id: 'NoticeList' });
export type NoticeList = z.infer<typeof NoticeList>;

export const ReadNoticesRequest = z
  .strictObject({
    /** Marks these as read; all of them if left out. */
    ids: z
      .array(z.int('ids must be numbers').positive('ids must be numbers'))
      .min(1, 'ids must name at least one notice')
      .max(500, 'ids must name at most 500 notices')
      .optional(),
  })
  .meta({ id: 'ReadNoticesRequest' });

/** How a user can be notified. */
export interface NoticeChannels {
  bell: boolean;
  mail: boolean;
  push: boolean;
}

const BELL: NoticeChannels = { bell: true, mail: false, push: false };
const MAIL: NoticeChannels = { bell: true, mail: true, push: false };
const PUSH: NoticeChannels = { bell: true, mail: false, push: true };
const ALL: NoticeChannels = { bell: true, mail: true, push: true };

/**
 * The default for each kind: email for what needs an answer or is about money or security, push for what can't wait.
 * Statements have a separate email, the monthly reminder.
 */
export const NOTICE_DEFAULTS: Record<NoticeKind, NoticeChannels> = {
  access_offered: ALL,
  access_accepted: BELL,
  access_declined: BELL,
  access_changed: BELL,
  access_ended: BELL,
  access_unconfirmed: ALL,
  invitation_accepted: BELL,
  allowance_nearly_used: PUSH,
  allowance_used: PUSH,
  session_long: PUSH,
  session_limit: PUSH,
  session_edited: BELL,
  session_removed: BELL,
  session_objection: MAIL,
  session_request: ALL,
  price_changed: MAIL,
  terms_changed: MAIL,
  cost: MAIL,
  renewal: MAIL,
  month_closing: PUSH,
  statement_ready: BELL,
  payment_sent: MAIL,
  payment_confirmed: MAIL,
  payment_undone: MAIL,
  balance_old: MAIL,
  target_off: MAIL,
  sign_in: ALL,
  password_changed: ALL,
  email_changed: ALL,
};

/** How a user is notified of one kind. */
export const NoticeChoice = z
  .object({
    kind: NoticeKind,
    bell: z.boolean(),
    mail: z.boolean(),
    push: z.boolean(),
    /** Whether it is sent by email whatever the user chooses, because it protects the account. */
    mail_always: z.boolean(),
  })
  .meta({ id: 'NoticeChoice' });
export type NoticeChoice = z.infer<typeof NoticeChoice>;

export const NoticeChoices = z.object({ results: z.array(NoticeChoice), next: z.null() }).meta({ id: 'NoticeChoices' });
export type NoticeChoices = z.infer<typeof NoticeChoices>;

export const NoticeChoicesUpdate = z
  .strictObject({
    choices: z
      .array(
        z.strictObject({
          kind: NoticeKind,
          bell: z.boolean().optional(),
          mail: z.boolean().optional(),
          push: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: 'NoticeChoicesUpdate' });
export type NoticeChoicesUpdate = z.infer<typeof NoticeChoicesUpdate>;

const NoticesQuery = z
  .strictObject({ ...pageFields(LOGS_PAGE_SIZE_MAX), language: Language.optional() })
  .transform(({ limit = LOGS_PAGE_SIZE, ...query }) => ({ limit, ...query }));

export const PushSubscriptionRequest = z
  .strictObject({
    endpoint: z.url({ protocol: /^https?$/ }).max(2000),
    keys: z.strictObject({
      p256dh: z.string().regex(/^[\w-]{80,100}=*$/),
      auth: z.string().regex(/^[\w-]{20,30}=*$/),
    }),
  })
  .meta({ id: 'PushSubscriptionRequest' });

/** How a target takes notices: signed JSON, or the way of a service. */
export const TargetFormat = z.enum(['json', 'ntfy', 'gotify', 'slack']);
export type TargetFormat = z.infer<typeof TargetFormat>;

/** A program or service of a user's own that their notices are sent to. */
export const NoticeTarget = z
  .object({
    id: Id,
    format: TargetFormat,
    /** The host of its address, of which the rest isn't shown again. */
    host: z.string(),
    kinds: z.array(NoticeKind),
    /** Whether what is sent names amounts of money. */
    amounts: z.boolean(),
    created_at: Instant,
    /** When sending was given up after days of failures; null while it is on. */
    off_since: Instant.nullable(),
  })
  .meta({ id: 'NoticeTarget' });
export type NoticeTarget = z.infer<typeof NoticeTarget>;

/** Few enough not to need pagination. */
export const NoticeTargets = z.object({ results: z.array(NoticeTarget), next: z.null() }).meta({ id: 'NoticeTargets' });
export type NoticeTargets = z.infer<typeof NoticeTargets>;

/** With what signs the requests to a target of format `json`, shown only once; null for other formats. */
export const CreatedNoticeTarget = NoticeTarget.extend({ secret: z.string().nullable() }).meta({
  id: 'CreatedNoticeTarget',
});
export type CreatedNoticeTarget = z.infer<typeof CreatedNoticeTarget>;

const Kinds = z.array(NoticeKind).min(1, issue('kinds_required')).max(100);

export const CreateNoticeTargetRequest = z
  .strictObject({
    format: TargetFormat,
    /** Of ntfy, with the topic; of Gotify, its server. */
    address: z
      .url({ protocol: /^https?$/, hostname: /./, error: issue('address_rule') })
      .max(2000, issue('address_rule')),
    /** The access token of a topic of ntfy, or the app token of Gotify. */
    token: z
      .string()
      .regex(/^[\x21-\x7e]{1,500}$/, issue('token_rule'))
      .optional(),
    kinds: Kinds,
    amounts: z.boolean().default(false),
  })
  .meta({ id: 'CreateNoticeTargetRequest' });
export type CreateNoticeTargetRequest = z.infer<typeof CreateNoticeTargetRequest>;

export const NoticeTargetUpdate = z
  .strictObject({
    kinds: Kinds.optional(),
    amounts: z.boolean().optional(),
    /** Sends to it again after it was given up. */
    on: z.literal(true).optional(),
  })
  .meta({ id: 'NoticeTargetUpdate' });
export type NoticeTargetUpdate = z.infer<typeof NoticeTargetUpdate>;

/** What a target of format `json` gets, signed. */
export interface SentNotice {
  /** The same for every attempt, and for every target of the user. */
  id: number;
  kind: NoticeKind;
  created_at: string;
  text: string;
  detail: string;
  /** A path of the app, and the whole address. */
  path: string;
  url: string;
  asset_id: number | null;
  share_id: number | null;
  session_id: number | null;
}

/** What a link in an email turns off. */
export const Unsubscribe = z
  .object({
    setting: z.enum(['email_notifications', 'usage_reminders']),
    /** Whether it is still on. */
    on: z.boolean(),
  })
  .meta({ id: 'Unsubscribe' });
export type Unsubscribe = z.infer<typeof Unsubscribe>;

/** Mail programs send the field of RFC 8058, and the app's page sends nothing. */
const UnsubscribeRequest = z
  .strictObject({ 'List-Unsubscribe': z.literal('One-Click').optional() })
  .meta({ id: 'UnsubscribeRequest' });

const ByUnsubscribeToken = z.strictObject({ token: z.string().max(LINK_TOKEN_MAX_LENGTH) });

export const notificationEndpoints = {
  'GET /api/notifications/': {
    summary: "List the caller's notifications, newest first, with the number of unread ones",
    scripts: READABLE_WITH_EVENTS,
    query: NoticesQuery,
    answers: { 200: NoticeList },
  },
  'POST /api/notifications/read/': {
    summary: 'Mark some notifications as read, or all',
    body: ReadNoticesRequest,
    answers: { 204: NoContent },
  },
  'GET /api/notifications/choices/': {
    summary: 'Get how the caller is notified of each kind of event',
    answers: { 200: NoticeChoices },
  },
  'PATCH /api/notifications/choices/': {
    summary: 'Change how the caller is notified of some kinds of events',
    body: NoticeChoicesUpdate,
    answers: { 200: NoticeChoices },
  },
  'GET /api/notifications/targets/': {
    summary: "List the programs and services that the caller's notifications are sent to, newest first",
    answers: { 200: NoticeTargets },
  },
  'POST /api/notifications/targets/': {
    summary: "Send the caller's notifications to a program or service; what signs them is shown only once",
    recentCheck: true,
    idempotent: true,
    secret: true,
    body: CreateNoticeTargetRequest,
    answers: { 201: CreatedNoticeTarget },
  },
  'PATCH /api/notifications/targets/{id}/': {
    summary: 'Change what is sent to a program or service',
    params: ById,
    body: NoticeTargetUpdate,
    answers: { 200: NoticeTarget },
  },
  'DELETE /api/notifications/targets/{id}/': {
    summary: 'Stop sending notifications to a program or service',
    params: ById,
    answers: { 204: NoContent },
  },
  'GET /api/push/': {
    summary: 'Get the public key that browsers need to subscribe to push messages',
    answers: { 200: z.object({ public_key: z.string() }).meta({ id: 'PushKey' }) },
  },
  'POST /api/push/subscriptions/': {
    summary: "Send push messages to the caller's browser",
    body: PushSubscriptionRequest,
    answers: { 201: z.object({ id: Id }).meta({ id: 'PushSubscription' }) },
  },
  'DELETE /api/push/subscriptions/{id}/': {
    summary: "Stop sending push messages to one of the caller's browsers",
    params: ById,
    answers: { 204: NoContent },
  },
  'GET /api/unsubscribe/{token}/': {
    summary: 'Get what an unsubscribe link would turn off',
    public: true,
    params: ByUnsubscribeToken,
    answers: { 200: Unsubscribe },
  },
  'POST /api/unsubscribe/{token}/': {
    summary:
      'Turn off the emails that an unsubscribe link is for; also accepts the form that mail programs send (RFC 8058)',
    public: true,
    params: ByUnsubscribeToken,
    body: UnsubscribeRequest,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;

/** What a push message contains, as JSON. Browsers show the text on locked screens too. */
export interface PushMessage {
  /** The notice's. A message with the same id replaces an earlier copy. */
  id: number;
  kind: NoticeKind;
  text: string;
  /** Where it leads: a path of the app. */
  path: string;
}

/** The names of events in streams. `ready` and `reset` are about the stream itself. */
export const LIVE_EVENTS = [
  'ready',
  'reset',
  ...(['session.started', 'session.ended', 'session.edited', 'session.removed', 'session.recorded'] as const),
  ...(['objection.changed', 'request.changed', 'share.offered', 'share.accepted', 'share.declined'] as const),
  ...(['share.changed', 'share.begun', 'share.agreed', 'share.confirmed'] as const),
  ...(['share.ended', 'invitation.changed', 'invitation.accepted', 'handover.changed', 'manager.changed'] as const),
  ...(['person.changed', 'asset.added', 'asset.changed', 'asset.deleted', 'price.changed', 'terms.changed'] as const),
  ...(['meter.changed', 'meter.heard', 'meter.answered'] as const),
  ...(['renewal.changed', 'cost.changed'] as const),
  ...(['period.confirmed', 'period.closed', 'lines.marked', 'settlement.changed', 'deposit.changed'] as const),
  ...(['account.changed', 'account.signed_in', 'account.password_changed', 'account.email_changed'] as const),
  ...(['account.deleted', 'sign_ins.ended', 'tokens.revoked', 'notices.changed'] as const),
] as const;
export type LiveEventName = (typeof LIVE_EVENTS)[number];

/** The data of an event: what it is about. Clients read the rest from the API. */
export const LiveEventData = z
  .object({
    asset_id: Id.optional(),
    share_id: Id.optional(),
    session_id: Id.optional(),
    settlement_id: Id.optional(),
    /** YYYY-MM. */
    month: z.string().optional(),
  })
  .meta({ id: 'LiveEventData' });
export type LiveEventData = z.infer<typeof LiveEventData>;

export const liveEndpoints = {
  'GET /api/events/': {
    summary: 'Stream events as they happen, or those after `Last-Event-ID`, as server-sent events',
    scripts: READABLE_WITH_EVENTS,
    stream: true,
    answers: { 200: LiveEventData },
  },
} as const satisfies EndpointTable;
