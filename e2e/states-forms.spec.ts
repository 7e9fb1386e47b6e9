import type { Page } from '@playwright/test';
import { interrupt, refusal, slowDown } from './interruptions.ts';
import { expect, test } from './test.ts';
import { device, manage, ownerAndMember, PASSWORD, register } from './verbs.ts';

const BROKEN = refusal(500, 'Something went wrong on the server.');

const banner = (page: Page) => page.getByRole('alert');
const busy = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted());

async function enterAccount(page: Page, username: string) {
  await page.goto('/register');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email address').fill(`${username}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
}

async function enterCredentials(page: Page, username: string, password = PASSWORD) {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test("a failed login shows the server's reason or what to check", async ({ page, browser, server }) => {
  await register(await device(browser, server), 'login-mira');
  await enterCredentials(page, 'login-mira', 'not my password');
  await expect(banner(page)).toHaveText('Wrong username or password.');
  // The message is at the top of the form.
  const top = await banner(page).boundingBox();
  const field = await page.getByLabel('Username').boundingBox();
  expect(top?.y).toBeLessThan(field?.y ?? 0);

  const mend = await interrupt(page, 'POST /api/login/', { status: 502 });
  await enterCredentials(page, 'login-mira');
  await expect(banner(page)).toHaveText('Failed to login. Please check your credentials and try again.');
  mend();
  const reconnect = await interrupt(page, 'POST /api/login/', 'no connection');
  await enterCredentials(page, 'login-mira');
  await expect(banner(page)).toHaveText("Can't reach the server. Check your connection and try again.");
  reconnect();

  // A browser whose storage fills up throws an error that the server didn't send.
  await page.addInitScript(() => {
    Storage.prototype.setItem = function set(key, value) {
      if (key === 'access_token') throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      this[key] = value;
    };
  });
  await enterCredentials(page, 'login-mira');
  await expect(banner(page)).toHaveText('An unexpected error occurred. Please try again later.');
});

test('logging in and registering show progress and disable the button', async ({ page, browser, server }) => {
  const created = await slowDown(page, 'POST /api/register/');
  await enterAccount(page, 'busy-mira');
  await expect(busy(page, 'Creating account...')).toBeDisabled();
  created();
  await expect(page).toHaveURL(/\/dashboard$/);

  const otherDevice = await device(browser, server);
  const answered = await slowDown(otherDevice, 'POST /api/login/');
  await enterCredentials(otherDevice, 'busy-mira');
  await expect(busy(otherDevice, 'Signing in...')).toBeDisabled();
  answered();
  await expect(otherDevice).toHaveURL(/\/dashboard$/);
});

test('a failed registration keeps the input, and a rejected one shows the error at the field', async ({
  page,
  browser,
  server,
}) => {
  const mend = await interrupt(page, 'POST /api/register/', BROKEN);
  await enterAccount(page, 'register-mira');
  await expect(banner(page)).toHaveText('Failed to create account. Please try again.');
  await expect(page.getByLabel('Username')).toHaveValue('register-mira');
  mend();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  const otherDevice = await device(browser, server);
  await enterAccount(otherDevice, 'Register-Mira');
  await expect(otherDevice.getByText('This username is already taken')).toBeVisible();
  await expect(banner(otherDevice)).toHaveCount(0);
});

test('a failed logout still clears this device, shows a message and can be retried', async ({ page }) => {
  await register(page, 'logout-mira');
  await page.goto('/settings');
  const mend = await interrupt(page, 'POST /api/logout/', BROKEN);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(banner(page)).toContainText('Failed to logout. Please try again.');
  await expect(page).toHaveURL(/\/login$/);
  expect(await storedKeys(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(banner(page)).toContainText('Failed to logout. Please try again.');

  mend();
  const logoutRequest = page.waitForRequest('**/api/logout/');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect((await logoutRequest).postDataJSON()).toEqual({ refresh_token: expect.stringMatching(/.+/) });
  await expect(banner(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('signing out shows progress and disables the button', async ({ page }) => {
  await register(page, 'leaving-mira');
  await page.goto('/settings');
  const answer = await slowDown(page, 'POST /api/logout/');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(busy(page, 'Signing out...')).toBeDisabled();
  answer();
  await expect(page).toHaveURL(/\/login$/);
  expect(await storedKeys(page)).toEqual([]);
});

test("an asset that can't be created or changed shows an error and keeps the input", async ({ browser, server }) => {
  const { owner } = await ownerAndMember(browser, server, 'assets');
  await owner.goto('/assets');
  const mend = await interrupt(owner, 'POST /api/assets/', BROKEN);
  await owner.getByRole('button', { name: 'Add New Asset', exact: true }).click();
  const adding = owner.getByRole('dialog', { name: 'Add New Asset' });
  await adding.getByLabel('Asset Name').fill('Music');
  await adding.getByLabel('Monthly Subscription Cost ($)').fill('10,99');
  await adding.getByRole('button', { name: 'Create Asset' }).click();
  await expect(adding.getByRole('alert')).toHaveText('Failed to create asset. Please try again.');
  await expect(adding.getByLabel('Monthly Subscription Cost ($)')).toHaveValue('10,99');
  mend();
  const created = await slowDown(owner, 'POST /api/assets/');
  await adding.getByRole('button', { name: 'Create Asset' }).click();
  await expect(busy(owner, 'Creating...')).toBeDisabled();
  created();
  await expect(adding).toBeHidden();
  await expect(owner.getByText('$10.99/mo')).toBeVisible();

  const restore = await interrupt(owner, 'PATCH /api/assets/{id}/', BROKEN);
  const dialog = await manage(owner, 'Details');
  await dialog.getByLabel('Description').fill('For everybody');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update asset.');
  await expect(dialog.getByLabel('Description')).toHaveValue('For everybody');
  restore();
  const saved = await slowDown(owner, 'PATCH /api/assets/{id}/');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(busy(owner, 'Saving...')).toBeDisabled();
  saved();
  await expect(dialog).toBeHidden();
  await expect(owner.getByText('For everybody')).toBeVisible();
});

test("a failed share shows the server's reason or a general one", async ({ browser, server }) => {
  const { owner } = await ownerAndMember(browser, server, 'share');
  await owner.goto('/assets');
  const dialog = await manage(owner, 'Share');
  const share = async (username: string) => {
    await dialog.getByLabel('Username').fill(username);
    await dialog.getByLabel('Monthly Hours').fill('20');
    await dialog.getByRole('button', { name: 'Share Asset' }).click();
  };

  // Messages from the server.
  await share('nobody-here');
  await expect(dialog.getByRole('alert')).toHaveText('User "nobody-here" not found');
  await share('share-owner');
  await expect(dialog.getByRole('alert')).toHaveText("You can't share an asset with yourself.");
  await share('share-member');
  await expect(dialog.getByRole('alert')).toHaveText('This asset is already shared with this user.');
  await share('   ');
  await expect(dialog.getByRole('alert')).toHaveText('Username and monthly hours are required');

  // Responses that something between browser and server may send.
  for (const [reply, sentence] of [
    [{ status: 404 }, 'User "share-zoe" not found'],
    [{ status: 400 }, 'Failed to share asset. Asset may already be shared with this user.'],
    [{ status: 502, json: { message: 'Bad gateway' } }, 'Failed to share asset: Bad gateway'],
    [{ status: 502 }, 'Failed to share asset: Unknown error'],
    ['no connection', 'Failed to share asset. Please try again.'],
  ] as const) {
    const mend = await interrupt(owner, 'POST /api/assets/{id}/share/', reply);
    await share(' share-zoe ');
    await expect(dialog.getByRole('alert')).toHaveText(sentence);
    await expect(dialog.getByLabel('Username')).toHaveValue(' share-zoe ');
    mend();
  }

  await register(await device(browser, server), 'share-zoe');
  const answer = await slowDown(owner, 'POST /api/assets/{id}/share/');
  await share('share-zoe');
  await expect(busy(owner, 'Sharing...')).toBeDisabled();
  answer();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'share-zoe' })).toContainText('20 hours/month');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});
