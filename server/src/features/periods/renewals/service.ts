import { hueOf, Id } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import type { DecideRenewalRequest, Renewal, VoteRequest } from '@hourshare/contract/periods';
import { sentence } from '@hourshare/contract/sentences';
import { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { fail, failField, ok, type Failure, type Result } from '../../../platform/result.ts';
import { NO_PLAN, unrenewedEnd } from '../../assets/plans/service.ts';
import { lockOwned, setEnd } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { lockUsers } from '../../users/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const shareNotFound = (): Failure => fail('not_found', { sentence: sentence('share_not_found') });

const decisionOn = ({ decisions }: store.PlannedAsset, date: string | null) =>
  decisions.find(({ renews_on: on }) => on === date)?.decision ?? null;

const deadlinesOf = (asset: store.PlannedAsset): rules.Deadlines => ({
  plan: asset.plan ?? NO_PLAN,
  endsOn: asset.ends_on,
  endsUnlessRenewed: !asset.auto_renews && decisionOn(asset, asset.ends_on) === null,
  cancelByDays: asset.cancel_by_days,
  reminderDays: asset.reminder_days,
});

/** Returns the price of the cycle that an event begins, in minor units. */
const priceOn = ({ prices }: store.PlannedAsset, on: string): number =>
  (prices.findLast(({ from_month: month }) => month <= on.slice(0, 7)) ?? prices[0])?.cents ?? 0;

function toRenewal(asset: store.PlannedAsset, event: rules.PlanEvent, userId: number): Renewal {
  const votes = asset.votes.find(({ renews_on: on }) => on === event.on)?.votes ?? [];
  const own = votes.find((vote) => vote.user_id === userId);
  return {
    asset_id: asset.asset_id,
    share_id: asset.share_id,
    asset_name: asset.asset_name,
    owner: asset.owner,
    your_role: asset.your_role,
    kind: event.kind,
    on: event.on,
    cancel_by: event.cancelBy,
    price: toAmount(priceOn(asset, event.on), asset.currency),
    currency: asset.currency,
    cycle: asset.plan?.cycle ?? null,
    auto_renews: asset.auto_renews,
    near: asset.today >= rules.nearSince(event, deadlinesOf(asset)),
    open: rules.isVotedOn(event, deadlinesOf(asset), asset.today),
    votes: votes.map(({ user_id: id, ...vote }) => ({ ...vote, hue: hueOf(id) })),
    your_vote: own?.choice ?? null,
    decision: decisionOn(asset, event.on),
  };
}

const eventsOf = (asset: store.PlannedAsset) => rules.upcomingEvents(deadlinesOf(asset), asset.today);

const RenewalKey = z.tuple([z.iso.date(), Id, z.enum(['renewal', 'trial', 'end'])]);
type Key = z.infer<typeof RenewalKey>;
const keyOf = ({ on, asset_id: id, kind }: Renewal): Key => [on, id, kind];
const isAfter = (one: Key, other: Key): boolean => {
  const index = one.findIndex((part, place) => part !== other[place]);
  const [mine, others] = [one[index], other[index]];
  return mine !== undefined && others !== undefined && mine > others;
};

/** Returns what happens in the next twelve months to the plans that a user pays or shares, in order. */
export function listRenewals(deps: Deps, userId: number, request: PageRequest): Promise<Result<Page<Renewal>>> {
  return readPage(request, {
    key: RenewalKey,
    keyOf,
    toItem: (renewal) => renewal,
    read: async ({ limit, after }) => {
      const all = await readRenewals(deps, userId);
      return ok(all.filter((renewal) => after === undefined || isAfter(keyOf(renewal), after)).slice(0, limit));
    },
  });
}

/** Returns all of a user's renewals of the next twelve months, in order. */
export async function readRenewals({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: number): Promise<Renewal[]> {
  const assets = await store.readPlannedAssets(db, { condition: store.isOf(userId), userId, now: clock() });
  return assets
    .flatMap((asset) => eventsOf(asset).map((event) => toRenewal(asset, event, userId)))
    .toSorted((one, other) => (isAfter(keyOf(one), keyOf(other)) ? 1 : -1));
}

/** A reminder of a renewal, to everyone who has the asset. */
export interface DueReminder {
  assetId: number;
  assetName: string;
  userIds: number[];
  kind: 'renewal' | 'trial';
  on: string;
  cancelBy: string | null;
  days: number;
  priceCents: number;
  currency: string;
  /** Whether it renews unless it is canceled. */
  autoRenews: boolean;
}

/** From when on reminders of a day are sent, in the asset's time zone. */
const MORNING = 8;

/** Returns the reminders that are due for a number of assets after one, and the last of these assets. */
export async function dueReminders(
  { db }: Pick<Deps, 'db'>,
  { now, after, limit }: { now: Date; after: number; limit: number },
): Promise<{ reminders: DueReminder[]; last: number | undefined }> {
  const assets = await store.readPlannedAssets(db, {
    condition: store.isRemindedAfter(after),
    now,
    hour: MORNING,
    limit,
  });
  const reminders = assets.flatMap((asset) =>
    eventsOf(asset).flatMap((event): DueReminder[] => {
      const days = rules.dueReminder(event, deadlinesOf(asset), asset.today);
      const isDecided = decisionOn(asset, event.on) !== null;
      if (days === undefined || event.kind === 'end' || isDecided) return [];
      return [
        {
          assetId: asset.asset_id,
          assetName: asset.asset_name,
          userIds: asset.user_ids,
          kind: event.kind,
          on: event.on,
          cancelBy: event.cancelBy,
          days,
          priceCents: priceOn(asset, event.on),
          currency: asset.currency,
          autoRenews: asset.auto_renews,
        },
      ];
    }),
  );
  return { reminders, last: assets.at(-1)?.asset_id };
}

/** Finds a renewal of an asset or the end of its trial, and how its user sees it. */
async function findRenewal(
  deps: Deps,
  { condition, userId, on }: { condition: ReturnType<typeof store.isOf>; userId: number; on: string },
) {
  const [asset] = await store.readPlannedAssets(deps.db, { condition, userId, now: deps.clock(), limit: 1 });
  const event = asset && eventsOf(asset).find((each) => each.kind !== 'end' && each.on === on);
  return asset && { asset, event };
}

/** Records what a member says about a renewal of their share's asset. It isn't binding. */
export function vote(
  deps: Deps,
  userId: number,
  shareId: number,
  { renews_on: on, choice, line = '' }: VoteRequest,
): Promise<Result<Renewal>> {
  const condition = store.isOfShare(shareId, userId);
  return transaction(deps, async (deps) => {
    // The account first, like its deletion: the vote names it.
    await lockUsers(deps.db, [userId]);
    if (!(await store.lockShare(deps.db, shareId, userId))) return shareNotFound();
    const { asset, event } = (await findRenewal(deps, { condition, userId, on })) ?? {};
    if (!asset || !event || !rules.isVotedOn(event, deadlinesOf(asset), asset.today))
      return failField('renews_on', sentence('renewal_closed'));
    const assetId = asset.asset_id;
    await store.setVote(deps.db, { assetId, renewsOn: on, userId, choice, line, now: deps.clock() });
    await appendMessage(deps, 'renewal.changed', { assetId, actorId: userId }, {});
    const after = await findRenewal(deps, { condition, userId, on });
    return after?.event ? ok(toRenewal(after.asset, after.event, userId)) : shareNotFound();
  });
}

/** Records an owner's decision about the next renewal. Canceled, the plan ends with it. */
export function decideRenewal(
  deps: Deps,
  userId: number,
  assetId: number,
  { renews_on: on, decision }: DecideRenewalRequest,
): Promise<Result<Renewal>> {
  return transaction(deps, async (deps) => {
    const condition = store.isOneOf(assetId, userId);
    const refusal = await lockOwned(deps, userId, assetId);
    if (refusal) return refusal;
    const found = await findRenewal(deps, { condition, userId, on });
    if (!found) return failField('renews_on', sentence('renewal_closed'));
    const { asset } = found;
    const event =
      found.event ?? (asset.ends_on === on ? { kind: 'renewal' as const, on, cancelBy: null, since: '' } : undefined);
    if (!event) return failField('renews_on', sentence('renewal_closed'));
    if (decision === 'canceled' && on <= asset.today) return failField('renews_on', sentence('renewal_closed'));
    // An end set for a later day isn't this renewal's.
    const nextEnd = asset.auto_renews ? null : unrenewedEnd(asset.plan, on);
    const endsOn = decision === 'canceled' ? on : asset.ends_on === on ? nextEnd : asset.ends_on;
    if (endsOn !== asset.ends_on) await setEnd(deps, userId, assetId, endsOn);
    await store.setDecision(deps.db, { assetId, renewsOn: on, decision, now: deps.clock() });
    await appendMessage(deps, 'renewal.changed', { assetId, actorId: userId }, {});
    const after = await findRenewal(deps, { condition, userId, on });
    return ok(toRenewal(after?.asset ?? asset, after?.event ?? event, userId));
  });
}
