import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

const section = (page: Page, id: string) => page.locator(`section#${id}`);
const dot = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Show \\d of 4: ${name}`) });

const households = ['Three roommates', 'A family', 'Friends', 'A band'];

/** Waits until React has taken over the prerendered testimonials: before that, no timer rotates them. */
const waitForRotation = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('#testimonials button') ?? {}).some((key) => key.startsWith('__react')),
  );

async function expectShown(page: Page, household: string) {
  for (const each of households) {
    await expect(dot(page, each)).toHaveAttribute('aria-current', String(each === household));
    await expect(page.locator('figcaption').filter({ hasText: new RegExp(`^${each}`) })).toBeVisible({
      visible: each === household,
    });
  }
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the landing page is complete', { tag: '@journey' }, async ({ page }) => {
    await page.goto('/');
    for (const name of ['Get Started Free', 'Sign In'])
      await expect(page.getByRole('link', { name }).first()).toBeVisible();
    for (const id of ['features', 'howItWorks', 'testimonials']) {
      await expect(section(page, id)).toBeVisible();
      await expect(section(page, id)).toHaveCSS('opacity', '1');
    }
    for (const household of households)
      await expect(page.locator('figcaption').filter({ hasText: new RegExp(`^${household}`) })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('slider')).toHaveCount(0);
    await expect(page.getByText('Free plan. No credit card.')).toBeVisible();
  });
});

test('the example adds up, and the steps are in order', async ({ page }) => {
  await page.goto('/');
  const example = page.getByRole('figure', { name: /^Example/ });
  await expect(example).toContainText('$14.51 + $6.18 + $2.30 = $22.99.');
  await expect(section(page, 'howItWorks').getByRole('listitem').getByRole('heading')).toHaveText([
    'Add your subscriptions',
    'Invite friends and set monthly usage allocations',
    'Track and save',
  ]);
});

test('moving the hours of the example moves every figure, which always adds up', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const example = page.getByRole('figure', { name: /^Example/ });
  const slider = example.getByRole('slider', { name: "ana's hours" });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', '60 hours');
  await expect(example).toContainText('$3.45 + $17.24 + $2.30 = $22.99.');
  await expect(page.getByLabel('The example in figures')).toContainText('$19.54');
  await expect(section(page, 'features')).toContainText('$22.99 × 60 h ÷ 80 h =$17.24');
  await expect(section(page, 'features')).toContainText('20 h over');
  await page.keyboard.press('Home');
  await expect(example).toContainText('$20.69 + $0.00 + $2.30 = $22.99.');
});

test('on a phone, signing in is in the header', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeInViewport();
});

test('sections fade in when they become visible', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto('/', { waitUntil: 'networkidle' });
  const ids = ['howItWorks', 'features', 'testimonials'];
  for (const id of ids) await expect(section(page, id)).toHaveCSS('opacity', '0');
  for (const id of ids) {
    await section(page, id).scrollIntoViewIfNeeded();
    await expect(section(page, id)).toHaveCSS('opacity', '1');
  }
});

test("with reduced motion, sections are visible at once and testimonials don't rotate", async ({ page }) => {
  await page.clock.install();
  await page.goto('/', { waitUntil: 'networkidle' });
  for (const id of ['features', 'howItWorks', 'testimonials'])
    await expect(section(page, id)).toHaveCSS('opacity', '1');
  await page.clock.runFor(20_000);
  await expectShown(page, 'Three roommates');
});

test('testimonials rotate, pause for the mouse and keyboard, and follow their dots', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.clock.install();
  await page.goto('/', { waitUntil: 'networkidle' });
  await waitForRotation(page);
  await section(page, 'testimonials').scrollIntoViewIfNeeded();
  await expectShown(page, 'Three roommates');
  await page.clock.runFor(5000);
  await expectShown(page, 'A family');

  await page.getByRole('group', { name: 'Households that share' }).hover();
  await page.clock.runFor(15_000);
  await expectShown(page, 'A family');
  await page.mouse.move(0, 0);
  await page.clock.runFor(5000);
  await expectShown(page, 'Friends');

  await dot(page, 'Three roommates').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dot(page, 'A band')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.clock.runFor(15_000);
  await expectShown(page, 'A band');
});

test('the keyboard reaches every link with a destination, and no placeholder', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/', { waitUntil: 'networkidle' });
  const stops: string[] = [];
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused && focused !== document.body ? (focused.getAttribute('aria-label') ?? focused.textContent) : null;
    });
    if (stop === null) break;
    stops.push(stop);
  }
  expect(stops[0]).toBe('Skip to content');
  for (const name of ['How it works', 'Sign In', 'Get Started Free', 'About', 'Privacy', 'Terms'])
    expect(stops).toContain(name);
  for (const name of ['Blog', 'Careers', 'Support', 'Guides', 'Mastodon', 'Bluesky', 'GitHub']) {
    expect(stops).not.toContain(name);
    const link = page.getByRole('contentinfo').getByRole('link', { name, disabled: true });
    await link.click({ force: true });
    await expect(page).toHaveURL(/\/$/);
  }

  await page.getByRole('link', { name: 'Get Started Free' }).last().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
});

for (const locale of ['en-US', 'de-DE'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('nothing overflows horizontally on any screen', async ({ page }) => {
      for (const width of [320, 390, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of ['/', '/about', '/privacy', '/terms', '/forgot-password']) {
          await page.goto(path);
          await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));
          const over = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect([path, width, over]).toEqual([path, width, 0]);
        }
      }
    });
  });
