import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { addAsset, openUsage, register, shareWith, startSession } from './verbs.ts';

test('public pages have no accessibility violations', { tag: '@journey' }, async ({ page }) => {
  for (const path of [
    '/',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/confirm-email',
    '/about',
    '/terms',
    '/privacy',
    '/nowhere',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
  }
});

test('violations are found, those of colors in both modes', async ({ page }) => {
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const image = document.createElement('img');
    const text = document.createElement('p');
    text.textContent = 'Gray on white, and on black';
    text.style.cssText = 'color: light-dark(#ccc, #333); background: light-dark(#fff, #000); color-scheme: light dark';
    document.querySelector('main')?.append(image, text);
  });
  expect(await violationsOn(page)).toEqual([
    expect.stringMatching(/light: color-contrast <p /),
    expect.stringMatching(/light: image-alt <img/),
    expect.stringMatching(/dark: color-contrast <p /),
  ]);
  expect(await violationsOn(page, { ignoredRule: 'image-alt' })).toHaveLength(2);
});

test(
  'signed-in screens and dialogs have no accessibility violations',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const open = async () => (await browser.newContext({ baseURL: server.url })).newPage();
    const ben = await open();
    const mira = await open();
    await register(ben, 'axe-ben');
    await register(mira, 'axe-mira');
    for (const path of ['/dashboard', '/assets', '/shared', '/analytics', '/costs', '/settings', '/profile']) {
      await mira.goto(path);
      await expect(mira.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await violationsOn(mira)).toEqual([]);
    }

    await mira.goto('/assets');
    await mira.getByRole('button', { name: 'Add Your First Asset' }).click();
    await expect(mira.getByRole('dialog')).toBeVisible();
    expect(await violationsOn(mira)).toEqual([]);
    await mira.keyboard.press('Escape');
    await addAsset(mira, { name: 'Netflix Premium', description: 'Living room', cost: '22,99' });
    await shareWith(mira, 'axe-ben', 20);
    await mira.getByRole('button', { name: 'Manage' }).first().click();
    for (const tab of ['Details', 'Share', 'Sessions', 'Analytics', 'Usage', 'Costs']) {
      await mira.getByRole('tab', { name: tab }).click();
      expect(await violationsOn(mira)).toEqual([]);
    }

    await mira.goto('/costs');
    await mira.getByRole('link', { name: 'Netflix Premium' }).click();
    await expect(mira.getByRole('article').getByRole('table')).toBeVisible();
    expect(await violationsOn(mira)).toEqual([]);

    await ben.goto('/shared');
    await openUsage(ben);
    await startSession(ben);
    for (const tab of ['Details', 'Sessions', 'Analytics', 'Usage', 'Costs']) {
      await ben.getByRole('tab', { name: tab }).click();
      expect(await violationsOn(ben)).toEqual([]);
    }
    for (const path of ['/dashboard', '/shared', '/analytics']) {
      await ben.goto(path);
      await expect(ben.getByRole('main')).toContainText('Netflix Premium');
      expect(await violationsOn(ben)).toEqual([]);
    }
  },
);
