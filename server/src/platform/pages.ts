import type { z } from 'zod';
import { failField, ok, type Failure, type Result } from './result.ts';

export interface PageRequest {
  limit: number;
  /** The `next` of the previous page; undefined for the first page. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  results: Item[];
  next: string | null;
}

interface Paging<Row, Key, Item> {
  /** Validates a cursor's sort key. Clients can forge cursors, so only values that the query accepts may pass. */
  key: z.ZodType<Key>;
  /** Returns the columns that order the list, which must distinguish any two rows. */
  keyOf: (row: Row) => Key;
  /** Undefined leaves out a row that vanished since it was read. */
  toItem: (row: Row) => Item | undefined;
  /** Reads up to `limit` rows in key order, starting after `after`. */
  read: (page: { limit: number; after: Key | undefined }) => Promise<Result<Row[]>>;
}

/**
 * Reads one page of a list. A cursor contains the sort key of the last row before it instead of an offset, so rows that
 * are added or removed between pages neither repeat nor hide others.
 */
export async function readPage<Row, Key, Item>(
  { limit, cursor }: PageRequest,
  { key, keyOf, toItem, read }: Paging<Row, Key, Item>,
): Promise<Result<Page<Item>>> {
  const after = cursor === undefined ? undefined : fromCursor(key, cursor);
  if (after && !after.success) return unknownCursor();
  // One extra row shows whether there is a next page.
  const rows = await read({ limit: limit + 1, after: after?.data });
  if (!rows.ok) return rows;
  const page = rows.value.slice(0, limit);
  const last = page.at(-1);
  return ok({
    results: page.map(toItem).filter((item) => item !== undefined),
    next: last !== undefined && rows.value.length > limit ? toCursor(keyOf(last)) : null,
  });
}

const toCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url');

function fromCursor<Key>(key: z.ZodType<Key>, cursor: string) {
  try {
    return key.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    return key.safeParse(undefined);
  }
}

const unknownCursor = (): Failure => failField('cursor', { english: 'Unknown cursor' });
