import { METER_NAMES_MAX } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import * as store from '../store.ts';

/** Whom an event of a meter means. */
export interface Meant {
  /** Null if nobody said whose the name is. */
  shareId: number | null;
  /** What they said to the meter; undefined if nothing. */
  agreed: boolean | undefined;
  /** Whether what it says is kept. */
  isKept: boolean;
}

/** Notes that a meter was heard of, and of whom. Returns whom names mean; with the token of a member, that is who they are. */
export async function knowNames(
  { db, clock }: Deps,
  { meterId, senderId, names }: { meterId: number; senderId: number | null; names: readonly string[] },
): Promise<(name: string) => Meant> {
  const given = [...new Set(names.filter((name) => name !== ''))];
  const shareOf = await store.noteNames(db, { meterId, names: given, now: clock(), max: METER_NAMES_MAX });
  const answers = await store.readAnswers(db, meterId);
  return (name) => {
    const shareId = senderId ?? shareOf.get(name) ?? null;
    const agreed = shareId === null ? undefined : answers.get(shareId);
    return { shareId, agreed, isKept: agreed !== false && (senderId !== null || shareOf.has(name)) };
  };
}
