import { expect, test } from './test.ts';

test(
  'the landing page introduces the product and links to registration and sign-in',
  { tag: '@smoke' },
  async ({ page }) => {
    await page.goto('/');

    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toHaveAttribute('href', '/register');
    await expect(page.getByRole('link', { name: 'Sign In' }).first()).toHaveAttribute('href', '/login');
  },
);
