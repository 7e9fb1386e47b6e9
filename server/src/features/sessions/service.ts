import type { MemberSession, Session } from '@hourshare/contract/sessions';
import type { Deps } from '../../deps.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { alreadyRunning, noneRunning, shareNotFound, unknownCursor } from './errors.ts';
import { durationMinutes, fromCursor, toCursor, type Place } from './rules.ts';
import * as store from './store.ts';

/** Starts a session on the server's clock. */
export async function startSession({ db, clock }: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const share = { memberId, shareId };
  const now = clock();
  const started =
    (await store.insertSession(db, share, now)) ??
    // The open one may have passed its limit without anybody noticing: it ends there, and the start is tried once more.
    ((await store.hasShare(db, share)) && (await store.endExpired(db, shareId, now))
      ? await store.insertSession(db, share, now)
      : undefined);
  if (started) return ok(toWire(started));
  return (await store.hasShare(db, share)) ? alreadyRunning() : shareNotFound();
}

export async function endSession({ db, clock }: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const share = { memberId, shareId };
  const ended = await store.endSession(db, share, clock());
  if (ended) return ok(toWire(ended));
  return (await store.hasShare(db, share)) ? noneRunning() : shareNotFound();
}

/** The running session, or undefined (204 on the wire) when there is none. */
export async function activeSession(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<Session | undefined>> {
  const share = { memberId, shareId };
  const active = await store.activeSession(db, share, clock());
  if (active) return ok(toWire(active));
  return (await store.hasShare(db, share)) ? ok(undefined) : shareNotFound();
}

const ENDED_AT_ONCE = 200;

/** Ends every session that has passed its limit, each at that limit; what the schedule does. */
export async function endAllPastLimit({ db, clock }: Deps): Promise<void> {
  while ((await store.endSessionsPastLimit(db, clock(), ENDED_AT_ONCE)) === ENDED_AT_ONCE);
}

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

interface Page<Item> {
  results: Item[];
  next: string | null;
}

/** A member's own sessions of a share, newest first. */
export function listSessions(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  request: PageRequest,
): Promise<Result<Page<Session>>> {
  return pageOf(
    request,
    (limit, behind) => store.sessionsOf(db, { memberId, shareId }, { now: clock(), limit, behind }),
    { missing: shareNotFound, toItem: toWire },
  );
}

/** The sessions of all members of an owner's asset, newest first. */
export function listAssetSessions(
  { db, clock }: Deps,
  ownerId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<MemberSession>>> {
  return pageOf(
    request,
    (limit, behind) => store.sessionsOfAsset(db, { ownerId, assetId }, { now: clock(), limit, behind }),
    { missing: assetNotFound, toItem: (row) => ({ ...toWire(row), username: row.username }) },
  );
}

async function pageOf<Row extends store.StoredSession, Item>(
  { limit, cursor }: PageRequest,
  read: (limit: number, behind: Place | undefined) => Promise<Row[] | undefined>,
  { missing, toItem }: { missing: () => Failure; toItem: (row: Row) => Item },
): Promise<Result<Page<Item>>> {
  const behind = cursor === undefined ? undefined : fromCursor(cursor);
  if (cursor !== undefined && !behind) return unknownCursor();
  // One more than asked for tells whether there is a next page.
  const rows = await read(limit + 1, behind);
  if (!rows) return missing();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last && rows.length > limit ? toCursor({ startedAt: last.started_at, id: last.id }) : null;
  return ok({ results: page.map(toItem), next });
}

function toWire({ id, asset_name, started_at, ended_at }: store.StoredSession): Session {
  return {
    id,
    asset_name,
    start_time: started_at.toISOString(),
    end_time: ended_at?.toISOString() ?? null,
    duration: ended_at && durationMinutes(started_at, ended_at),
  };
}
