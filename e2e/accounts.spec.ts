import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { openSetting, PASSWORD, register, signIn } from './verbs.ts';

const storedUser = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'));

test(
  'a user changes their email address, confirmed by the password, and time zone, and the device remembers them',
  { tag: '@journey' },
  async ({ page }) => {
    await register(page, 'profile-mira');
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Your Profile' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');
    await expect(page.getByLabel('Username')).toHaveAttribute('readonly', '');
    await openSetting(page, 'Email and time zone');

    await page.getByLabel('Email address').fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Email address is required')).toBeVisible();
    await page.getByLabel('Email address').fill('profile-mira@example.org');
    const proof = page.getByRole('group', { name: 'Change email address' }).getByLabel('Current password');
    await expect(proof).toHaveCount(0);

    await page.getByLabel('Email address').fill('not an address');
    await proof.fill(PASSWORD);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Enter a valid email address')).toBeVisible();

    await page.getByLabel('Email address').fill('mira@new.example.org');
    await proof.fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Current password is required')).toBeVisible();
    await expect(proof).toBeFocused();
    await proof.fill('not my password');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Your current password is incorrect')).toBeVisible();
    await proof.fill(PASSWORD);
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await expect(zone).toHaveValue('America/New York');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('status').getByText('Profile saved.')).toBeVisible();
    await expect(proof).toHaveCount(0);
    expect(await storedUser(page)).toMatchObject({ email: 'mira@new.example.org', time_zone: 'America/New_York' });
    await page.reload();
    await openSetting(page, 'Email and time zone');
    await expect(page.getByLabel('Email address')).toHaveValue('mira@new.example.org');
    await expect(zone).toHaveValue('America/New York');
  },
);

test('changing the password requires the current one and signs out other devices', async ({ browser, launch }) => {
  const server = await launch();
  const open = async () => (await browser.newContext({ baseURL: server.url })).newPage();
  const page = await open();
  const otherDevice = await open();
  await register(page, 'password-mira');
  await signIn(otherDevice, 'password-mira');
  await page.goto('/profile#password');
  await expect(page.getByRole('main')).toContainText('Changing it signs you out on all other devices.');
  const change = async (current: string, next: string, again = next) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Confirm new password').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };

  await change(PASSWORD, 'another good one', 'another god one');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await change('not my password', 'another good one');
  await expect(page.getByText('Your current password is incorrect')).toBeVisible();
  await expect(page.getByLabel('Current password')).toBeFocused();
  await change(PASSWORD, 'password-mira');
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await change(PASSWORD, 'another good one');
  await expect(page.getByText('Password changed. Your other devices are signed out.')).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveValue('');

  await otherDevice.goto('/dashboard');
  await expect(otherDevice).toHaveURL(/\/login$/);
  await signIn(otherDevice, 'password-mira', 'another good one');
});

test('notification settings are saved for all devices', async ({ page, browser, server }) => {
  await register(page, 'choices-mira');
  await page.goto('/settings');
  const mails = page.getByRole('checkbox', { name: 'Email notifications' });
  const wasChecked = await mails.isChecked();
  await mails.click();
  await expect(mails).toBeChecked({ checked: !wasChecked });
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeAttached();

  const otherDevice = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(otherDevice, 'choices-mira');
  await otherDevice.goto('/settings');
  await expect(otherDevice.getByRole('checkbox', { name: 'Email notifications' })).toBeChecked({
    checked: !wasChecked,
  });

  // A setting that the server rejects is reverted, with a message.
  await page.route('**/api/me/', (route) => route.abort());
  const reminders = page.getByRole('checkbox', { name: 'Usage reminders' });
  const reminded = await reminders.isChecked();
  await reminders.click();
  await expect(page.getByRole('alert')).toContainText("Couldn't save that setting.");
  await expect(reminders).toBeChecked({ checked: reminded });
});

test('the theme follows the system until one is chosen, which survives a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await register(page, 'theme-mira');
  await page.goto('/settings');
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  expect(dark).not.toBe(light);
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();

  await page.getByRole('radio', { name: 'Light' }).check();
  expect(await ground()).toBe(light);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked();
  expect(await ground()).toBe(light);
  await page.getByRole('radio', { name: 'System' }).check();
  expect(await ground()).toBe(dark);
});
