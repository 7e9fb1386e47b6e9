import type { FastifyBaseLogger } from 'fastify';
import { codeOf } from './database/error-details.ts';
import { isUnavailable } from './database/failure.ts';

/** The SQLSTATE of a statement that timed out. */
const STATEMENT_TIMEOUT = '57014';

/**
 * Does work for each of some items. Logs and returns those that fail, so that they don't keep the others waiting; throws if the
 * database can't be used at all.
 */
export async function runEach<Item>(
  { log }: { log: FastifyBaseLogger },
  items: readonly Item[],
  {
    work,
    factsOf,
    failure,
  }: { work: (item: Item) => Promise<unknown>; factsOf: (item: Item) => object; failure: string },
): Promise<Item[]> {
  const failed: Item[] = [];
  for (const item of items)
    try {
      await work(item);
    } catch (err) {
      if (isUnavailable(err) && codeOf(err) !== STATEMENT_TIMEOUT) throw err;
      failed.push(item);
      log.error({ err, ...factsOf(item) }, failure);
    }
  return failed;
}
