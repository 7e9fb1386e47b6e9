import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '@hourshare/contract/limits';
import type { Page } from '@playwright/test';
import { speakAtLength } from './pseudo-language.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, PASSWORD, register } from './verbs.ts';

type Language = (typeof LANGUAGES)[number];

const MESSAGES = join(import.meta.dirname, '..', 'web', 'src', 'messages');
const translations = new Map<Language, Record<string, string>>(
  LANGUAGES.filter((language) => language !== 'en').map((language) => [
    language,
    JSON.parse(readFileSync(join(MESSAGES, `${language}.json`), 'utf8')) as Record<string, string>,
  ]),
);
/** The translation of a message, without the marks that isolate names. */
const text = (language: Language, english: string): string => translations.get(language)?.[english] ?? english;

const dirOf = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');
const pages = [
  { path: '/', title: 'Share the plan, pay for your hours', heading: 'Share the plan.' },
  { path: '/about', title: 'About', heading: 'About HourShare' },
  { path: '/privacy', title: 'Privacy policy', heading: 'Privacy policy' },
  { path: '/terms', title: 'Terms of service', heading: 'Terms of service' },
];
const addressOf = (language: Language, path: string) =>
  language === 'en' ? path : `/${language}${path === '/' ? '' : path}`;

async function expectLanguage(page: Page, language: Language) {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('html')).toHaveAttribute('dir', dirOf(language));
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, locale: 'de-DE' });

  for (const language of LANGUAGES) {
    test(`public pages are there in ${language}`, async ({ page }) => {
      for (const { path, title, heading } of pages) {
        const address = addressOf(language, path);
        await page.goto(address);
        await expectLanguage(page, language);
        await expect(page).toHaveTitle(`${text(language, title)} · HourShare`);
        await expect(page.getByRole('heading', { level: 1 })).toContainText(text(language, heading));
        const whole = (to: string) => new URL(to, page.url()).href;
        await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', whole(address));
        for (const other of LANGUAGES)
          await expect(page.locator(`link[rel="alternate"][hreflang="${other}"]`)).toHaveAttribute(
            'href',
            whole(addressOf(other, path)),
          );
        await expect(page.locator('link[hreflang="x-default"]')).toHaveAttribute('href', whole(path));
        const description = await page.locator('meta[name="description"]').getAttribute('content');
        await expect(page.locator('meta[property="og:description"]')).toHaveAttribute('content', String(description));
        await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
          'content',
          `${text(language, title)} · HourShare`,
        );
      }
    });
  }
});

for (const [locale, language] of [
  ['de-AT', 'de'],
  ['pt-PT', 'pt-BR'],
  ['ar-EG', 'ar'],
  ['ja-JP', 'ja'],
  ['sv-SE', 'en'],
] as const) {
  test.describe(`a browser in ${locale}`, () => {
    test.use({ locale });

    test(`gets ${language}, without errors`, { tag: '@journey' }, async ({ page }) => {
      const reports: string[] = [];
      page.on('pageerror', (error) => reports.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') reports.push(message.text());
      });
      for (const { path, heading } of pages) {
        await page.goto(`${path}?from=a-friend`, { waitUntil: 'networkidle' });
        await expect(page).toHaveURL(`${addressOf(language, path)}?from=a-friend`);
        await expectLanguage(page, language);
        await expect(page.getByRole('heading', { level: 1 })).toContainText(text(language, heading));
      }
      await page.goto('/login');
      await expectLanguage(page, language);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(text(language, 'Sign in to HourShare'));
      // A link names its language.
      await page.goto('/fr/about', { waitUntil: 'networkidle' });
      await expectLanguage(page, 'fr');
      expect(reports).toEqual([]);
    });
  });
}

test('a public page stays as it is when its language fails to load', async ({ page }) => {
  await page.route(/\/static\/messages-.*-de-public/, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/de', { waitUntil: 'networkidle' });
  await failed;
  await expect(page.getByRole('heading', { level: 1 })).toContainText(text('de', 'Share the plan.'));
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: text('de', 'Privacy'), exact: true })
    .click();
  await expect(page).toHaveURL(/\/de\/privacy$/);
});

const select = (page: Page, language: Language) => page.getByLabel(text(language, 'Language'), { exact: true });

test('visitors choose a language, which this device remembers', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await select(page, 'en').selectOption('Deutsch');
  await expect(page).toHaveURL(/\/de$/);
  await expectLanguage(page, 'de');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: text('de', 'Privacy'), exact: true })
    .click();
  await expect(page).toHaveURL(/\/de\/privacy$/);
  await page.goto('/about');
  await expect(page).toHaveURL(/\/de\/about$/);
  await expect(select(page, 'de')).toHaveValue('de');
  await select(page, 'de').selectOption('English');
  await expect(page).toHaveURL(/\/about$/);
  await expectLanguage(page, 'en');
});

test('a choice loses nothing that was typed, and goes into the new account', async ({ page, browser, server }) => {
  await page.goto('/register');
  await page.getByLabel('Username').fill('yuki');
  await page.getByLabel('Email address').fill('yuki@example.org');
  await select(page, 'en').selectOption('日本語');
  await expectLanguage(page, 'ja');
  await expect(page.getByLabel(text('ja', 'Username'))).toHaveValue('yuki');
  await expect(page.getByLabel(text('ja', 'Email address'))).toHaveValue('yuki@example.org');
  for (const label of ['Password', 'Confirm password'])
    await page.getByLabel(text('ja', label), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: text('ja', 'Create account') }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await api(page, 'GET /api/me/')).toMatchObject({ language: 'ja' });

  // Another device, in English: the account's language applies from the first page after the sign-in.
  const other = await (await browser.newContext({ baseURL: server.url })).newPage();
  await other.goto('/login');
  await other.getByLabel('Username').fill('yuki');
  await other.getByLabel('Password').fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other).toHaveURL(/\/dashboard$/);
  await expectLanguage(other, 'ja');
  await other.goto('/settings');
  await other.getByRole('button', { name: text('ja', 'Sign Out') }).click();
  await expect(other).toHaveURL(/\/login$/);
  await other.reload();
  await expectLanguage(other, 'ja');
});

/** Fails if text or a box leaves the window. */
async function expectNoOverflow(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBe(0);
}

const screens = ['/dashboard', '/assets', '/shared', '/analytics', '/costs', '/settings', '/profile'];

async function openScreen(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main .animate-spin, main .animate-pulse')).toHaveCount(0);
}

test('Arabic mirrors every screen', async ({ page }, testInfo) => {
  await register(page, 'layla');
  await api(page, 'POST /api/assets/', { name: 'Netflix (US)', description: 'أفلام', subscription_cost: 22.99 });
  await page.goto('/settings');
  await select(page, 'en').selectOption('العربية');
  await expectLanguage(page, 'ar');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('ar', 'Settings'));
  expect(await api(page, 'GET /api/me/')).toMatchObject({ language: 'ar' });

  for (const path of screens) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openScreen(page, path);
    await expectLanguage(page, 'ar');
    const panel = await page.getByRole('complementary').first().boundingBox();
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(panel?.x, `the side panel of ${path}`).toBeGreaterThan((heading?.x ?? 0) + (heading?.width ?? 0) - 1);
    for (const width of [1280, 320]) {
      await expectNoOverflow(page, width);
      await testInfo.attach(`ar${path.replace('/', '-')}-${width}.png`, {
        body: await page.screenshot(),
        contentType: 'image/png',
      });
    }
  }

  // Back to what the browser asks for.
  await page.goto('/settings');
  await select(page, 'ar').selectOption(text('ar', 'Same as the browser'));
  await expectLanguage(page, 'en');
  expect(await api(page, 'GET /api/me/')).toMatchObject({ language: null });
});

test('text that is 40 % longer breaks no layout on the narrowest phone', async ({ page }) => {
  await register(page, 'longwinded');
  await api(page, 'POST /api/assets/', { name: 'Films', description: 'For the living room', subscription_cost: 22.99 });
  await speakAtLength(page);
  for (const path of screens) {
    await openScreen(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('ö');
    await expectToFit(page);
  }
  await page.evaluate(() => ['access_token', 'refresh_token', 'user'].map((key) => localStorage.removeItem(key)));
  const signedOut = ['/login', '/register', '/forgot-password', '/reset-password#any', '/confirm-email#any'];
  for (const path of ['/de', '/de/about', '/de/privacy', '/de/terms', ...signedOut]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('ö');
    await expectToFit(page);
  }
});

test('every language fits the narrowest phone', async ({ page }) => {
  await register(page, 'polyglot');
  await api(page, 'POST /api/assets/', { name: 'Films', subscription_cost: 22.99 });
  for (const language of LANGUAGES) {
    await page.evaluate((choice) => localStorage.setItem('hourshare_language', choice), language);
    for (const path of screens) {
      await openScreen(page, path);
      await expectLanguage(page, language);
      await expectToFit(page);
    }
  }
});
