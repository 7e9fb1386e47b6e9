import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, openSetting, PASSWORD, reach, register } from './verbs.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test('a user sees what happened to their account, by keyboard, in English and Arabic', async ({ browser, server }) => {
  const username = `activity-${Date.now().toString(36)}`;
  const laptop = await (
    await browser.newContext({ baseURL: server.url, locale: 'en-US', userAgent: FIREFOX, timezoneId: 'UTC' })
  ).newPage();
  await register(laptop, username);
  const phone = (await browser.newContext({ baseURL: server.url, userAgent: IPHONE })).request;
  const logIn = (password: string) => phone.post('/api/login/', { data: { username, password } });
  for (let n = 0; n < 10; n += 1) expect((await logIn(PASSWORD)).status()).toBe(200);
  for (let n = 0; n < 3; n += 1) expect((await logIn('wrong')).status()).toBe(401);

  await laptop.goto('/settings#security-activity');
  const items = laptop.getByRole('list', { name: 'Security activity' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  await expect(items.first()).toContainText('3 failed sign-ins');
  await expect(items.first()).toContainText('Safari on iOS');
  await expect(items.first()).toContainText(/today, /);
  await expectAccessible(laptop);

  await reach(laptop, laptop.getByRole('button', { name: 'Load more' }));
  await laptop.keyboard.press('Enter');
  await expect(items).toHaveCount(13);
  await expect(items.last()).toContainText('Account created');
  await expect(items.nth(11)).toContainText('Signed in with a password');
  await expect(items.nth(11)).toContainText('Firefox on Windows');
  await expect(items.filter({ hasText: 'This device' })).toHaveCount(1);

  // What this page itself changes is in the list at once.
  await openSetting(laptop, "Where you're signed in");
  await reach(laptop, laptop.getByRole('button', { name: 'End all other sign-ins' }));
  await laptop.keyboard.press('Enter');
  await reach(laptop, laptop.getByRole('button', { name: 'End all others' }));
  await laptop.keyboard.press('Enter');
  await expect(items.first()).toContainText('10 sign-ins ended');
  await expectAccessible(laptop);

  await laptop.getByLabel('Language').selectOption('ar');
  const translated = laptop.getByRole('list', { name: 'سجل الأمان' }).getByRole('listitem');
  await expect(translated.first()).toContainText('أُنهيت 10 عمليات دخول');
  await expect(laptop.locator('html')).toHaveAttribute('dir', 'rtl');
  await expectAccessible(laptop);
});
