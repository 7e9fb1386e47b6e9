import type { Deps } from '../../../deps.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { uncheckSignIns } from '../store.ts';
import { queueNotice } from './mail.ts';

/** A change of how an account signs in, apart from its password, which ends all other sign-ins. */
type FactorChange =
  | 'two_step_on'
  | 'two_step_off'
  | 'recovery_codes_made'
  | 'passkey_added'
  | 'passkey_removed'
  | 'provider_connected'
  | 'provider_disconnected';

/**
 * Records a change of how a user signs in and notifies them. Their other sign-ins must prove again who they are: otherwise, an attacker
 * who has just signed in could undo it, or add a way in that stays. Needs the lock on the user's row.
 */
export async function recordFactorChange(
  deps: Deps,
  change: FactorChange,
  { userId, by }: { userId: number; by: By },
): Promise<void> {
  await uncheckSignIns(deps.db, { userId, keep: by === 'administrator' ? undefined : by.signIn });
  await queueNotice(deps, userId, change);
  await recordSecurityEvent(deps, change, { userId, by });
}
