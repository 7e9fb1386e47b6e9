import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { api, endSession, openUsage, ownerAndMember, register, startSession } from './verbs.ts';

test(
  "one person's session shows on the other's screen at once, without a reload",
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member } = await ownerAndMember(browser, server, 'live');
    await owner.goto('/assets');
    const films = owner.getByRole('listitem', { name: 'Films' });
    await expect(films).toBeVisible();
    const presence = films.getByText('now', { exact: true });
    await expect(presence).toHaveCount(0);
    await member.goto('/shared');
    await openUsage(member);
    await startSession(member);
    // Well before the recount of every minute.
    await expect(presence.first()).toBeVisible({ timeout: 10_000 });
    await endSession(member);
    await expect(presence).toHaveCount(0, { timeout: 10_000 });
  },
);

test('a page that loses its connection while it loads says so, and follows events once it is back', async ({
  page,
}) => {
  await register(page, 'live-lost');
  const isLate = (url: URL) => url.pathname.startsWith('/static/later');
  await page.route(isLate, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => isLate(new URL(request.url())));
  await page.goto('/assets');
  await failed;
  // Cut off before its own code has loaded, a page shows another message.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await expect(page.getByText('Offline')).toBeVisible();
  await page.unroute(isLate);
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/events/'));
  await page.context().setOffline(false);
  await stream;
  await api(page, 'POST /api/assets/', { name: 'Music', subscription_cost: 10 });
  await expect(page.getByText('Music').first()).toBeVisible({ timeout: 10_000 });
});

test('two tabs share one stream, which the second continues when the first closes', async ({ page }) => {
  const streams: Page[] = [];
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/events/')) streams.push(request.frame().page());
  });
  await register(page, 'live-tabs');
  await expect.poll(() => streams).toContain(page);
  const other = await page.context().newPage();
  await other.goto('/assets');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await api(page, 'POST /api/assets/', { name: 'Music', subscription_cost: 10 });
  // What happens while a page loads shows once it has loaded.
  await other.waitForLoadState('networkidle');
  await expect(other.getByText('Music').first()).toBeVisible({ timeout: 10_000 });
  expect(streams).not.toContain(other);
  await page.close();
  await expect.poll(() => streams).toContain(other);
  await api(other, 'POST /api/assets/', { name: 'Books', subscription_cost: 10 });
  await expect(other.getByText('Books').first()).toBeVisible({ timeout: 10_000 });
});

test('a page that opens reads each list once', async ({ page }) => {
  await register(page, 'live-once');
  const reads: string[] = [];
  page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  // As in a browser that is used for the first time.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('hourshare_events_')) localStorage.removeItem(key);
  });
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/events/'));
  await page.goto('/dashboard');
  await stream;
  // What happens after the stream has begun is read again.
  await api(page, 'POST /api/assets/', { name: 'Music', subscription_cost: 10 });
  await expect.poll(() => reads.filter((path) => path === '/api/assets/')).toHaveLength(2);
  expect(reads.filter((path) => path === '/api/balances/')).toHaveLength(1);
});
