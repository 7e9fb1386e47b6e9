import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Result } from '../result.ts';
import { sendFailure } from './answers.ts';
import { BYTE_ORDER_MARK, csvFileName, csvRows, type Table } from './csv.ts';

/** Reads the table, or the part of it after a cursor. */
type ReadTable = (cursor?: string) => Promise<Result<Table>>;

/**
 * Sends a whole table as a file. Each page is read when the client has taken the one before, so long tables need no
 * more memory than short ones; a failure before the first row is an ordinary error.
 */
export async function sendTable(reply: FastifyReply, read: ReadTable): Promise<FastifyReply> {
  const first = await read();
  if (!first.ok) return sendFailure(reply, first);
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${csvFileName(first.value.name)}"`)
    .send(Readable.from(written(first.value, read)));
}

async function* written(first: Table, read: ReadTable): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRows([first.head, ...first.rows]);
  for (let { next } = first; next !== null;) {
    const page = await read(next);
    // The table is gone, or no longer the caller's. Aborting tells the client; a shorter file would look complete.
    if (!page.ok) throw new Error(`a table ended before its last page: ${page.code}`);
    yield csvRows(page.value.rows);
    ({ next } = page.value);
  }
}
