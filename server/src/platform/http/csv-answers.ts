import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Result } from '../result.ts';
import { sendFailure } from './answers.ts';
import { BYTE_ORDER_MARK, csvFileName, csvRows, type Table } from './csv.ts';

/** Reads the table, or what of it is behind a cursor. */
type ReadTable = (cursor?: string) => Promise<Result<Table>>;

/**
 * Answers a whole table as a file. Where it comes in pages each is read when the one before has been taken, so that a
 * long one needs no more memory than a short one. What goes wrong before the first row is an answer like any other.
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
    // It is gone, or not the caller's any more. Breaking off tells the client, which a shorter file would not.
    if (!page.ok) throw new Error(`a table ended before its last page: ${page.code}`);
    yield csvRows(page.value.rows);
    ({ next } = page.value);
  }
}
