import type { MessageKind, OutboxMessage } from '../../outbox/rules.ts';

/** The people that a message may concern, by what they are to its asset and share. Accounts only, no disabled ones. */
export interface People {
  /** The asset that it is about, by its share if it doesn't name one. */
  asset_id: number | null;
  /** The member of its share. */
  member_id: number | null;
  owner_id: number | null;
  /** Co-managers. */
  manager_ids: number[];
  /** Everyone with an open share, or an offer. */
  member_ids: number[];
  /** Those whom the message names itself. */
  named_ids: number[];
  actor_id: number | null;
}

/** A message with everyone whom it concerns; `user_ids` may see it, the others are what they are to its asset and share. */
export interface DispatchedMessage extends OutboxMessage {
  people: People;
  /** Who may see it, each once, the actor included. */
  audience: number[];
}

type Group = 'member' | 'managers' | 'members' | 'named' | 'actor';

/** The member of a share, the owner and co-managers of its asset, and the other devices of whoever did it. */
const OF_SHARE: readonly Group[] = ['member', 'managers', 'named', 'actor'];
/** Everyone who uses or manages an asset. */
const OF_ASSET: readonly Group[] = ['members', 'managers', 'named', 'actor'];
const OF_MANAGERS: readonly Group[] = ['managers', 'named', 'actor'];
const NAMED: readonly Group[] = ['named', 'actor'];

/** Who may see each kind of message. A member must not learn of another member's sessions, hours, or payments. */
const AUDIENCES: Record<MessageKind, readonly Group[]> = {
  'session.started': OF_SHARE,
  'session.ended': OF_SHARE,
  'session.edited': OF_SHARE,
  'session.removed': OF_SHARE,
  'session.recorded': OF_SHARE,
  'objection.changed': OF_SHARE,
  'request.changed': OF_SHARE,
  'share.offered': OF_SHARE,
  'share.accepted': OF_SHARE,
  'share.declined': OF_SHARE,
  'share.begun': OF_SHARE,
  'share.agreed': OF_SHARE,
  'share.confirmed': OF_SHARE,
  'share.changed': OF_SHARE,
  'share.ended': OF_SHARE,
  'invitation.changed': OF_MANAGERS,
  'invitation.accepted': OF_SHARE,
  'handover.changed': OF_SHARE,
  'manager.changed': OF_SHARE,
  'person.changed': OF_MANAGERS,
  'meter.changed': OF_ASSET,
  'meter.heard': OF_MANAGERS,
  'meter.answered': OF_SHARE,
  'asset.added': OF_MANAGERS,
  'asset.changed': OF_ASSET,
  'asset.deleted': OF_ASSET,
  'price.changed': OF_ASSET,
  'terms.changed': OF_ASSET,
  'cost.changed': OF_MANAGERS,
  'renewal.changed': OF_ASSET,
  'period.confirmed': OF_SHARE,
  'period.closed': OF_ASSET,
  'lines.marked': NAMED,
  'settlement.changed': NAMED,
  'deposit.changed': NAMED,
  'account.changed': NAMED,
  'account.signed_in': NAMED,
  'account.password_changed': NAMED,
  'account.email_changed': NAMED,
  'account.deleted': NAMED,
  'sign_ins.ended': NAMED,
  'tokens.revoked': NAMED,
  'notices.changed': NAMED,
};

/** Returns who may see a message, each once. */
export function audienceOf({ kind }: Pick<OutboxMessage, 'kind'>, people: People): number[] {
  const groups: Record<Group, (number | null)[]> = {
    member: [people.member_id],
    managers: [people.owner_id, ...people.manager_ids],
    members: people.member_ids,
    named: people.named_ids,
    actor: [people.actor_id],
  };
  // The table is complete for this version; an older server may have to set aside a newer one's message.
  const audience: readonly Group[] | undefined = AUDIENCES[kind];
  if (!audience) throw new Error(`No audience is known for ${kind}.`);
  return [...new Set(audience.flatMap((group) => groups[group]))].filter((id) => id !== null).toSorted((a, b) => a - b);
}

/** What streams tell of a message: only ids and the month, which those who see it may read. */
const SENT = ['session_id', 'settlement_id', 'month'] as const;

/** Returns what a live update stores: what streams send, and which sign-ins or tokens ended, which they don't. */
export function liveData({ kind, asset_id: assetId, share_id: shareId, data }: OutboxMessage): Record<string, unknown> {
  return {
    ...(assetId !== null && { asset_id: assetId }),
    ...(shareId !== null && { share_id: shareId }),
    ...Object.fromEntries(SENT.filter((name) => name in data).map((name) => [name, data[name]])),
    ...(kind === 'sign_ins.ended' && { handles: data['handles'] }),
    ...(kind === 'tokens.revoked' && { tokens: data['tokens'] }),
  };
}
