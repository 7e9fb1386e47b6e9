import type { Cycle } from '@hourshare/contract/cycles';
import type { NoticeKind } from '@hourshare/contract/notifications';

export const DAY_MILLISECONDS = 24 * 3_600_000;

/** How long notices are kept. */
export const NOTICE_DAYS = 90;

/** How long the first notice that waits to be sent by email waits for others. */
export const MAIL_WAIT_MINUTES = 10;

/** Kinds that are emailed separately and at once, whatever users chose, so that no intruder can turn them off. */
const MAILED_ALWAYS: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['password_changed', 'email_changed']);

export const isMailedAlways = (kind: NoticeKind): boolean => MAILED_ALWAYS.has(kind);

/** A stretch of time, as ISO instants. */
interface Interval {
  start: string;
  end: string;
}

/** What the text of each kind names, as it was. The asset's name has its own column. Money is in minor units. */
export interface NoticeFacts {
  /** Without hours if it isn't measured. */
  access_offered: { hours: number | null; accepted: boolean } | { handover: true };
  access_accepted: { handover?: true };
  access_declined: { handover?: true };
  access_changed:
    | { change: 'hours'; from_hours: number; to_hours: number }
    | { change: 'manager_added' | 'manager_removed' | 'handover_withdrawn' | 'handover_done' | 'handover_lapsed' }
    | { change: 'archived' | 'restored' };
  access_ended: { left: boolean; deleted?: true };
  access_unconfirmed: { change: 'shared' | 'invited' | 'hours' };
  invitation_accepted: Record<string, never>;
  allowance_nearly_used: Allowance;
  allowance_used: Allowance;
  session_long: { start: string; ends_by: string };
  session_limit: Interval;
  /** `late` if it was by an end pressed offline. */
  session_edited: { before: Interval; after: Interval; late?: true } & Costs;
  session_removed: { before: Interval } & Costs;
  session_objection: {
    change: 'made' | 'replied' | 'accepted' | 'withdrawn' | 'upheld' | 'not_upheld';
    session_id: number;
    /** Whether it is about the reader's own session. */
    own: boolean;
  } & Costs;
  session_request: {
    change: 'made' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed';
    session_id: number;
    own: boolean;
  } & Costs;
  /** In minor units of the currency, per cycle, or month without one. */
  price_changed: {
    month: string;
    from: number;
    to: number;
    currency: string;
    from_cycle: Cycle | null;
    to_cycle: Cycle | null;
  };
  terms_changed: { month: string; before: Terms; after: Terms; currency: string };
  cost: {
    change: 'proposed' | 'moved' | 'counted' | 'declined' | 'changed' | 'agreed' | 'objected' | 'added';
    text: string;
    amount: number;
    currency: string;
    month: string;
    /** Whether the reader is the owner, or a co-manager. */
    managed: boolean;
  };
  /** `days` before the last day to cancel, or else before it renews. */
  renewal: {
    kind: 'renewal' | 'trial';
    on: string;
    cancel_by: string | null;
    days: number;
    amount: number;
    currency: string;
    auto_renews: boolean;
  };
  month_closing: { month: string; closes_at: string };
  statement_ready: { month: string; amount: number | null; currency: string };
  payment_sent: Payment;
  payment_confirmed: Payment;
  payment_undone: Payment;
  balance_old: { amount: number; currency: string; owes: boolean };
  sign_in: { browser: string | null; system: string | null };
  target_off: { host: string };
  password_changed: Record<string, never>;
  email_changed: Record<string, never>;
}

/** For participants who pay more because of the edit but don't manage the asset: in which month. */
interface Costs {
  month?: string;
}

interface Allowance {
  month: string;
  used_seconds: number;
  hours: number;
}

export interface Terms {
  split_method: string;
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  max_hour_cents: number | null;
  extra_cost_cents: number;
  owner_takes_part: boolean;
  measured: boolean;
}

export type PaymentChange =
  | 'sent'
  | 'marked_sent'
  | 'paid'
  | 'marked_paid'
  | 'confirmed'
  | 'not_received'
  | 'undo_asked'
  | 'confirmation_undone'
  | 'undone'
  | 'marked_due'
  | `deposit_${'recorded' | 'confirmed' | 'returned' | 'return_confirmed' | 'refused'}`;

interface Payment {
  change: PaymentChange;
  amount: number;
  currency: string;
  /** Whether the reader is the one who pays; not said of deposits. */
  pays: boolean;
}

/** A notice for a user. `actorId` is who did it, or whom it is about. */
export type NewNotice<Kind extends NoticeKind = NoticeKind> = {
  [K in Kind]: {
    userId: number;
    kind: K;
    /** The cause, of which no user is notified twice. */
    cause: string;
    actorId: number | null;
    assetId: number | null;
    assetName: string | null;
    shareId: number | null;
    data: NoticeFacts[K];
    createdAt: Date;
  };
}[Kind];

/** The part of an allowance after which its member is notified. */
export const ALLOWANCE_NEARLY_USED = 0.8;

/** How old an unpaid charge is when both are notified. */
export const OLD_BALANCE_DAYS = 30;

/** How long before a month closes people are notified. */
export const CLOSING_SOON_HOURS = 24;
