import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { register } from './verbs.ts';

/** Collects errors that the browser and React report: script errors, policy violations, hydration mismatches. */
function complaints(page: Page): string[] {
  const reports: string[] = [];
  page.on('pageerror', (error) => reports.push(error.message));
  page.on('console', (message) => {
    // Reported by Playwright, which blocks the service worker (playwright.config.ts).
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning') reports.push(message.text());
  });
  return reports;
}

const pages = [
  {
    path: '/',
    heading: 'Share the plan. Pay for your hours.',
    title: 'Share the plan, pay for your hours · HourShare',
  },
  { path: '/about', heading: 'About HourShare', title: 'About · HourShare' },
  { path: '/privacy', heading: 'Privacy policy', title: 'Privacy policy · HourShare' },
  { path: '/terms', heading: 'Terms of service', title: 'Terms of service · HourShare' },
];

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const { path, heading, title } of pages) {
    test(`${path} has its title, text and links`, async ({ page }) => {
      await page.goto(path);
      await expect(page).toHaveTitle(title);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /\w{3}/);
      await page
        .getByRole('link', { name: path === '/about' ? 'Back to home' : 'About', exact: true })
        .first()
        .click();
      await expect(page).toHaveURL(path === '/about' ? /\/$/ : /\/about$/);
    });
  }

  test('an address of the app says that it needs JavaScript, and shows no other page', async ({ page }) => {
    const answer = await page.goto('/dashboard');
    expect(await answer?.text()).toContain('<noscript>HourShare needs JavaScript.');
    await expect(page.getByRole('heading')).toHaveCount(0);
  });
});

for (const locale of ['en-US', 'sv-SE', 'zh-CN']) {
  test.describe(`with the language ${locale}`, () => {
    test.use({ locale });

    test('pages hydrate without errors', async ({ page }) => {
      const reports = complaints(page);
      for (const { path, heading, title } of pages) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
        await expect(page).toHaveTitle(title);
      }
      expect(reports).toEqual([]);
    });
  });
}

test('links navigate without reloading the page', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.evaluate(() => document.body.setAttribute('data-same', ''));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service');
  await page.getByRole('link', { name: 'See About for contact details.' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About HourShare');
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Share the plan. Pay for your hours.');
  await expect(page.locator('body')).toHaveAttribute('data-same', '');
});

test("About links to the server's operator", async ({ page, launch }) => {
  const server = await launch({ CONTACT: 'mira@example.org' });
  await page.goto(`${server.url}/about`);
  await expect(page.getByRole('link', { name: 'mira@example.org' })).toHaveAttribute('href', 'mailto:mira@example.org');
});

test('signed-in visitors go to the dashboard without a flash of the landing page', async ({ page }) => {
  const reports = complaints(page);
  await register(page, 'home-comer');
  let seen = false;
  await page.exposeFunction('sawLanding', () => (seen = true));
  await page.addInitScript(() => {
    const look = () => {
      const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Get Started Free');
      if (link && getComputedStyle(link).visibility === 'visible')
        void (window as unknown as { sawLanding: () => Promise<void> }).sawLanding();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, home-comer!');
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(seen).toBe(false);

  // Other public pages appear in the signed-in frame.
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy');
  await expect(page.getByRole('link', { name: 'My Assets' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0);
  expect(reports).toEqual([]);
});

test('a chosen theme applies from the first paint', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('hourshare_theme', 'dark'));
  await page.route(/\/static\/base-[^/]*\.js$/, (route) => route.abort());
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('who is signed in sees the frame before the app has loaded', async ({ page }) => {
  await page.route(/\/static\/base-[^/]*\.js$/, (route) => route.abort());
  const frame = page.locator('#root > [aria-hidden]');
  await page.goto('/login');
  await expect(frame).toBeHidden();
  await page.evaluate(() => {
    localStorage.setItem('user', '{}');
    localStorage.setItem('access_token', 'token');
  });
  await page.goto('/dashboard');
  await expect(frame).toBeVisible();
  await expect(frame).toContainText('HourShare');
});
