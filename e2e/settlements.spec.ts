import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { endSession, expectToFit, openBalance, openUsage, ownerAndMember, settleUp, startSession } from './verbs.ts';

const HOUR = 3_600_000;

/** Returns the milliseconds to the start of next month in UTC, and from there to two days before its end. */
function nextMonth(): { toFirstDay: number; toLastDays: number } {
  const now = new Date();
  const [first, end] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return { toFirstDay: first! - now.getTime(), toLastDays: end! - first! - 48 * HOUR };
}

test.use({ timezoneId: 'UTC', locale: 'en-US' });

test(
  'a month closes, the member marks their charge as sent, and the owner settles',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const { toFirstDay, toLastDays } = nextMonth();
    // Shared from the first day on, so that all 20 h are available.
    await server.advance(toFirstDay);
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'bill');
    await server.advance(toLastDays);

    await openUsage(member);
    await startSession(member);
    await server.advance(5 * HOUR);
    await endSession(member);

    // An hour costs $12.00 ÷ 20 h.
    await owner.goto(`/assets?asset=${assetId}&tab=costs`);
    const dialog = owner.getByRole('dialog');
    // The session may have lasted a second longer.
    await expect(dialog.getByText(/^5 h( \d s)? × \$12\.00 ÷ 20 h = \$3\.00$/)).toBeVisible();
    await dialog.getByRole('tab', { name: 'Split' }).click();
    await dialog.getByLabel('Your own hours').fill('20');
    await expect(dialog.getByRole('group', { name: 'Preview' })).toContainText('$1.50');
    await expectToFit(owner);
    expect(await violationsOn(owner)).toEqual([]);

    // After the end of the month and the 72 hours for changes.
    await server.advance((48 - 5 + 73) * HOUR);

    await member.goto('/costs');
    const debt = await openBalance(member, 'bill-owner');
    await expect(member).toHaveURL('/costs?person=bill-owner');
    await expect(debt.getByText('You owe bill-owner $3.00')).toBeVisible();
    await debt.getByRole('button', { name: /^Mark as sent/ }).click();
    await expect(debt.getByText('Sent', { exact: true })).toBeVisible();
    await expectToFit(member);
    expect(await violationsOn(member)).toEqual([]);

    await owner.goto('/costs');
    const credit = await openBalance(owner, 'bill-member');
    await expect(credit.getByText('Sent', { exact: true })).toBeVisible();
    await settleUp(owner, 'bill-member', 'I received $3.00');
    await expect(owner.getByText("You're all settled up. New balances appear when a month closes.")).toBeVisible();
    await expect(owner.getByRole('region', { name: 'Payment history' })).toContainText('bill-member paid you');
    await owner.goto(`/assets?asset=${assetId}&tab=costs&part=history`);
    await expect(dialog.getByText('All paid')).toBeVisible();

    await member.goto(`/shared?share=${shareId}&tab=costs`);
    await expect(member.getByRole('dialog').getByText('Settled', { exact: true })).toBeVisible();
    await expectToFit(member);
    expect(await violationsOn(member)).toEqual([]);
  },
);
