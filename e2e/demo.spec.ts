import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openClockedApp } from '../demo/clocked-app.mjs';
import { beginning, liveTogether } from '../demo/household.mjs';
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

// On the 3rd, the month before is still open, and what was pressed a day ago is in it.
for (const today of ['2026-11-21T18:00:00Z', '2026-12-01T09:00:00Z', '2026-12-03T09:00:00Z'].map(
  (time) => new Date(time),
))
  test(`the sample household of ${today.toISOString()} has six closed months, partly settled`, async () => {
    test.setTimeout(300_000);
    const folder = mkdtempSync(join(tmpdir(), 'hourshare-demo-'));
    let now = beginning(today);
    const app = await openClockedApp({ DATA_DIR: join(folder, 'data') }, () => new Date(now));
    try {
      await liveTogether(app, (next) => (now = next), today);
      const rows: { username: string; id: number }[] = await app.deps.db
        .selectFrom('users')
        .select(['username', 'id'])
        .execute();
      const ids = new Map(rows.map(({ username, id }) => [username, id]));
      const listOf = async (username: string, path: string) =>
        (await app.call('GET', path, { as: ids.get(username) })).results;
      const [netflix] = await listOf('mira', '/api/assets/');
      const statements = await listOf('mira', `/api/assets/${netflix.id}/statements/`);
      expect(statements.filter(({ closed }: { closed: boolean }) => closed)).toHaveLength(6);
      const payments = await listOf('mira', '/api/settlements/');
      expect(new Set(payments.map(({ status }: { status: string }) => status))).toEqual(new Set(['paid', 'sent']));
      expect(await listOf('mira', '/api/balances/')).toContainEqual(expect.objectContaining({ username: 'dora' }));
      expect(await listOf('dora', '/api/shared-assets/')).toContainEqual(
        expect.objectContaining({ status: 'offered', asset: expect.objectContaining({ name: 'Netflix Premium' }) }),
      );
      const spotify = (await listOf('mira', '/api/assets/')).find(
        ({ name }: { name: string }) => name === 'Spotify Family',
      );
      expect(await listOf('mira', `/api/assets/${spotify.id}/sessions/`)).toContainEqual(
        expect.objectContaining({
          objection: expect.objectContaining({
            status: 'open',
            messages: [expect.objectContaining({ username: 'mira' }), expect.objectContaining({ username: 'ana' })],
          }),
        }),
      );
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
