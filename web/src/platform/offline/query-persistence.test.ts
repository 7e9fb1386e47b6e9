// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { NoConnection } from '../http/errors.ts';
import type { KeptValue } from './storage.ts';
import {
  keepState,
  MAX_AGE_MS,
  MAX_CHARACTERS,
  restoreState,
  stateToKeep,
  type LastState,
} from './query-persistence.ts';

const SHARES = ['GET /api/shared-assets/', {}];
const NOW = Date.parse('2026-11-20T12:00:00Z');

function keptInMemory(value?: LastState): KeptValue<LastState> & { value: LastState | undefined } {
  const kept = {
    value,
    get: () => Promise.resolve(kept.value),
    update: (change: (value: LastState | undefined) => LastState) => {
      kept.value = change(kept.value);
      return Promise.resolve();
    },
    remove: () => {
      kept.value = undefined;
      return Promise.resolve();
    },
  };
  return kept;
}

function clientWith(...entries: [key: unknown[], data: unknown, updatedAt?: number][]): QueryClient {
  const client = new QueryClient();
  for (const [key, data, updatedAt = NOW] of entries) client.setQueryData(key, data, { updatedAt });
  return client;
}

const dataOf = (client: QueryClient) => stateToKeep(client, NOW).map(({ data }) => data);

it('keeps what main pages show, and nothing about the account', () => {
  expect(dataOf(clientWith([SHARES, 'shares'], [['GET /api/me/sign-ins/'], 'devices'], [['other'], 1]))).toEqual([
    'shares',
  ]);
});

it('keeps balances without how to pay someone', () => {
  const balance = { net: -5, payment_details: { iban: 'DE89370400440532013000', link: null, text: null } };
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
  const kept = keptInMemory({ build: 'a', queries: stateToKeep(clientWith([SHARES, 'kept', NOW - 5]), NOW) });
  const client = new QueryClient();
  await restoreState({ client, kept, build: 'a' }, NOW);
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'kept', dataUpdatedAt: NOW - 5, status: 'success' });
  const newer = clientWith([SHARES, 'newer', NOW - 4]);
  await restoreState({ client: newer, kept, build: 'a' }, NOW);
  expect(newer.getQueryData(SHARES)).toBe('newer');
});

it('forgets what another version stored', async () => {
  const kept = keptInMemory({ build: 'a', queries: stateToKeep(clientWith([SHARES, 'kept']), NOW) });
  const client = new QueryClient();
  await restoreState({ client, kept, build: 'b' }, NOW);
  expect([client.getQueryData(SHARES), kept.value]).toEqual([undefined, undefined]);
});

it('puts it back when a read fails for want of a connection, and keeps what is shown when a later one does', async () => {
  const kept = keptInMemory({
    build: 'a',
    queries: stateToKeep(clientWith([SHARES, 'kept', Date.now() - 5]), Date.now()),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const restored = new Promise<void>((resolve) => {
    keepState({ client, kept, build: 'a' }, resolve);
  });
  const read = () => client.fetchQuery({ queryKey: SHARES, queryFn: () => Promise.reject(new NoConnection()) });
  await expect(read()).rejects.toThrow(NoConnection);
  await restored;
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'kept', status: 'success' });
  await expect(read()).rejects.toThrow(NoConnection);
  await Promise.resolve();
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'kept', status: 'success' });
});

it('leaves a failure to read again what this page has read to the page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  keepState({ client, kept: keptInMemory(), build: 'a' }, () => {});
  const read = (answer: () => Promise<string>) => client.fetchQuery({ queryKey: SHARES, queryFn: answer });
  await read(() => Promise.resolve('read'));
  await expect(read(() => Promise.reject(new NoConnection()))).rejects.toThrow(NoConnection);
  await Promise.resolve();
  expect(client.getQueryState(SHARES)).toMatchObject({ data: 'read', status: 'error' });
});
