import type { DepositStatus } from '@hourshare/contract/deposits';

/** A deposit as one of its two people finds it. */
export interface DepositState {
  confirmed_at: Date | null;
  returned_at: Date | null;
  return_confirmed_at: Date | null;
  recorded_by_giver: boolean;
  returned_by_giver: boolean | null;
  /** Whether the one who asks gave it. */
  gave: boolean;
  /** Whether the other has no account, so that there is no one to confirm anything. */
  is_alone: boolean;
}

export function statusOf({ confirmed_at, returned_at, return_confirmed_at }: DepositState): DepositStatus {
  if (confirmed_at === null) return 'recorded';
  if (returned_at === null) return 'held';
  return return_confirmed_at === null ? 'returning' : 'returned';
}

/** Returns whether a step of a deposit waits for someone's yes. */
export const isOpen = (status: DepositStatus): status is 'recorded' | 'returning' =>
  status === 'recorded' || status === 'returning';

/** Returns whether the one who asks did the step that waits. */
export function isOwnStep(deposit: DepositState): boolean {
  const byGiver = statusOf(deposit) === 'recorded' ? deposit.recorded_by_giver : deposit.returned_by_giver;
  return byGiver === deposit.gave;
}

/** Returns whether the one who asks can confirm the step that waits: what the other did, or anything once the other is gone. */
export const canConfirm = (deposit: DepositState): boolean =>
  isOpen(statusOf(deposit)) && (!isOwnStep(deposit) || deposit.is_alone);
