// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { NoConnection } from '../http/errors.ts';
import type { StoredValue } from './storage.ts';
import {
  persistQueries,
  MAX_AGE_MS,
  MAX_CHARACTERS,
  restoreQueries,
  queriesToStore,
  type StoredQueries,
} from './query-persistence.ts';

const SHARES = ['GET /api/shared-assets/', {}];
const NOW = Date.parse('2026-11-20T12:00:00Z');

function storedInMemory(value?: StoredQueries): StoredValue<StoredQueries> & { value: StoredQueries | undefined } {
  const stored = {
    value,
    get: () => Promise.resolve(stored.value),
    update: (change: (value: StoredQueries | undefined) => StoredQueries) => {
      stored.value = change(stored.value);
      return Promise.resolve();
    },
    remove: () => {
      stored.value = undefined;
      return Promise.resolve();
    },
  };
  return stored;
}

function clientWith(...entries: [key: unknown[], data: unknown, updatedAt?: number][]): QueryClient {
  const client = new QueryClient();
  for (const [key, data, updatedAt = NOW] of entries) client.setQueryData(key, data, { updatedAt });
  return client;
}

const dataOf = (client: QueryClient) => queriesToStore(client, NOW).map(({ data }) => data);

it('keeps what main pages show, and nothing about the account', () => {
  expect(dataOf(clientWith([SHARES, 'shares'], [['GET /api/me/sign-ins/'], 'devices'], [['other'], 1]))).toEqual([
    'shares',
  ]);
});

it('keeps balances without how to pay someone', () => {
  const balance = { net: -5, payment_details: { iban: 'DE89370400440532013000' } };
  const client = clientWith([['GET /api/balances/', {}], { results: [balance] }]);
  expect(dataOf(client)).toEqual([{ results: [{ net: -5, payment_details: null }] }]);
  expect(client.getQueryData(['GET /api/balances/', {}])).toEqual({ results: [balance] });
});

it('keeps the newest up to a size and an age', () => {
  const large = 'x'.repeat(MAX_CHARACTERS);
  const client = clientWith(
    [SHARES, 'old', NOW - MAX_AGE_MS],
    [['GET /api/assets/'], 'second', NOW - 2],
    [['GET /api/balances/'], large, NOW - 1],
    [['GET /api/settlements/'], 'new'],
  );
  expect(dataOf(client).map((data) => String(data).slice(0, 6))).toEqual(['new']);
});

it('puts it back with its time where nothing newer was read', async () => {
  const stored = storedInMemory({ build: 'a', queries: queriesToStore(clientWith([SHARES, 'stored', NOW - 5]), NOW) });
  const client = new QueryClient();
  await restoreQueries({ client, stored, build: 'a' }, NOW);
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'stored', dataUpdatedAt: NOW - 5, status: 'success' });
  const newer = clientWith([SHARES, 'newer', NOW - 4]);
  await restoreQueries({ client: newer, stored, build: 'a' }, NOW);
  expect(newer.getQueryData(SHARES)).toBe('newer');
});

it('forgets what another version stored', async () => {
  const stored = storedInMemory({ build: 'a', queries: queriesToStore(clientWith([SHARES, 'stored']), NOW) });
  const client = new QueryClient();
  await restoreQueries({ client, stored, build: 'b' }, NOW);
  expect([client.getQueryData(SHARES), stored.value]).toEqual([undefined, undefined]);
});

it('puts it back when a read fails for want of a connection, and keeps what is shown when a later one does', async () => {
  const stored = storedInMemory({
    build: 'a',
    queries: queriesToStore(clientWith([SHARES, 'stored', Date.now() - 5]), Date.now()),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  persistQueries({ client, stored, build: 'a' });
  const read = () => client.fetchQuery({ queryKey: SHARES, queryFn: () => Promise.reject(new NoConnection()) });
  await expect(read()).rejects.toThrow(NoConnection);
  await vi.waitFor(() => expect(client.getQueryState(SHARES)).toMatchObject({ data: 'stored', status: 'success' }));
  await expect(read()).rejects.toThrow(NoConnection);
  await Promise.resolve();
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'stored', status: 'success' });
});

it('leaves a failure to read again what this page has read to the page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  persistQueries({ client, stored: storedInMemory(), build: 'a' });
  const read = (answer: () => Promise<string>) => client.fetchQuery({ queryKey: SHARES, queryFn: answer });
  await read(() => Promise.resolve('read'));
  await expect(read(() => Promise.reject(new NoConnection()))).rejects.toThrow(NoConnection);
  await Promise.resolve();
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'read', status: 'error' });
});
