import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { dueReminders } from '../../periods/renewals/service.ts';
import * as rules from '../notices/rules.ts';
import { addNotices, allowanceNotices } from '../notices/service.ts';
import * as store from './store.ts';

/** How many sessions, months, or members a transaction of a job looks at. */
const BATCH_SIZE = 1000;

/**
 * Does the work in parts, each in its own transaction: from the start, then after the key that the previous one
 * returned.
 */
async function inBatches<Key>(
  deps: Deps,
  work: (deps: Deps, after: Key | undefined) => Promise<Key | undefined>,
): Promise<void> {
  let after: Key | undefined;
  do {
    const key: Key | undefined = after;
    after = await transaction(deps, (deps) => work(deps, key));
  } while (after !== undefined);
}

/** Notifies members whose session is long, or who have used much of their allowance while one runs. */
export async function tellOfRunningSessions(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await inBatches<number>(deps, async (batch, after = 0) => {
    const shareIds = await store.runningShares(batch.db, { now, after, limit: BATCH_SIZE });
    const long = (await store.longSessions(batch.db, { shareIds, now })).map((session): rules.NewNotice => ({
      userId: session.member_id,
      kind: 'session_long',
      cause: `session:${session.id}:half`,
      actorId: null,
      assetId: session.asset_id,
      assetName: session.asset_name,
      shareId: session.share_id,
      data: { start: session.started_at.toISOString(), ends_by: session.ends_by.toISOString() },
      createdAt: now,
    }));
    await addNotices(batch, [...long, ...(await allowanceNotices(batch, shareIds, now))]);
    return shareIds.at(-1);
  });
}

/** Notifies people of months that close within a day, of balances that have been unpaid for long, and of renewals. */
export async function tellOfMonthsAndBalances(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await inBatches<store.PeriodKey>(deps, (batch, after) => tellOfMonths(batch, now, after));
  await inBatches<number>(deps, (batch, after) => tellOfBalances(batch, now, after));
  await inBatches<number>(deps, (batch, after) => tellOfRenewals(batch, now, after));
}

/** Notifies people of a number of months after one. Returns the last of them. */
async function tellOfMonths(
  deps: Deps,
  now: Date,
  after: store.PeriodKey | undefined,
): Promise<store.PeriodKey | undefined> {
  const keys = await store.periodsToClose(deps.db, { now, hours: rules.CLOSING_SOON_HOURS, after, limit: BATCH_SIZE });
  const months = await store.closingMonths(deps.db, { keys, now, hours: rules.CLOSING_SOON_HOURS });
  await addNotices(
    deps,
    months.flatMap(
      ({ user_ids: userIds, asset_id: assetId, asset_name: assetName, month, closes_at: closesAt, cause }) =>
        userIds.map((userId): rules.NewNotice => ({
          userId,
          kind: 'month_closing',
          cause,
          actorId: null,
          assetId,
          assetName,
          shareId: null,
          data: { month, closes_at: closesAt.toISOString() },
          createdAt: now,
        })),
    ),
  );
  return keys.at(-1);
}

/** Reminds people of the renewals of a number of assets after one: of each only by the latest reminder. Returns the last of them. */
async function tellOfRenewals(deps: Deps, now: Date, after = 0): Promise<number | undefined> {
  const { reminders, last } = await dueReminders(deps, { now, after, limit: BATCH_SIZE });
  const notices = reminders.flatMap(
    ({ userIds, assetId, assetName, kind, on, cancelBy, days, priceCents, currency, autoRenews }) =>
      userIds.map((userId): rules.NewNotice => ({
        userId,
        kind: 'renewal',
        cause: `renewal:${assetId}:${on}:${days}`,
        actorId: null,
        assetId,
        assetName,
        shareId: null,
        data: { kind, on, cancel_by: cancelBy, days, amount: priceCents, currency, auto_renews: autoRenews },
        createdAt: now,
      })),
  );
  await addNotices(deps, await store.notYetTold(deps.db, notices));
  return last;
}

/** Notifies people of the balances of a number of members after one. Returns the last of them. */
async function tellOfBalances(deps: Deps, now: Date, after = 0): Promise<number | undefined> {
  const before = new Date(now.getTime() - rules.OLD_BALANCE_DAYS * rules.DAY_MILLISECONDS);
  const memberIds = await store.membersWithBalances(deps.db, { after, limit: BATCH_SIZE });
  const balances = await store.oldBalances(deps.db, { memberIds, before });
  await addNotices(
    deps,
    balances.flatMap(({ user_ids: userIds, debtor_id: debtor, creditor_id: creditor, amount, currency, cause }) =>
      userIds.map((userId): rules.NewNotice => ({
        userId,
        kind: 'balance_old',
        cause,
        actorId: userId === debtor ? creditor : debtor,
        assetId: null,
        assetName: null,
        shareId: null,
        data: { amount, currency, owes: userId === debtor },
        createdAt: now,
      })),
    ),
  );
  return memberIds.at(-1);
}
