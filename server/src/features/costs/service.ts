import type { Cost, CostAnswer, CostChange, CostDecision, CostRequest } from '@hourshare/contract/costs';
import { amountProblem, Id } from '@hourshare/contract/fields';
import { COSTS_MAX } from '@hourshare/contract/limits';
import { toMinor } from '@hourshare/contract/money';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction, undoableTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { runEach } from '../../platform/run-each.ts';
import { assetArchived, assetNotFound, ownerOnly } from '../assets/errors.ts';
import { appendMessage, type OutboxMessages } from '../outbox/service.ts';
import { periodClosed } from '../periods/errors.ts';
import { extendPeriods } from '../periods/upkeep/service.ts';
import { shareNotFound } from '../shares/errors.ts';
import { updateAccess } from '../shares/starts/service.ts';
import { lockUsers } from '../users/service.ts';
import {
  badAmount,
  badDate,
  badPayer,
  badPerson,
  costAnswered,
  costChanged,
  costNotFound,
  costNotYours,
  costOnlyLowered,
  objectionTooLate,
  tooManyCosts,
} from './errors.ts';
import {
  canBeAnswered,
  isOnlyLower,
  isOpen,
  isSameRepetition,
  isSameVersion,
  nextDay,
  objectionsEndAt,
  onlyEndsRepetition,
  type Repetition,
  type Version,
} from './rules.ts';
import * as store from './store.ts';
import type { CostPlace, CostRoom, StoredCostRow } from './store.ts';
import { lastVersionOf, repetitionOf, toCost } from './wire.ts';

const roomNotFound = (place: CostPlace): Failure => ('assetId' in place ? assetNotFound() : shareNotFound());

/** Returns the costs of an asset that a user may see, newest first. */
export async function listCosts(
  deps: Deps,
  userId: number,
  place: CostPlace,
  request: PageRequest,
): Promise<Result<Page<Cost>>> {
  const now = deps.clock();
  const room = await store.findRoom(deps.db, place, { userId, now });
  if (!room) return roomNotFound(place);
  return readPage(request, {
    key: Id,
    keyOf: ({ id }: StoredCostRow) => id,
    toItem: (cost) => toCost(cost, userId, now),
    read: async ({ limit, after }) =>
      ok(await store.readCosts(deps.db, { assetId: room.id, userId, before: after, limit, now })),
  });
}

/** Runs a change of an asset's costs while none of its months can close. A refusal undoes it. */
function inRoom<T>(
  deps: Deps,
  userId: number,
  place: CostPlace,
  change: (deps: Deps, room: CostRoom, now: Date) => Promise<Result<T>>,
  notFound = () => roomNotFound(place),
): Promise<Result<T>> {
  return undoableTransaction(deps, async (deps) => {
    const find = () => store.findRoom(deps.db, place, { userId, now: deps.clock() });
    const found = await find();
    if (!found) return notFound();
    // The account first, like its deletion: what they write names it.
    await lockUsers(deps.db, [userId]);
    await store.lockAsset(deps.db, found.id);
    // Again, because access may have ended during the wait for the locks.
    const room = await find();
    return room ? change(deps, room, deps.clock()) : notFound();
  });
}

/**
 * Adds a cost, in the running month also if its date's has ended. The owner's counts at once; a member's waits for the owner.
 * Source: docs/how-costs-are-split.md.
 */
export const addCost = (deps: Deps, userId: number, place: CostPlace, request: CostRequest): Promise<Result<Cost>> =>
  inRoom(deps, userId, place, async (deps, room, now) => {
    if (room.role === 'former' || room.ended) return roomNotFound(place);
    if (room.archived) return assetArchived();
    const { month } = room;
    const entered = await store.countCosts(deps.db, { assetId: room.id, month, authorId: userId });
    if (entered >= COSTS_MAX) return tooManyCosts();
    const known = {
      day: room.today,
      payerId: userId,
      personId: null,
      text: '',
      amountCents: 0,
      split: 'month' as const,
    };
    const version = await toVersion(deps, room, month, request, known);
    if (!version.ok) return version;
    const status = room.role === 'owner' ? 'counted' : 'proposed';
    const assetId = room.id;
    const costId = await store.insertCost(deps.db, {
      assetId,
      month,
      authorId: userId,
      status,
      version: version.value,
      now,
    });
    if (request.repeats) await repeat(deps, costId, { ...request.repeats, from: version.value.day }, room.today);
    return changed(deps, { userId, room, costId, change: status });
  });

/** Has a cost come again after a day, unless that is over. */
async function repeat(deps: Deps, costId: number, repetition: Repetition, after: string): Promise<void> {
  const next = nextDay(repetition, after);
  await store.setRepetition(deps.db, costId, next === null ? null : { ...repetition, next });
}

/** Checks what someone wrote of a cost, and completes it with what is known. */
async function toVersion(
  deps: Deps,
  room: CostRoom,
  month: string,
  { amount, text, date, split, paid_by: paidBy, person }: CostChange,
  known: Version,
): Promise<Result<Version>> {
  const assetId = room.id;
  const problem = amount === undefined ? undefined : amountProblem(amount, room.currency);
  if (problem) return badAmount(problem);
  const day = date ?? known.day;
  if (day > room.today) return badDate();
  if (
    date !== undefined &&
    date !== known.day &&
    !(await store.isOpenDay(deps.db, { assetId, day, now: deps.clock() }))
  )
    return badDate();
  const way = split ?? known.split;
  const payerId =
    paidBy === undefined && known.payerId !== null
      ? await store.findPayer(deps.db, { assetId, month, who: { id: known.payerId } })
      : await store.findPayer(deps.db, { assetId, month, who: { username: paidBy ?? '' } });
  if (payerId === undefined) return badPayer();
  const who =
    person !== undefined ? { username: person } : known.personId !== null ? { id: known.personId } : undefined;
  const personId = way === 'person' && who && (await store.findPerson(deps.db, { assetId, month, day, who }));
  if (way === 'person' && personId === undefined) return badPerson();
  const amountCents = amount === undefined ? known.amountCents : toMinor(amount, room.currency);
  return ok({ day, text: text ?? known.text, amountCents, split: way, payerId, personId: personId || null });
}

interface Target {
  room: CostRoom;
  cost: StoredCostRow;
  now: Date;
}

/** Changes a cost that a user may see, of a month that is open unless the change leaves the month as it is. */
const changeCost = <T>(
  deps: Deps,
  userId: number,
  place: CostPlace,
  costId: number,
  change: (deps: Deps, target: Target) => Promise<Result<T>>,
  { evenClosed = false } = {},
): Promise<Result<T>> =>
  inRoom(
    deps,
    userId,
    place,
    async (deps, room, now) => {
      const [cost] = await store.readCosts(deps.db, { assetId: room.id, userId, costId, limit: 1, now });
      if (!cost) return costNotFound();
      if (cost.closed && !evenClosed) return periodClosed();
      return change(deps, { room, cost, now });
    },
    // The same whether or not there is such an asset.
    costNotFound,
  );

const versionOf = (cost: StoredCostRow): Version => {
  const { day, text, amount_cents, split, payer_id, person_id } = lastVersionOf(cost);
  return { day, text, amountCents: amount_cents, split, payerId: payer_id, personId: person_id };
};

/** Adds a version, as the author. After the month has ended, it can only get cheaper; once it is closed, it can only stop repeating. */
export const updateCost = (
  deps: Deps,
  userId: number,
  place: CostPlace,
  costId: number,
  request: CostChange,
): Promise<Result<Cost>> =>
  onlyEndsRepetition(request)
    ? endRepetition(deps, userId, place, costId)
    : changeVersion(deps, userId, place, costId, request);

/** Has a cost not come again, as the author. What it was stays as it is, so nothing of that has to be valid still. */
const endRepetition = (deps: Deps, userId: number, place: CostPlace, costId: number): Promise<Result<Cost>> =>
  changeCost(
    deps,
    userId,
    place,
    costId,
    async (deps, { room, cost, now }) => {
      if (cost.author_id !== userId) return room.role === 'former' ? costNotFound() : costNotYours();
      if (repetitionOf(cost) === null) return ok(toCost(cost, userId, now));
      await store.setRepetition(deps.db, costId, null);
      const changes = {
        counted: 'changed',
        proposed: 'proposed',
        declined: 'withdrawn',
        removed: 'withdrawn',
      } as const;
      return changed(deps, { userId, room, costId, change: changes[cost.status] });
    },
    { evenClosed: true },
  );

const changeVersion = (
  deps: Deps,
  userId: number,
  place: CostPlace,
  costId: number,
  request: CostChange,
): Promise<Result<Cost>> =>
  changeCost(deps, userId, place, costId, async (deps, { room, cost, now }) => {
    if (cost.author_id !== userId) return room.role === 'former' ? costNotFound() : costNotYours();
    if (!isOpen(cost)) return costAnswered();
    const { repeats } = request;
    const before = versionOf(cost);
    const after = await toVersion(deps, room, cost.month, request, before);
    if (!after.ok) return after;
    const isLower = isOnlyLower(before, after.value);
    if (cost.ended && !isLower) return costOnlyLowered();
    const { day } = after.value;
    const known = repetitionOf(cost);
    // One that is over, because its payer had left, begins anew.
    const isAnother = known !== null && (day !== before.day || known.next === null);
    const repeatsOtherwise = repeats !== undefined && (isAnother || !isSameRepetition(repeats, known));
    if (repeatsOtherwise && repeats) await repeat(deps, costId, { ...repeats, from: day }, room.today);
    else if (repeatsOtherwise) await store.setRepetition(deps.db, costId, null);
    if (isSameVersion(before, after.value)) {
      const change = cost.status === 'counted' ? 'changed' : 'proposed';
      return repeatsOtherwise ? changed(deps, { userId, room, costId, change }) : ok(toCost(cost, userId, now));
    }
    const { version } = lastVersionOf(cost);
    await store.insertVersion(deps.db, { costId, number: version + 1, version: after.value, now });
    if (isLower) await store.keepAnswers(deps.db, costId, version);
    // What the owner entered counts, also if they are a member by now.
    const isOwner = cost.owner_id === userId;
    const status = isOwner ? 'counted' : isLower && cost.status === 'counted' ? 'counted' : 'proposed';
    await store.setCostStatus(deps.db, costId, { status, reply: null });
    return changed(deps, { userId, room, costId, change: status === 'proposed' ? 'proposed' : 'changed' });
  });

/** Removes a cost, as the author. It stays in the list. */
export const removeCost = (deps: Deps, userId: number, place: CostPlace, costId: number): Promise<Result<undefined>> =>
  changeCost(deps, userId, place, costId, async (deps, { room, cost }) => {
    if (cost.author_id !== userId) return room.role === 'former' ? costNotFound() : costNotYours();
    if (cost.status === 'removed') return ok(undefined);
    await store.setCostStatus(deps.db, costId, { status: 'removed' });
    await store.setRepetition(deps.db, costId, null);
    const answer = await changed(deps, { userId, room, costId, change: 'removed' });
    return answer.ok ? ok(undefined) : answer;
  });

/**
 * Counts or declines what a member entered, as the owner. What is declined doesn't come again; what counts after its month has ended
 * moves to the running one if that is theirs.
 */
export const decideCost = (
  deps: Deps,
  userId: number,
  place: CostPlace,
  costId: number,
  { answer, text, version: seen }: CostDecision,
): Promise<Result<Cost>> =>
  changeCost(deps, userId, place, costId, async (deps, { room, cost, now }) => {
    if (cost.owner_id !== userId) return ownerOnly();
    if (seen !== undefined && seen !== lastVersionOf(cost).version) return costChanged();
    const status = answer === 'count' ? 'counted' : 'declined';
    if (cost.status === status) return ok(toCost(cost, userId, now));
    // What counted once is someone's credit, which only they can take back.
    if (cost.status === 'removed' || cost.status === 'counted') return costAnswered();
    // What the owner of an earlier month decides costs the owner of this one nothing.
    const moves =
      status === 'counted' && cost.ended && cost.owner_id === room.owner_id && (await paysIn(deps, cost, room.month));
    await store.setCostStatus(deps.db, costId, {
      status,
      reply: status === 'declined' ? (text ?? null) : null,
      ...(moves && { month: room.month }),
    });
    if (status === 'declined' && repetitionOf(cost) !== null) await store.setRepetition(deps.db, costId, null);
    return changed(deps, { userId, room, costId, change: status });
  });

/** Returns whether the payer of a cost has a line in a month, so that it can count there. */
async function paysIn(deps: Deps, cost: StoredCostRow, month: string): Promise<boolean> {
  const { payer_id: id } = lastVersionOf(cost);
  if (id === null) return false;
  return (await store.findPayer(deps.db, { assetId: cost.asset_id, month, who: { id } })) !== undefined;
}

/** Answers a cost as a member: yes to one above their limit, or no, an objection. */
export const answerCost = (
  deps: Deps,
  userId: number,
  place: CostPlace,
  costId: number,
  { answer, amount, text, version: seen }: CostAnswer,
): Promise<Result<Cost>> =>
  changeCost(deps, userId, place, costId, async (deps, { room, cost, now }) => {
    const { version } = lastVersionOf(cost);
    if (seen !== undefined && seen !== version) return costChanged();
    if (!canBeAnswered(cost, userId, now)) return costAnswered();
    if (answer === 'no' && now >= objectionsEndAt(cost)) return objectionTooLate();
    const problem = amount === undefined ? undefined : amountProblem(amount, cost.currency);
    if (problem) return badAmount(problem);
    const agreedCents = answer === 'yes' && amount !== undefined ? toMinor(amount, cost.currency) : null;
    await store.setAnswer(deps.db, { costId, version, userId, answer, agreedCents, text: text ?? null, now });
    const changes = { yes: 'agreed', no: 'objected', none: 'withdrawn' } as const;
    return changed(deps, { userId, room, costId, change: changes[answer] });
  });

type CostNews = OutboxMessages['cost.changed'];

/** Returns a cost that a user changed, and tells of it. */
async function changed(
  deps: Deps,
  { userId, room, costId, change }: { userId: number; room: CostRoom; costId: number; change: CostNews['change'] },
): Promise<Result<Cost>> {
  const now = deps.clock();
  const [cost] = await store.readCosts(deps.db, { assetId: room.id, userId, costId, limit: 1, now });
  if (!cost) return costNotFound();
  await tell(deps, { assetId: room.id, actorId: userId, news: newsOf(cost, change) });
  return ok(toCost(cost, userId, now));
}

function newsOf(cost: StoredCostRow, change: CostNews['change']): CostNews {
  const { id, currency, month, author_id, owner_id } = cost;
  const { text, amount_cents: amount } = lastVersionOf(cost);
  return { cost_id: id, change, text, amount, currency, month, author_id, owner_id };
}

/** Tells everyone who may see a cost what became of it, and who did it, if anyone did just now. */
async function tell(
  deps: Deps,
  { assetId, actorId, news }: { assetId: number; actorId?: number; news: CostNews },
): Promise<void> {
  const { change, cost_id: costId } = news;
  const isAnswer = change === 'agreed' || change === 'objected' || change === 'withdrawn';
  // What a member answers is the owner's business alone.
  const userIds = isAnswer && actorId !== undefined ? [actorId] : await store.peopleOf(deps.db, costId);
  await appendMessage(deps, 'cost.changed', { assetId, ...(actorId !== undefined && { actorId }), userIds }, news);
}

/** How many costs are looked at in one statement. */
const REPEATED_AT_ONCE = 100;

/**
 * Enters repeating costs on their days, including missed ones; those of ended months count in the current month. Skips the days on
 * which the asset was archived. Run by the schedule.
 */
export async function repeatCosts(deps: Deps): Promise<void> {
  // The server may have been off for longer than months reach ahead; an asset without its running month would look deleted.
  await extendPeriods(deps);
  // First, because with the month, assets may have another owner, and others access.
  await updateAccess(deps);
  let after = 0;
  for (;;) {
    const due = await store.dueCosts(deps.db, { now: deps.clock(), after, limit: REPEATED_AT_ONCE });
    await runEach(deps, due, {
      work: ({ id, asset_id: assetId, author_id: authorId }) =>
        transaction(deps, async (deps) => {
          // The account first, like its deletion: what comes again names it.
          if (authorId !== null) await lockUsers(deps.db, [authorId]);
          await store.lockAsset(deps.db, assetId);
          const room = authorId === null ? undefined : await roomOfAuthor(deps, assetId, authorId);
          // Who has left, or whose asset is gone, enters nothing any more.
          if (!room || authorId === null) return store.setRepetition(deps.db, id, null);
          await repeatCost(deps, { costId: id, authorId, room });
        }),
      factsOf: ({ id, asset_id: assetId }) => ({ costId: id, assetId }),
      failure: 'a cost could not be repeated',
    });
    if (due.length < REPEATED_AT_ONCE) return;
    after = due.at(-1)?.id ?? after;
  }
}

/** Returns the asset as the author of a cost finds it, if they can still enter costs. */
async function roomOfAuthor(deps: Deps, assetId: number, authorId: number): Promise<CostRoom | undefined> {
  const find = (place: CostPlace) => store.findRoom(deps.db, place, { userId: authorId, now: deps.clock() });
  const owned = await find({ assetId });
  const shareId = owned?.role === 'owner' ? undefined : await store.openShareOf(deps.db, { assetId, userId: authorId });
  const room = shareId === undefined ? owned : await find({ shareId });
  return room && room.role !== 'former' && !room.ended ? room : undefined;
}

async function repeatCost(
  deps: Deps,
  { costId, authorId, room }: { costId: number; authorId: number; room: CostRoom },
): Promise<void> {
  const now = deps.clock();
  const read = async (id: number) =>
    (await store.readCosts(deps.db, { assetId: room.id, userId: authorId, costId: id, limit: 1, now }))[0];
  let last = await read(costId);
  // Another server may have been first, which the lock made this one wait for.
  while (last && last.repeat_next !== null && last.repeat_next <= room.today) {
    const { repeat_months: every, repeat_from: from, repeat_until: until, repeat_next: day } = last;
    if (every === null || from === null) return;
    const repetition = { every, from, until };
    if (room.archived) return repeat(deps, last.id, repetition, room.today);
    const version = { ...versionOf(last), day };
    const { month } = room;
    const payerId =
      version.payerId === null
        ? undefined
        : await store.findPayer(deps.db, { assetId: room.id, month, who: { id: version.payerId } });
    // Who pays it now is for its author to say, with another.
    if (payerId === undefined) return store.setRepetition(deps.db, last.id, { ...repetition, next: null });
    // Until another month has room for it.
    if ((await store.countCosts(deps.db, { assetId: room.id, month, authorId })) >= COSTS_MAX) return;
    const status = room.role === 'owner' ? 'counted' : 'proposed';
    const id = await store.insertCost(deps.db, { assetId: room.id, month, authorId, status, version, now });
    await store.setRepetition(deps.db, last.id, null);
    await repeat(deps, id, repetition, day);
    last = await read(id);
    if (last) await tell(deps, { assetId: room.id, news: newsOf(last, status) });
  }
}

/** Moves proposals of months that are about to close to the running month of their asset, and tells of it. */
export async function moveProposals(deps: Deps, months: readonly { asset_id: number; month: string }[]): Promise<void> {
  const moved = await store.moveProposals(deps.db, { months, now: deps.clock() });
  for (const { asset_id: assetId, status, ...cost } of moved)
    await tell(deps, { assetId, news: { ...cost, change: status === 'proposed' ? 'moved' : 'declined' } });
}

/** Gives the costs of an account that is being deleted to its stand-in. */
export const moveCostsOfAccount = ({ db }: Deps, { userId, standInId }: Causes['accountDeleting']): Promise<void> =>
  store.moveCosts(db, { from: userId, to: standInId });

/** Gives the costs of a person without an account to the member whom they have become, if they accept what was recorded. */
export async function moveCostsOfGuest(
  { db }: Deps,
  { guestId, memberId, accepted }: Causes['guestClaimed'],
): Promise<void> {
  if (accepted) await store.moveCosts(db, { from: guestId, to: memberId });
}
