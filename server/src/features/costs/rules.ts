import type { CostChange, CostSplit } from '@hourshare/contract/costs';
import { OBJECTION_ENDS_HOURS } from '@hourshare/contract/limits';

/** What a cost is, as its author last wrote it. */
export interface Version {
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
  amountCents: number;
  split: CostSplit;
  payerId: number | null;
  personId: number | null;
}

/** What decides who may do what with a cost. */
interface CostState {
  /** Whether its month is closed, or due to be. */
  closed: boolean;
  status: 'proposed' | 'counted' | 'declined' | 'removed';
  closes_at: Date;
  had_access: boolean;
  owner_id: number | null;
  author_id: number | null;
}

/** Returns whether a cost can still be changed or removed by its author. */
export const isOpen = ({ closed, status }: Pick<CostState, 'closed' | 'status'>): boolean =>
  !closed && status !== 'removed';

/**
 * Returns whether someone bears a part of a cost that counts, so that they can say yes or object to it. Its author said yes by
 * entering it.
 */
export const canBeAnswered = (cost: CostState, userId: number, now: Date): boolean =>
  !cost.closed &&
  cost.status === 'counted' &&
  cost.had_access &&
  ![cost.owner_id, cost.author_id].includes(userId) &&
  now < cost.closes_at;

/** Until when members can object to a cost. */
export const objectionsEndAt = ({ closes_at: closesAt }: Pick<CostState, 'closes_at'>): Date =>
  new Date(closesAt.getTime() - OBJECTION_ENDS_HOURS * 3_600_000);

/** Returns whether a version differs from the one before by a lower amount or other words alone, so that it costs no one more. */
export const isOnlyLower = (before: Version, after: Version): boolean =>
  after.amountCents <= before.amountCents &&
  after.day === before.day &&
  after.split === before.split &&
  after.payerId === before.payerId &&
  after.personId === before.personId;

export const isSameVersion = (before: Version, after: Version): boolean =>
  isOnlyLower(before, after) && after.amountCents === before.amountCents && after.text === before.text;

/** A cost repeats every `every` months, counted from a day; until another, if given. Days are `YYYY-MM-DD`. */
export interface Repetition {
  every: number;
  from: string;
  until: string | null;
}

type Rhythm = Pick<Repetition, 'every' | 'until'>;

export const isSameRepetition = (one: Rhythm | null, other: Rhythm | null): boolean =>
  one?.every === other?.every && one?.until === other?.until;

/** Returns whether a change does nothing but end a repetition, which is possible at any time. */
export const onlyEndsRepetition = ({ repeats, ...others }: CostChange): boolean =>
  repeats === null && Object.keys(others).length === 0;

/** Returns the first day after a given one on which a cost comes again, counted from its first day; null once that is over. */
export function nextDay({ every, from, until }: Repetition, after: string): string | null {
  const [year = 0, month = 0, day = 0] = from.split('-').map(Number);
  for (let months = every; ; months += every) {
    const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
    const next = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
    if (until !== null && next > until) return null;
    if (next > after) return next;
  }
}
