import type { Price, SetPriceRequest } from '@hourshare/contract/periods';
import { Id, Month, priceProblem } from '@hourshare/contract/fields';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { SENTENCES } from '@hourshare/contract/sentences';
import type { Deps } from '../../deps.ts';
import { inTransaction, Undone } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { lockUsers } from '../users/service.ts';
import { assetNotFound, badPrice, ownerOnly } from '../assets/errors.ts';
import { noteChange } from '../assets/service.ts';
import { appendEvent } from '../outbox/service.ts';
import { loweredByOwner, monthBeforeAsset, onlyLowered, periodClosed, tooFarAhead } from './errors.ts';
import type { PeriodTerms } from './rules.ts';
import * as installation from '../installation/service.ts';
import * as store from './store.ts';

export {
  areConfirmed,
  brokenPeriods,
  confirmPeriod,
  endPeriods,
  extendWindows,
  isTooLate,
  markClosed,
  ownedPeriods,
  followsOthersMonth,
  roleInMonth,
  setOwnerFrom,
  withdrawProposal,
  unconfirmPeriods,
} from './store.ts';

export { toNextPrice } from './rules.ts';

const DAY_MILLISECONDS = 24 * 3_600_000;

/** Periods reach two months ahead, so for this long after an extension every asset has its next one. */
const COVERAGE_MILLISECONDS = 26 * DAY_MILLISECONDS;

/** How long before the end of that time the schedule extends periods, so that no request waits for all assets. */
const EARLY_MILLISECONDS = 3 * DAY_MILLISECONDS;

const CORRECTION_MILLISECONDS = CORRECTION_HOURS * 3_600_000;

const EXTEND_BATCH_SIZE = 1000;

/**
 * Makes sure that every asset has its current period and the next. Queries the database only if the clock nears the end
 * of the last extension or was set back; concurrent calls share that work.
 */
export const extendPeriods = (deps: Deps): Promise<void> => extendWithin(deps, COVERAGE_MILLISECONDS);

/** As `extendPeriods`, days before requests would wait for it. */
export const extendPeriodsEarly = (deps: Deps): Promise<void> =>
  extendWithin(deps, COVERAGE_MILLISECONDS - EARLY_MILLISECONDS);

function extendWithin(deps: Deps, milliseconds: number): Promise<void> {
  const { periodUpkeep: upkeep } = deps;
  const isCovered = (extendedAt: number) => {
    const elapsed = deps.clock().getTime() - extendedAt;
    return elapsed >= 0 && elapsed < milliseconds;
  };
  if (isCovered(upkeep.extendedAt)) return Promise.resolve();
  upkeep.running ??= extendUnlessCovered(deps, isCovered).finally(() => {
    upkeep.running = undefined;
  });
  return upkeep.running;
}

/** Looks at every asset, unless a server has done so recently enough. */
async function extendUnlessCovered(deps: Deps, isCovered: (extendedAt: number) => boolean): Promise<void> {
  const stored = (await installation.readPeriodExtension(deps.db))?.getTime();
  if (stored !== undefined && isCovered(stored)) deps.periodUpkeep.extendedAt = stored;
  else await extendAll(deps);
}

async function extendAll({ db, clock, periodUpkeep }: Deps): Promise<void> {
  const now = clock();
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await inTransaction(db, async (trx) => {
      const { ids, last } = await store.lockAssetsToExtend(trx, { now, after: from, limit: EXTEND_BATCH_SIZE });
      if (ids.length > 0) await store.extendPeriods(trx, ids, now);
      return last;
    });
  }
  await installation.recordPeriodExtension(db, now);
  periodUpkeep.extendedAt = now.getTime();
}

/** Adds and changes the periods of assets in the transactions that add and change the assets. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetAdded', ({ db, clock }, asset) => store.insertPeriods(db, { ...asset, now: clock() }));
  events.on('assetChanging', async (deps, change) => {
    const { assetId, actorId, byManager, name, timeZone, priceCents, currency, terms, proposeNow } = change;
    const db = deps.db;
    const now = deps.clock();
    if (name !== undefined) await store.keepNameOfDuePeriods(db, assetId, now);
    if (terms !== undefined) await changeTerms(deps, { assetId, actorId, byManager, terms, proposeNow });
    if (timeZone !== undefined) {
      const fromMonth = await store.setTimeZone(db, { assetId, timeZone, now });
      if (fromMonth !== undefined) await events.emit(deps, 'periodsMoved', { assetId, fromMonth });
    }
    if (currency !== undefined)
      await store.convertPrices(db, { assetId, ...currency, ...(priceCents !== undefined && { priceCents }), now });
    else if (priceCents !== undefined) {
      if (byManager && priceCents < (await store.lowestPriceOfManagers(db, { assetId, now })))
        throw new Undone(loweredByOwner());
      const before = await store.setPrice(db, { assetId, priceCents, now });
      if (before) await notePrice(deps, { assetId, actorId, before, priceCents });
    }
  });
  events.on('assetArchived', async ({ db, clock }, { assetId, bill }) => {
    const now = clock();
    await store.markPartial(db, { assetId, now, exceptFirstDay: false });
    if (bill) await store.setUnbilled(db, { assetId, unbilled: bill === 'nothing', now });
  });
  events.on('assetRestoring', async ({ db, clock }, { assetId }) => {
    const now = clock();
    await store.markPartial(db, { assetId, now, exceptFirstDay: true });
    await store.setUnbilled(db, { assetId, unbilled: false, now });
  });
  events.on('assetDeleted', async ({ db }, { assetId, bill, now }) => {
    await store.withdrawProposal(db, assetId, now);
    if (bill) await store.setUnbilled(db, { assetId, unbilled: bill === 'nothing', now });
  });
}

/** Transfers the open months of a deleted account to its stand-in, which already has its assets. */
export function handleAccountEvents({ events }: Deps): void {
  events.on('accountDeleting', ({ db }, { userId, standInId }) =>
    store.moveOwnedPeriods(db, { from: userId, to: standInId }),
  );
}

/**
 * Changes terms from the next month on; without members in the current one, from that one. With `proposeNow`, members are
 * asked whether the terms shall apply to the current month as well. A change ends an earlier proposal. Source:
 * docs/how-costs-are-split.md.
 */
async function changeTerms(
  deps: Deps,
  {
    assetId,
    actorId,
    byManager,
    terms: changes,
    proposeNow,
  }: {
    assetId: number;
    actorId: number;
    byManager: boolean;
    terms: Partial<PeriodTerms>;
    proposeNow?: boolean | undefined;
  },
): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  const known = await store.readTerms(db, assetId, now);
  if (!known) return;
  const terms = { ...known.next, ...changes };
  if (!known.hasMembers) return store.setTerms(db, { assetId, terms, from: 'current', now });
  // Unless asked for, the same terms again change nothing about a proposal.
  if (proposeNow === undefined && isSame(terms, known.next)) return;
  if (byManager && proposeNow) throw new Undone(ownerOnly(SENTENCES.termsNowByOwner));
  // Members are protected because they have to consent; the owner, because they can withdraw the change before it applies.
  if (byManager && known.endsAt.getTime() - now.getTime() < CORRECTION_MILLISECONDS)
    throw new Undone(ownerOnly(SENTENCES.termsLateByOwner));
  const isWithdrawn = await store.withdrawProposal(db, assetId, now);
  await store.setTerms(db, { assetId, terms, from: 'next', now });
  if (!isSame(terms, known.next)) {
    const facts = { month: known.nextMonth, before: toFacts(known.next), after: toFacts(terms) };
    await appendEvent(deps, 'terms.changed', { assetId, actorId }, facts);
  }
  if (proposeNow && !isSame(terms, known.current)) {
    await store.insertProposal(db, { assetId, terms, now });
    await appendEvent(deps, 'terms.proposed', { assetId, actorId }, { change: 'proposed' });
  } else if (isWithdrawn) await appendEvent(deps, 'terms.proposed', { assetId, actorId }, { change: 'withdrawn' });
}

/** Records that proposed terms apply, for everyone: no one knows whose answer was the last. */
async function noteApplied(deps: Deps, applied: store.AppliedTerms[]): Promise<void> {
  for (const { asset_id: assetId, month, before, after } of applied)
    await appendEvent(deps, 'terms.changed', { assetId }, { month, before: toFacts(before), after: toFacts(after) });
}

/** Applies the proposals that all others have agreed to, in the assets to which a user who can't answer anymore had access. */
export const applyAgreedWithout = async (deps: Deps, userId: number): Promise<void> =>
  noteApplied(deps, await store.applyAgreedWithout(deps.db, userId, deps.clock()));

const toFacts = ({ method, basePercent, ownerHours, maxSessionHours }: PeriodTerms) => ({
  split_method: method,
  base_percent: basePercent,
  owner_hours: ownerHours,
  max_session_hours: maxSessionHours,
});

function notePrice(
  deps: Deps,
  price: { assetId: number; actorId: number; before: store.PriceBefore; priceCents: number },
): Promise<void> {
  const { assetId, actorId, before, priceCents } = price;
  const { month, currency } = before;
  const facts = { month, from: { price: before.cents, currency }, to: { price: priceCents, currency } };
  return appendEvent(deps, 'price.changed', { assetId, actorId }, facts);
}

const isSame = (left: PeriodTerms, right: PeriodTerms): boolean =>
  left.method === right.method &&
  left.basePercent === right.basePercent &&
  left.ownerHours === right.ownerHours &&
  left.maxSessionHours === right.maxSessionHours;

/**
 * Records a member's answer to the terms that the owner proposes for the current month; they apply once every member of
 * that month agrees. Returns false if the member can no longer answer that proposal.
 */
export function answerProposal(
  deps: Deps,
  answer: { proposalId: number; shareId: number; memberId: number; agreed: boolean },
): Promise<boolean> {
  return inTransaction(deps.db, async (db) => {
    // Locked first, in the order in which deleting an account does.
    if (!(await lockUsers(db, [answer.memberId])).has(answer.memberId)) return false;
    if ((await store.lockProposal(db, { ...answer, clock: deps.clock })) === undefined) return false;
    const now = deps.clock();
    await store.answerProposal(db, { ...answer, now });
    const { shareId, memberId: actorId } = answer;
    await appendEvent({ ...deps, db }, 'terms.proposed', { shareId, actorId }, { change: 'answered' });
    if (answer.agreed) await noteApplied({ ...deps, db }, await store.applyIfAgreed(db, answer.proposalId, now));
    return true;
  });
}

/** Returns an asset's prices in the months that a user manages, and the months from which they apply, oldest first. */
export function listPrices(
  deps: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Price>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ from_month }: Price) => from_month,
    toItem: (price) => price,
    read: async (page) => {
      const owned = await store.ownedPeriods(deps.db, { assetId, userId, now: deps.clock() });
      return owned
        ? ok(toPrices(await store.readPrices(deps.db, { assetId, userId, ...page }), owned))
        : assetNotFound();
    },
  });
}

/** Returns one page of the assets that a user owned in earlier months and another user owns now. */
export const listFormerAssets = (
  { db }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<{ id: number; name: string }>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: { id: number; name: string }) => id,
    toItem: (asset) => asset,
    read: async (page) => ok(await store.formerAssets(db, { userId, ...page })),
  });

const PRICE_YEARS_AHEAD = 10;

/** Sets the price of an asset that a user manages, starting with a given open month. */
export function setPrice(
  deps: Deps,
  userId: number,
  assetId: number,
  { from_month: fromMonth, subscription_cost: cost }: SetPriceRequest,
): Promise<Result<{ results: Price[]; next: null }>> {
  return inTransaction(deps.db, async (db) => {
    await store.lockManagedAsset(db, { assetId, userId });
    // After the lock, because a month may have ended while another call held it.
    const now = deps.clock();
    const owned = await store.ownedPeriods(db, { assetId, userId, now });
    if (!owned) return assetNotFound();
    const problem = priceProblem(cost, owned.currency);
    if (problem) return badPrice(problem);
    if (fromMonth < owned.first_month) return monthBeforeAsset();
    if (owned.first_open_month === null || fromMonth < owned.first_open_month) return periodClosed('from_month');
    const role = await store.roleInMonth(db, { assetId, month: fromMonth, userId });
    if (!role) return periodClosed('from_month');
    if (Number(fromMonth.slice(0, 4)) > Number(owned.current_month.slice(0, 4)) + PRICE_YEARS_AHEAD)
      return tooFarAhead(PRICE_YEARS_AHEAD);
    const priceCents = toMinor(cost, owned.currency);
    const highest = await store.highestPrice(db, { assetId, month: fromMonth, now });
    if (highest !== null && priceCents > highest) return onlyLowered();
    const isLowered = async () =>
      priceCents < (await store.lowestPriceOfManagers(db, { assetId, month: fromMonth, now }));
    if (role === 'manager' && (await isLowered())) return loweredByOwner();
    await store.extendPeriodsTo(db, assetId, fromMonth);
    const before = await store.setPrice(db, { assetId, fromMonth, priceCents, now });
    if (before) await notePrice({ ...deps, db }, { assetId, actorId: userId, before, priceCents });
    if (before && role === 'manager') await noteChange(db, { assetId, userId, kind: 'price', now });
    return ok({
      results: toPrices(await store.readPrices(db, { assetId, userId }), owned),
      next: null,
    });
  });
}

const toPrices = (
  prices: store.StoredPrice[],
  { first_open_month: firstOpen, currency }: store.OwnedPeriods,
): Price[] =>
  prices.map(({ from_month, price_cents }) => ({
    from_month,
    subscription_cost: toAmount(price_cents, currency),
    open: firstOpen !== null && from_month >= firstOpen,
  }));
