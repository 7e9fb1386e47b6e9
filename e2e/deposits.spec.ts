import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, ownerAndMember } from './verbs.ts';

test.use({ timezoneId: 'UTC', locale: 'en-US' });

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test(
  'an owner records a deposit, its giver confirms it, and both see it go back',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'deposit');
    const owned = owner.getByRole('dialog');
    await owner.goto(`/assets?asset=${assetId}&tab=share`);
    await owned.getByRole('button', { name: 'Options for deposit-member' }).press('Enter');
    await owner.getByRole('menuitem', { name: 'Record a deposit of deposit-member' }).press('Enter');
    await expect(owned.getByLabel('Amount (USD)')).toBeFocused();
    await expectAccessible(owner);
    await owner.keyboard.type('0');
    await owner.keyboard.press('Enter');
    await expect(owned.getByText('Amount must be more than zero')).toBeVisible();
    await owned.getByLabel('Amount (USD)').fill('50');
    await owner.keyboard.press('Enter');
    await expect(owner.getByText('deposit-member was asked to agree.').first()).toBeVisible();

    // In the bell, and nothing is owed because of it.
    await member.getByRole('button', { name: /^Notifications/ }).press('Enter');
    const bell = member.getByRole('dialog', { name: 'Notifications' });
    await bell.getByRole('button', { name: 'Confirm $50.00 from deposit-owner' }).press('Enter');
    await expect(bell.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
    await member.goto('/costs');
    const deposits = member.getByRole('region', { name: 'Deposits' });
    await expect(deposits).toContainText('deposit-owner holds $50.00 of yours.');
    await expect(member.getByRole('button', { name: 'Settle up' })).toHaveCount(0);
    await expectAccessible(member);

    // Who leaves is told of it.
    await member.goto(`/shared?share=${shareId}&tab=details`);
    await member
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave/ })
      .press('Enter');
    await expect(member.getByText('deposit-owner holds $50.00 of yours.').last()).toBeVisible();
    await member.keyboard.press('Escape');

    await owner.goto('/costs');
    const held = owner.getByRole('region', { name: 'Deposits' });
    await held.getByRole('button', { name: /^Given back/ }).press('Enter');
    await expect(held).toContainText('Given back, not confirmed yet');
    await member.goto('/costs');
    await deposits.getByRole('button', { name: /^Confirm/ }).press('Enter');
    await expect(deposits).toContainText('Given back');
    await expect(deposits.getByRole('button')).toHaveCount(0);
    await expectAccessible(member);
  },
);
