import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, endSession, expectToFit, openUsage, ownerAndMember, startSession } from './verbs.ts';

const HOUR = 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

/** Presses a button as people without a mouse do. */
async function press(page: Page, name: string | RegExp, within: 'dialog' | 'alertdialog' = 'dialog') {
  await page.getByRole(within).getByRole('button', { name, exact: true }).press('Enter');
}

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test('an owner objects to two edits: the member agrees to one, and closing the month undoes the other', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const now = new Date();
  const [first = 0, end = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const billed = new Date(first).toISOString().slice(0, 7);
  // Advanced before anyone signs in, so that sign-ins last until the month has closed.
  await server.advance(end - 4 * 24 * HOUR - now.getTime());
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'object');
  for (const hours of [5, 2]) {
    await openUsage(member);
    await startSession(member);
    await server.advance(hours * HOUR);
    await member.reload();
    await endSession(member);
    await member.keyboard.press('Escape');
  }
  const logs = `/api/shared-assets/${shareId}/logs/`;
  const { results } = (await api(member, `GET ${logs}`)) as { results: { id: number; start_time: string }[] };
  const [second, long] = results;
  const shorter = new Date(Date.parse(long?.start_time ?? '') + 400).toISOString();
  await api(member, `PATCH ${logs}${long?.id}/`, { end_time: shorter });
  await api(member, `DELETE ${logs}${second?.id}/`);

  // The owner objects to the edit with a message, and to the removal without one.
  await owner.goto(`/assets?asset=${assetId}&tab=sessions`);
  const owned = owner.getByRole('dialog');
  await expect(owned.getByRole('button', { name: /^Object to object-member's edit/ })).toHaveCount(2);
  await expectAccessible(owner);
  await owned
    .getByRole('button', { name: /^Object to/ })
    .last()
    .press('Enter');
  await expect(owned.getByText(/^Without agreement by .* 4, .*, the recorded times count\.$/)).toBeVisible();
  await expect(owned.getByLabel('Message (optional)')).toBeFocused();
  await owner.keyboard.type('It ran for five hours.');
  await expect(owned.getByText('22 of 280 characters')).toBeVisible();
  await expectAccessible(owner);
  await owner.keyboard.press('Tab');
  await owner.keyboard.press('Enter');
  await expect(owned.getByText(/^You objected/)).toBeVisible();
  await press(owner, /^Object to/);
  await press(owner, 'Object');
  await expect(owned.getByText(/^You objected/)).toHaveCount(2);
  await expectAccessible(owner);

  // The member sees both, also the removed one, answers, and agrees to one.
  await member.goto(`/shared?share=${shareId}&tab=sessions`);
  const own = member.getByRole('dialog');
  await expect(own.getByText(/^object-owner objected/)).toHaveCount(2);
  await expect(own.getByText('Removed', { exact: true })).toBeVisible();
  await expect(own.getByRole('list', { name: 'Messages' })).toContainText('It ran for five hours.');
  await own
    .getByRole('button', { name: /^Reply/ })
    .last()
    .press('Enter');
  await expect(own.getByLabel('Reply', { exact: true })).toBeFocused();
  await member.keyboard.type('You are right.');
  await expectAccessible(member);
  await press(member, 'Send');
  await expect(own.getByRole('list', { name: 'Messages' })).toContainText('You are right.');
  // The answered session has its buttons back once the form is gone, which is later than its message appears.
  const restore = own.getByRole('button', { name: /^Restore the recorded times/ });
  await expect(restore).toHaveCount(2);
  await restore.last().press('Enter');
  await expectAccessible(member);
  await press(member, 'Restore', 'alertdialog');
  await expect(own.getByText('You agreed, so the recorded times count.')).toBeVisible();
  await expect(own.getByText(/^5 h/)).toBeVisible();
  await expectAccessible(member);

  await owner.reload();
  await expect(owned.getByText('object-member agreed, so the recorded times count.')).toBeVisible();
  await expect(owned.getByText('You are right.')).toBeVisible();
  await press(owner, /^Withdraw/);
  await expect(owner.getByRole('alertdialog')).toContainText("you can't object to it again");
  await expectAccessible(owner);
  await press(owner, 'Cancel', 'alertdialog');
  await expect(owner.getByRole('alertdialog')).toHaveCount(0);

  // The month closes without an agreement about the other one, and both count.
  await server.advance(8 * 24 * HOUR);
  for (const page of [owner, member]) {
    await page.goto(`/costs/${assetId}/${billed}`);
    const edited = page.getByRole('list', { name: 'Edited sessions' });
    await expect(edited.getByRole('listitem')).toHaveCount(2);
    await expect(edited).toContainText('Both agreed that the recorded times count.');
    await expect(edited).toContainText(/Recorded times of object-member restored: 2 h [^(]*\(.*There was no agreement/);
    await expectAccessible(page);
  }
  await expect(owner.getByRole('article', { name: 'Films' })).toContainText(/7(?:\.\d+)? h/);
  await owner.emulateMedia({ media: 'print' });
  await expect(owner.getByRole('list', { name: 'Edited sessions' })).toBeVisible();
  await member.goto(`/shared?share=${shareId}&tab=sessions`);
  await expect(own.getByText('There was no agreement, so the recorded times count.')).toBeVisible();
  await expect(own.getByRole('button', { name: /^(?:Reply|Restore)/ })).toHaveCount(0);
  await expectAccessible(member);
});
