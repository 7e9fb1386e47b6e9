import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, ownerAndMember, reach } from './verbs.ts';

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

async function press(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('Enter');
}

test('an owner makes a member a co-manager, who manages the asset until they give up the role', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const { owner, member, assetId } = await ownerAndMember(browser, server, 'co');
  await owner.goto(`/assets?asset=${assetId}&tab=share`);
  const dialog = owner.getByRole('dialog');
  await press(owner, dialog.getByRole('button', { name: 'Options for co-member' }));
  await owner.getByRole('menuitem', { name: 'Make co-manager (co-member)' }).press('Enter');
  const question = owner.getByRole('alertdialog', { name: 'Make co-member a co-manager?' });
  await expect(question).toContainText("co-member can't delete it");
  await expectAccessible(owner);
  await press(owner, question.getByRole('button', { name: 'Make co-manager' }));
  await expect(question).toBeHidden();
  await expect(dialog.getByText('Co-manager', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Options for co-member' })).toBeFocused();
  await expectAccessible(owner);

  // The bell and the asset's card lead the member to it.
  await member.reload();
  await press(member, member.getByRole('button', { name: /^Notifications/ }));
  await expect(member.getByRole('link', { name: /co-owner.*co-manager.*Films/ })).toBeVisible();
  await member.goto('/shared');
  await expectAccessible(member);
  await press(member, member.getByRole('link', { name: 'Manage Films' }));
  const managed = member.getByRole('dialog');
  await expect(managed.getByText('You co-manage this asset for co-owner.')).toBeVisible();
  await expect(managed.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expect(managed.getByLabel('Currency')).toHaveCount(0);
  const cost = managed.getByLabel('Monthly Subscription Cost ($)');
  await reach(member, cost);
  await cost.fill('5');
  await member.keyboard.press('Enter');
  await expect(managed.getByText('Only the owner can lower the price.')).toBeVisible();
  await expectAccessible(member);
  await cost.fill('15');
  await member.keyboard.press('Enter');
  await expect(managed).toBeHidden();

  // All tabs work, and what is reserved for the owner is absent.
  await member.goto(`/shared?asset=${assetId}&tab=share`);
  await expect(managed.getByText('co-member changed the price')).toBeVisible();
  await expect(managed.getByRole('button', { name: "Change co-member's hours" })).toHaveCount(0);
  await expect(managed.getByRole('button', { name: 'Add without an account' })).toHaveCount(0);
  await expectAccessible(member);
  for (const [tab, text] of [
    ['Sessions', /^No sessions yet/],
    ['Analytics', /This month|Total/],
    ['Costs', 'co-owner (owner)'],
  ] as const) {
    await managed.getByRole('tab', { name: tab }).press('Enter');
    await expect(managed.getByText(text).first()).toBeVisible();
    await expectAccessible(member);
  }

  // The owner sees who changed it, in another language, too.
  await owner.reload();
  await expect(dialog.getByText('co-member changed the price')).toBeVisible();
  await api(owner, 'PATCH /api/me/', { language: 'de' });
  await owner.evaluate(() => localStorage.setItem('hourshare_language', 'de'));
  await owner.reload();
  await expect(dialog.getByText('co-member hat den Preis geändert')).toBeVisible();
  await expect(dialog.getByText('Mitverwaltung', { exact: true })).toBeVisible();
  await expectAccessible(owner);

  await managed.getByRole('tab', { name: 'Share' }).press('Enter');
  await press(member, managed.getByRole('button', { name: 'Options for co-member' }));
  await member.getByRole('menuitem', { name: 'Stop co-managing' }).press('Enter');
  await press(member, member.getByRole('alertdialog').getByRole('button', { name: 'Stop co-managing' }));
  await expect(managed.getByText("This asset isn't available, or you no longer have access.")).toBeVisible();
  await member.goto('/shared');
  await expect(member.getByRole('heading', { name: 'Films' })).toBeVisible();
  await expect(member.getByRole('link', { name: 'Manage Films' })).toHaveCount(0);
});
