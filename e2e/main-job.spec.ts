import type { Page } from '@playwright/test';
import { engines } from './server.ts';
import { expect, test } from './test.ts';
import { addAsset, endSession, openUsage, registerByForm, shareWith, signIn, signOut, startSession } from './verbs.ts';

const MINUTE = 60_000;

/** Collects what the browser reports, such as scripts blocked by the content security policy. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    // The browser also reports every failed call; other tests check how screens show those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

/**
 * Returns the milliseconds to the next morning in UTC, so that a session of an hour and a half ends on the same day.
 */
function toMorning(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 8) - now.getTime();
}

for (const engine of engines)
  test(
    `two people share an asset, one uses it, and everything survives a restart (${engine})`,
    { tag: '@smoke' },
    async ({ browser, launch }) => {
      const server = await launch({}, { engine });
      await server.advance(toMorning());
      const open = async () => (await browser.newContext({ baseURL: server.url })).newPage();
      const mira = await open();
      const ben = await open();
      const complained = [complaints(mira), complaints(ben)];

      // Both register. Mira pays for Netflix and gives Ben 20 hours a month.
      await registerByForm(ben, 'ben');
      await registerByForm(mira, 'mira');
      await addAsset(mira, { name: 'Netflix Premium', description: 'Living room and phones', cost: '22.99' });
      await expect(mira.getByText('$22.99/mo').last()).toBeVisible();
      await shareWith(mira, 'ben', 20);
      await expect(mira.getByText('Shared with 1 user', { exact: true })).toBeVisible();

      // Ben finds it, starts a session and sees the clock run on the card and in the top bar.
      await ben.goto('/shared');
      await expect(ben.getByText('Shared by mira')).toBeVisible();
      await openUsage(ben);
      await startSession(ben);
      await expect(ben.getByRole('dialog').getByText('Active', { exact: true })).toBeVisible();
      const clock = ben.getByRole('dialog').getByRole('timer');
      const shown = await clock.textContent();
      await expect(clock).not.toHaveText(shown ?? '');

      // The server restarts meanwhile; the session continues and Ben stays signed in. After an hour and a half, long
      // after his access token expired, he ends it and sees 1.5 hours.
      await server.restart();
      await server.advance(90 * MINUTE);
      await ben.reload();
      await expect(ben.getByRole('dialog').getByRole('timer')).toHaveText(/^1:30:\d\d$/);
      await endSession(ben);
      await expect(ben.getByRole('dialog')).toContainText(/Used Hours\s*1\.5/);
      await ben.getByRole('dialog').getByRole('tab', { name: 'Sessions' }).click();
      await expect(ben.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
      await ben.keyboard.press('Escape');
      await expect(ben.getByText('Used: 1.5 hours')).toBeVisible();

      // The analytics show 1.5 of 20 hours, in the figures and in the tables of the three charts.
      await ben.goto('/analytics');
      await expect(ben.getByLabel('Select Asset')).toContainText('Netflix Premium (owned by mira)');
      for (const chart of ['Hours Utilization', 'Weekly Usage', 'Daily Usage Trend']) {
        await expect(ben.getByRole('heading', { name: chart })).toBeVisible();
        await expect(ben.getByRole('table', { name: chart })).toContainText('1.5');
      }
      await expect(ben.getByText('8%').first()).toBeVisible();

      // Mira sees Ben's use.
      await mira.reload();
      await expect(mira.getByText(/1\.5\d? h/).first()).toBeVisible();

      // After another stop and start, everything is still there when she signs out and in again.
      await signOut(mira);
      await server.restart();
      const laterPage = await open();
      await signIn(laterPage, 'mira');
      await expect(laterPage.getByRole('heading', { name: 'Netflix Premium' })).toBeVisible();
      await expect(laterPage.getByText('Shared with 1 user', { exact: true })).toBeVisible();

      expect(complained).toEqual([[], []]);
    },
  );
