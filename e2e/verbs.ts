import type { Browser, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { expect } from './test.ts';

// What people do, in their own words. Everything is found as they find it: by its role, its label, its text.

export const PASSWORD = 'correct horse battery';

export async function register(page: Page, username: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email address').fill(`${username}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome back, ${username}!`);
}

export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome back, ${username}!`);
}

export async function signOut(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

export async function addAsset(
  page: Page,
  { name, description, cost }: { name: string; description: string; cost: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Add New Asset' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Asset' });
  await dialog.getByLabel('Asset Name').fill(name);
  await dialog.getByLabel('Description').fill(description);
  await dialog.getByLabel('Monthly Subscription Cost ($)').fill(cost);
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** From a page that shows the owner's only asset. */
export async function shareWith(page: Page, username: string, hours: number): Promise<void> {
  await page.getByRole('button', { name: 'Manage' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Share' }).click();
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Monthly Hours').fill(String(hours));
  await dialog.getByRole('button', { name: 'Share Asset' }).click();
  await expect(dialog.getByText(`${hours} hours/month`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** From a page that shows the owner's only asset: opens its dialog on a tab. */
export async function manage(page: Page, tab: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Manage' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: tab }).click();
  return dialog;
}

/** From a page that shows the member's only share: opens its dialog on the Usage tab. */
export async function openUsage(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Track|Manage) Usage/ })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Usage' })).toHaveAttribute('aria-selected', 'true');
}

export async function startSession(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start Session' }).click();
  // It is there at once, and can be pressed when the server has answered.
  await expect(dialog.getByRole('button', { name: 'End Session' })).toBeEnabled();
}

export async function endSession(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End Session' }).click();
  await expect(dialog.getByRole('button', { name: 'Start Session' })).toBeEnabled();
}

/** A device of its own: nothing that one stores is seen by another. */
export const device = async (browser: Browser, server: RunningServer): Promise<Page> =>
  (await browser.newContext({ baseURL: server.url })).newPage();

/** A call as the signed-in user of a page makes it, for what a test needs and does not look at. */
export async function api(page: Page, call: string, body?: object): Promise<unknown> {
  const [method, path = ''] = call.split(' ');
  const access = await page.evaluate(() => localStorage.getItem('access_token'));
  const answer = await page.request.fetch(path, {
    headers: { authorization: `Bearer ${access}` },
    ...(method && { method }),
    ...(body && { data: body }),
  });
  expect(answer.ok(), `${call} answered ${answer.status()}`).toBe(true);
  return answer.status() === 204 ? null : answer.json();
}

/** What sticks out sideways on the narrowest phone. */
export async function overflow(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  const past = await page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('[role=tabpanel]')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );
  if (before) await page.setViewportSize(before);
  return past;
}

/** An owner who shares "Films" with a member, 20 hours a month, each on the dashboard of a device of their own. */
export async function ownerAndMember(
  browser: Browser,
  server: RunningServer,
  name: string,
): Promise<{ owner: Page; member: Page; assetId: number; shareId: number }> {
  const [owner, member] = await Promise.all([device(browser, server), device(browser, server)]);
  await Promise.all([register(owner, `${name}-owner`), register(member, `${name}-member`)]);
  const asset = idOf(await api(owner, 'POST /api/assets/', { name: 'Films', subscription_cost: 12 }));
  const shared = { username: `${name}-member`, monthly_hours_allocated: 20 };
  await api(owner, `POST /api/assets/${asset}/share/`, shared);
  const list = await api(member, 'GET /api/shared-assets/');
  const share = idOf((list as { results: unknown[] }).results[0]);
  await Promise.all([owner.reload(), member.reload()]);
  return { owner, member, assetId: asset, shareId: share };
}

const idOf = (record: unknown): number => (record as { id: number }).id;
