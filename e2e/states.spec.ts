import type { Page } from '@playwright/test';
import { interrupt, refusal, slowDown, withoutLiveUpdates, withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, ownerAndMember, register } from './verbs.ts';

const BROKEN = refusal(500, 'Something went wrong on the server.');

const banner = (page: Page) => page.getByRole('main').getByRole('alert');
const films = (page: Page) => page.getByRole('main').getByRole('heading', { name: 'Films' });
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();

/** Collects what the page has logged to the console. */
function logOf(page: Page): string[] {
  const log: string[] = [];
  page.on('console', (message) => log.push(message.text()));
  return log;
}

test('a dashboard with one list that fails to load shows neither and can be retried in place', async ({
  browser,
  server,
}) => {
  const { owner, member } = await ownerAndMember(browser, server, 'dashboard');
  for (const [page, call] of [
    [owner, 'GET /api/shared-assets/'],
    [member, 'GET /api/assets/'],
  ] as const) {
    await expect(films(page)).toBeVisible();
    await withoutUpdates(page);
    const mend = await interrupt(page, call, BROKEN);
    await page.reload();
    await expect(banner(page)).toContainText('Failed to load dashboard data');
    await expect(films(page)).toHaveCount(0);
    mend();
    await tryAgain(page);
    await expect(films(page)).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
  }
});

for (const { who, path, call, sentence } of [
  { who: 'owner', path: '/assets', call: 'GET /api/assets/', sentence: 'Failed to load assets data' },
  { who: 'member', path: '/shared', call: 'GET /api/shared-assets/', sentence: 'Failed to load shared assets data' },
] as const)
  test(`${path} shows only a message when loading fails, and can be retried in place`, async ({ browser, server }) => {
    const people = await ownerAndMember(browser, server, `list-${who}`);
    const page = people[who];
    await withoutUpdates(page);
    const mend = await interrupt(page, call, BROKEN);
    await page.goto(path);
    await expect(banner(page)).toContainText(sentence);
    await expect(films(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: /^No / })).toHaveCount(0);
    mend();
    await tryAgain(page);
    await expect(films(page)).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
  });

test('analytics name the part that failed to load, hide it, log the error and can be retried', async ({
  browser,
  server,
}) => {
  const { member } = await ownerAndMember(browser, server, 'analytics');
  await withoutUpdates(member);
  const log = logOf(member);
  const mendList = await interrupt(member, 'GET /api/shared-assets/', BROKEN);
  const mendFigures = await interrupt(member, 'GET /api/shared-assets/{id}/analytics/', BROKEN);
  await member.goto('/analytics');
  await expect(banner(member)).toContainText('Failed to load shared assets');
  await expect(member.getByLabel('Select Asset')).toHaveCount(0);
  mendList();
  await tryAgain(member);
  await expect(banner(member)).toContainText('Failed to load analytics data. Please try again later.');
  await expect(member.getByLabel('Select Asset')).toContainText('Films (owned by analytics-owner)');
  await expect(member.getByText('Total Allocation')).toHaveCount(0);
  mendFigures();
  await tryAgain(member);
  await expect(member.getByText('Total Allocation')).toBeVisible();
  await expect(banner(member)).toHaveCount(0);
  expect(log.join('\n')).toContain('GET /api/shared-assets/');
  expect(log.join('\n')).toContain('GET /api/shared-assets/{id}/analytics/');
});

test('on a slow server, each screen shows its outline or a spinner, and the panel shows progress', async ({ page }) => {
  await register(page, 'slow-mira');
  const answers = [await slowDown(page, 'GET /api/assets/'), await slowDown(page, 'GET /api/shared-assets/')];
  for (const [path, label] of [
    ['/assets', /^Loading your assets$/],
    ['/shared', /^Loading shared assets$/],
    ['/analytics', /^Loading shared assets$/],
    ['/dashboard', /^Loading your assets$/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: label })).toBeVisible();
  }
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await expect(panel.getByText('Loading Active Assets')).toBeAttached();
  await expect(panel.getByText('Loading Shared Assets')).toBeAttached();

  const [assetsAnswer, sharesAnswer] = answers;
  assetsAnswer?.();
  await expect(panel).toContainText('Active Assets0');
  await expect(panel.getByText('Loading Shared Assets')).toBeAttached();
  sharesAnswer?.();
  await expect(panel).toContainText('Shared Assets0');
  await expect(page.getByRole('main')).toContainText('Active SessionsRefreshNone');
});

test('an unreachable server is reported on the page and in an open dialog, and input is kept', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const { owner } = await ownerAndMember(browser, server, 'gone');
  await withoutUpdates(owner);
  await expect(films(owner)).toBeVisible();
  await server.kill();
  await owner.getByRole('button', { name: 'Refresh' }).click();
  await expect(banner(owner)).toContainText('Failed to load dashboard data');
  await expect(owner.getByText("Can't reach the server, updated")).toBeVisible();
  // Earlier content stays visible.
  await expect(films(owner)).toBeVisible();
  await server.restart();
  await owner.getByRole('button', { name: 'Retry' }).click();
  await expect(owner.getByText("Can't reach the server")).toHaveCount(0);
  await expect(banner(owner)).toHaveCount(0);

  await owner.getByRole('button', { name: 'Add New Asset', exact: true }).click();
  const dialog = owner.getByRole('dialog', { name: 'Add New Asset' });
  await dialog.getByLabel('Asset Name').fill('Music');
  await dialog.getByLabel('Monthly Subscription Cost ($)').fill('10.99');
  await server.kill();
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to create asset. Please try again.');
  await expect(dialog.getByText("Can't reach the server")).toBeVisible();
  await server.restart();
  // The dialog's own button, because the page's is behind it.
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByText("Can't reach the server")).toHaveCount(0);
  await expect(dialog.getByLabel('Asset Name')).toHaveValue('Music');
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(owner.getByRole('heading', { name: 'Music' })).toHaveCount(1);
});

test('a browser without a network says so, even over an open confirmation, and reloads when back online', async ({
  browser,
  server,
}) => {
  const { owner, assetId } = await ownerAndMember(browser, server, 'offline');
  await owner.goto('/assets');
  await owner.getByRole('button', { name: 'Manage' }).click();
  await owner.getByRole('button', { name: 'Delete' }).click();
  const question = owner.getByRole('alertdialog', { name: 'Delete Films?' });
  await owner.context().setOffline(true);
  await expect(question.getByText('Offline, updated')).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(owner.getByRole('dialog').getByText('Offline')).toBeVisible();
  await owner.getByRole('dialog').getByRole('button', { name: 'Close dialog' }).click();
  await expect(owner.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();

  const otherContext = await browser.newContext({
    baseURL: server.url,
    storageState: await owner.context().storageState(),
  });
  const otherPage = await otherContext.newPage();
  await otherPage.goto('/dashboard');
  await api(otherPage, `PATCH /api/assets/${assetId}/`, { name: 'Films and series' });
  await owner.context().setOffline(false);
  await expect(owner.getByRole('heading', { name: 'Films and series' })).toBeVisible();
  // Not the name of the member.
  await expect(owner.getByText(/^Offline/)).toHaveCount(0);
});

test('sessions that others start are counted every minute without a click', async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'recount');
  await member.clock.install();
  await withoutLiveUpdates(member);
  const count = member.getByRole('main').getByRole('listitem').filter({ hasText: 'Active Sessions' });
  await expect(count).toContainText('None');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  // Half a minute is too early, even on a slow machine.
  await member.clock.runFor(30_000);
  await expect(count).toContainText('None');
  await member.clock.runFor(31_000);
  await expect(count).toContainText('1');
});

test("a stored user that can't be read signs out", async ({ page }) => {
  await register(page, 'unreadable-mira');
  await page.evaluate(() => localStorage.setItem('user', '{broken'));
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});
