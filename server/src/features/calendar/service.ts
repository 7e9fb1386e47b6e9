import { Readable } from 'node:stream';
import type { CalendarAddress } from '@hourshare/contract/calendar';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { Client } from '../../platform/http/client.ts';
import type { FileToSend } from '../../platform/http/file-answers.ts';
import { ok, type Result } from '../../platform/result.ts';
import { hashToken, type Caller } from '../../platform/tokens.ts';
import { appendMessage } from '../outbox/service.ts';
import { readRenewals } from '../periods/renewals/service.ts';
import { recordSecurityEvent, type By } from '../security-events/service.ts';
import { refuseUnchecked } from '../sign-ins/factors/service.ts';
import * as store from './store.ts';
import { CACHE_MINUTES, toCalendar } from './wire.ts';

const DAY_MILLISECONDS = 24 * 3_600_000;
const PAST_DAYS = 366;
const SESSIONS_MAX = 2000;
const CLOSINGS_MAX = 1000;

/** Returns since when a user's calendar has its address. */
export async function readCalendar({ db }: Deps, userId: number): Promise<Result<{ since: string | null }>> {
  return ok({ since: (await store.addressSince(db, userId))?.toISOString() ?? null });
}

/** Gives a user's calendar a new address, of which only the hash is stored. The one before stops working. */
export function makeAddress(deps: Deps, caller: Caller, by: Client): Promise<Result<CalendarAddress>> {
  const { userId } = caller;
  // 256 random bits.
  const token = `${deps.randomId()}${deps.randomId()}`;
  return transaction(deps, async (deps): Promise<Result<CalendarAddress>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    const now = deps.clock();
    await store.saveAddress(deps.db, { userId, tokenHash: hashToken(token), now });
    await recordSecurityEvent(deps, 'calendar_address_made', { userId, by });
    await appendMessage(deps, 'account.changed', { actorId: userId, userIds: [userId] }, {});
    return ok({ since: now.toISOString(), address: `${deps.server.address}/api/calendar/${token}.ics` });
  });
}

/** Removes the address of a user's calendar, if there is one. It stops working at once. */
export const removeAddress = (deps: Deps, userId: number, by: By): Promise<void> =>
  transaction(deps, async (deps) => {
    if (!(await store.deleteAddress(deps.db, userId))) return;
    await recordSecurityEvent(deps, 'calendar_address_removed', { userId, by });
    await appendMessage(deps, 'account.changed', { userIds: [userId] }, {});
  });

/** Returns the user whose calendar has an address; undefined for any other, and while the account is disabled. */
export const findReader = ({ db }: Deps, token: string): Promise<store.CalendarReader | undefined> =>
  store.findReader(db, hashToken(token));

/** Returns a user's sessions of the last year, when their months close or were closed, and renewals. */
export async function calendarFile(
  { read, clock, server }: Deps,
  { id: userId, language }: store.CalendarReader,
): Promise<FileToSend> {
  const now = clock();
  const since = new Date(now.getTime() - PAST_DAYS * DAY_MILLISECONDS);
  const entries = await read(async (db) => ({
    sessions: await store.readSessions(db, { userId, now, since, limit: SESSIONS_MAX }),
    closings: await store.readClosings(db, { userId, now, since, limit: CLOSINGS_MAX }),
    renewals: await readRenewals({ db, clock }, userId),
  }));
  const text = toCalendar({ ...entries, now, language: language ?? 'en', address: server.address });
  return { name: 'hourshare.ics', cacheSeconds: CACHE_MINUTES * 60, content: () => Readable.from([text]) };
}
