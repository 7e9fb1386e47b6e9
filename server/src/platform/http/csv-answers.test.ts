import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail, ok, type Result } from '../result.ts';
import { sendTable } from './csv-answers.ts';
import type { Table } from './csv.ts';

let app: FastifyInstance;
let address: string;
let read: (cursor?: string) => Promise<Result<Table>>;
beforeEach(async () => {
  app = Fastify();
  app.get('/', (_request, reply) => sendTable(reply, (cursor) => read(cursor)));
  address = await app.listen();
});
afterEach(() => app.close());

/** Requests the table and returns the response unread. */
async function openResponse(): Promise<IncomingMessage> {
  const [response] = (await once(request(address).end(), 'response')) as [IncomingMessage];
  return response;
}

const page = (number: number, next: string | null, text = 'x'): Result<Table> =>
  ok({ name: ['pages'], head: ['page', 'text'], rows: [[number, text]], next });

describe('a paged table', () => {
  it('becomes one file with a single header row', async () => {
    read = async (cursor) => page(Number(cursor ?? 1), cursor === '3' ? null : String(Number(cursor ?? 1) + 1));
    expect((await app.inject('/')).body).toBe('\uFEFFpage,text\r\n1,x\r\n2,x\r\n3,x\r\n');
  });

  it('fails with an ordinary error when its first page does', async () => {
    read = async () => fail('not_found');
    const { statusCode, headers, body } = await app.inject('/');
    expect([statusCode, headers['content-type'], JSON.parse(body)]).toEqual([
      404,
      'application/json; charset=utf-8',
      { error: 'Not found.', code: 'not_found' },
    ]);
    expect(headers['content-disposition']).toBeUndefined();
  });

  it.each<[string, () => Promise<Result<Table>>]>([
    ['no longer exists', async () => fail('not_found')],
    ["can't be read", () => Promise.reject(new Error('the database is away'))],
  ])('aborts the connection when a later page %s', async (_, later) => {
    read = async (cursor) => (cursor === undefined ? page(1, '2') : later());
    const response = await openResponse();
    expect(response.statusCode).toBe(200);
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
  });

  it('is read no faster than the client takes it, and no further once it stops', async () => {
    const text = 'x'.repeat(1_000_000);
    let pages = 0;
    read = async () => page(++pages, 'next', text);
    const response = await openResponse();
    const settled = async () => {
      for (let before = -1; before !== pages; await new Promise((resolve) => setTimeout(resolve, 100))) before = pages;
      return pages;
    };
    const untaken = await settled();
    expect(untaken).toBeLessThan(50);
    response.destroy();
    const taken = await settled();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pages).toBe(taken);
  });
});
