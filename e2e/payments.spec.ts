import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, openBalance, ownerAndMember, settleUp } from './verbs.ts';

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
  await press(owner, 'Add a way to get paid');
  await details.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
  await owner.keyboard.press('Enter');
  await expect(details.getByText('Enter a valid IBAN')).toBeVisible();
  await details.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await details.getByLabel('Account holder').fill('Petra Owner');
  await owner.keyboard.press('Enter');
  await expect(details.getByText('Petra Owner')).toBeVisible();
  await press(owner, 'Add a way to get paid');
  await details.getByLabel('Method').selectOption('Link');
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);
  await details.getByLabel('Link').fill('https://pay.example/owner?amount={amount}');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText('Payment details saved.')).toBeVisible();
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  // The member sees how to pay, and pays a part of what the last day of the month cost.
  await member.goto('/costs');
  await openBalance(member, 'pay-owner');
  await press(member, 'Settle up with pay-owner');
  const sheet = member.getByRole('dialog', { name: 'Settle up with pay-owner' });
  await expect(sheet.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible();
  await expect(sheet.getByText('Petra Owner')).toBeVisible();
  await expect(sheet.getByRole('button', { name: /^I paid €/ })).toBeFocused();
  const code = sheet.getByRole('img', { name: 'QR code for Bank transfer' });
  await expect(code).toBeVisible();
  const whole = await code.innerHTML();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
  await sheet.getByRole('button', { name: 'Pay part of it' }).press('Enter');
  const amount = sheet.getByLabel('Amount (€)');
  const owed = Number(await amount.inputValue());
  await amount.fill(String(owed + 1));
  await member.keyboard.press('Enter');
  await expect(sheet.getByText(`Amount must be at most ${owed}`)).toBeVisible();
  await amount.fill('0.05');
  await expect(sheet.getByText(/ will still be due\.$/)).toBeVisible();
  expect(await code.innerHTML()).not.toBe(whole);
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);

  // Opening a page to pay at records nothing. Coming back asks.
  await member.context().route('https://pay.example/**', (route) => route.fulfill({ body: 'Pay here' }));
  const [opened] = await Promise.all([
    member.waitForEvent('popup'),
    sheet.getByRole('link', { name: /^Open / }).press('Enter'),
  ]);
  expect(opened.url()).toBe('https://pay.example/owner?amount=0.05');
  await opened.close();
  await member.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const question = member.getByRole('alertdialog', { name: 'Did you pay €0.05?' });
  await expect(question.getByRole('button', { name: 'Not yet' })).toBeFocused();
  expect(await violationsOn(member)).toEqual([]);
  await question.getByRole('button', { name: 'Yes' }).press('Enter');
  await expect(sheet.getByRole('heading', { name: 'Marked as sent' })).toBeFocused();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);

  // Undone at once, and sent again.
  await sheet.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(sheet).toBeHidden();
  await press(member, 'Settle up with pay-owner');
  await sheet.getByRole('button', { name: 'Pay part of it' }).press('Enter');
  await amount.fill('0.05');
  await amount.press('Enter');
  await sheet.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(sheet).toBeHidden();
  const debt = await openBalance(member, 'pay-owner');
  await expect(debt.getByText('€0.05 sent, not yet confirmed')).toBeVisible();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);

  // The owner confirms it from the balance, and finds it in the history.
  await owner.goto('/costs?person=pay-member');
  await press(owner, 'Confirm €0.05 from pay-member');
  await expect(owner.getByText('Payment confirmed.')).toBeVisible();
  // The newest, once the history is read again; the other was undone.
  await expect(history(owner).getByText(/^Confirmed by pay-owner/)).toBeAttached();
  await history(owner).getByText('pay-member paid you').first().click();
  await expect(
    history(owner)
      .getByText(/^Recorded as sent by pay-member/)
      .filter({ visible: true }),
  ).toBeVisible();
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
  await settleUp(owner, 'pay-member', /^I received €/);
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
  await expect(
    history(member)
      .getByText(/^Undone by pay-member/)
      .filter({ visible: true }),
  ).toBeVisible();
  await expect(member.getByText(`You owe pay-owner €${owed.toFixed(2)}.`)).toBeVisible();
  expect(await violationsOn(member)).toEqual([]);
});
