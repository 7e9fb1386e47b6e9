import type { Locator, Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, PASSWORD, register, signIn } from './verbs.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** More stops than the page has, so that an unreachable element fails the test. */
const MOST_STOPS = 120;

/** Reaches an element using only the Tab key. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, `Tab does not lead to it`).toBeFocused();
}

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

const signInList = (page: Page) => page.getByRole('list', { name: "Where you're signed in" });

test(
  'a user names a device, ends a lost one, and then all others',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const name = `devices-${Date.now().toString(36)}`;
    const open = async (options: { userAgent?: string; locale?: string } = {}) =>
      (await browser.newContext({ baseURL: server.url, locale: 'en-US', ...options })).newPage();
    const laptop = await open({ userAgent: FIREFOX });
    await register(laptop, name);
    const phone = await open({ userAgent: IPHONE });
    await signIn(phone, name);
    const tablet = await open({ userAgent: '' });
    await signIn(tablet, name);

    await laptop.goto('/settings#sign-ins');
    const items = signInList(laptop).getByRole('listitem');
    await expect(items).toHaveCount(3);
    await expect(items.filter({ hasText: 'This device' })).toContainText('Firefox on Windows');
    await expect(items.filter({ hasText: 'Safari on iOS' })).toContainText(/Last used: today, /);
    await expectAccessible(laptop);

    await reach(laptop, laptop.getByRole('button', { name: 'Rename Firefox on Windows' }));
    await laptop.keyboard.press('Enter');
    await expect(laptop.getByLabel('Name of this device')).toBeFocused();
    await laptop.keyboard.type('Laptop in the study');
    await expectAccessible(laptop);
    await laptop.keyboard.press('Enter');
    await expect(laptop.getByRole('button', { name: 'Rename Laptop in the study' })).toBeFocused();
    await expect(items.filter({ hasText: 'This device' })).toContainText('Firefox on Windows');

    // Cancel has the initial focus.
    await reach(laptop, laptop.getByRole('button', { name: 'End the sign-in: Safari on iOS' }));
    await laptop.keyboard.press('Enter');
    const question = laptop.getByRole('alertdialog', { name: 'End this sign-in?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(laptop);
    await laptop.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(items).toHaveCount(3);
    await reach(laptop, laptop.getByRole('button', { name: 'End the sign-in: Safari on iOS' }));
    await laptop.keyboard.press('Enter');
    await reach(laptop, question.getByRole('button', { name: 'End sign-in' }));
    await laptop.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(items).toHaveCount(2);
    await phone.goto('/settings#sign-ins');
    await expect(phone).toHaveURL(/\/login/);
    await tablet.goto('/settings#sign-ins');
    await expect(signInList(tablet).getByRole('listitem')).toHaveCount(2);

    // So that ending the others asks who is there.
    await server.advance(11 * 60_000);
    await reach(laptop, laptop.getByRole('button', { name: 'End all other sign-ins' }));
    await laptop.keyboard.press('Enter');
    await reach(laptop, laptop.getByRole('button', { name: 'End all others' }));
    await laptop.keyboard.press('Enter');
    const check = laptop.getByRole('alertdialog', { name: "Confirm that it's you" });
    await expect(check.getByLabel('Current password')).toBeFocused();
    await expectAccessible(laptop);
    await laptop.keyboard.press('Escape');
    await expect(check).toBeHidden();
    // The question is still open, and nothing has ended.
    expect(await api(laptop, 'GET /api/me/sign-ins/')).toMatchObject({ sign_ins: [{}, {}] });
    await reach(laptop, laptop.getByRole('button', { name: 'End all others' }));
    await laptop.keyboard.press('Enter');
    await expect(check.getByLabel('Current password')).toBeFocused();
    await laptop.keyboard.type(PASSWORD);
    await laptop.keyboard.press('Enter');
    await expect(items).toHaveCount(1);
    await expect(laptop.getByRole('button', { name: 'End all other sign-ins' })).toHaveCount(0);
    await tablet.goto('/settings#sign-ins');
    await expect(tablet).toHaveURL(/\/login/);
    await laptop.reload();
    await expect(items).toHaveText([/Laptop in the study/]);
  },
);

test('sign-ins are listed in German', async ({ browser, server }) => {
  const name = `geraete-${Date.now().toString(36)}`;
  const first = await (await browser.newContext({ baseURL: server.url, locale: 'en-US', userAgent: IPHONE })).newPage();
  await register(first, name);
  const page = await (await browser.newContext({ baseURL: server.url, locale: 'en-US', userAgent: FIREFOX })).newPage();
  await signIn(page, name);
  await page.goto('/settings#sign-ins');
  await page.getByLabel('Language').selectOption('de');
  const list = page.getByRole('list', { name: 'Wo du angemeldet bist' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list).toContainText('Firefox unter Windows');
  await page.getByRole('button', { name: /^Beenden.*Anmeldung Safari unter iOS$/ }).press('Enter');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Anmeldung beenden' }).press('Enter');
  await expect(list.getByRole('listitem')).toHaveCount(1);
});
