import type {
  Bill,
  CreateAssetRequest,
  ManagerChange,
  OwnedAsset,
  UpdateAssetRequest,
} from '@hourshare/contract/assets';
import { averageMonth, type PlanChanges } from '@hourshare/contract/cycles';
import { amountProblem, hueOf, Id, priceProblem, toHours, type TermChanges } from '@hourshare/contract/fields';
import { ASSETS_MAX } from '@hourshare/contract/limits';
import { DEFAULT_CURRENCY, toAmount, toMinor } from '@hourshare/contract/money';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction, undoableTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { runEach } from '../../platform/run-each.ts';
import { appendMessage } from '../outbox/service.ts';
import { notSignedIn, unknownTimeZone } from '../users/errors.ts';
import { lockUsers } from '../users/service.ts';
import {
  assetNotFound,
  badExtraCostLimit,
  badMaxPrice,
  badPrice,
  billWithoutArchiving,
  currencyFixed,
  otherPriceUnfit,
  ownerOnly,
  tooManyAssets,
} from './errors.ts';
import { changePlan, NO_PLAN, unrenewedEnd } from './plans/service.ts';
import { costsMore, toNextTerms, toWireTerms, type AgreedTerms } from './terms/service.ts';
import * as traces from './changes/store.ts';
import * as store from './store.ts';

export { insertChange as noteChange } from './changes/store.ts';
export { setOwner } from './store.ts';

export function listAssets(
  { db, clock }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<OwnedAsset>>> {
  const now = clock();
  return readPage(request, {
    key: Id,
    keyOf: ({ id }: store.StoredAsset) => id,
    toItem: (asset) => toWire(asset, now),
    read: async (page) => ok(await store.managedAssets(db, { userId, now, ...page })),
  });
}

/** Returns an asset that a user owns or co-manages. */
export async function managedAsset({ db, clock }: Deps, userId: number, assetId: number): Promise<Result<OwnedAsset>> {
  const now = clock();
  const [asset] = await store.managedAssets(db, { userId, assetId, now, limit: 1 });
  return asset ? ok(toWire(asset, now)) : assetNotFound();
}

const NEW_PLAN = { plan: null, reminderDays: [], endsOn: null, autoRenews: true };

/** Adds an asset whose price applies from the current month. */
export async function createAsset(
  deps: Deps,
  ownerId: number,
  { subscription_cost: cost, currency = DEFAULT_CURRENCY, time_zone: timeZone = 'UTC', ...request }: CreateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  const { plan: planChanges, others } = splitPlan(request);
  const { terms, columns, problem } = splitTerms(others, currency);
  if (problem) return problem;
  return undoableTransaction(deps, async (deps) => {
    // A few added at the same time may exceed the limit: counting them would make each wait for the others.
    if (!(await lockUsers(deps.db, [ownerId])).has(ownerId)) return notSignedIn();
    if ((await store.countAssets(deps.db, ownerId)) >= ASSETS_MAX) return tooManyAssets();
    const { today } = await store.dateIn(deps.db, timeZone, deps.clock());
    const planned = changePlan({ ...NEW_PLAN, today }, planChanges, {
      isPriced: true,
      isAdded: true,
    });
    if ('problem' in planned) return planned.problem;
    const assetId = await store.insertAsset(deps.db, {
      ...definedFields(columns),
      ...planned.columns,
      ends_on: planned.endsOn ?? null,
      currency,
      owner_id: ownerId,
      created_at: deps.clock(),
    });
    const priceCents = toMinor(cost, currency);
    await deps.react(deps, 'assetAdded', { assetId, ownerId, timeZone, priceCents, plan: planned.plan ?? null, terms });
    await appendMessage(deps, 'asset.added', { assetId, actorId: ownerId }, {});
    return managedAsset(deps, ownerId, assetId);
  });
}

/**
 * Changes an asset. A new price applies from the current month, new terms and a new time zone from the next (terms from the
 * current one if no one else is part of it), and a new currency to all months, if no one else has ever had access. Archiving ends
 * active sessions and hides the asset from its members until it is restored; `bill` says whether the running month is billed. Only the
 * owner can make changes that a co-manager could profit from as a member.
 */
export async function updateAsset(
  deps: Deps,
  userId: number,
  assetId: number,
  {
    subscription_cost: cost,
    currency: newCurrency,
    archived,
    bill,
    time_zone: timeZone,
    ...request
  }: UpdateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (bill !== undefined && archived !== true) return billWithoutArchiving();
  const { plan: planChanges, others } = splitPlan(request);
  if (timeZone !== undefined && !(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return undoableTransaction(deps, async (deps) => {
    // Locked first, so that a session starting now waits and then finds the asset archived.
    const asset = await store.lockAsset(deps.db, { userId, assetId, now: deps.clock() });
    if (!asset) return assetNotFound();
    const currency = newCurrency ?? asset.currency;
    const byManager = asset.ownerId !== userId;
    if (byManager && bill === 'nothing') return ownerOnly('unbilled_by_owner');
    const problem = cost === undefined ? undefined : priceProblem(cost, currency);
    if (problem) return badPrice(problem);
    if (currency !== asset.currency) {
      const isPriced = cost !== undefined;
      const refusal = await refuseCurrency(deps, { assetId, from: asset.currency, to: currency, isPriced });
      if (refusal) return refusal;
    }
    const toggled = archived !== undefined && archived !== asset.archived;
    const { terms, columns, problem: capProblem } = splitTerms(others, currency);
    if (capProblem) return capProblem;
    const planned = changePlan(asset, planChanges, { isPriced: cost !== undefined });
    if ('problem' in planned) return planned.problem;
    const { plan } = planned;
    const { auto_renews: renews = asset.autoRenews } = planChanges;
    if (byManager && (plan !== undefined || planned.endsOn !== undefined)) return ownerOnly();
    // Restored, it goes on, and if it doesn't renew by itself, to its next renewal.
    const isOver = toggled && !archived && asset.endsOn !== null && asset.endsOn <= asset.today;
    const nextEnd = renews ? null : unrenewedEnd(plan === undefined ? asset.plan : plan, asset.today);
    const endsOn = planned.endsOn ?? (isOver ? nextEnd : planned.endsOn);
    const endsOtherwise = endsOn !== undefined && endsOn !== asset.endsOn;
    if (endsOtherwise) await store.updateAsset(deps.db, assetId, { ends_on: endsOn });
    const before = byManager ? await managedAsset(deps, userId, assetId) : undefined;
    if (toggled && !archived) await restoreAsset(deps, { assetId, actorId: userId });
    await deps.react(deps, 'assetChanging', {
      assetId,
      actorId: userId,
      byManager,
      ...definedFields({ name: columns.name, timeZone }),
      ...(cost === undefined ? {} : { priceCents: toMinor(cost, currency) }),
      ...(currency === asset.currency ? {} : { currency: { from: asset.currency, to: currency } }),
      ...(Object.keys(terms).length > 0 && { terms }),
      ...(plan !== undefined && { plan }),
      endsOtherwise,
    });
    const changes = {
      ...definedFields(columns),
      ...planned.columns,
      ...(currency === asset.currency ? {} : { currency }),
    };
    if (Object.keys(changes).length > 0) await store.updateAsset(deps.db, assetId, changes);
    if (archived && toggled) await archiveAsset(deps, { assetId, ...(bill && { bill }) });
    else if (bill) await deps.react(deps, 'assetArchived', { assetId, bill });
    const change = toggled ? { change: archived ? ('archived' as const) : ('restored' as const) } : {};
    await appendMessage(deps, 'asset.changed', { assetId, actorId: userId }, change);
    const after = await managedAsset(deps, userId, assetId);
    if (before?.ok && after.ok)
      for (const kind of changedKinds(before.value, after.value))
        await traces.insertChange(deps.db, { assetId, userId, kind, now: deps.clock() });
    return after;
  });
}

/** Locks an asset in the caller's transaction. Returns why a user can't decide about it as its owner. */
export async function lockOwned(deps: Deps, userId: number, assetId: number): Promise<Failure | undefined> {
  const asset = await store.lockAsset(deps.db, { userId, assetId, now: deps.clock() });
  if (!asset) return assetNotFound();
  return asset.ownerId === userId ? undefined : ownerOnly();
}

/** Sets from which day on an asset, which `lockOwned` has locked, is archived; null for never. */
export async function setEnd(deps: Deps, userId: number, assetId: number, endsOn: string | null): Promise<void> {
  await store.updateAsset(deps.db, assetId, { ends_on: endsOn });
  await deps.react(deps, 'assetChanging', { assetId, actorId: userId, byManager: false, endsOtherwise: true });
  await appendMessage(deps, 'asset.changed', { assetId, actorId: userId }, {});
}

/** Changes terms along with giving someone access, as the owner, in the caller's transaction. Returns why it can't. */
export async function changeFirstTerms(
  deps: Deps,
  { userId, assetId }: { userId: number; assetId: number },
  asked: TermChanges | undefined,
): Promise<Failure | undefined> {
  if (!asked) return undefined;
  const asset = await store.lockAsset(deps.db, { userId, assetId, now: deps.clock() });
  if (!asset) return assetNotFound();
  if (asset.ownerId !== userId) return ownerOnly();
  const { terms: changes, problem } = splitTerms(asked, asset.currency);
  // What follows from the hours given isn't chosen.
  const terms = changes.maxHourChosen === undefined ? changes : { ...changes, maxHourChosen: false };
  if (!problem) await deps.react(deps, 'assetChanging', { assetId, actorId: userId, byManager: false, terms });
  return problem;
}

/** Separates what a request says of how an asset is paid from its other fields. */
function splitPlan<Others extends object>({
  cycle,
  spread,
  trial_until,
  ends_on,
  cancel_by_days,
  auto_renews,
  reminder_days,
  ...others
}: PlanChanges & Others) {
  return { plan: { cycle, spread, trial_until, ends_on, cancel_by_days, auto_renews, reminder_days }, others };
}

/** Separates the terms in a request from its other fields. Amounts must fit the asset's currency. */
function splitTerms<Others extends object>(
  {
    split_method: method,
    base_percent: basePercent,
    owner_hours: ownerHours,
    max_session_hours: maxSessionHours,
    max_price_per_hour: cap,
    extra_cost_limit: extra,
    owner_takes_part: ownerTakesPart,
    measured,
    ...columns
  }: TermChanges & Others,
  currency: string,
) {
  const maxHourCents = cap === undefined || cap === null ? cap : toMinor(cap, currency);
  const terms = definedFields({
    method,
    basePercent,
    ownerHours,
    maxSessionHours,
    maxHourCents,
    maxHourChosen: cap === undefined ? undefined : cap !== null,
    ownerTakesPart,
    measured,
    extraCostCents: extra === undefined ? undefined : toMinor(extra, currency),
  });
  const problem = cap === undefined || cap === null ? undefined : amountProblem(cap, currency);
  const extraProblem = extra === undefined ? undefined : amountProblem(extra, currency);
  return { terms, columns, problem: problem ? badMaxPrice(problem) : extraProblem && badExtraCostLimit(extraProblem) };
}

/** Archives a locked asset. */
async function archiveAsset(deps: Deps, asset: Causes['assetArchived']): Promise<void> {
  const { assetId, since = deps.clock() } = asset;
  await store.setArchived(deps.db, { assetId, archived: true, since });
  await deps.react(deps, 'assetArchived', asset);
}

/** Archives the assets whose plan has ended: each once, however many servers there are. Run by the schedule. */
export async function archiveEndedAssets(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  await runEach(deps, await store.endedAssets(deps.db, now), {
    work: (assetId) =>
      transaction(deps, async (deps) => {
        const since = await store.lockEnded(deps.db, { assetId, now });
        if (!since) return;
        await archiveAsset(deps, { assetId, since });
        await appendMessage(deps, 'asset.changed', { assetId }, { change: 'archived' });
      }),
    factsOf: (assetId) => ({ assetId }),
    failure: 'an asset whose plan has ended could not be archived',
  });
}

/** Restores a locked asset from the archive. */
async function restoreAsset(deps: Deps, asset: Causes['assetRestoring']): Promise<void> {
  await deps.react(deps, 'assetRestoring', asset);
  await store.setArchived(deps.db, { assetId: asset.assetId, archived: false, since: deps.clock() });
}

const TERM_FIELDS = [
  'split_method',
  'base_percent',
  'owner_hours',
  'max_session_hours',
  'max_price_per_hour',
  'extra_cost_limit',
  'owner_takes_part',
  'measured',
] as const;

const DETAIL_FIELDS = [
  ...(['name', 'description', 'time_zone', 'next_time_zone'] as const),
  ...(['cancel_by_days', 'auto_renews', 'reminder_days'] as const),
] as const;

/** Returns what a co-manager has changed. Clients may send fields that stay the same. */
function changedKinds(before: OwnedAsset, after: OwnedAsset): ManagerChange['kind'][] {
  const differ = (...names: (keyof OwnedAsset)[]) =>
    names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return [
    ...(differ(...DETAIL_FIELDS) ? (['details'] as const) : []),
    ...(differ('subscription_cost') ? (['price'] as const) : []),
    ...(differ(...TERM_FIELDS, 'next_terms') ? (['terms'] as const) : []),
    ...(differ('archived', 'unbilled') ? [after.archived ? ('archived' as const) : ('restored' as const)] : []),
  ];
}

/** Returns the co-managers' changes to an asset that a user manages, newest first. */
export const listChanges = (
  { db }: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<ManagerChange>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: traces.StoredChange) => id,
    toItem: ({ changed_at: at, ...change }) => ({ ...change, at: at.toISOString() }),
    read: async (page) => {
      const rows = await traces.readChanges(db, { userId, assetId, ...page });
      return rows ? ok(rows) : assetNotFound();
    },
  });

/** Returns why an asset can't have another currency: someone has had access, or it doesn't allow a price that can still change. */
async function refuseCurrency(
  { db, clock }: Deps,
  { assetId, from, to, isPriced }: { assetId: number; from: string; to: string; isPriced: boolean },
): Promise<Failure | undefined> {
  if (await store.wasAccepted(db, assetId)) return currencyFixed();
  const prices = await store.openPrices(db, { assetId, now: clock(), exceptCurrent: isPriced });
  const problem = prices.map((price) => priceProblem(toAmount(price, from), to)).find((each) => each !== undefined);
  if (problem === undefined) return undefined;
  return isPriced ? otherPriceUnfit(to) : badPrice(problem);
}

/**
 * Deletes an asset: from now on it is no one's, and no one has access. Its running month ends now and is billed unless `bill` says
 * otherwise; its open months close as usual. The asset's rows go when none is left to close, and no offer to count. Source:
 * docs/decisions/0022-bills.md.
 */
export async function deleteAsset(
  deps: Deps,
  userId: number,
  assetId: number,
  bill: Bill | undefined,
): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    const asset = await store.lockAsset(deps.db, { userId, assetId, now: deps.clock() });
    if (!asset) return assetNotFound();
    if (asset.ownerId !== userId) return ownerOnly();
    // Read once locked, so that it isn't before anything that is in the asset.
    const now = deps.clock();
    await deleteLockedAsset(deps, { assetId, ownerId: userId, ...(bill && { bill }), now });
    return ok(undefined);
  });
}

/** Ends everything in a locked asset. Tells everyone it concerns, because with the asset it may be lost who had access. */
async function deleteLockedAsset(
  deps: Deps,
  { ownerId, ...asset }: Causes['assetDeleted'] & { ownerId: number },
): Promise<void> {
  const { assetId } = asset;
  const { name, userIds, memberIds } = await store.peopleOf(deps.db, assetId);
  await appendMessage(deps, 'asset.deleted', { assetId, actorId: ownerId, userIds }, { name, member_ids: memberIds });
  await store.markDeleted(deps.db, asset);
  await deps.react(deps, 'assetDeleted', asset);
}

/** Deletes the assets of an account that is being deleted; their open months stay with its stand-in until they close. */
export async function deleteAssetsOfAccount(
  deps: Deps,
  { userId, standInId }: Causes['accountDeleting'],
): Promise<void> {
  const assetIds = await store.lockOwnedAssets(deps.db, userId);
  const now = deps.clock();
  for (const assetId of assetIds) await deleteLockedAsset(deps, { assetId, ownerId: userId, now });
  await traces.moveChanges(deps.db, { from: userId, to: standInId });
  await store.moveAssets(deps.db, { from: userId, to: standInId });
}

/** How many assets one statement removes, each with its shares and sessions. */
const REMOVED_AT_ONCE = 50;

/** Removes those of some locked assets that are deleted and have nothing left to close or count. Returns their ids. */
export const removeDeletedAssets = ({ db, clock }: Deps, assetIds: number[]): Promise<number[]> =>
  store.removeDeleted(db, { assetIds, now: clock(), limit: assetIds.length });

/** Removes all assets that are deleted and have nothing left to close or count. Run by the schedule. */
export async function removeAllDeletedAssets({ db, clock }: Deps): Promise<void> {
  let removed;
  do removed = await store.removeDeleted(db, { now: clock(), limit: REMOVED_AT_ONCE });
  while (removed.length === REMOVED_AT_ONCE);
}

type Defined<T> = { [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field] } & {
  [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};

/** Returns the fields that are not undefined, so that columns left out keep their default or current values. */
function definedFields<T extends object>(fields: T): Defined<T> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- only what may be undefined is missing
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function toWire(
  {
    price_cents,
    plan,
    max_hour_cents,
    max_hour_chosen,
    extra_cost_cents,
    next_terms,
    entries,
    handover,
    ...asset
  }: store.StoredAsset,
  now: Date,
): OwnedAsset {
  const termsOf = (entry: store.StoredEntry): AgreedTerms => ({
    method: asset.split_method,
    basePercent: asset.base_percent,
    priceCents: asset.unbilled ? 0 : price_cents,
    totalHours: asset.total_hours,
    places: asset.places,
    monthlyHours: entry.allocation_hours ?? 0,
    maxHourCents: max_hour_cents,
    plan,
    extraCostCents: extra_cost_cents,
  });
  const { cycle, spread, spreadFrom, trialUntil } = plan ?? NO_PLAN;
  return {
    ...asset,
    cycle,
    spread,
    spread_from: spreadFrom,
    trial_until: trialUntil,
    price_per_month: toAmount(averageMonth(price_cents, cycle), asset.currency),
    handover: handover && {
      ...handover,
      expires_at: handover.expires_at && new Date(handover.expires_at).toISOString(),
    },
    subscription_cost: toAmount(price_cents, asset.currency),
    max_price_per_hour: max_hour_cents === null ? null : toAmount(max_hour_cents, asset.currency),
    max_price_chosen: max_hour_chosen,
    extra_cost_limit: toAmount(extra_cost_cents, asset.currency),
    next_terms: next_terms && toNextTerms(next_terms, asset.currency),
    shared_with: entries.map((entry) => ({
      id: entry.id,
      pending: entry.pending,
      accepted: entry.accepted,
      starts_on: entry.starts_on,
      invitation_id: entry.username === null ? entry.id : null,
      shared_with_username: entry.username,
      hue: entry.member_id === null ? null : hueOf(entry.member_id),
      person: entry.person,
      manager: entry.manager,
      claim_expires_at: entry.claim_expires_at && new Date(entry.claim_expires_at).toISOString(),
      monthly_hours_allocated: entry.allocation_hours,
      usage_this_month: entry.used_seconds === null ? null : toHours(entry.used_seconds),
      active_session: entry.username === null ? null : entry.active_since !== null,
      active_since: entry.active_since && new Date(entry.active_since).toISOString(),
      expires_at: entry.expires_at && new Date(entry.expires_at).toISOString(),
      agreed: entry.agreed && toWireTerms(entry.agreed, asset.currency),
      asked: entry.askable && entry.agreed !== null && costsMore(termsOf(entry), entry.agreed, now),
      unconfirmed: entry.unconfirmed,
    })),
  };
}
