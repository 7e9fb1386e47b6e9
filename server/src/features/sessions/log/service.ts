import { Id } from '@hourshare/contract/fields';
import type { MemberSession, OwnSession } from '@hourshare/contract/sessions';
import { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { assetNotFound } from '../../assets/errors.ts';
import { shareNotFound } from '../../shares/errors.ts';
import type { StoredSession } from '../sql.ts';
import * as store from './store.ts';
import { toMemberSession, toOwnSession } from './wire.ts';

const order = {
  // PostgreSQL accepts dates past the year 9999, but not in the format that Date sends.
  key: z.tuple([z.int().min(0).max(Date.parse('9999-12-31')), Id]),
  keyOf: (session: StoredSession): store.SessionKey => [session.started_at.getTime(), session.id],
};

/** Returns a member's own sessions of a share, newest first. */
export function listSessions(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  request: PageRequest,
): Promise<Result<Page<OwnSession>>> {
  return readPage(request, {
    ...order,
    toItem: toOwnSession,
    read: async (page) => {
      const rows = await store.readSessions(db, { memberId, shareId }, { now: clock(), ...page });
      return rows ? ok(rows) : shareNotFound();
    },
  });
}

/** Returns all members' sessions of an asset that a user manages, newest first. */
export function listAssetSessions(
  { db, clock }: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<MemberSession>>> {
  return readPage(request, {
    ...order,
    toItem: toMemberSession,
    read: async (page) => {
      const rows = await store.readAssetSessions(db, { userId, assetId }, { now: clock(), ...page });
      return rows ? ok(rows) : assetNotFound();
    },
  });
}
