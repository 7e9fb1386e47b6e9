import { hueOf, priceProblem, toHours } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { MemberReplayRequest, ReplayedYear, ReplayRequest } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { failField, ok, type Failure, type Result } from '../../../platform/result.ts';
import { assetNotFound } from '../../assets/errors.ts';
import { ownedPeriods } from '../../periods/owners/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { closeDueInScope } from '../closing/service.ts';
import { assetScope, ownerScope, type Scope } from '../sql.ts';
import { findSharedAsset, readPeriods, type AnyPeriod, type ClosedPeriod } from '../store.ts';
import { toPeriodSplit } from '../wire.ts';
import { replayMonth, type Replay } from './rules.ts';

const MONTHS = 12;

/** Returns what the last closed months of an asset would have cost under another plan, beside what they did. Nothing is saved. */
export async function replayYear(
  deps: Deps,
  userId: number,
  assetId: number,
  request: ReplayRequest,
): Promise<Result<ReplayedYear>> {
  const owned = await ownedPeriods(deps.db, { assetId, userId, now: deps.clock() });
  if (!owned) return assetNotFound();
  const problem = badAmount(request, owned.currency);
  if (problem) return problem;
  const closed = await readClosed(deps, ownerScope(userId, assetId));
  return ok(replayAll(closed, { currency: owned.currency, request }));
}

/** Returns the same to a member for the months in which they have a line, with only their own amounts. */
export async function replayShare(
  deps: Deps,
  userId: number,
  shareId: number,
  request: MemberReplayRequest,
): Promise<Result<ReplayedYear>> {
  const share = await findSharedAsset(deps.db, { shareId, userId });
  if (!share) return shareNotFound();
  const problem = badAmount(request, share.currency);
  if (problem) return problem;
  const closed = (await readClosed(deps, assetScope(share.asset_id), userId)).filter(({ lines }) =>
    lines.some((line) => line.role === 'member' && line.user_id === userId),
  );
  return ok(replayAll(closed, { currency: share.currency, request, readerId: userId }));
}

/** Returns which amount the currency doesn't have. */
function badAmount(request: MemberReplayRequest, currency: string): Failure | undefined {
  for (const name of ['price', 'price_per_hour', 'price_alone'] as const) {
    const amount = request[name];
    const problem = amount === undefined ? undefined : priceProblem(amount, currency);
    if (problem) return failField(name, problem);
  }
  return undefined;
}

/** Closes the months that are due, and returns all closed ones, newest first. */
async function readClosed(deps: Deps, scope: Scope, seenBy?: number): Promise<ClosedPeriod[]> {
  await closeDueInScope(deps, scope);
  const filter = { ended: true as const, ...(seenBy !== undefined && { seenBy }), now: deps.clock() };
  return (await readPeriods(deps.db, scope, filter)).filter(isClosed);
}

const isClosed = (period: AnyPeriod): period is ClosedPeriod => period.lines !== null;

interface Amounts {
  paid: number;
  replayed: number;
}

const addUp = (amounts: readonly Amounts[]): Amounts => ({
  paid: amounts.reduce((sum, { paid }) => sum + paid, 0),
  replayed: amounts.reduce((sum, { replayed }) => sum + replayed, 0),
});

/** Replays months, newest first, and keeps only what a member may see if there is a reader. */
function replayAll(
  closed: readonly ClosedPeriod[],
  { currency, request, readerId }: { currency: string; request: ReplayRequest; readerId?: number },
): ReplayedYear {
  const inMinor = (amount: number | undefined) => (amount === undefined ? undefined : toMinor(amount, currency));
  const replay: Replay = {
    priceCents: inMinor(request.price),
    hours: request.hours,
    method: request.split_method,
    basePercent: request.base_percent,
    hourCents: inMinor(request.price_per_hour),
    aloneCents: inMinor(request.price_alone),
  };
  const left = request.without?.toLowerCase();
  const months = closed.slice(0, MONTHS).map((each) => {
    const { period, names, lines } = toPeriodSplit(each);
    const without = names.findIndex((name, index) => index > 0 && name.toLowerCase() === left) - 1;
    const { cents, unfitSeconds } = replayMonth(period, { ...replay, ...(without >= 0 && { without }) });
    const people = names.map((username, index) => ({
      userId: lines[index]?.userId ?? null,
      username,
      paid: lines[index]?.amountCents ?? 0,
      replayed: cents[index] ?? 0,
    }));
    const seen = readerId === undefined ? people : people.slice(1).filter(({ userId }) => userId === readerId);
    return { month: period.month, unfitSeconds, total: addUp(people), people: seen };
  });
  // A reader is one person, even in months with the name under which they were recorded before they joined.
  const nameOf = (username: string) =>
    readerId === undefined ? username : (months[0]?.people[0]?.username ?? username);
  const all = months.flatMap(({ people }) =>
    people.map((person) => ({ ...person, username: nameOf(person.username) })),
  );
  const toWire = ({ paid, replayed }: Amounts) => ({
    paid: toAmount(paid, currency),
    replayed: toAmount(replayed, currency),
  });
  const toPerson = ({ username, userId, ...amounts }: Amounts & { username: string; userId: number | null }) => ({
    username,
    hue: userId === null ? null : hueOf(userId),
    ...toWire(amounts),
  });
  const isTotalSeen = readerId === undefined || request.price_alone === undefined;
  return {
    currency,
    months: months.map(({ month, unfitSeconds, people }) => ({
      month,
      unfit_hours: toHours(unfitSeconds),
      people: people.map(toPerson),
    })),
    people: [...new Set(all.map(({ username }) => username))].map((username) => {
      const own = all.filter((person) => person.username === username);
      return toPerson({ username, userId: own[0]?.userId ?? null, ...addUp(own) });
    }),
    total: isTotalSeen ? toWire(addUp(months.map(({ total }) => total))) : null,
  };
}
