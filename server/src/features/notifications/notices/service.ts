import type { Language } from '@hourshare/contract/accounts';
import { Id } from '@hourshare/contract/fields';
import { NoticeKind, type Notice, type NoticeChoice, type NoticeChoices, type NoticeChoicesUpdate, type NoticeList } from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import type { MailData, MailText } from '../../../mails.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { readPage, type PageRequest } from '../../../platform/pages.ts';
import { fail, ok, type Result } from '../../../platform/result.ts';
import { notSignedIn } from '../../users/errors.ts';
import { queueMail } from '../../mail/service.ts';
import { lockUsers, me } from '../../users/service.ts';
import { appendEvent, appendEventForEach, type EventKind, type OutboxEvents, type StoredEvent } from '../../outbox/service.ts';
import { unsubscribeLinks } from '../unsubscribe/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { noticesText, toNotice, type Reader } from './wire.ts';

const DAY_MILLISECONDS = 24 * 3_600_000;

/** How many sessions, months, or debtors a transaction of a job looks at. */
const BATCH_SIZE = 1000;

/** An event as the dispatcher hands it on. */
export type DispatchedEvent = StoredEvent & { audience: number[] };

/**
 * Notifies users of an event, in the dispatcher's transaction: once per cause, and not of what they did themselves,
 * unless it is about the security of their account.
 */
export async function createNotices(deps: Deps, events: DispatchedEvent[]): Promise<void> {
  const facts = await readFacts(deps, events);
  await addNotices(
    deps,
    events.flatMap((event) => noticesOf(event, facts)),
  );
  const shareIds = [
    ...new Set(events.flatMap(({ kind, share_id: id }) => (id !== null && addsUse.has(kind) ? [id] : []))),
  ];
  await addNotices(deps, await allowanceNotices(deps, shareIds, deps.clock()));
  const ended = events.flatMap(({ kind, share_id: id }) => (endsOffer.has(kind) && id !== null ? [id] : []));
  const withdrawn = ended.filter((id) => facts.shares.get(id)?.accepted === false);
  await appendEventForEach(deps, 'notices.changed', await store.deleteUnreadOffers(deps.db, withdrawn), {});
}

/** After these, an offer that its recipient hasn't seen is no news any more. */
const endsOffer: ReadonlySet<EventKind> = new Set<EventKind>(['share.ended', 'share.declined']);

/** After these, a share may have used more of its allowance without a session that is still running. */
const addsUse: ReadonlySet<EventKind> = new Set<EventKind>([
  'session.ended',
  'session.edited',
  'session.recorded',
  'objection.changed',
  'share.changed',
]);

/** Adds notices, in the caller's transaction, and tells the bells of those who get one. */
async function addNotices(deps: Deps, notices: rules.NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await lockUsers(deps.db, [
    ...new Set(notices.flatMap(({ userId, actorId }) => (actorId === null ? [userId] : [userId, actorId]))),
  ]);
  const wait = rules.MAIL_WAIT_MINUTES * 60_000;
  const userIds = await store.insertNotices(
    deps.db,
    notices.map((notice) => ({
      ...notice,
      ...rules.DEFAULTS[notice.kind],
      mailDueAt: deps.mailer && !rules.isMailedAlways(notice.kind) ? new Date(notice.createdAt.getTime() + wait) : null,
    })),
  );
  await appendEventForEach(deps, 'notices.changed', userIds, {});
}

/** What the notices of some events name, read at once for all of them. */
interface Facts {
  assets: Map<number, store.AssetFacts>;
  shares: Map<number, store.ShareFacts>;
  sessions: Map<number, store.SessionFacts>;
  lines: store.LineFacts[];
  marked: Map<number, store.MarkedLine>;
  settlements: Map<number, store.SettlementFacts>;
}

const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

/** Returns an event's data as its kind has it. */
const dataOf = <Kind extends EventKind>(_kind: Kind, event: StoredEvent): OutboxEvents[Kind] =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- appendEvent stored it with its kind
  event.data as unknown as OutboxEvents[Kind];

async function readFacts({ db }: Deps, events: StoredEvent[]): Promise<Facts> {
  const eventsOf = <Kind extends EventKind>(kind: Kind) =>
    events.filter((event) => event.kind === kind).map((event) => ({ event, data: dataOf(kind, event) }));
  const shares = await store.readShares(
    db,
    events.flatMap(({ share_id: id }) => (id === null ? [] : [id])),
  );
  const assetIds = [
    ...events.flatMap(({ asset_id: id }) => (id === null ? [] : [id])),
    ...shares.map(({ asset_id: id }) => id),
  ];
  return {
    shares: byId(shares),
    assets: byId(await store.readAssets(db, [...new Set(assetIds)])),
    sessions: byId(
      await store.readSessions(
        db,
        eventsOf('session.ended').map(({ data }) => data.session_id),
      ),
    ),
    lines: await store.readLines(
      db,
      eventsOf('period.closed').flatMap(({ data }) => data.statement_id ?? []),
    ),
    marked: byId(
      await store.readMarkedLines(
        db,
        eventsOf('lines.marked').flatMap(({ data }) => data.line_ids),
      ),
    ),
    settlements: byId(
      await store.readSettlements(
        db,
        eventsOf('settlement.changed').map(({ data }) => data.settlement_id),
      ),
    ),
  };
}

/** The kinds that people are notified of even if they did it themselves. */
const isSecurity = (kind: NoticeKind) => kind === 'sign_in' || kind === 'password_changed' || kind === 'email_changed';

type Told<Kind extends NoticeKind> = {
  [K in Kind]: {
    kind: K;
    data: rules.NoticeFacts[K];
    cause?: string;
    /** What the asset was called, which may be gone. */
    assetName?: string;
  };
}[Kind];

/** Returns whom an event is news to, and how it is put to them. */
function noticesOf(event: DispatchedEvent, facts: Facts): rules.NewNotice[] {
  const share = event.share_id === null ? undefined : facts.shares.get(event.share_id);
  const assetId = event.asset_id ?? share?.asset_id ?? null;
  const asset = assetId === null ? undefined : facts.assets.get(assetId);
  const tell = <Kind extends NoticeKind>(userIds: (number | null | undefined)[], told: Told<Kind>): rules.NewNotice[] =>
    [...new Set(userIds)].flatMap((userId) => {
      if (typeof userId !== 'number' || (userId === event.actor_id && !isSecurity(told.kind))) return [];
      const ownShare = share ?? memberShare(asset, userId);
      const notice = {
        userId,
        kind: told.kind,
        data: told.data,
        // After a restore, ids of the outbox may be used again, but not with the same time.
        cause: told.cause ?? `event:${event.id}:${event.happened_at.getTime()}`,
        actorId: event.actor_id,
        assetId: asset?.id ?? null,
        assetName: told.assetName ?? asset?.name ?? null,
        shareId: ownShare?.id ?? null,
        createdAt: event.happened_at,
      };
      // oxlint-disable-next-line no-unsafe-type-assertion -- kind and data come from one pair
      return [notice as unknown as rules.NewNotice];
    });
  const write = texts[event.kind];
  // oxlint-disable-next-line no-unsafe-type-assertion -- appendEvent stored it with its kind
  return write ? write({ event, asset, share, facts, tell }, event.data as never) : [];
}

const memberShare = (asset: store.AssetFacts | undefined, userId: number) => {
  const id = asset?.member_share_ids[asset.member_ids.indexOf(userId)];
  return id === undefined ? undefined : { id };
};

interface Scene {
  event: DispatchedEvent;
  asset: store.AssetFacts | undefined;
  share: store.ShareFacts | undefined;
  facts: Facts;
  tell: <Kind extends NoticeKind>(userIds: (number | null | undefined)[], told: Told<Kind>) => rules.NewNotice[];
}

type Writers = { [Kind in EventKind]?: (scene: Scene, data: OutboxEvents[Kind]) => rules.NewNotice[] };

const managersOf = ({ asset }: Scene) => asset?.manager_ids ?? [];
const membersOf = ({ asset }: Scene) => asset?.member_ids ?? [];
const memberOf = ({ share }: Scene) => [share?.member_id];

const texts: Writers = {
  'session.ended': (scene, { session_id: id, cause }) => {
    const session = scene.facts.sessions.get(id);
    if (cause !== 'limit' || !session?.ended_at) return [];
    const data = { start: session.started_at.toISOString(), end: session.ended_at.toISOString() };
    return scene.tell(memberOf(scene), { kind: 'session_limit', data, cause: `session:${id}:limit` });
  },
  'session.edited': (scene, { before, after, recorded }) =>
    recorded ? [] : scene.tell(managersOf(scene), { kind: 'session_edited', data: { before, after } }),
  'session.removed': (scene, { before, recorded }) =>
    recorded ? [] : scene.tell(managersOf(scene), { kind: 'session_removed', data: { before } }),
  'objection.changed': (scene, { session_id: sessionId, change }) => {
    const data = (own: boolean) => ({ change, session_id: sessionId, own });
    const member = memberOf(scene);
    return [
      ...scene.tell(member, { kind: 'session_objection', data: data(true) }),
      // Co-managers act for the owner, so what one of them did is no news to the others.
      ...(scene.event.actor_id !== null && scene.event.actor_id !== member[0]
        ? []
        : scene.tell(managersOf(scene), { kind: 'session_objection', data: data(false) })),
    ];
  },

  'share.offered': (scene, { hours }) =>
    scene.tell(memberOf(scene), { kind: 'access_offered', data: { hours, accepted: scene.share?.accepted ?? false } }),
  'share.accepted': (scene) =>
    scene.tell(managersOf(scene), { kind: 'access_accepted', data: {}, cause: acceptedBy(scene) }),
  'share.declined': (scene) => scene.tell(managersOf(scene), { kind: 'access_declined', data: {} }),
  'share.changed': (scene, { from_hours, to_hours }) =>
    scene.tell(memberOf(scene), { kind: 'access_changed', data: { change: 'hours', from_hours, to_hours } }),
  'share.ended': (scene) => {
    const isLeft = scene.event.actor_id !== null && scene.event.actor_id === scene.share?.member_id;
    if (scene.share?.accepted === false)
      return isLeft ? scene.tell(managersOf(scene), { kind: 'access_declined', data: {} }) : [];
    return isLeft
      ? scene.tell(managersOf(scene), { kind: 'access_ended', data: { left: true } })
      : scene.tell(memberOf(scene), { kind: 'access_ended', data: { left: false } });
  },
  'invitation.accepted': (scene) =>
    scene.tell(managersOf(scene), { kind: 'invitation_accepted', data: {}, cause: acceptedBy(scene) }),
  'handover.changed': (scene, { change }) => {
    const member = memberOf(scene);
    switch (change) {
      case 'offered':
        return scene.tell(member, { kind: 'access_offered', data: { handover: true } });
      case 'accepted':
        return scene.tell(managersOf(scene), { kind: 'access_accepted', data: { handover: true } });
      case 'declined':
        return scene.tell(managersOf(scene), { kind: 'access_declined', data: { handover: true } });
      case 'withdrawn':
        return scene.tell(member, { kind: 'access_changed', data: { change: 'handover_withdrawn' } });
      default:
        return scene.tell([...scene.event.user_ids, ...member], {
          kind: 'access_changed',
          data: { change: change === 'done' ? 'handover_done' : 'handover_lapsed' },
        });
    }
  },
  'manager.changed': (scene, { change }) =>
    scene.tell(memberOf(scene), {
      kind: 'access_changed',
      data: { change: change === 'added' ? 'manager_added' : 'manager_removed' },
    }),

  'asset.changed': (scene, { change }) =>
    change === undefined
      ? []
      : scene.tell([...managersOf(scene), ...membersOf(scene)], { kind: 'access_changed', data: { change } }),
  'asset.deleted': (scene, { name: assetName, member_ids: ids }) =>
    scene.tell(ids, { kind: 'access_ended', data: { left: false, deleted: true }, assetName }),

  'price.changed': (scene, data) =>
    scene.tell([...managersOf(scene), ...membersOf(scene)], { kind: 'price_changed', data }),
  'terms.changed': (scene, data) =>
    scene.tell([...managersOf(scene), ...membersOf(scene)], {
      kind: 'terms_changed',
      data: { change: 'changed', ...data },
    }),
  'terms.proposed': (scene, { change }) => {
    const whom = change === 'answered' ? managersOf(scene) : membersOf(scene);
    return scene.tell(whom, { kind: 'terms_changed', data: { change } });
  },
  'period.closed': (scene, { month, statement_id: id }) =>
    scene.facts.lines
      .filter((line) => line.statement_id === id)
      .flatMap(({ user_id: userId, amount, currency, asset_name: assetName }) =>
        scene.tell([userId], {
          kind: 'statement_ready',
          data: { month, amount, currency },
          cause: `statement:${scene.event.asset_id}:${month}`,
          assetName,
        }),
      ),

  'lines.marked': (scene, { line_ids: ids, status }) => {
    const lines = ids.flatMap((id) => scene.facts.marked.get(id) ?? []);
    const [first] = lines;
    if (!first) return [];
    const { owner_id: owner, user_id: member, currency } = first;
    const amount = lines.reduce((sum, line) => sum + line.amount, 0);
    const data = (change: rules.PaymentChange, pays: boolean) => ({ change, amount, currency, pays });
    switch (status) {
      case 'sent':
        return scene.tell([owner], { kind: 'payment_sent', data: data('marked_sent', false) });
      case 'paid':
        return scene.tell([member], { kind: 'payment_confirmed', data: data('marked_paid', true) });
      default:
        return [
          ...scene.tell([owner], { kind: 'payment_undone', data: data('marked_due', false) }),
          ...scene.tell([member], { kind: 'payment_undone', data: data('marked_due', true) }),
        ];
    }
  },
  'settlement.changed': (scene, { settlement_id: id, change, amount, currency }) => {
    const settlement = scene.facts.settlements.get(id);
    if (!settlement || change === 'undo_withdrawn') return [];
    const kinds = {
      sent: 'payment_sent',
      paid: 'payment_confirmed',
      confirmed: 'payment_confirmed',
      not_received: 'payment_undone',
      undo_asked: 'payment_undone',
      confirmation_undone: 'payment_undone',
      undone: 'payment_undone',
    } as const;
    const kind = kinds[change];
    return [
      ...scene.tell([settlement.payer_id], { kind, data: { change, amount, currency, pays: true } }),
      ...scene.tell([settlement.payee_id], { kind, data: { change, amount, currency, pays: false } }),
    ];
  },

  'account.signed_in': (scene, { known_device: isKnown, browser, system }) =>
    isKnown ? [] : scene.tell(scene.event.user_ids, { kind: 'sign_in', data: { browser, system } }),
  'account.password_changed': (scene) => scene.tell(scene.event.user_ids, { kind: 'password_changed', data: {} }),
  'account.email_changed': (scene) => scene.tell(scene.event.user_ids, { kind: 'email_changed', data: {} }),
};

/** The same for an invitation and the share that it leads to, so that people are notified once. */
const acceptedBy = ({ event, share }: Scene) =>
  `share:${share?.id ?? event.share_id}:accepted:${event.happened_at.getTime()}`;

/** Returns the notices about allowances of some shares that are used up, or nearly. */
async function allowanceNotices({ db }: Deps, shareIds: number[], now: Date): Promise<rules.NewNotice[]> {
  const rows = await store.usedAllowances(db, { shareIds, now, part: rules.ALLOWANCE_NEARLY_USED });
  return rows.map(({ month, hours, used_seconds: seconds, ...row }) => {
    const isUsed = seconds >= hours * 3600;
    return {
      userId: row.member_id,
      kind: isUsed ? 'allowance_used' : 'allowance_nearly_used',
      // A larger allowance can be used up, too.
      cause: `allowance:${row.share_id}:${month}:${hours}:${isUsed ? 'used' : 'nearly'}`,
      actorId: null,
      assetId: row.asset_id,
      assetName: row.asset_name,
      shareId: row.share_id,
      data: { month, hours, used_seconds: seconds },
      createdAt: now,
    };
  });
}

/**
 * Does the work in parts, each in its own transaction: from the start, then after the key that the previous one
 * returned.
 */
async function inBatches<Key>(
  deps: Deps,
  work: (deps: Deps, after: Key | undefined) => Promise<Key | undefined>,
): Promise<void> {
  let after: Key | undefined;
  do {
    const key: Key | undefined = after;
    after = await inTransaction(deps.db, (db) => work({ ...deps, db }, key));
  } while (after !== undefined);
}

/** Notifies members whose session is long, or who have used much of their allowance while one runs. */
export async function tellOfRunningSessions(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await inBatches<number>(deps, async (batch, after = 0) => {
    const shareIds = await store.runningShares(batch.db, { now, after, limit: BATCH_SIZE });
    const long = (await store.longSessions(batch.db, { shareIds, now })).map((session): rules.NewNotice => ({
      userId: session.member_id,
      kind: 'session_long',
      cause: `session:${session.id}:half`,
      actorId: null,
      assetId: session.asset_id,
      assetName: session.asset_name,
      shareId: session.share_id,
      data: { start: session.started_at.toISOString(), ends_by: session.ends_by.toISOString() },
      createdAt: now,
    }));
    await addNotices(batch, [...long, ...(await allowanceNotices(batch, shareIds, now))]);
    return shareIds.at(-1);
  });
}

/** Notifies people of months that close within a day, and of balances that have been unpaid for long. */
export async function tellOfMonthsAndBalances(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await inBatches<store.PeriodKey>(deps, (batch, after) => tellOfMonths(batch, now, after));
  await inBatches<number>(deps, (batch, after) => tellOfBalances(batch, now, after));
}

/** Notifies people of a number of months after one. Returns the last of them. */
async function tellOfMonths(
  deps: Deps,
  now: Date,
  after: store.PeriodKey | undefined,
): Promise<store.PeriodKey | undefined> {
  const keys = await store.periodsToClose(deps.db, { now, hours: rules.CLOSING_SOON_HOURS, after, limit: BATCH_SIZE });
  const months = await store.closingMonths(deps.db, { keys, now, hours: rules.CLOSING_SOON_HOURS });
  await addNotices(
    deps,
    months.flatMap(
      ({ user_ids: userIds, asset_id: assetId, asset_name: assetName, month, closes_at: closesAt, cause }) =>
        userIds.map((userId): rules.NewNotice => ({
          userId,
          kind: 'month_closing',
          cause,
          actorId: null,
          assetId,
          assetName,
          shareId: null,
          data: { month, closes_at: closesAt.toISOString() },
          createdAt: now,
        })),
    ),
  );
  return keys.at(-1);
}

/** Notifies people of the balances of a number of debtors after one. Returns the last of them. */
async function tellOfBalances(deps: Deps, now: Date, after = 0): Promise<number | undefined> {
  const before = new Date(now.getTime() - rules.OLD_BALANCE_DAYS * DAY_MILLISECONDS);
  const debtorIds = await store.debtors(deps.db, { after, limit: BATCH_SIZE });
  const balances = await store.oldBalances(deps.db, { debtorIds, before });
  await addNotices(
    deps,
    balances.flatMap(({ user_ids: userIds, debtor_id: debtor, creditor_id: creditor, amount, currency, cause }) =>
      userIds.map((userId): rules.NewNotice => ({
        userId,
        kind: 'balance_old',
        cause,
        actorId: userId === debtor ? creditor : debtor,
        assetId: null,
        assetName: null,
        shareId: null,
        data: { amount, currency, owes: userId === debtor },
        createdAt: now,
      })),
    ),
  );
  return debtorIds.at(-1);
}

/** Returns the first instant from which notices are kept. */
const keptSince = ({ clock }: Deps) => new Date(clock().getTime() - rules.NOTICE_DAYS * DAY_MILLISECONDS);

export async function deleteOldNotices(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await store.deleteOldNotices(deps.db, new Date(now.getTime() - rules.NOTICE_DAYS * DAY_MILLISECONDS));
}

/** Returns a user's notices, newest first, in a language, or else the account's. */
export async function listNotices(
  deps: Deps,
  userId: number,
  { language, ...request }: PageRequest & { language?: Language | undefined },
): Promise<Result<NoticeList>> {
  const user = await me(deps, userId);
  if (!user.ok) return user;
  const since = keptSince(deps);
  const reader: Reader = { language: language ?? user.value.language ?? 'en', timeZone: user.value.time_zone };
  const page = await readPage<store.StoredNotice, number, Notice>(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: (stored) => toNotice(stored, reader),
    read: async ({ limit, after }) => ok(await store.readNotices(deps.db, { userId, since, limit, after })),
  });
  if (!page.ok) return page;
  return ok({ ...page.value, unread: await store.countUnread(deps.db, { userId, since }) });
}

/** Marks some of a user's notices as read, or all, and tells the bells of the user's other devices. */
export const readNotices = (deps: Deps, userId: number, ids: number[] | undefined): Promise<Result<undefined>> =>
  inTransaction(deps.db, async (db) => {
    if (await store.markRead(db, { userId, ids, now: deps.clock() }))
      await appendEvent({ ...deps, db }, 'notices.changed', { userIds: [userId] }, {});
    return ok(undefined);
  });

/** Returns how a user is notified of each kind. */
export async function listChoices({ db }: Deps, userId: number): Promise<Result<NoticeChoices>> {
  const chosen = new Map((await store.readChoices(db, userId)).map((choice) => [choice.kind, choice]));
  return ok({ results: NoticeKind.options.map((kind) => toChoice(kind, chosen.get(kind))), next: null });
}

function toChoice(kind: NoticeKind, chosen: rules.Channels | undefined): NoticeChoice {
  const { bell, mail, push } = chosen ?? rules.DEFAULTS[kind];
  return { kind, bell, mail: mail || rules.isMailedAlways(kind), push, mail_always: rules.isMailedAlways(kind) };
}

/** Changes how a user is notified of some kinds. */
export function changeChoices(
  deps: Deps,
  userId: number,
  { choices }: NoticeChoicesUpdate,
): Promise<Result<NoticeChoices>> {
  return inTransaction(deps.db, async (db) => {
    if (choices.some(({ kind, mail }) => mail === false && rules.isMailedAlways(kind))) {
      const message = 'This email is always sent';
      return fail('validation_failed', { message, fields: { choices: [message] } });
    }
    const users = await lockUsers(db, [userId]);
    if (!users.has(userId)) return notSignedIn();
    const current = await listChoices({ ...deps, db }, userId);
    if (!current.ok) return current;
    const all = new Map(current.value.results.map(({ mail_always: _always, ...choice }) => [choice.kind, choice]));
    for (const { kind, bell, mail, push } of choices) {
      const before = all.get(kind) ?? rules.DEFAULTS[kind];
      all.set(kind, { kind, bell: bell ?? before.bell, mail: mail ?? before.mail, push: push ?? before.push });
    }
    const kinds = [...new Set(choices.map(({ kind }) => kind))];
    await store.saveChoices(db, { userId, choices: kinds.flatMap((kind) => all.get(kind) ?? []) });
    return listChoices({ ...deps, db }, userId);
  });
}

const MAIL_BATCH = 100;

/** Queues an email for each user with notices that have waited for long enough, with all of the user's that wait. */
export async function queueNoticeMails(deps: Deps): Promise<void> {
  if (!deps.mailer) return;
  for (let count = MAIL_BATCH; count === MAIL_BATCH;)
    count = await inTransaction(deps.db, async (db) => {
      const claimed = await store.claimMailed(db, { now: deps.clock(), limit: MAIL_BATCH });
      for (const { user_id: userId, ids } of claimed)
        await queueMail({ ...deps, db }, 'notices', { userId, ids }, userId);
      return claimed.length;
    });
}

/** Writes the notices of a user that they haven't read in the meantime, unless they have turned such emails off. */
async function writeNotices(deps: Deps, { userId, ids }: MailData['notices']): Promise<MailText | undefined> {
  const found = await me(deps, userId);
  if (!found.ok || !found.value.email_notifications) return undefined;
  const { email, language, time_zone: timeZone } = found.value;
  const reader: Reader = { language: language ?? 'en', timeZone };
  const notices = (await store.readUnread(deps.db, { userId, ids })).map((stored) => toNotice(stored, reader));
  return notices.length === 0
    ? undefined
    : {
        to: email,
        language: reader.language,
        ...noticesText(notices, reader.language, deps.server.address),
        unsubscribe: unsubscribeLinks(deps, { userId, setting: 'email_notifications', language: reader.language }),
      };
}

/** Takes a notice that is due to be sent by push message, written for its reader; undefined if none is. */
export async function claimPushed(
  deps: Deps,
  attempts: number,
): Promise<{ userId: number; notice: Notice } | undefined> {
  for (;;) {
    const claimed = await store.claimPushed(deps.db, { now: deps.clock(), attempts });
    if (!claimed) return undefined;
    const { id, user_id: userId } = claimed;
    const user = await me(deps, userId);
    const [stored] = await store.readUnread(deps.db, { userId, ids: [id] });
    if (user.ok && stored)
      return {
        userId,
        notice: toNotice(stored, { language: user.value.language ?? 'en', timeZone: user.value.time_zone }),
      };
    await store.finishPush(deps.db, id);
  }
}

/** Records that a notice has reached a browser. */
export const recordPush = ({ db }: Deps, sent: { noticeId: number; subscriptionId: number }): Promise<void> =>
  store.recordPush(db, sent);

/** Records that a notice has reached all browsers that it could. */
export const finishPush = ({ db }: Deps, noticeId: number): Promise<void> => store.finishPush(db, noticeId);

export function defineMails({ mails }: Deps): void {
  mails.define('notices', writeNotices);
}
