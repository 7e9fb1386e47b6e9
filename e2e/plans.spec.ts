import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { namesIn } from './texts.ts';
import { api, expectToFit, ownerAndMember } from './verbs.ts';

const DAY = 24 * 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test(
  'a yearly plan is entered, its renewal reminds, people vote in two languages, and the owner cancels it',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const day = (from: number) => new Date(Date.now() + from * DAY).toISOString().slice(0, 10);
    const { owner, member, assetId } = await ownerAndMember(browser, server, 'yearly');
    const german = namesIn('de');

    // By keyboard alone.
    await owner.goto(`/assets?asset=${assetId}&tab=details`);
    const dialog = owner.getByRole('dialog');
    await dialog.locator('summary').filter({ hasText: 'Payment plan' }).press('Enter');
    await dialog.getByLabel('Billed').focus();
    await owner.keyboard.type('Every year');
    await owner.keyboard.press('Tab');
    await expect(dialog.getByLabel('How many years')).toHaveValue('1');
    await expectAccessible(owner);
    await dialog.getByLabel('Renewal date').fill(day(24));
    await dialog.getByLabel('Price of each renewal ($)').fill('120');
    await dialog.getByLabel('Days before a renewal to cancel by').fill('14');
    await dialog.getByLabel('Reminders, in days before').fill('0, 400');
    await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(dialog.getByLabel('Reminders, in days before')).toBeFocused();
    await dialog.getByLabel('Reminders, in days before').fill('7, 1');
    await owner.keyboard.press('Enter');
    await expect(owner.getByText('$120.00 a year').first()).toBeVisible();
    await expectAccessible(owner);

    // The first reminder comes seven days before the last day to cancel.
    await api(member, 'PATCH /api/me/', { language: 'de' });
    await member.evaluate(() => localStorage.setItem('hourshare_language', 'de'));
    await server.advance(4 * DAY);
    await member.goto('/dashboard');
    await member
      .getByRole('region', { name: german('Renewals') })
      .getByRole('link')
      .press('Enter');
    const renewal = member.getByRole('listitem').filter({ has: member.getByRole('heading', { name: 'Films' }) });
    await expect(renewal).toBeVisible();
    await renewal.getByRole('button', { name: german('Save') }).press('Enter');
    await expect(renewal.getByText(german('Choose one'))).toBeVisible();
    await renewal.getByRole('radio', { name: german('Something smaller') }).press('Space');
    await renewal.getByLabel(german('Comment (optional)')).fill('Zu teuer');
    await expectAccessible(member);
    await member.keyboard.press('Enter');
    await expect(member.getByText(german('Your answer is saved.')).first()).toBeVisible();

    await owner.goto('/renewals');
    const own = owner.getByRole('listitem').filter({ has: owner.getByRole('heading', { name: 'Films' }) });
    await expect(own.getByRole('list', { name: 'What members want' })).toContainText(
      'yearly-member: Something smaller',
    );
    await expect(own.getByText('Zu teuer')).toBeVisible();
    await expectAccessible(owner);
    await own.getByRole('button', { name: 'Canceled' }).press('Enter');
    await expect(own).toContainText('yearly-owner cancels it.');
    await expect(own.getByRole('button', { name: 'Renewed' })).toBeVisible();
    await expectAccessible(owner);

    // What members wanted is on the bill of the last month that it is paid for.
    await server.advance(21 * DAY);
    const month = day(23).slice(0, 7);
    await member.goto(`/costs/${assetId}/${month}`);
    await expect(member.getByRole('article')).toContainText('Gekündigt');
    await expectAccessible(member);
    await owner.goto(`/costs/${assetId}/${month}`);
    await expect(owner.getByRole('article')).toContainText('Canceled. Votes: keep 0, smaller 1, cancel 0.');
    await expect(owner.getByRole('article')).toContainText(/\$120\.00 for 36[56] days/);
    await expectAccessible(owner);
  },
);
