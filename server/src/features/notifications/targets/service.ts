import { NOTICE_TARGETS_MAX } from '@hourshare/contract/limits';
import type {
  CreatedNoticeTarget,
  CreateNoticeTargetRequest,
  NoticeTarget,
  NoticeTargets,
  NoticeTargetUpdate,
} from '@hourshare/contract/notifications';
import { sentence } from '@hourshare/contract/sentences';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { post } from '../../../platform/posting.ts';
import { fail, failField, ok, type Result } from '../../../platform/result.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { hasOtherSecret } from '../../installation/sealed-texts/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { refuseUnchecked } from '../../sign-ins/factors/service.ts';
import { sendDue, type Due } from '../deliveries/service.ts';
import { addNotices } from '../notices/service.ts';
import { toNotice } from '../notices/wire.ts';
import * as wire from './wire.ts';
import * as store from './store.ts';

const SENT = 'hourshare_targets_sent_total';
const FAILED = 'hourshare_targets_failures_total';

/** Registers what Prometheus learns about notices that are sent elsewhere. */
export function defineMetrics({ metrics }: Deps): void {
  metrics.counter(SENT, "Notices that users' own programs and services accepted from this server.");
  metrics.counter(FAILED, 'Attempts to send a notice elsewhere that failed.');
}

export async function listTargets({ db }: Deps, userId: number): Promise<Result<NoticeTargets>> {
  return ok({ results: (await store.targetsOf(db, userId)).map(toTarget), next: null });
}

/** Sends a user's notices to an address of theirs. What signs them is shown only now. */
export function addTarget(
  deps: Deps,
  caller: Caller,
  { format, address, token, kinds, amounts }: CreateNoticeTargetRequest,
  by: Client,
): Promise<Result<CreatedNoticeTarget>> {
  const { userId } = caller;
  const secret = format === 'json' ? `${deps.randomId()}${deps.randomId()}` : (token ?? null);
  const key: wire.TargetKey = { address, secret };
  return transaction(deps, async (deps): Promise<Result<CreatedNoticeTarget>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    if (!wire.maySendTo(address, hostsOf(deps))) return failField('address', sentence('address_refused'));
    if (!wire.fitsFormat(address, format)) return failField('address', sentence('topic_required'));
    if ((await store.targetsOf(deps.db, userId)).length >= NOTICE_TARGETS_MAX) return fail('too_many_targets');
    const target = {
      user_id: userId,
      format,
      kinds: [...new Set(kinds)],
      amounts,
      host: new URL(address).host,
      sealed: deps.tokens.seal(JSON.stringify(key)),
      created_at: deps.clock(),
    };
    const id = await store.insertTarget(deps.db, target);
    await recordSecurityEvent(deps, 'notice_target_added', { userId, by });
    await tellDevices(deps, userId);
    return ok({ ...toTarget({ ...target, id, off_at: null }), secret: format === 'json' ? secret : null });
  });
}

export function changeTarget(
  deps: Deps,
  target: { userId: number; id: number },
  { on, kinds, amounts }: NoticeTargetUpdate,
): Promise<Result<NoticeTarget>> {
  return transaction(deps, async (deps) => {
    await store.updateTarget(deps.db, target, {
      ...(kinds && { kinds: [...new Set(kinds)] }),
      ...(amounts !== undefined && { amounts }),
      ...(on && { off_at: null }),
    });
    const changed = await store.findTarget(deps.db, target);
    if (!changed) return fail('not_found');
    await tellDevices(deps, target.userId);
    return ok(toTarget(changed));
  });
}

export function removeTarget(deps: Deps, target: { userId: number; id: number }, by: By): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    if (!(await store.deleteTarget(deps.db, target))) return fail('not_found');
    await recordSecurityEvent(deps, 'notice_target_removed', { userId: target.userId, by });
    await tellDevices(deps, target.userId);
    return ok(undefined);
  });
}

/** Removes all targets of an account, which someone else may have added. */
export async function removeTargets(deps: Deps, userId: number, by: By): Promise<void> {
  if ((await store.deleteTargetsOf(deps.db, userId)) === 0) return;
  await recordSecurityEvent(deps, 'notice_target_removed', { userId, by });
  await tellDevices(deps, userId);
}

const tellDevices = (deps: Deps, userId: number): Promise<void> =>
  appendMessage(deps, 'account.changed', { userIds: [userId] }, {});

const hostsOf = ({ config }: Deps) => config.WEBHOOK_HOSTS ?? [];

/**
 * Sends notices that are due to their users' targets, in order. A target that fails gets the first one again later; after three days
 * it is turned off, and its user is told.
 */
export const sendDueToTargets = (deps: Deps, stopped?: AbortSignal): Promise<void> =>
  sendDue(
    deps,
    {
      channel: 'target',
      waits: wire.WAITS,
      atOnce: wire.TARGETS_AT_ONCE,
      onlyUnread: false,
      send: async (deps, due) => {
        const target = await store.findTarget(deps.db, { id: due.delivery.receiver_id });
        if (!target) return 'done';
        if (await isSent(deps, { target, due, stopped })) return 'done';
        const isOver = deps.clock().getTime() - due.delivery.tried_at.getTime() >= wire.GIVE_UP_MILLISECONDS;
        if (isOver) await giveUp(deps, target);
        return 'again';
      },
    },
    stopped,
  );

async function isSent(
  deps: Deps,
  { target, due, stopped }: { target: store.StoredTarget; due: Due; stopped: AbortSignal | undefined },
): Promise<boolean> {
  const about = { notice: due.stored.id, target: target.id };
  const opened = deps.tokens.unseal(target.sealed);
  if (opened === undefined) {
    // It was sealed before the secret was replaced, or by a server that has another one already.
    if (await hasOtherSecret(deps)) deps.log.error(about, "a notice can't be sent: restart this server");
    deps.metrics.count(FAILED);
    return false;
  }
  // oxlint-disable-next-line no-unsafe-type-assertion -- addTarget sealed it
  const key = JSON.parse(opened) as wire.TargetKey;
  const { user, stored } = due;
  const reader = { language: user.language ?? 'en', timeZone: user.time_zone, hidesAmounts: !target.amounts };
  // oxlint-disable-next-line no-unsafe-type-assertion -- the facts of every kind are an object
  const { session_id: sessionId } = JSON.parse(stored.data) as { session_id?: number };
  const ids = { asset_id: stored.asset_id, share_id: stored.share_id, session_id: sessionId ?? null };
  const notice = wire.sentNotice(toNotice(stored, reader), ids, deps.server.address);
  const { address, headers, body } = wire.requestOf(target.format, key, { notice, now: deps.clock() });
  try {
    const status = await post(address, {
      headers,
      body,
      withinMilliseconds: wire.ATTEMPT_MILLISECONDS,
      signal: stopped,
      allowPrivate: wire.isOwnHost(new URL(address), hostsOf(deps)),
    });
    const isAccepted = status >= 200 && status < 300;
    deps.metrics.count(isAccepted ? SENT : FAILED);
    if (!isAccepted) deps.log.info({ ...about, status }, 'a target refused a notice');
    return isAccepted;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    deps.metrics.count(FAILED);
    deps.log.info({ ...about, code }, 'a notice could not be sent to a target');
    return false;
  }
}

/** Turns a target off, and tells its user. */
const giveUp = (deps: Deps, { id, user_id: userId, host }: store.StoredTarget): Promise<void> =>
  transaction(deps, async (deps) => {
    const now = deps.clock();
    if (!(await store.turnOff(deps.db, id, now))) return;
    await addNotices(deps, [
      {
        userId,
        kind: 'target_off',
        cause: `target:${id}:off:${now.getTime()}`,
        actorId: null,
        assetId: null,
        assetName: null,
        shareId: null,
        data: { host },
        createdAt: now,
      },
    ]);
    await tellDevices(deps, userId);
  });

const toTarget = ({
  id,
  format,
  host,
  kinds,
  amounts,
  created_at: since,
  off_at: off,
}: store.StoredTarget | Omit<store.StoredTarget, 'user_id' | 'sealed'>): NoticeTarget => ({
  id,
  format,
  host,
  kinds,
  amounts,
  created_at: since.toISOString(),
  off_since: off?.toISOString() ?? null,
});
