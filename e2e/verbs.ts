import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { expect } from './test.ts';

// User actions. Elements are found as people find them: by role, label or text.

export const PASSWORD = 'correct horse battery';

/** More stops than any screen has, so that an unreachable element fails the test. */
const MOST_STOPS = 120;

/** Reaches an element using only the Tab key. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, `Tab does not lead to it`).toBeFocused();
}

/** Creates an account and signs the page in, by calls, because most tests only need someone. Opens no page of the app. */
async function createAccount(page: Page, username: string): Promise<void> {
  // The smallest page of the origin whose storage the app reads.
  await page.goto('/api/about/');
  const device = await page.evaluate(() => ({
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: navigator.userAgent,
  }));
  const answer = await page.request.post('/api/register/', {
    headers: { 'user-agent': device.userAgent },
    data: {
      username,
      email: `${username}@example.org`,
      password: PASSWORD,
      time_zone: device.time_zone,
      language: 'en',
    },
  });
  expect(answer.status()).toBe(201);
  const { access, refresh, user } = await answer.json();
  await page.evaluate(
    (stored) => {
      for (const [key, text] of Object.entries(stored)) localStorage.setItem(key, text);
    },
    { access_token: access, refresh_token: refresh, user: JSON.stringify(user) } as Record<string, string>,
  );
}

/** Creates an account. Leaves the page signed in on the dashboard. */
export async function register(page: Page, username: string): Promise<void> {
  await createAccount(page, username);
  await openDashboard(page, username);
}

async function openDashboard(page: Page, username: string): Promise<void> {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome back, ${username}!`);
}

export async function registerByForm(page: Page, username: string): Promise<void> {
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

/** Opens a row of the settings, as with a keyboard. */
export const openSetting = (page: Page, title: string): Promise<void> =>
  page.locator('summary').filter({ hasText: title }).press('Enter');

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

/** On a page that shows the owner's only asset. Leaves an offer, unless the user accepts the owner's without being asked. */
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

/** Accepts an offer on its card. */
export async function acceptOffer(page: Page, asset: string): Promise<void> {
  await page.goto('/shared');
  const accept = page.getByRole('button', { name: `Accept ${asset}`, exact: true });
  await accept.click();
  await expect(accept).toHaveCount(0);
}

/** Accepts everything that is offered to the signed-in user of a page. Returns the ids of all their shares. */
export async function acceptOffers(page: Page): Promise<number[]> {
  const { results } = (await api(page, 'GET /api/shared-assets/')) as { results: { id: number; status: string }[] };
  for (const { id, status } of results)
    if (status === 'offered') await api(page, `POST /api/shared-assets/${id}/accept/`, {});
  return results.map(({ id }) => id);
}

/** On a page that shows the owner's only asset. Opens its dialog on a tab. */
export async function manage(page: Page, tab: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Manage' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: tab }).click();
  return dialog;
}

/** On a page that shows the member's shares. Opens the only one, or the one named, on the Usage tab. */
export async function openUsage(page: Page, asset?: string): Promise<void> {
  await (asset === undefined ? page : page.getByRole('listitem', { name: asset, exact: true }))
    .getByRole('button', { name: /^(Track|Manage) Usage/ })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Usage' })).toHaveAttribute('aria-selected', 'true');
}

export async function startSession(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start Session' }).click();
  // It appears at once, but only works after the server has answered.
  await expect(dialog.getByRole('button', { name: 'End Session' })).toBeEnabled();
}

export async function endSession(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End Session' }).click();
  await expect(dialog.getByRole('button', { name: 'Start Session' })).toBeEnabled();
}

/** In a share's dialog. Sets the end, such as "2027-01-20T23:00", of the session that began at this time, as the log shows it. */
export async function correctEnd(page: Page, began: RegExp, end: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Sessions' }).click();
  await dialog.getByRole('button', { name: began }).click();
  const [day = '', time = ''] = end.split('T');
  await dialog.getByLabel('End', { exact: true }).fill(time);
  if (await dialog.getByLabel('End day').isVisible()) await dialog.getByLabel('End day').fill(day);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByLabel('End', { exact: true })).toBeHidden();
}

/** On the Share tab of an asset's dialog. */
export async function changeHours(dialog: Locator, username: string, hours: number): Promise<void> {
  await dialog.getByRole('button', { name: `Change ${username}'s hours` }).click();
  await dialog.getByLabel(`Hours a month for ${username}`).fill(String(hours));
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText(`${hours} hours/month`)).toBeVisible();
}

/** On the Costs tab of an asset's dialog. */
export async function saveSplit(
  dialog: Locator,
  { method, ownHours, basePart }: { method?: string; ownHours?: number; basePart?: number },
): Promise<void> {
  await dialog.getByRole('tab', { name: 'Split' }).click();
  if (method !== undefined) await dialog.getByRole('radio', { name: method }).check();
  if (ownHours !== undefined) await dialog.getByLabel('Your own hours').fill(String(ownHours));
  if (basePart !== undefined) await dialog.getByLabel('Base share (%)').fill(String(basePart));
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByText('All changes saved')).toBeVisible();
}

/** On the Costs tab of an asset's dialog. Applies from the current month. */
export async function setPrice(dialog: Locator, price: string): Promise<void> {
  await dialog.getByRole('tab', { name: 'Price' }).click();
  await dialog.getByLabel('New monthly price').fill(price);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.page().getByText(new RegExp(`${price} per month starting `))).toBeVisible();
}

/** On the Costs tab of an asset's dialog. */
export async function closeMonth(page: Page, month: string): Promise<void> {
  await page.getByRole('dialog').getByRole('tab', { name: 'History' }).click();
  const ended = page.getByRole('dialog').getByRole('region', { name: 'Past months' });
  await ended.getByText(month, { exact: true }).click();
  await ended.getByRole('button', { name: `Close now for ${month}` }).click();
  const confirmation = page.getByRole('alertdialog', { name: `Close ${month} now?` });
  await confirmation.getByRole('button', { name: 'Close now' }).click();
  await expect(confirmation).toBeHidden();
}

/** On a page with a share's dialog on its Costs tab. Says that an ended month can be closed. */
export async function sayNothingToEdit(page: Page, month: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Nothing to edit in ${month}` }).click();
  await expect(dialog.getByText('You have nothing to edit', { exact: true })).toBeVisible();
}

/** On the Costs page. Settles the balance with a user by the button that says who paid how much, and checks what it covers in both directions. */
export async function settleUp(
  page: Page,
  username: string,
  button: string | RegExp,
  covers?: string[],
): Promise<void> {
  await page.getByRole('button', { name: `Settle up with ${username}` }).click();
  const sheet = page.getByRole('dialog', { name: `Settle up with ${username}` });
  if (covers) {
    await sheet.getByText('What it covers').click();
    await expect(sheet.locator('details').getByRole('listitem')).toHaveText(covers);
  }
  await sheet.getByRole('button', { name: button }).click();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(sheet).toBeHidden();
}

/** Opens the Costs page and confirms a payment that a user sent. */
export async function confirmPayment(page: Page, username: string, amount: string): Promise<void> {
  await page.goto('/costs');
  const row = await openBalance(page, username);
  await row.getByRole('button', { name: `Confirm ${amount} from ${username}` }).click();
  await expect(row).toBeHidden();
}

/** The user's own charge for a month, then what its statement says. */
export type Part = [part: string, ...says: string[]];

export interface Costs {
  /** The sentence at the top. */
  balance: string;
  /** Everyone with a balance, in order: the net amount, then each direction. */
  open: Record<string, [net: string, ...charges: string[]]>;
  /** Every asset of the month. */
  parts: Record<string, Part>;
}

/** On the Costs page. Finds the row of a user with a balance. */
const balanceWith = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Balances' }).getByRole('listitem', { name, exact: true });

/** On the Costs page. Shows the charges of a user with a balance. */
export async function openBalance(page: Page, name: string): Promise<Locator> {
  const row = balanceWith(page, name);
  await row.getByRole('button', { name, exact: true, expanded: false }).click();
  return row;
}

/** On the Costs page. Finds the button that opens a month. */
export const monthOpener = (page: Page, month: string): Locator =>
  page.getByRole('region', { name: 'Monthly costs' }).getByRole('button', { name: new RegExp(`^${month}`) });

/** Opens the Costs page and checks the balances and the last ended month. */
export async function readCosts(page: Page, month: string, { balance, open, parts }: Costs): Promise<void> {
  await page.goto('/costs');
  await expect(page.getByText(balance, { exact: true })).toBeVisible();

  const people = page.getByRole('region', { name: 'Balances' }).getByRole('heading', { level: 3 });
  await expect(people).toHaveText(Object.keys(open));
  for (const [name, [net, ...charges]] of Object.entries(open)) {
    await expect(balanceWith(page, name)).toContainText(net);
    if (charges.length > 0) await openBalance(page, name);
    for (const text of charges) await expect(balanceWith(page, name)).toContainText(text);
  }

  // A month without charges is listed on request.
  const opener = monthOpener(page, month);
  await opener.click();
  const months = page.getByRole('rowgroup').filter({ has: page.getByRole('button', { name: month, expanded: true }) });
  await expect(months.getByRole('link')).toHaveText(Object.keys(parts));
  for (const [name, [part, ...says]] of Object.entries(parts)) {
    await expect(months.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })).toContainText(
      part,
    );
    if (says.length === 0) continue;
    await months.getByRole('link', { name, exact: true }).click();
    const statement = page.getByRole('article', { name });
    for (const text of says) await expect(statement).toContainText(text);
    await page.goBack();
    await opener.click();
  }
}

/** Opens a page in its own browser context, which shares no storage with others. */
export const device = async (
  browser: Browser,
  server: RunningServer,
  options: Pick<BrowserContextOptions, 'colorScheme'> = {},
): Promise<Page> => (await browser.newContext({ baseURL: server.url, ...options })).newPage();

/** Makes an API call as the signed-in user of a page, for preparation. */
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

/** Expects a page to need no horizontal scrolling on the narrowest phone. */
export async function expectToFit(page: Page) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  // A chart adopts the new width a few frames after the window.
  await expect
    .poll(() =>
      page.evaluate(() =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll('[role=tabpanel]')].map(
            ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
          ),
        ),
      ),
    )
    .toBe(0);
  if (before) await page.setViewportSize(before);
}

/** Creates an owner who shares "Films" with a member, 20 hours a month, each on the dashboard of their own device. */
export async function ownerAndMember(
  browser: Browser,
  server: RunningServer,
  name: string,
  terms: { currency?: string; split_method?: string } = {},
): Promise<{ owner: Page; member: Page; assetId: number; shareId: number }> {
  const [owner, member] = await Promise.all([device(browser, server), device(browser, server)]);
  await Promise.all([createAccount(owner, `${name}-owner`), createAccount(member, `${name}-member`)]);
  const asset = idOf(await api(owner, 'POST /api/assets/', { name: 'Films', subscription_cost: 12, ...terms }));
  const shared = { username: `${name}-member`, monthly_hours_allocated: 20 };
  await api(owner, `POST /api/assets/${asset}/share/`, shared);
  const [share = 0] = await acceptOffers(member);
  await Promise.all([openDashboard(owner, `${name}-owner`), openDashboard(member, `${name}-member`)]);
  return { owner, member, assetId: asset, shareId: share };
}

const idOf = (record: unknown): number => (record as { id: number }).id;
