import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { compressReads } from './compression.ts';
import { packers } from './packers.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test('long reads are compressed for clients that can decompress them, and no writes are', async () => {
  const mira = await api.register('mira');
  for (let count = 0; count < 3; count += 1) await api.addAsset(mira);
  const read = (encodings: string, url = '/api/assets/') =>
    api.app.inject({
      url,
      headers: { authorization: `Bearer ${mira.access}`, 'accept-encoding': encodings },
    });
  const plain = await read('identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers['vary']).toBe('accept-encoding');

  const [brotli, gzip] = [await read('gzip, deflate, br'), await read('gzip')];
  expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  expect(Number(brotli.headers['content-length'])).toBe(brotli.rawPayload.length);
  expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);

  const added = await api.app.inject({
    method: 'POST',
    url: '/api/assets/',
    headers: { authorization: `Bearer ${mira.access}`, 'accept-encoding': 'br' },
    payload: { name: 'Drill', subscription_cost: 10, description: 'x'.repeat(2_000) },
  });
  expect(added.rawPayload.length).toBeGreaterThan(2_000);
  expect([added.statusCode, added.headers['content-encoding']]).toEqual([201, undefined]);
});

test('neither short reads, nor those with bank details or sign-ins are compressed', async () => {
  const app = Fastify();
  compressReads(app);
  const serve = (path: string, length: number) => app.get(path, async () => ({ text: 'x'.repeat(length) }));
  for (const path of ['/api/me/', '/api/me/sign-ins/', '/api/balances/', '/api/statements/']) serve(path, 2_000);
  serve('/api/about/', 900);
  const encodingOf = async (url: string) =>
    (await app.inject({ url, headers: { 'accept-encoding': 'br' } })).headers['content-encoding'];
  expect(await encodingOf('/api/statements/?month=2026-02')).toBe('br');
  for (const url of ['/api/me/', '/api/me/sign-ins/?limit=9', '/api/balances/?limit=9', '/api/about/'])
    expect(await encodingOf(url)).toBeUndefined();
});

test('the description of the API is compressed once', async () => {
  const pack = vi.spyOn(packers, 'br');
  const read = (encoding: string) =>
    api.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encoding } });
  const plain = await read('identity');
  for (const _ of [1, 2]) {
    const answer = await read('br');
    expect(answer.headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'br' });
    expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(plain.body);
  }
  expect(pack).toHaveBeenCalledTimes(1);
});
