import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { addAsset, register } from './verbs.ts';

/** Returns the dimensions of an image on this server, or that the page may not load it. */
const sizeOf = (page: Page, src: string) =>
  page.evaluate(async (address) => {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    return `${picture.naturalWidth}x${picture.naturalHeight}`;
  }, src);

/** Returns the page's background in the format that index.html and the manifest use. */
const canvas = (page: Page) =>
  page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (!context) throw new Error('This browser does not draw');
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--canvas');
    context.fillRect(0, 0, 1, 1);
    const parts = Array.from(context.getImageData(0, 0, 1, 1).data).slice(0, 3);
    return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });

test('the app can be installed, and its icons have their declared sizes', async ({ page }) => {
  await page.goto('/');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(href ?? '');
  expect(answer.headers()['content-type']).toBe('application/manifest+json');
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ name: 'HourShare', start_url: '/dashboard', display: 'standalone' });
  expect(manifest.icons).toHaveLength(3);
  for (const { src, sizes } of manifest.icons) expect(await sizeOf(page, src)).toBe(sizes);
  expect(await sizeOf(page, '/apple-touch-icon.png')).toBe('180x180');
  expect(await sizeOf(page, '/favicon.ico')).toBe('32x32');
  await page.emulateMedia({ colorScheme: 'light' });
  expect([manifest.theme_color, manifest.background_color]).toEqual(Array(2).fill(await canvas(page)));
});

test("browser controls have the page's color in both themes", async ({ page }) => {
  await page.goto('/');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const named = page.locator(`meta[name=theme-color][data-theme=${colorScheme}]`);
    expect(await named.getAttribute('content')).toBe(await canvas(page));
  }
});

test('a shared link has a title, a description and an image', async ({ page }) => {
  await page.goto('/');
  const named = (property: string) => page.locator(`meta[property="og:${property}"]`).getAttribute('content');
  expect(await named('title')).toBe('Share the plan, pay for your hours · HourShare');
  expect(await named('description')).toContain('to the cent');
  const picture = await named('image');
  expect(await sizeOf(page, picture ?? '')).toBe(`${await named('image:width')}x${await named('image:height')}`);
});

test('an asset named after a service shows its mark, loaded from this server', async ({ page }) => {
  await register(page, 'mark-mira');
  await page.goto('/assets');
  const [mark] = await Promise.all([
    page.waitForResponse((response) => /\/marks-[\w-]+\.svg$/.test(response.url())),
    addAsset(page, { name: 'Netflix Premium', description: '', cost: '22.99' }),
  ]);
  expect([mark.status(), mark.headers()['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
});
