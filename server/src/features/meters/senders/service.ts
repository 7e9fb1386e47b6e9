import { METER_NAMES_MAX } from '@hourshare/contract/limits';
import type { EventReason } from '@hourshare/contract/meters';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { appendMessage } from '../../outbox/service.ts';
import { extendPeriods } from '../../periods/upkeep/service.ts';
import { updateAccessInTime } from '../../shares/starts/service.ts';
import { meterTokenInvalid, meterTokenMisplaced, needsMeterToken } from '../errors.ts';
import * as store from '../store.ts';

const PREFIX = 'hm_';

// 256 random bits.
export const makeToken = ({ randomId }: Deps): string => `${PREFIX}${randomId()}${randomId()}`;

const isMeterToken = (token: string): boolean => token.startsWith(PREFIX);

/** Refuses a meter's token in a call that isn't a meter's; returns undefined for other tokens. */
export const refuseMeterToken = (token: string): Failure | undefined =>
  isMeterToken(token) ? meterTokenMisplaced() : undefined;

/** Lets the sender with a token tell a meter something, while nobody else does. */
export async function takeFromMeter<Value>(
  deps: Deps,
  { bearer, limit }: { bearer: string | undefined; limit: Limit },
  take: (deps: Deps, meter: store.StoredMeter, senderId: number | null) => Promise<Value>,
): Promise<Result<Value>> {
  if (bearer === undefined || !isMeterToken(bearer)) return needsMeterToken();
  const sender = await store.findToken(deps.db, hashToken(bearer));
  if (!sender) return meterTokenInvalid();
  const refused = deps.limits.take(limit, `${sender.id} ${sender.sender_id}`);
  if (refused) return refused;
  await extendPeriods(deps);
  await updateAccessInTime(deps);
  return transaction(deps, async (deps) => {
    const meter = await store.lockMeter(deps.db, sender.id);
    return meter ? ok(await take(deps, meter, sender.sender_id)) : meterTokenInvalid();
  });
}

/** Counts what came too late for its month. */
export async function countLate(
  { db }: Deps,
  meterId: number,
  answers: readonly { reason: EventReason | null }[],
): Promise<void> {
  const late = answers.filter(({ reason }) => reason === 'month_closed').length;
  if (late > 0) await store.addLateEvents(db, meterId, late);
}

/** Whom an event of a meter means. */
export interface Meant {
  /** Null if the name isn't matched. */
  shareId: number | null;
  /** What they said to the meter; undefined if nothing. */
  agreed: boolean | undefined;
  /** Whether what it says is kept. */
  isKept: boolean;
}

/** Records that a meter sent something, and the names in it. Returns whom names mean; a member's token always means that member. */
export async function knowNames(
  deps: Deps,
  {
    meterId,
    assetId,
    senderId,
    names,
  }: { meterId: number; assetId: number; senderId: number | null; names: readonly string[] },
): Promise<(name: string) => Meant> {
  const given = [...new Set(names.filter((name) => name !== ''))];
  const { db, clock } = deps;
  const { shareOf, isNews } = await store.noteNames(db, { meterId, names: given, now: clock(), max: METER_NAMES_MAX });
  const answers = await store.readAnswers(db, meterId);
  const meantBy = (name: string): Meant => {
    const shareId = senderId ?? shareOf.get(name) ?? null;
    const agreed = shareId === null ? undefined : answers.get(shareId);
    return { shareId, agreed, isKept: agreed !== false && (senderId !== null || shareOf.has(name)) };
  };
  const waits = names.map(meantBy).some(({ isKept, agreed }) => isKept && agreed === undefined);
  if (isNews || waits) await appendMessage(deps, 'meter.heard', { assetId }, {});
  return meantBy;
}
