import { UNDO_HOURS } from '@hourshare/contract/limits';
import type { PaymentStepKind, SettlementStatus } from '@hourshare/contract/settlements';

/** Returns what two users owe each other in whole cents; `net` is negative when the user owes more than they are owed. */
export function netBalance(lines: readonly { cents: number; owedToUser: boolean }[]): {
  owedToUser: number;
  owedByUser: number;
  net: number;
} {
  const sum = (toUser: boolean) =>
    lines.reduce((total, { cents, owedToUser }) => (owedToUser === toUser ? total + cents : total), 0);
  const [owedToUser, owedByUser] = [sum(true), sum(false)];
  return { owedToUser, owedByUser, net: owedToUser - owedByUser };
}

/** The part of a charge that a payment covers. */
export interface Part {
  lineId: number;
  cents: number;
}

/** Takes an amount from charges, oldest month first. Takes less if they don't have as much. */
export function takeFromOldest(lines: readonly { id: number; month: string; cents: number }[], amount: number): Part[] {
  const parts: Part[] = [];
  let rest = amount;
  for (const { id, cents } of lines.toSorted((a, b) => a.month.localeCompare(b.month) || a.id - b.id)) {
    if (rest === 0) break;
    const taken = Math.min(rest, cents);
    parts.push({ lineId: id, cents: taken });
    rest -= taken;
  }
  return parts;
}

export interface PaymentStep {
  kind: PaymentStepKind;
  /** Whether the payer did it, or else the payee. */
  byPayer: boolean;
  at: Date;
}

/** A payment as one of its two sides finds it. */
export interface Payment {
  status: SettlementStatus;
  /** Oldest first; the first one records it. */
  steps: readonly PaymentStep[];
  /** Whether the one who asks is the payer. */
  asPayer: boolean;
  /** Whether the other side's account was deleted, so that there is no one to agree. */
  isAlone: boolean;
}

/** The status after a step; the others leave it as it was. */
export const statusAfter: Partial<Record<PaymentStepKind, SettlementStatus>> = {
  sent: 'sent',
  paid: 'paid',
  confirmed: 'paid',
  not_received: 'not_received',
  confirmation_undone: 'sent',
  undone: 'undone',
};

export const counts = ({ status }: Pick<Payment, 'status'>): boolean => status === 'sent' || status === 'paid';

/** Returns the step that asks to undo a payment and has no answer yet. */
export function openUndoRequest({ status, steps }: Pick<Payment, 'status' | 'steps'>): PaymentStep | undefined {
  const last = steps.at(-1);
  return last?.kind === 'undo_asked' && counts({ status }) ? last : undefined;
}

/** Returns whether a side can confirm a payment: the payee, or the payer once the payee's account was deleted. */
export const canConfirm = ({ status, asPayer, isAlone }: Payment): boolean =>
  status === 'sent' && (!asPayer || isAlone);

/** Returns whether what was done at that time can still be undone by who did it, without the other. */
export const isUndoable = (at: Date, now: Date): boolean => now.getTime() - at.getTime() <= UNDO_HOURS * 3_600_000;

/**
 * Returns what undoing a payment comes to for one side: `alone` for what they did in the last 72 hours, `agree` if the
 * other has asked, else `ask`. Null if it no longer counts, and for a payee who can say that nothing arrived.
 */
export function undoStep(payment: Payment, now: Date): 'alone' | 'agree' | 'ask' | null {
  const { status, steps, asPayer, isAlone } = payment;
  if (!counts(payment)) return null;
  if (isAlone) return 'alone';
  const request = openUndoRequest(payment);
  if (request) return request.byPayer === asPayer ? 'ask' : 'agree';
  const made = steps.findLast(({ kind }) => kind === 'confirmed' || kind === 'paid' || kind === 'sent');
  // A payment whose confirmation was undone is sent again, as before.
  const standing = status === 'sent' ? steps[0] : made;
  if (standing?.byPayer === asPayer && isUndoable(standing.at, now)) return 'alone';
  return status === 'sent' && !asPayer ? null : 'ask';
}

/** Returns the step of undoing a payment alone: a confirmation within its time becomes a sent payment again. */
export function undoneAlone({ status, steps, isAlone }: Payment): 'confirmation_undone' | 'undone' {
  const made = steps.findLast(({ kind }) => kind === 'confirmed' || kind === 'paid');
  return status === 'paid' && made?.kind === 'confirmed' && !isAlone ? 'confirmation_undone' : 'undone';
}
