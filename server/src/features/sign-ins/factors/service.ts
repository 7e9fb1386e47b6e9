import type { Deps } from '../../../deps.ts';
import { isRecent } from '../../../platform/checks.ts';
import type { Failure } from '../../../platform/result.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { checkRequired } from '../errors.ts';
import { lastCheck, lockCaller, uncheckSignIns } from '../store.ts';
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
 * Locks the caller's account, and returns why the caller may not change how it signs in. While a request waited for the lock, another
 * one may have ended its sign-in, or its check.
 */
export async function refuseUnchecked({ db, clock }: Deps, caller: Caller): Promise<Failure | undefined> {
  if (!(await lockCaller(db, caller))) return notSignedIn();
  const last = await lastCheck(db, caller.signIn);
  return last && isRecent(last.at, clock()) ? undefined : checkRequired();
}

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
