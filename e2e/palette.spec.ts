import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, ownerAndMember } from './verbs.ts';

async function openPalette(page: Page) {
  // Keys do nothing before the page is there.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  return palette;
}

/** The option that Enter runs. */
const highlighted = (page: Page) => page.getByRole('option').and(page.locator('[data-highlighted]'));

test('a member starts and ends a session and changes the theme by keyboard', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'palette');
  const isRunning = () =>
    member.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` };
      const answer = (await (await fetch('/api/shared-assets/', { headers })).json()) as {
        results: { active_session: boolean }[];
      };
      return answer.results[0]?.active_session;
    });

  const palette = await openPalette(member);
  expect(await violationsOn(member)).toEqual([]);
  await expectToFit(member);
  await member.keyboard.type('start films');
  await expect(highlighted(member)).toHaveText(/Start Session on Films/);
  await member.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(member.getByText('Session started: Films').first()).toBeAttached();
  await expect.poll(isRunning).toBe(true);

  // Two presses end it from any page.
  await member.goto('/settings');
  await openPalette(member);
  await expect(highlighted(member)).toHaveText(/End Session on Films/);
  await member.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect.poll(isRunning).toBe(false);

  await openPalette(member);
  await member.keyboard.type('dark');
  await expect(highlighted(member)).toHaveText('Dark theme');
  await member.keyboard.press('Enter');
  await expect(member.locator('html')).toHaveAttribute('data-theme', 'dark');

  await openPalette(member);
  await member.keyboard.type('costs');
  await expect(highlighted(member)).toHaveText('Costs');
  await member.keyboard.press('Enter');
  await expect(member).toHaveURL(/\/costs$/);
});

test('a press on the search field opens the palette, and the question mark lists the keys', async ({
  browser,
  server,
}) => {
  const { member } = await ownerAndMember(browser, server, 'search');
  const field = member.getByRole('banner').getByRole('button', { name: 'Search or jump to' });
  const box = await field.boundingBox();
  expect([box?.width, box?.height]).toEqual([248, 40]);
  await field.click();
  const palette = member.getByRole('dialog', { name: 'Search or jump to' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await member.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await member.keyboard.press('?');
  await expect(member.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  expect(await violationsOn(member)).toEqual([]);
  await expectToFit(member);
});
