import type { Cycle } from '@hourshare/contract/cycles';

/** What a session's end can be caused by; `meter` if what recorded it saw its end, or nothing more of it. */
export type SessionEndCause = 'member' | 'limit' | 'meter' | 'access' | 'asset' | 'account';

interface Times {
  /** ISO instants. */
  start: string;
  end: string;
}

/**
 * What can happen, and the facts that notices need, as they were at that moment. The asset, the share, and who did it
 * are separate fields. Texts name people and assets as they are called when they are written. Under notifications/, dispatch/ says
 * who may see each, and notices/ what they are told.
 */
export interface OutboxMessages {
  'session.started': { session_id: number; added_late?: true };
  'session.ended': { session_id: number; cause: SessionEndCause; added_late?: true };
  /**
   * A member or an owner (`recorded`) changed the times, or they did so by an end pressed offline (`late`). With `share_of_use`,
   * `month` (YYYY-MM) is that in which it costs the users of the message.
   */
  'session.edited': { session_id: number; before: Times; after: Times; recorded: boolean; late?: true; month?: string };
  'session.removed': { session_id: number; before: Times; recorded: boolean; month?: string };
  /** An edit that takes time out of an ended month, YYYY-MM. Its users are those who have yet to accept it. */
  'request.changed': {
    session_id: number;
    change: 'made' | 'answered' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed';
    month: string;
  };
  /** A past session was added: by its member or, for someone without an account, by the owner. */
  'session.recorded': { session_id: number };
  /**
   * Someone objected to an edit, replied to, accepted, or withdrew the objection, or it ended at the close. Its users are participants
   * who objected.
   */
  'objection.changed': {
    session_id: number;
    change: 'made' | 'replied' | 'accepted' | 'withdrawn' | 'upheld' | 'not_upheld';
    /** The edit changes this month, YYYY-MM. */
    month: string;
  };

  'share.offered': { hours: number; accepted: boolean };
  'share.accepted': { by_use: boolean };
  'share.declined': Record<string, never>;
  /** Access that its member had accepted earlier began. */
  'share.begun': Record<string, never>;
  /** A member agreed to terms that cost more. */
  'share.agreed': Record<string, never>;
  /** The owner confirmed what a co-manager had added. */
  'share.confirmed': Record<string, never>;
  /** `offered` if no one had said yes to it. */
  'share.changed': { from_hours: number; to_hours: number; offered?: true };
  /** The actor is the member who left, or the owner or manager; none if the asset or an account was deleted. */
  'share.ended': Record<string, never>;
  /** A link was made or revoked. */
  'invitation.changed': Record<string, never>;
  'invitation.accepted': Record<string, never>;
  /** One lapses that can't happen when it is due. */
  'handover.changed': { change: 'offered' | 'accepted' | 'declined' | 'withdrawn' | 'done' | 'lapsed' };
  'manager.changed': { change: 'added' | 'removed' };
  /** A person without an account was added, changed, or joined. */
  'person.changed': Record<string, never>;

  /** A meter was added, changed, or deleted, or it was said whom its names mean. */
  'meter.changed': Record<string, never>;
  /** A meter sent a new name, or something for the first time, or after a silence. */
  'meter.heard': Record<string, never>;
  /** A member said whether a meter may record them. */
  'meter.answered': Record<string, never>;

  'asset.added': Record<string, never>;
  /** Name, description, or another field without its own message; archived or restored. */
  'asset.changed': { change?: 'archived' | 'restored' };
  /** Its members, because with the asset it may be lost who they were. */
  'asset.deleted': { name: string; member_ids: number[] };

  /** Prices in minor units of the currency, per cycle, or month without one; `month` is the first that it applies to, YYYY-MM. */
  'price.changed': {
    month: string;
    from: number;
    to: number;
    currency: string;
    from_cycle: Cycle | null;
    to_cycle: Cycle | null;
  };
  /** A member voted on a renewal, or its owner decided. */
  'renewal.changed': Record<string, never>;
  'terms.changed': { month: string; before: TermFacts; after: TermFacts };
  /**
   * A cost beside the price: a member proposed it, it moved with its proposal to another month, it counts or was declined, or its author
   * changed or removed it; or a member said yes to it, objected to it, or took that back. The amount is in minor units.
   */
  'cost.changed': {
    cost_id: number;
    change: 'proposed' | 'moved' | 'counted' | 'declined' | 'changed' | 'removed' | 'agreed' | 'objected' | 'withdrawn';
    text: string;
    amount: number;
    currency: string;
    /** In which it counts, YYYY-MM. */
    month: string;
    /** Null if that account is gone. */
    author_id: number | null;
    owner_id: number | null;
  };
  /** A member said that they have nothing to edit, or withdrew that. */
  'period.confirmed': { month: string };
  /** Without a statement if there was nothing to split. */
  'period.closed': { month: string; statement_id: number | null };

  /** Charges were marked. The users are the two between whom they are. */
  'lines.marked': { line_ids: number[]; status: 'due' | 'sent' | 'paid' };
  'settlement.changed': {
    settlement_id: number;
    change:
      | 'sent'
      | 'paid'
      | 'confirmed'
      | 'not_received'
      | 'undo_asked'
      | 'undo_withdrawn'
      | 'confirmation_undone'
      | 'undone';
    amount: number;
    currency: string;
    /** Null if that account was deleted. */
    payer_id: number | null;
  };
  /** One of two people recorded, confirmed, took back, or refused a deposit, or that it was given back. The amount is in minor units. */
  'deposit.changed': {
    deposit_id: number;
    change: 'recorded' | 'confirmed' | 'returned' | 'return_confirmed' | 'withdrawn' | 'refused';
    amount: number;
    currency: string;
    asset_name: string;
  };

  /** A setting, a name of a device, a passkey, or another part of the user's own account changed. */
  'account.changed': Record<string, never>;
  'account.signed_in': { browser: string | null; system: string | null; known_device: boolean };
  'account.password_changed': Record<string, never>;
  'account.email_changed': Record<string, never>;
  /** The users are those who have charges with the account. */
  'account.deleted': Record<string, never>;
  /** By handle. Their streams end at once. */
  'sign_ins.ended': { handles: string[] };
  /** By id. The streams of their scripts end at once. */
  'tokens.revoked': { tokens: number[] };

  /** The user has a new notice, or has read some. */
  'notices.changed': Record<string, never>;
}

interface TermFacts {
  split_method: string;
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  max_hour_cents: number | null;
  extra_cost_cents: number;
  owner_takes_part: boolean;
  measured: boolean;
}

export type MessageKind = keyof OutboxMessages;

/** A message as the dispatcher reads it. */
export interface OutboxMessage {
  id: number;
  kind: MessageKind;
  asset_id: number | null;
  share_id: number | null;
  actor_id: number | null;
  user_ids: number[];
  data: Record<string, unknown>;
  happened_at: Date;
}
