import type { Cost } from '@hourshare/contract/costs';
import { toAmount } from '@hourshare/contract/money';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { canBeAnswered, isOpen } from './rules.ts';
import type { StoredCostRow } from './store.ts';

type StoredVersion = StoredCostRow['versions'][number];

const toVersion = (version: StoredVersion, currency: string) => ({
  version: version.version,
  at: new Date(version.written_at).toISOString(),
  date: version.day,
  text: version.text,
  amount: toAmount(version.amount_cents, currency),
  split: version.split,
  paid_by: version.paid_by,
  person: version.person,
});

/** Returns the version of a cost that counts. */
export function lastVersionOf({ versions }: StoredCostRow): StoredVersion {
  const last = versions.at(-1);
  if (!last) throw new Error('A cost has no version.');
  return last;
}

/** Returns how a cost repeats, and when next, unless that is over for want of who paid; null if it doesn't. */
export const repetitionOf = (cost: StoredCostRow): Cost['repeats'] =>
  cost.repeat_months === null ? null : { every: cost.repeat_months, until: cost.repeat_until, next: cost.repeat_next };

/** Returns a cost as a user may see it: answers of all if they act for the owner, or else their own. */
export function toCost(cost: StoredCostRow, userId: number, now: Date): Cost {
  const isAuthor = cost.author_id === userId;
  const open = isOpen(cost);
  return {
    id: cost.id,
    ...toVersion(lastVersionOf(cost), cost.currency),
    month: cost.month,
    closed: cost.closed,
    currency: cost.currency,
    status: cost.status,
    author: cost.author,
    reply: cost.reply,
    repeats: repetitionOf(cost),
    earlier: cost.versions.slice(0, -1).map((version) => toVersion(version, cost.currency)),
    answers: cost.answers
      .filter((answer) => cost.managed || answer.user_id === userId)
      .map(({ username, answer, agreed_cents: agreed, text, answered_at }) => ({
        username,
        answer,
        amount: agreed === null ? null : toAmount(agreed, cost.currency),
        text,
        at: new Date(answered_at).toISOString(),
      })),
    can: {
      change: isAuthor && open,
      remove: isAuthor && open,
      decide: cost.owner_id === userId && open && cost.status !== 'counted',
      answer: canBeAnswered(cost, userId, now),
    },
  };
}

export const costsTable = ({ results, next }: Page<Cost>): Table =>
  tableOf(
    ['costs'],
    results,
    {
      date: ({ date }) => date,
      month: ({ month }) => month,
      text: ({ text }) => text,
      amount: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      paid_by: ({ paid_by: payer }) => payer,
      split: ({ split }) => split,
      person: ({ person }) => person,
      status: ({ status }) => status,
      author: ({ author }) => author,
      reply: ({ reply }) => reply,
      version: ({ version }) => version,
      written_at: ({ at }) => at,
      closed: ({ closed }) => closed,
    },
    next,
  );
