import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { interrupt, refusal } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, manage, ownerAndMember, register, startSession } from './verbs.ts';

const BROKEN = refusal(500, 'Something went wrong on the server.');

/** Waits for a text and expects no accessibility violations on the page. */
async function expectNoViolations(page: Page, text: string | RegExp, options: { ignoredRule?: string } = {}) {
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  expect(await violationsOn(page, options)).toEqual([]);
}

test("confirmations, the archive and an owner's tabs have no accessibility violations", async ({ browser, server }) => {
  const { owner, member, shareId } = await ownerAndMember(browser, server, 'axe-owner');
  // Use by the member gives every tab something to show.
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  await owner.goto('/assets');
  const dialog = await manage(owner, 'Share');
  await expectNoViolations(owner, '20 hours/month');
  await dialog.getByRole('button', { name: "Change axe-owner-member's hours" }).click();
  await dialog.getByLabel('Hours a month for axe-owner-member').fill('0');
  await dialog.getByLabel('Hours a month for axe-owner-member').press('Enter');
  await expectNoViolations(owner, 'Monthly hours must be a whole number from 1 to 744');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Options for axe-owner-member' }).click();
  await expectNoViolations(owner, 'Make co-manager');
  await owner.getByRole('menuitem', { name: 'Remove access for axe-owner-member' }).click();
  await expectNoViolations(owner, 'still count.');
  await owner.keyboard.press('Escape');
  for (const [tab, text] of [
    ['Sessions', 'Active'],
    ['Analytics', 'Usage Statistics'],
    ['Usage', 'Usage tracking not available for owned assets'],
    ['Details', 'Archive or delete'],
  ] as const) {
    await dialog.getByRole('tab', { name: tab }).click();
    await expectNoViolations(owner, text);
  }
  await dialog.getByLabel('Asset Name').fill('');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expectNoViolations(owner, 'Name is required');
  await dialog.getByLabel('Asset Name').fill('Films');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectNoViolations(owner, 'up to today');
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Continue' }).click();
  await expectNoViolations(owner, 'This also deletes 1 session and removes access for 1 member.');
  await owner.keyboard.press('Escape');

  await dialog.getByRole('button', { name: 'Archive' }).click();
  await expectNoViolations(owner, 'You can restore it anytime.');
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
  await expectNoViolations(owner, "Members can't see this");
  await owner.getByRole('region', { name: 'Archived' }).getByRole('button', { name: 'Manage' }).click();
  await expectNoViolations(owner, "Archived. Members can't see it until you restore it.");
});

test("a member's tabs and a missing share have no accessibility violations", async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'axe-member');
  await member.goto(`/shared?share=${shareId}&tab=usage`);
  await expectNoViolations(member, 'Inactive');
  await startSession(member);
  await expectNoViolations(member, 'End Session');
  for (const [tab, text] of [
    ['Details', 'axe-member-owner'],
    ['Sessions', 'in progress'],
    ['Analytics', 'Usage Statistics'],
  ] as const) {
    await member.getByRole('tab', { name: tab }).click();
    await expectNoViolations(member, text);
  }
  await member.goto('/shared?share=999999');
  await expectNoViolations(member, "This asset isn't available, or you no longer have access.");
});

test('open menus and lists have no accessibility violations', async ({ page }) => {
  await register(page, 'axe-menus');
  await page.getByRole('button', { name: 'User menu' }).click();
  await expectNoViolations(page, 'Your Profile');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expectNoViolations(page, "You're all caught up.");
  await page.keyboard.press('Escape');
  await page.goto('/profile#account');
  // An open list hides the rest of the page from screen readers until the key that closes it.
  const ignoredRule = 'aria-hidden-focus';
  await page.getByRole('button', { name: 'Show all: Time zone' }).click();
  await expectNoViolations(page, 'Africa/Abidjan', { ignoredRule });
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('nowhere at all');
  await expectNoViolations(page, 'No matches', { ignoredRule });
  await zone.press('Tab');
  await expect(page.getByText('No matches')).toBeHidden();
  expect(await violationsOn(page)).toEqual([]);
});

test('notifications have no accessibility violations and lead to what they are about', async ({ browser, server }) => {
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'axe-notices');
  await api(owner, `PATCH /api/assets/${assetId}/share/${shareId}/`, { monthly_hours_allocated: 10 });
  await member.getByRole('button', { name: 'Notifications' }).click();
  await expectNoViolations(member, 'Mark all as read');
  await member
    .getByRole('link', { name: /axe-notices-owner.*Films/ })
    .first()
    .click();
  await expect(member.getByRole('dialog', { name: /Films/ })).toBeVisible();
  await expect(member.getByRole('dialog', { name: 'Notifications' })).toBeHidden();
});

test('error messages have no accessibility violations', async ({ browser, server }) => {
  const { owner, member } = await ownerAndMember(browser, server, 'axe-wrong');
  // Cut off before its own code has loaded, a page shows another message.
  await owner.waitForLoadState('networkidle');
  await owner.context().setOffline(true);
  await expectNoViolations(owner, 'Offline');
  await owner.context().setOffline(false);
  const dialog = await manage(owner, 'Share');
  await owner.context().setOffline(true);
  await expectNoViolations(owner, 'Offline');
  await dialog.getByLabel('Username').fill('somebody');
  await dialog.getByLabel('Monthly Hours').fill('5');
  await dialog.getByRole('button', { name: 'Share Asset' }).click();
  await expectNoViolations(owner, 'Failed to share asset. Please try again.');
  await dialog.getByRole('button', { name: 'Options for axe-wrong-member' }).click();
  await owner.getByRole('menuitem', { name: 'Remove access for axe-wrong-member' }).click();
  await expectNoViolations(owner, 'still count.');
  await owner.context().setOffline(false);

  for (const call of ['GET /api/assets/', 'GET /api/shared-assets/']) await interrupt(member, call, BROKEN);
  for (const [path, text] of [
    ['/dashboard', 'Failed to load dashboard data'],
    ['/assets', 'Failed to load assets data'],
    ['/shared', 'Failed to load shared assets data'],
    ['/analytics', 'Failed to load shared assets'],
    ['/shared?share=1', 'Failed to load shared assets data'],
  ] as const) {
    await member.goto(path);
    await expectNoViolations(member, text);
  }
  await interrupt(member, 'POST /api/logout/', BROKEN);
  await member.goto('/settings');
  await member.getByRole('button', { name: 'Sign Out' }).click();
  await expectNoViolations(member, 'Failed to logout. Please try again.');
  await member.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectNoViolations(member, 'Username is required');
  await member.getByLabel('Username').fill('axe-wrong-member');
  await member.getByLabel('Password').fill('not my password');
  await member.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectNoViolations(member, 'Wrong username or password.');
  await member.goto('/register');
  await member.getByRole('button', { name: 'Google' }).click();
  await expectNoViolations(member, "Google sign-in isn't set up on this server.");
  await member.getByRole('button', { name: 'Create account' }).click();
  await expectNoViolations(member, 'Confirm your password');
});
