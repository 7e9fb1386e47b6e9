import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { acceptOffers, api, device, openSetting, ownerAndMember, PASSWORD, reach, register } from './verbs.ts';

// These tests never use a mouse: everything is reached with Tab and operated by keys.

async function press(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button', key = 'Enter') {
  await reach(page, page.getByRole(role, { name, exact: typeof name === 'string' }).first());
  await page.keyboard.press(key);
}

async function type(page: Page, label: string, text: string) {
  await reach(page, page.getByLabel(label, { exact: true }).last());
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Moves from the focused tab to another one. */
async function openTab(page: Page, name: string, arrow: 'ArrowRight' | 'ArrowLeft' = 'ArrowRight') {
  const tab = page.getByRole('tab', { name, exact: true });
  for (let tabs = 0; tabs < 5; tabs += 1) {
    if (await tab.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press(arrow);
  }
  await expect(tab).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

async function chooseFromMenu(page: Page, button: string, name: string) {
  await press(page, button);
  const menu = page.getByRole('menu');
  const item = menu.getByRole('menuitem', { name, exact: true });
  // The menu has the focus: as a whole at first, on its first item later.
  await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let items = 0; items < 4; items += 1) {
    if (await item.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
}

test(
  'an owner registers, adds and shares an asset, changes the hours and signs out by keyboard',
  { tag: '@journey' },
  async ({ page, browser, server }) => {
    const ben = await device(browser, server);
    await register(ben, 'keys-ben');
    await page.goto('/');
    await press(page, 'Get Started Free', 'link');
    await type(page, 'Username', 'keys-mira');
    await type(page, 'Email address', 'keys-mira@example.org');
    await type(page, 'Password', PASSWORD);
    await type(page, 'Confirm password', PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, keys-mira!');

    // The dialog focuses its first field, and returns the focus to the button that opened it.
    await press(page, 'Add New Asset');
    await expect(page.getByLabel('Asset Name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Add New Asset', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await type(page, 'Asset Name', 'Films');
    await type(page, 'Monthly Subscription Cost ($)', '12,50');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('$12.50/mo').last()).toBeVisible();
    await api(ben, 'POST /api/trusted-owners/', { username: 'keys-mira', monthly_amount: 1000, currency: 'USD' });

    await press(page, 'Manage');
    await expect(page.getByRole('tab', { name: 'Details' })).toBeFocused();
    await openTab(page, 'Share');
    await type(page, 'Username', 'keys-ben');
    await type(page, 'Monthly Hours', '20');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByText('20 hours/month')).toBeVisible();
    await expect(page.getByLabel('Username')).toBeFocused();
    await press(page, "Change keys-ben's hours");
    await expect(page.getByLabel('Hours a month for keys-ben')).toBeFocused();
    await page.keyboard.type('30');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByText('30 hours/month')).toBeVisible();
    await expect(page.getByRole('button', { name: "Change keys-ben's hours" })).toBeFocused();

    // Visits every tab with the arrow keys, in both directions.
    await reach(page, page.getByRole('tab', { name: 'Share' }));
    for (const tab of ['Sessions', 'Analytics', 'Usage']) await openTab(page, tab);
    await openTab(page, 'Details', 'ArrowLeft');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Manage' })).toBeFocused();

    await chooseFromMenu(page, 'User menu', 'Sign out');
    await expect(page).toHaveURL(/\/login$/);
  },
);

test('a member signs in, starts and ends sessions and reads analytics by keyboard', async ({ browser, server }) => {
  const { owner, member } = await ownerAndMember(browser, server, 'keys');
  const asset = await api(owner, 'POST /api/assets/', { name: 'Music', subscription_cost: 5 });
  const share = { username: 'keys-member', monthly_hours_allocated: 7 };
  await api(owner, `POST /api/assets/${(asset as { id: number }).id}/share/`, share);
  await acceptOffers(member);

  await chooseFromMenu(member, 'User menu', 'Sign out');
  await type(member, 'Username', 'keys-member');
  await type(member, 'Password', PASSWORD);
  await member.keyboard.press('Enter');
  await expect(member.getByRole('heading', { level: 1 })).toHaveText('Welcome back, keys-member!');

  await press(member, 'Track Usage');
  await expect(member.getByRole('tab', { name: 'Usage' })).toBeFocused();
  await press(member, 'Start Session', 'button', 'Space');
  await expect(member.getByRole('button', { name: 'End Session' })).toBeFocused();
  await expect(member.getByRole('dialog').getByRole('timer')).toBeVisible();
  // The button appears at once, but only works after the server has answered.
  await expect(member.getByRole('button', { name: 'End Session' })).not.toHaveAttribute('aria-disabled', 'true');
  await member.keyboard.press('Space');
  await expect(member.getByRole('button', { name: 'Start Session' })).toBeFocused();
  await expect(member.getByRole('dialog').getByRole('timer')).toHaveCount(0);

  // Another session, ended on the card, where the focus stays.
  await expect(member.getByRole('button', { name: 'Start Session' })).not.toHaveAttribute('aria-disabled', 'true');
  await member.keyboard.press('Enter');
  await expect(member.getByRole('button', { name: 'End Session' })).toBeVisible();
  await member.keyboard.press('Escape');
  const card = member.getByRole('main').getByRole('listitem', { name: 'Films' });
  await expect(card.getByRole('button', { name: 'Track Usage' })).toBeFocused();
  await expect(card.getByRole('button', { name: 'End Session' })).not.toHaveAttribute('aria-disabled', 'true');
  await press(member, 'End Session');
  await expect(card.getByRole('timer')).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Start Session' })).toBeFocused();

  await press(member, 'Analytics', 'link');
  await reach(member, member.getByLabel('Select Asset'));
  await member.keyboard.press('ArrowDown');
  await expect(member.getByLabel('Select Asset').locator('option:checked')).toHaveText('Music (owned by keys-owner)');
  await expect(member.getByRole('main')).toContainText('Total Allocation7hrs');
});

test('the skip link leads past the navigation to the content', async ({ page }) => {
  await register(page, 'keys-skip');
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  }
});

test('an owner ends a share and deletes an asset by keyboard, with a confirmation each', async ({
  browser,
  server,
}) => {
  const { owner } = await ownerAndMember(browser, server, 'keys-end');
  await press(owner, 'Manage');
  await openTab(owner, 'Share');
  const remove = ['Options for keys-end-member', 'Remove access for keys-end-member'] as const;
  await chooseFromMenu(owner, ...remove);
  const question = owner.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await owner.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(owner.getByRole('button', { name: 'Options for keys-end-member' })).toBeFocused();
  await chooseFromMenu(owner, ...remove);
  await press(owner, 'Remove access');
  await expect(question).toHaveCount(0);
  await expect(owner.getByRole('dialog')).toContainText('No users have access to this asset yet.');

  await reach(owner, owner.getByRole('tab', { name: 'Share' }));
  await openTab(owner, 'Details', 'ArrowLeft');
  await press(owner, 'Delete');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await owner.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(owner.getByRole('button', { name: 'Delete' })).toBeFocused();
  await owner.keyboard.press('Enter');
  await press(owner, 'Continue');
  await press(owner, 'Delete asset');
  await expect(owner.getByRole('dialog')).toHaveCount(0);
  await expect(owner.getByRole('heading', { name: 'Films' })).toHaveCount(0);
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a user changes the time zone and password by keyboard', async ({ page }) => {
  await register(page, 'keys-profile');
  await chooseFromMenu(page, 'User menu', 'Your Profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');
  await openSetting(page, 'Email and time zone');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await reach(page, zone);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('lisbon');
  await expect(page.getByRole('option', { name: 'Europe/Lisbon' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(zone).toHaveValue('Europe/Lisbon');
  await press(page, 'Save Changes');
  await expect(page.getByText('Profile saved.')).toBeVisible();

  await openSetting(page, 'Password');
  await type(page, 'Current password', PASSWORD);
  await type(page, 'New password', 'another good one');
  await type(page, 'Confirm new password', 'another good one');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password changed.')).toBeVisible();
});

test('figures that an input method writes into a number field stay', async ({ page }) => {
  await register(page, 'keys-composed');
  const { id } = (await api(page, 'POST /api/assets/', { name: 'Films', subscription_cost: 10 })) as { id: number };
  await page.goto(`/assets?asset=${id}&tab=share`);
  const hours = page.getByLabel('Monthly Hours', { exact: true });
  await hours.fill('1');
  const session = await page.context().newCDPSession(page);
  for (const text of ['٢', '٢٠'])
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await session.send('Input.insertText', { text: '٢٠' });
  await expect(hours).toHaveValue('120');
});
