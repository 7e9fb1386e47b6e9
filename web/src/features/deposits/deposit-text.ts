import type { Deposit } from '@hourshare/contract/deposits';
import { amountsText } from '../../platform/format/money.ts';
import { t } from '../../platform/i18n/messages.ts';

/** Returns who holds how much of whom; of several deposits, they are of the same two people and the same direction. */
export function heldText(deposits: readonly Deposit[]): string {
  const values = { name: deposits[0]?.username ?? '', amount: amountsText([...deposits]) };
  return deposits[0]?.direction === 'you_hold'
    ? t("You hold {amount} of {name}'s.", values)
    : t('{name} holds {amount} of yours.', values);
}

/** Returns what is still held of a person's deposits for an asset, in a sentence for someone who ends access; null if nothing is. */
export function stillHeldText(
  deposits: readonly Deposit[] = [],
  { assetId, username, direction }: { assetId: number; username: string; direction: Deposit['direction'] },
): string | null {
  const held = deposits.filter(
    (each) =>
      (each.status === 'held' || each.status === 'returning') &&
      each.asset_id === assetId &&
      each.username === username &&
      each.direction === direction,
  );
  return held.length === 0 ? null : heldText(held);
}

/** Returns what became of a deposit; null while it is held. */
export function statusText({ status }: Deposit): string | null {
  if (status === 'held') return null;
  if (status === 'recorded') return t('Not confirmed yet');
  return status === 'returning' ? t('Given back, not confirmed yet') : t('Given back [[deposit]]');
}
