import type { Browser } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { expect, test } from './test.ts';
import { acceptOffers, addAsset, endSession, manage, openUsage, register, shareWith, startSession } from './verbs.ts';

const HOUR = 3_600_000;

async function people(browser: Browser, server: RunningServer, names: string[]) {
  const pages = names.map(async (name) => {
    const page = await (await browser.newContext({ baseURL: server.url })).newPage();
    await register(page, name);
    return page;
  });
  return Promise.all(pages);
}

test(
  'an owner changes the cost, session limit, time zone and description of an asset',
  { tag: '@journey' },
  async ({ page }) => {
    await register(page, 'manage-details');
    await page.goto('/assets');
    await addAsset(page, { name: 'Spotify Family', description: '', cost: '15' });
    const dialog = await manage(page, 'Details');
    await expect(dialog.getByLabel('Monthly Subscription Cost ($)')).toHaveValue('15.00');
    await expect(dialog).toContainText("Applies from this month. Earlier months don't change.");

    await dialog.getByLabel('Asset Name').fill('   ');
    await dialog.getByText('Advanced', { exact: true }).click();
    await dialog.getByLabel('Session limit (hours)').fill('745');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toContainText('Name is required');
    await expect(dialog).toContainText('Session limit must be a whole number of hours from 1 to 744');
    await expect(dialog.getByLabel('Asset Name')).toBeFocused();

    await dialog.getByLabel('Asset Name').fill('Spotify');
    await dialog.getByLabel('Description').fill('Music for everybody');
    await dialog.getByLabel('Monthly Subscription Cost ($)').fill('17,99');
    await dialog.getByLabel('Session limit (hours)').fill('8');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('kirit');
    await page.getByRole('option', { name: 'Pacific/Kiritimati' }).click();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(page.getByText('$17.99/mo')).toBeVisible();
    await expect(page.getByText('Music for everybody')).toBeVisible();
    const reopened = await manage(page, 'Details');
    await reopened.getByText('Advanced', { exact: true }).click();
    await expect(reopened.getByLabel('Session limit (hours)')).toHaveValue('8');
    await expect(reopened.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Pacific/Kiritimati');
    await expect(reopened).toContainText(/Takes effect in \w+ \d{4}\. Until then, .+ applies\./);
  },
);

test('an asset can cost yen or dinars, and its currency can be corrected before it is shared', async ({ page }) => {
  await register(page, 'currencies');
  await page.goto('/assets');
  const choose = async (currency: string) => {
    await page.getByRole('combobox', { name: 'Currency' }).fill(currency);
    await page.getByRole('option', { name: currency }).click();
  };
  await page.getByRole('button', { name: 'Add New Asset' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Asset' });
  await dialog.getByLabel('Asset Name').fill('Manga');
  await choose('Japanese Yen (JPY)');
  await dialog.getByLabel('Monthly Subscription Cost (¥)').fill('980.5');
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(dialog).toContainText("Monthly subscription cost can't have decimals");
  await dialog.getByLabel('Monthly Subscription Cost (¥)').fill('980');
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(page.getByText('¥980/mo')).toBeVisible();

  const details = await manage(page, 'Details');
  await choose('Kuwaiti Dinar (KWD)');
  await details.getByLabel('Monthly Subscription Cost (KWD)').fill('2.375');
  await details.getByRole('button', { name: 'Save Changes' }).click();
  await expect(details).toBeHidden();
  await page.reload();
  await expect(page.getByText('KWD\u00A02.375/mo')).toBeVisible();
});

test("an owner edits a member's hours in the list and ends the share with its active session", async ({
  browser,
  server,
}) => {
  const [mira, ben] = await people(browser, server, ['share-mira', 'share-ben']);
  if (!mira || !ben) throw new Error('Two people are needed');
  await addAsset(mira, { name: 'Figma', description: '', cost: '12' });
  await shareWith(mira, 'share-ben', 20);
  await acceptOffers(ben);
  await mira.reload();

  const dialog = await manage(mira, 'Share');
  await expect(dialog.getByLabel('Monthly Hours')).toHaveCount(1);
  await dialog.getByRole('button', { name: "Change share-ben's hours" }).click();
  await expect(dialog.getByLabel('Monthly Hours')).toHaveCount(1);
  const hours = dialog.getByLabel('Hours a month for share-ben');
  await expect(hours).toBeFocused();
  await hours.fill('0');
  await hours.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Monthly hours must be a whole number from 1 to 744');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('20 hours/month')).toBeVisible();
  await dialog.getByRole('button', { name: "Change share-ben's hours" }).click();
  await hours.fill('744');
  await hours.press('Enter');
  await expect(dialog.getByText('744 hours/month')).toBeVisible();
  await expect(dialog.getByRole('button', { name: "Change share-ben's hours" })).toBeFocused();

  await ben.goto('/shared');
  await expect(ben.getByText('Monthly: 744 hours')).toBeVisible();
  await openUsage(ben);
  await startSession(ben);

  await dialog.getByRole('button', { name: 'Options for share-ben' }).click();
  await mira.getByRole('menuitem', { name: 'Remove access for share-ben' }).click();
  const question = mira.getByRole('alertdialog', { name: "Remove share-ben's access?" });
  await expect(question).toContainText('still count.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await mira.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Options for share-ben' }).click();
  await mira.getByRole('menuitem', { name: 'Remove access for share-ben' }).click();
  await question.getByRole('button', { name: 'Remove access' }).click();
  await expect(question).toBeHidden();
  await expect(dialog).toContainText('No users have access to this asset yet.');

  // The owner still sees the history, with an end for the session that was active.
  await dialog.getByRole('tab', { name: 'Sessions' }).click();
  await expect(dialog.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toContainText('share-ben');
  await expect(dialog.getByText('Active', { exact: true })).toHaveCount(0);

  // Without a reload, Ben's open dialog keeps only what is his, and his page is empty.
  await expect(ben.getByRole('dialog')).toContainText(/Access ended on \w+ \d+/);
  await expect(ben.getByRole('dialog').getByRole('tab')).toHaveText(['Sessions', 'Costs']);
  await ben.keyboard.press('Escape');
  await expect(ben.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();
  await expect(ben.getByRole('heading', { level: 1 })).toBeFocused();
});

test("an owner sees all members' sessions and figures month by month", async ({ browser, launch }) => {
  const server = await launch();
  const [mira, ben, ana] = await people(browser, server, ['mira', 'ben', 'ana']);
  if (!mira || !ben || !ana) throw new Error('Three people are needed');
  await addAsset(mira, { name: 'Netflix', description: '', cost: '22.99' });
  await shareWith(mira, 'ben', 30);
  await shareWith(mira, 'ana', 10);
  await Promise.all([ben, ana].map(acceptOffers));
  for (const [page, hours] of [
    [ben, 2],
    [ana, 1],
  ] as const) {
    await page.goto('/shared');
    await openUsage(page);
    await startSession(page);
    await server.advance(hours * HOUR);
    await page.reload();
    await endSession(page);
  }

  await mira.reload();
  const dialog = await manage(mira, 'Sessions');
  const rows = dialog.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(/ana.*–.*1 h/);
  await expect(rows.nth(1)).toContainText(/ben.*–.*2 h/);

  await dialog.getByRole('tab', { name: 'Analytics' }).click();
  await expect(dialog).toContainText('Total Allocation40hrs');
  await expect(dialog.getByRole('table', { name: 'Hours Utilization' })).toBeAttached();
  await expect(dialog.getByRole('heading', { name: 'Usage Statistics' })).toBeVisible();
  await dialog.getByText('By member', { exact: true }).click();
  await expect(dialog.getByRole('row', { name: /^ben/ })).toContainText('30 h');
  await dialog.getByLabel('Member', { exact: true }).selectOption('ana');
  await expect(dialog).toContainText('Total Allocation10hrs');

  await expect(dialog.getByRole('button', { name: 'Next month' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Previous month' }).click();
  await expect(dialog).toContainText('Used that month0hrs');
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await expect(dialog).toContainText('Used This Month');
  await dialog.getByRole('tab', { name: 'Usage' }).click();
  await expect(dialog).toContainText('Usage tracking not available for owned assets');

  // The analytics page offers the member the same months.
  await ben.goto('/analytics');
  await expect(ben.getByText('Used This Month')).toBeVisible();
  await ben.getByRole('button', { name: 'Previous month' }).click();
  await expect(ben.getByText('Used that month')).toBeVisible();
});

test(
  'an archived asset is hidden until it is restored, and a deleted one is gone',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const [mira, ben] = await people(browser, server, ['archive-mira', 'archive-ben']);
    if (!mira || !ben) throw new Error('Two people are needed');
    await mira.goto('/assets');
    await addAsset(mira, { name: 'Nine O Five', description: '', cost: '9.05' });
    await shareWith(mira, 'archive-ben', 5);
    await expect(mira.getByText('1 pending')).toBeVisible();
    await acceptOffers(ben);

    // An acceptance that arrives later adds a button above the dialog's and moves them.
    await expect(mira.getByText('1 pending')).toBeHidden();
    let dialog = await manage(mira, 'Details');
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await mira.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await expect(dialog).toBeHidden();
    await expect(mira.getByText('0 assets in total')).toBeVisible();
    await expect(mira.getByRole('region', { name: 'Archived' })).toContainText('Nine O Five');
    await mira.goto('/dashboard');
    await expect(mira.getByRole('main')).not.toContainText('Nine O Five');
    await expect(mira.getByRole('complementary', { name: 'Side panel' })).toContainText('Active Assets0');
    await ben.goto('/shared');
    await expect(ben.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();

    await mira.goto('/assets');
    await mira.getByRole('region', { name: 'Archived' }).getByRole('button', { name: 'Restore' }).click();
    await expect(mira.getByText('1 asset in total')).toBeVisible();
    await expect(mira.getByRole('region', { name: 'Archived' })).toHaveCount(0);
    await ben.reload();
    await expect(ben.getByRole('heading', { name: 'Nine O Five' })).toBeVisible();

    dialog = await manage(mira, 'Details');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const question = mira.getByRole('alertdialog', { name: 'Delete Nine O Five?' });
    await question.getByRole('button', { name: 'Continue' }).click();
    await expect(question).toContainText('This also deletes 0 sessions and removes access for 1 member.');
    await question.getByRole('button', { name: 'Delete asset' }).click();
    await expect(question).toBeHidden();
    await expect(mira.getByRole('heading', { name: 'No Assets Yet' })).toBeVisible();
    await expect(mira.getByRole('heading', { level: 1 })).toBeFocused();
  },
);
