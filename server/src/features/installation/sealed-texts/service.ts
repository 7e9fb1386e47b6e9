import type { Deps } from '../../../deps.ts';
import { withoutDeadline } from '../../../platform/database/guarded-pool.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { findSecretFingerprint } from '../store.ts';
import * as store from './store.ts';

/** Few enough that a server with the former secret, or a mail that is being sent, waits for moments only. */
const BATCH_SIZE = 200;

/**
 * Seals everything in the database again that the previous secret sealed. Does nothing without a previous secret. It can be cut off at any time and run again, and servers can run it at the same time: a text is replaced only if it is
 * still the one that was read, and all servers lock rows in the same order.
 */
export async function sealAgain(deps: Deps): Promise<void> {
  if (deps.config.SECRET_PREVIOUS === undefined) return;
  const counts = { sealedAgain: 0, unreadable: 0 };
  for (const column of store.SEALED_COLUMNS) {
    const { sealedAgain, unreadable } = await withoutDeadline(() => sealColumnAgain(deps, column));
    counts.sealedAgain += sealedAgain;
    counts.unreadable += unreadable;
  }
  if (counts.unreadable > 0) deps.log.warn(counts, 'some texts in the database are sealed with neither secret');
  else
    deps.log.info(counts, 'everything that SECRET_PREVIOUS sealed in the database is sealed with the current secret');
}

/** Returns whether the database is used with another secret by now than this server. */
export async function hasOtherSecret({ db, tokens }: Pick<Deps, 'db' | 'tokens'>): Promise<boolean> {
  const recorded = await findSecretFingerprint(db);
  return recorded !== undefined && recorded !== tokens.fingerprint;
}

async function sealColumnAgain({ db, tokens }: Deps, column: store.SealedColumn) {
  const counts = { sealedAgain: 0, unreadable: 0 };
  let after: string[] | undefined;
  for (;;) {
    const page = { prefix: tokens.sealedPrefix, after, limit: BATCH_SIZE };
    // Without an index, the last page takes reading the whole table.
    const texts = await transaction({ db }, async ({ db: trx }) => {
      await store.allowWaiting(trx);
      return store.readOtherTexts(trx, column, page);
    });
    after = texts.at(-1)?.key;
    if (after === undefined) return counts;
    const readable = texts.flatMap((text) => {
      const opened = tokens.unseal(text.sealed);
      return opened === undefined ? [] : [{ text, sealed: tokens.seal(opened) }];
    });
    counts.unreadable += texts.length - readable.length;
    counts.sealedAgain += await transaction({ db }, async ({ db: trx }) => {
      await store.allowWaiting(trx);
      let replaced = 0;
      for (const each of readable) if (await store.replaceText(trx, column, each)) replaced += 1;
      return replaced;
    });
  }
}
