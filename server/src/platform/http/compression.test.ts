import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test('long reads are compressed for clients that can decompress them, and nothing with a token is', async () => {
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

  expect((await read('br', '/api/me/')).headers['content-encoding']).toBeUndefined();
  const login = await api.app.inject({
    method: 'POST',
    url: '/api/login/',
    headers: { 'accept-encoding': 'br' },
    payload: { username: 'mira', password: TEST_PASSWORD },
  });
  expect([login.statusCode, login.headers['content-encoding']]).toEqual([200, undefined]);
});
