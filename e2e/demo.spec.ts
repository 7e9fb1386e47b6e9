import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openClockedApp } from '../demo/clocked-app.mjs';
import { PASSWORD } from './verbs.ts';

test("demo calls on a user's behalf still work after that user signs in", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-demo-'));
  let now = new Date('2026-11-20T18:00:00Z');
  const app = await openClockedApp({ DATA_DIR: join(folder, 'data') }, () => now);
  try {
    const mira = { username: 'mira', email: 'mira@example.org', password: PASSWORD };
    const as = (await app.call('POST', '/api/register/', { body: mira })).user.id;
    await app.call('POST', '/api/assets/', { as, body: { name: 'Films', subscription_cost: 12 } });
    now = new Date('2026-11-21T18:00:00Z');
    await app.call('POST', '/api/login/', { body: { username: mira.username, password: PASSWORD } });
    expect(await app.call('GET', '/api/assets/', { as })).toMatchObject({
      results: [{ name: 'Films', subscription_cost: 12 }],
    });
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
