import { NOTICE_DEFAULTS, NoticeKind } from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import {
  appendMessageForEach,
  type MessageKind,
  type OutboxMessages,
  type OutboxMessage,
} from '../../outbox/service.ts';
import { lockUsers } from '../../users/service.ts';
import { dataOf, readFacts, type Facts } from '../facts/service.ts';
import type { AssetFacts, ShareFacts } from '../facts/store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** A message as the dispatcher hands it on. */
export type DispatchedMessage = OutboxMessage & { audience: number[] };

/**
 * Notifies users of a message, in the dispatcher's transaction: once per cause, and not of what they did themselves,
 * unless it is about the security of their account.
 */
export async function createNotices(deps: Deps, messages: DispatchedMessage[]): Promise<void> {
  const news = messages.filter(isNews);
  const facts = await readFacts(deps, news);
  await addNotices(
    deps,
    news.flatMap((message) => noticesOf(message, facts)),
  );
  for (const offer of changedOffers(news, facts)) await store.updateOffered(deps.db, offer);
  const shareIds = [
    ...new Set(messages.flatMap(({ kind, share_id: id }) => (id !== null && addsUse.has(kind) ? [id] : []))),
  ];
  await addNotices(deps, await allowanceNotices(deps, shareIds, deps.clock()));
  const settled = await store.deleteSettled(deps.db, {
    assetIds: [...new Set(messages.flatMap(({ asset_id: id }) => id ?? []))],
    payments: messages.flatMap((message) => {
      if (message.kind !== 'settlement.changed' && message.kind !== 'deposit.changed') return [];
      return { cause: causeOfPayment(message), userIds: message.user_ids, at: message.happened_at };
    }),
  });
  await appendMessageForEach(deps, 'notices.changed', settled, {});
}

/** Returns the offers whose hours changed, with those that they have after all of some messages. */
function changedOffers(messages: DispatchedMessage[], { shares }: Facts) {
  const offers = new Map<number, { assetId: number; shareId: number; hours: number }>();
  for (const message of messages) {
    const share = message.share_id === null ? undefined : shares.get(message.share_id);
    if (message.kind !== 'share.changed' || !share) continue;
    const { offered, to_hours: hours } = dataOf(message.kind, message);
    if (offered) offers.set(share.id, { assetId: share.asset_id, shareId: share.id, hours });
  }
  return offers.values();
}

/** How the causes of all notices begin that ask about a payment, or a deposit. */
const causeOfPayment = ({ kind, data }: DispatchedMessage) =>
  kind === 'deposit.changed'
    ? `deposit:${String(data['deposit_id'])}:`
    : `settlement:${String(data['settlement_id'])}:`;

/** After these, a share may have used more of its allowance without a session that is still running. */
const addsUse: ReadonlySet<MessageKind> = new Set<MessageKind>([
  'session.ended',
  'session.edited',
  'session.recorded',
  'objection.changed',
  'request.changed',
  'share.changed',
]);

/** Adds notices, in the caller's transaction, and tells the bells of those who get one. */
export async function addNotices(deps: Deps, notices: rules.NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await lockUsers(deps.db, [
    ...new Set(notices.flatMap(({ userId, actorId }) => (actorId === null ? [userId] : [userId, actorId]))),
  ]);
  const wait = rules.MAIL_WAIT_MINUTES * 60_000;
  const userIds = await store.insertNotices(
    deps.db,
    notices.map((notice) => ({
      ...notice,
      ...NOTICE_DEFAULTS[notice.kind],
      mailDueAt: deps.mailer && !rules.isMailedAlways(notice.kind) ? new Date(notice.createdAt.getTime() + wait) : null,
    })),
  );
  await appendMessageForEach(deps, 'notices.changed', userIds, {});
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

/** After a restore, ids of the outbox may be used again, but not with the same time. */
const causeOf = ({ id, happened_at: at }: DispatchedMessage) => `message:${id}:${at.getTime()}`;

/** Returns whom a message is news to, and how it is put to them. */
function noticesOf(message: DispatchedMessage, facts: Facts): rules.NewNotice[] {
  const share = message.share_id === null ? undefined : facts.shares.get(message.share_id);
  const assetId = message.asset_id ?? share?.asset_id ?? null;
  const asset = assetId === null ? undefined : facts.assets.get(assetId);
  const tell = <Kind extends NoticeKind>(userIds: (number | null | undefined)[], told: Told<Kind>): rules.NewNotice[] =>
    [...new Set(userIds)].flatMap((userId) => {
      if (typeof userId !== 'number' || (userId === message.actor_id && !isSecurity(told.kind))) return [];
      const ownShare = share ?? memberShare(asset, userId);
      const notice = {
        userId,
        kind: told.kind,
        data: told.data,
        cause: told.cause ?? causeOf(message),
        actorId: message.actor_id,
        assetId: asset?.id ?? null,
        assetName: told.assetName ?? asset?.name ?? null,
        shareId: ownShare?.id ?? null,
        createdAt: message.happened_at,
      };
      // oxlint-disable-next-line no-unsafe-type-assertion -- kind and data come from one pair
      return [notice as unknown as rules.NewNotice];
    });
  const write = texts[message.kind];
  // oxlint-disable-next-line no-unsafe-type-assertion -- appendMessage stored it with its kind
  return write ? write({ message, asset, share, facts, tell }, message.data as never) : [];
}

const memberShare = (asset: AssetFacts | undefined, userId: number) => {
  const id = asset?.member_share_ids[asset.member_ids.indexOf(userId)];
  return id === undefined ? undefined : { id };
};

interface Scene {
  message: DispatchedMessage;
  asset: AssetFacts | undefined;
  share: ShareFacts | undefined;
  facts: Facts;
  tell: <Kind extends NoticeKind>(userIds: (number | null | undefined)[], told: Told<Kind>) => rules.NewNotice[];
}

type Writers = { [Kind in MessageKind]?: (scene: Scene, data: OutboxMessages[Kind]) => rules.NewNotice[] };

const managersOf = ({ asset }: Scene) => asset?.manager_ids ?? [];

const membersOf = ({ asset }: Scene) => asset?.member_ids ?? [];

/** The users named by the message who don't manage its asset. */
const participantsOf = (scene: Scene) => scene.message.user_ids.filter((id) => !managersOf(scene).includes(id));

/** Tells the owner, the first of the managers, what they have to confirm before it counts. */
const askToConfirm = (scene: Scene, change: rules.NoticeFacts['access_unconfirmed']['change']) =>
  scene.share?.unconfirmed
    ? scene.tell(managersOf(scene).slice(0, 1), { kind: 'access_unconfirmed', data: { change } })
    : [];

const memberOf = ({ share }: Scene) => [share?.member_id];

/** Returns whether someone may be told of a message. Most are of sessions that someone starts and ends, who knows it. */
const isNews = (message: DispatchedMessage): boolean =>
  message.kind === 'session.ended'
    ? dataOf(message.kind, message).cause === 'limit'
    : texts[message.kind] !== undefined;

const texts: Writers = {
  'session.ended': (scene, { session_id: id }) => {
    const session = scene.facts.sessions.get(id);
    if (!session?.ended_at) return [];
    const data = { start: session.started_at.toISOString(), end: session.ended_at.toISOString() };
    return scene.tell(memberOf(scene), { kind: 'session_limit', data, cause: `session:${id}:limit` });
  },
  // The owner's own use is news only to those whose amounts it changes.
  'session.edited': (scene, { before, after, recorded, late, month }) => {
    const data = { before, after, ...(late && { late }) };
    return [
      ...(recorded || scene.share?.own ? [] : scene.tell(managersOf(scene), { kind: 'session_edited', data })),
      ...scene.tell(participantsOf(scene), { kind: 'session_edited', data: { ...data, ...(month && { month }) } }),
    ];
  },
  'session.removed': (scene, { before, recorded, month }) => [
    ...(recorded || scene.share?.own
      ? []
      : scene.tell(managersOf(scene), { kind: 'session_removed', data: { before } })),
    ...scene.tell(participantsOf(scene), { kind: 'session_removed', data: { before, ...(month && { month }) } }),
  ],
  'objection.changed': (scene, { session_id: sessionId, change, month }) => {
    const data = (own: boolean) => ({ change, session_id: sessionId, own });
    const member = memberOf(scene);
    return [
      ...scene.tell(member, { kind: 'session_objection', data: data(true) }),
      // Co-managers act for the owner, so what one of them did is no news to the others.
      ...(scene.message.actor_id !== null && scene.message.actor_id !== member[0]
        ? []
        : [
            ...scene.tell(managersOf(scene), { kind: 'session_objection', data: data(false) }),
            ...scene.tell(participantsOf(scene), { kind: 'session_objection', data: { ...data(false), month } }),
          ]),
    ];
  },
  'request.changed': (scene, { session_id: sessionId, change, month }) => {
    const data = { change, session_id: sessionId };
    switch (change) {
      case 'answered':
        return [];
      case 'made':
      case 'withdrawn': {
        const asked = scene.message.user_ids.filter((id) => managersOf(scene).includes(id));
        return [
          ...scene.tell(asked, { kind: 'session_request', data: { ...data, change, own: false } }),
          ...scene.tell(participantsOf(scene), {
            kind: 'session_request',
            data: { ...data, change, own: false, month },
          }),
        ];
      }
      default:
        return [
          ...scene.tell(memberOf(scene), { kind: 'session_request', data: { ...data, change, own: true } }),
          ...scene.tell([scene.share?.host_id], { kind: 'session_request', data: { ...data, change, own: false } }),
        ];
    }
  },

  'share.offered': (scene, { hours }) => [
    ...scene.tell(memberOf(scene), {
      kind: 'access_offered',
      data: { hours: scene.asset?.measured === false ? null : hours, accepted: scene.share?.accepted ?? false },
    }),
    ...askToConfirm(scene, 'shared'),
  ],
  'share.accepted': (scene) =>
    scene.tell(managersOf(scene), { kind: 'access_accepted', data: {}, cause: acceptedBy(scene) }),
  'share.declined': (scene) => scene.tell(managersOf(scene), { kind: 'access_declined', data: {} }),
  // Of an offer, the notice that it was made changes instead, so that changing its hours again and again tells no one.
  'share.changed': (scene, { from_hours, to_hours, offered }) => [
    ...(offered
      ? []
      : scene.tell(memberOf(scene), { kind: 'access_changed', data: { change: 'hours', from_hours, to_hours } })),
    ...(to_hours > from_hours ? askToConfirm(scene, 'hours') : []),
  ],
  'share.ended': (scene) => {
    const isLeft = scene.message.actor_id !== null && scene.message.actor_id === scene.share?.member_id;
    if (scene.share?.accepted === false)
      return isLeft ? scene.tell(managersOf(scene), { kind: 'access_declined', data: {} }) : [];
    return isLeft
      ? scene.tell(managersOf(scene), { kind: 'access_ended', data: { left: true } })
      : scene.tell(memberOf(scene), { kind: 'access_ended', data: { left: false } });
  },
  'invitation.accepted': (scene) => [
    ...askToConfirm(scene, 'invited'),
    ...scene.tell(managersOf(scene).slice(scene.share?.unconfirmed ? 1 : 0), {
      kind: 'invitation_accepted',
      data: {},
      cause: acceptedBy(scene),
    }),
  ],
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
        return scene.tell([...scene.message.user_ids, ...member], {
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
    scene.asset
      ? scene.tell([...managersOf(scene), ...membersOf(scene)], {
          kind: 'terms_changed',
          data: { ...data, currency: scene.asset.currency },
        })
      : [],
  'cost.changed': (scene, { change, author_id: authorId, owner_id: ownerId, ...facts }) => {
    if (change === 'removed' || change === 'withdrawn') return [];
    const data = { change, text: facts.text, amount: facts.amount, currency: facts.currency, month: facts.month };
    if (change === 'moved')
      return [
        ...scene.tell([ownerId], { kind: 'cost', data: { ...data, managed: true } }),
        ...scene.tell(authorId === ownerId ? [] : [authorId], { kind: 'cost', data: { ...data, managed: false } }),
      ];
    if (change === 'proposed' || change === 'agreed' || change === 'objected')
      return scene.tell([ownerId], { kind: 'cost', data: { ...data, managed: true } });
    const others = scene.message.user_ids.filter((each) => each !== authorId && each !== ownerId);
    return [
      ...scene.tell(authorId === ownerId ? [] : [authorId], { kind: 'cost', data: { ...data, managed: false } }),
      // Those who bear a part of it hear of it once it counts.
      ...(change === 'declined'
        ? []
        : scene.tell(others, {
            kind: 'cost',
            data: { ...data, change: change === 'counted' ? 'added' : change, managed: false },
          })),
    ];
  },
  'period.closed': (scene, { month, statement_id: id }) =>
    scene.facts.lines
      .filter((line) => line.statement_id === id)
      .flatMap(({ user_id: userId, amount, currency, asset_name: assetName }) =>
        scene.tell([userId], {
          kind: 'statement_ready',
          data: { month, amount, currency },
          cause: `statement:${scene.message.asset_id}:${month}`,
          assetName,
        }),
      ),

  'lines.marked': (scene, { line_ids: ids, status }) => {
    const lines = ids.flatMap((id) => scene.facts.marked.get(id) ?? []);
    const [first] = lines;
    if (!first) return [];
    const { creditor_id: creditor, debtor_id: debtor, currency } = first;
    const amount = lines.reduce((sum, line) => sum + line.amount, 0);
    const data = (change: rules.PaymentChange, pays: boolean) => ({ change, amount, currency, pays });
    switch (status) {
      case 'sent':
        return scene.tell([creditor], { kind: 'payment_sent', data: data('marked_sent', false) });
      case 'paid':
        return scene.tell([debtor], { kind: 'payment_confirmed', data: data('marked_paid', true) });
      default:
        return [
          ...scene.tell([creditor], { kind: 'payment_undone', data: data('marked_due', false) }),
          ...scene.tell([debtor], { kind: 'payment_undone', data: data('marked_due', true) }),
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
    const isAsked = change === 'sent' || change === 'undo_asked';
    const asks = isAsked && { cause: causeOfPayment(scene.message) + causeOf(scene.message) };
    return [
      ...scene.tell([settlement.payer_id], { kind, data: { change, amount, currency, pays: true }, ...asks }),
      ...scene.tell([settlement.payee_id], { kind, data: { change, amount, currency, pays: false }, ...asks }),
    ];
  },
  'deposit.changed': (scene, { change, amount, currency, asset_name: assetName }) => {
    const kinds = {
      recorded: 'payment_sent',
      confirmed: 'payment_confirmed',
      returned: 'payment_sent',
      return_confirmed: 'payment_confirmed',
      refused: 'payment_undone',
      withdrawn: undefined,
    } as const;
    const kind = kinds[change];
    if (kind === undefined || change === 'withdrawn') return [];
    const asks = kind === 'payment_sent' && { cause: causeOfPayment(scene.message) + causeOf(scene.message) };
    const data = { change: `deposit_${change}` as const, amount, currency, pays: false };
    return scene.tell(scene.message.user_ids, { kind, data, assetName, ...asks });
  },

  'account.signed_in': (scene, { known_device: isKnown, browser, system }) =>
    isKnown ? [] : scene.tell(scene.message.user_ids, { kind: 'sign_in', data: { browser, system } }),
  'account.password_changed': (scene) => scene.tell(scene.message.user_ids, { kind: 'password_changed', data: {} }),
  'account.email_changed': (scene) => scene.tell(scene.message.user_ids, { kind: 'email_changed', data: {} }),
};

/** The same for an invitation and the share that it leads to, so that people are notified once. */
const acceptedBy = ({ message, share }: Scene) =>
  `share:${share?.id ?? message.share_id}:accepted:${message.happened_at.getTime()}`;

/** Returns the notices about allowances of some shares that are used up, or nearly. */
export async function allowanceNotices({ db }: Deps, shareIds: number[], now: Date): Promise<rules.NewNotice[]> {
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
