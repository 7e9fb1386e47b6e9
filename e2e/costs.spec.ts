import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { confirmPayment, expectToFit, ownerAndMember, settleUp } from './verbs.ts';

const HOUR = 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test(
  'a member fills up, the owner counts it, one says yes to what is above the limit, and they settle',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const now = new Date();
    const [first = 0, end = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
    await server.advance(end - 3 * 24 * HOUR - now.getTime());
    const month = new Date(first).toISOString().slice(0, 7);
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'fuel');
    const owned = owner.getByRole('dialog');
    const own = member.getByRole('dialog');

    // Three presses, on a phone: open, type, done.
    await member.setViewportSize({ width: 390, height: 844 });
    await member.goto(`/shared?share=${shareId}&tab=costs`);
    await own.getByRole('button', { name: 'Add a cost' }).press('Enter');
    await expect(own.getByLabel('Amount (USD)')).toBeFocused();
    await expectAccessible(member);
    await member.keyboard.type('30');
    await member.keyboard.press('Tab');
    await member.keyboard.type('Fuel');
    await member.keyboard.press('Enter');
    await expect(own.getByRole('button', { name: 'Change Fuel' })).toBeVisible();
    await expect(own.getByText("Doesn't count yet").first()).toBeVisible();
    await expectAccessible(member);

    await owner.goto('/dashboard');
    const waiting = owner.getByRole('region', { name: 'Waiting for you' });
    const fuel = waiting.getByRole('listitem', { name: 'fuel-member asks to count $30.00 for Films' });
    await expect(fuel).toContainText('$30.00 paid by fuel-member');
    await expectAccessible(owner);
    await fuel.getByRole('button', { name: 'Count Fuel' }).press('Enter');
    await expect(waiting).toHaveCount(0);
    await owner.goto(`/assets?asset=${assetId}&tab=costs&part=month`);
    await owned.getByRole('button', { name: 'Add a cost' }).press('Enter');
    await owner.keyboard.type('40');
    await owned.getByLabel('What for').fill('Tires');
    await owned.getByText('Day, who paid, and how it is split').click();
    await owned.getByLabel('Split').selectOption('Evenly');
    await expectAccessible(owner);
    await owned.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(owned.getByRole('button', { name: 'Change Tires' })).toBeVisible();
    await expectAccessible(owner);

    // Nothing was agreed to without a question, so half of the tires waits for a yes.
    await member.reload();
    await expect(own.getByText('$30.00 owed to you')).toBeVisible();
    await own.getByRole('button', { name: 'Say yes to Tires' }).press('Enter');
    await expect(own.getByText('$10.00 owed to you')).toBeVisible();
    await expect(own.getByText('price $0.00 + costs $20.00 − paid $30.00 = -$10.00')).toBeVisible();
    await expectAccessible(member);

    await server.advance((3 * 24 + 73) * HOUR);
    await owner.goto(`/costs/${assetId}/${month}`);
    await expect(owner.getByRole('article')).toContainText('Tires');
    await expectAccessible(owner);
    await owner.goto('/costs');
    await settleUp(owner, 'fuel-member', 'I paid $10.00');
    await confirmPayment(member, 'fuel-owner', '$10.00');
    await member.goto(`/costs/${assetId}/${month}`);
    await expect(member.getByRole('article')).toContainText('-$10.00');
    await expectAccessible(member);
  },
);
