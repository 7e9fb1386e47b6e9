import { Violation } from '../harness/client.mjs';

// Deposits, which one person holds for another, and how they go on.

/** @typedef {import('./world.mjs').Deposit} Deposit */
/** @typedef {'confirm' | 'return' | 'withdraw'} Verb */

/** What each request makes of a status; others stay. @type {Record<Verb, Record<string, string>>} */
const NEXT = {
  confirm: { recorded: 'held', returning: 'returned' },
  return: { held: 'returning', returning: 'returned' },
  withdraw: { recorded: 'gone', returning: 'held' },
};

/**
 * Notes what a request may make of a deposit: certainly, if it is the only one since the last check. What waits for a yes is
 * confirmed by the other, unless they are gone.
 *
 * @param {Deposit} deposit
 * @param {{ verb: Verb, shown: any, person: { name: string }, isAlone: () => boolean }} request `shown` is the deposit before it
 * @param {() => Promise<import('../harness/client.mjs').Answer>} send
 */
export async function changeDeposit(deposit, { verb, shown, person, isAlone }, send) {
  const before = deposit.states;
  deposit.tries += 1;
  deposit.states = new Set([...before].flatMap((state) => [state, NEXT[verb][state] ?? state]));
  const answer = await send();
  if (deposit.tries > 1 || answer.unsure) return answer;
  const isDone = answer.status < 300;
  const after = isDone ? (answer.body?.status ?? NEXT[verb][shown.status]) : shown.status;
  const own = shown.returned_by ?? shown.recorded_by;
  if (
    after !== shown.status &&
    ['held', 'returned'].includes(after) &&
    verb !== 'withdraw' &&
    own === person.name &&
    !isAlone()
  )
    throw new Violation(`${person.name} made deposit ${deposit.id} ${after} alone.`);
  deposit.states = new Set([after]);
  return answer;
}
