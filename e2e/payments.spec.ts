import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, openBalance, ownerAndMember } from './verbs.ts';

const DAY = 86_400_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

const history = (page: Page) => page.getByRole('region', { name: 'Payment history' });

/** Presses a button as people without a mouse do. */
async function press(page: Page, name: string | RegExp, within: 'main' | 'alertdialog' = 'main') {
  await page.getByRole(within).getByRole('button', { name }).first().press('Enter');
}

test('one pays in part, the other confirms it, and they undo it, all by keyboard', async ({ browser, launch }) => {
  const server = await launch();
  const now = new Date();
  // Advanced before anyone signs in, so that sign-ins last until the month has closed.
  await server.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1) - DAY - now.getTime());
  const { owner, member } = await ownerAndMember(browser, server, 'pay', { currency: 'EUR', split_method: 'equal' });
  await server.advance(5 * DAY);

  await owner.goto('/profile#payment-details');
  const details = owner.getByRole('region', { name: 'How to pay you' });
  await details.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
  await owner.keyboard.press('Enter');
  await expect(details.getByText('Enter a valid IBAN')).toBeVisible();
  await details.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await details.getByLabel('Link').fill('https://pay.example/owner');
  await details.getByLabel('Note').fill('Cash is fine, too');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText('Payment details saved.')).toBeVisible();
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  // The member sees how to pay, and pays a part of what the last day of the month cost.
  await member.goto('/costs');
  await openBalance(member, 'pay-owner');
  await press(member, 'Settle up with pay-owner');
  const dialog = member.getByRole('alertdialog', { name: 'Settle up with pay-owner?' });
  await expect(dialog).toContainText('you paid pay-owner €');
  await expect(dialog.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible();
  const code = dialog.getByRole('img', { name: 'QR code for banking apps' });
  await expect(code).toBeVisible();
  const whole = await code.innerHTML();
  const amount = dialog.getByLabel('Amount (€)');
  const owed = Number(await amount.inputValue());
  await amount.fill(String(owed + 1));
  await member.keyboard.press('Enter');
  await expect(dialog.getByText(`Amount must be at most ${owed}`)).toBeVisible();
  await amount.fill('0.05');
  await expect(dialog).toContainText('you paid pay-owner €0.05');
  await expect(dialog).toContainText('Goes toward the oldest charges first.');
  expect(await code.innerHTML()).not.toBe(whole);
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
  await amount.press('Enter');
  await expect(dialog).toBeHidden();
  const debt = await openBalance(member, 'pay-owner');
  await expect(debt.getByText('€0.05 sent, not yet confirmed')).toBeVisible();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);

  // The owner confirms it from the balance, and finds it in the history.
  await owner.goto('/costs?person=pay-member');
  await press(owner, 'Confirm €0.05 from pay-member');
  await expect(owner.getByText('Payment confirmed.')).toBeVisible();
  await history(owner).getByText('pay-member paid you').click();
  await expect(history(owner).getByText(/^Recorded as sent by pay-member/)).toBeVisible();
  await expect(history(owner).getByText(/^Confirmed by pay-owner/)).toBeVisible();
  await expect(owner.getByText(/^€0\.05 of €\S+ paid/)).toBeVisible();
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  // The confirmation was a mistake: it is sent again, and then not received.
  await press(owner, 'Undo confirmation of €0.05 from pay-member');
  await press(owner, 'Undo confirmation', 'alertdialog');
  await expect(history(owner).getByText(/^Confirmation undone by pay-owner/)).toBeVisible();
  await press(owner, 'Not received (€0.05 from pay-member)');
  await press(owner, 'Not received', 'alertdialog');
  await expect(history(owner).getByText(/^Marked as not received by pay-owner/)).toBeVisible();

  // After 72 hours, both must agree to undo. The balances are read again after the history.
  await expect(owner.getByRole('button', { name: /^Mark as paid for / })).toBeVisible();
  await press(owner, 'Settle up with pay-member');
  await press(owner, 'I received this', 'alertdialog');
  await expect(owner.getByText("You're all settled up. New balances appear when a month closes.")).toBeVisible();
  await server.advance(4 * DAY);
  await owner.goto('/costs');
  await history(owner).getByText('pay-member paid you').first().click();
  await press(owner, /^Ask to undo the payment of/);
  await press(owner, 'Ask to undo', 'alertdialog');
  await expect(history(owner).getByText('Undo requested', { exact: true })).toBeVisible();
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  await member.goto('/costs');
  await history(member).getByText('You paid pay-owner').first().click();
  await press(member, /^Agree to undo the payment of/);
  await press(member, 'Undo payment', 'alertdialog');
  await expect(history(member).getByText(/^Undone by pay-member/)).toBeVisible();
  await expect(member.getByText(`You owe pay-owner €${owed.toFixed(2)}.`)).toBeVisible();
  expect(await violationsOn(member)).toEqual([]);
});
