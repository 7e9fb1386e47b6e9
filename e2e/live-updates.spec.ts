import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { api, endSession, openUsage, ownerAndMember, register, startSession } from './verbs.ts';

test("one person's session shows on the other's screen at once, without a reload", async ({ browser, server }) => {
  const { owner, member } = await ownerAndMember(browser, server, 'live');
  await owner.goto('/assets');
  const films = owner.getByRole('listitem', { name: 'Films' });
  await expect(films).toBeVisible();
  const presence = films.getByText('In use by live-member');
  await expect(presence).toHaveCount(0);
  await member.goto('/shared');
  await openUsage(member);
  await startSession(member);
  // Well before the recount of every minute.
  await expect(presence.first()).toBeVisible({ timeout: 10_000 });
  await endSession(member);
  await expect(presence).toHaveCount(0, { timeout: 10_000 });
});

test('two tabs share one stream, and the other one goes on when the first one closes', async ({ page }) => {
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
  await expect(other.getByText('Music').first()).toBeVisible({ timeout: 10_000 });
  expect(streams).not.toContain(other);
  await page.close();
  await expect.poll(() => streams).toContain(other);
  await api(other, 'POST /api/assets/', { name: 'Books', subscription_cost: 10 });
  await expect(other.getByText('Books').first()).toBeVisible({ timeout: 10_000 });
});
