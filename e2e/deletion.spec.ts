import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, correctEnd, endSession, expectToFit, openUsage, ownerAndMember, startSession } from './verbs.ts';

const HOUR = 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

async function expectWellMade(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test('an owner archives, restores, and deletes what a member has used; both close the month', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const now = new Date();
  const [first = 0, end = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const month = new Date(first).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  // Advanced before anyone signs in, so that sign-ins last until the month has closed.
  await server.advance(end - 20 * 24 * HOUR - now.getTime());
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'deletion', {
    split_method: 'equal',
  });
  await server.advance(8 * 24 * HOUR);
  await openUsage(member);
  await startSession(member);
  await server.advance(5 * HOUR);
  await endSession(member);

  await owner.goto(`/assets?asset=${assetId}`);
  const dialog = owner.getByRole('dialog');
  const question = owner.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Archive' }).press('Enter');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText(/Members can edit their sessions until \w+ 4\./);
  await expectWellMade(owner);
  await owner.keyboard.press('Shift+Tab');
  await expect(question.getByRole('radio', { name: `Bill ${month} up to today` })).toBeFocused();
  await owner.keyboard.press('ArrowDown');
  await expect(question.getByRole('radio', { name: `Don't bill ${month}` })).toBeChecked();
  await owner.keyboard.press('ArrowUp');
  for (const key of ['Tab', 'Tab', 'Enter']) await owner.keyboard.press(key);
  await expect(question).toBeHidden();
  const archived = owner.getByRole('region', { name: 'Archived' });
  await expectWellMade(owner);
  await archived.getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(archived).toHaveCount(0);
  await owner.goto(`/assets?asset=${assetId}`);
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(question).toContainText(/Members can edit their sessions until \w+ \d+\./);
  await expect(question.getByRole('radio', { name: `Bill ${month} up to today` })).toBeChecked();
  await expectWellMade(owner);
  for (const key of ['Tab', 'Enter']) await owner.keyboard.press(key);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText("This can't be undone");
  await expectWellMade(owner);
  for (const key of ['Tab', 'Enter']) await owner.keyboard.press(key);
  await expect(owner.getByRole('heading', { name: 'No Assets Yet' })).toBeVisible();

  // Gone for its owner, but for the statement, which waits for the member.
  await owner.goto('/costs');
  await owner.getByRole('link', { name: 'Films' }).press('Enter');
  const statement = owner.getByRole('article', { name: 'Films' });
  await expect(statement).toContainText(/The asset was deleted on \w+ \d+\. Days and use count up to then\./);
  await expect(statement).toContainText("Waiting for deletion-member to say there's nothing to edit");
  const close = statement.getByRole('button', { name: `Close now for ${month}` });
  await expect(close).toBeDisabled();
  await expectWellMade(owner);

  await member.goto('/shared');
  const past = member.getByRole('region', { name: 'Past' });
  await expect(past.getByRole('listitem', { name: 'Films' })).toContainText('Access ended');
  await past.getByRole('button', { name: 'Sessions of Films' }).press('Enter');
  const { results } = (await api(member, `GET /api/shared-assets/${shareId}/logs/`)) as {
    results: { start_time: string }[];
  };
  // The month has ended with the asset, so an earlier end waits for the owner's yes.
  const shorter = new Date(Date.parse(results[0]?.start_time ?? '') + 2 * HOUR).toISOString().slice(0, 16);
  await correctEnd(member, /^Edit the session from/, shorter);
  await member.getByRole('dialog').getByRole('tab', { name: 'Costs' }).click();
  await member.getByRole('button', { name: `Nothing to edit in ${month}` }).press('Enter');
  await expect(member.getByRole('dialog')).toContainText('You have nothing to edit');
  await expectWellMade(member);

  await owner.reload();
  await expect(close).toBeDisabled();
  await expectWellMade(owner);
  await statement.getByRole('button', { name: /^Accept deletion-member's edit/ }).press('Enter');
  await expect(statement).toContainText('The request was accepted.');
  await close.press('Enter');
  await expect(owner.getByRole('alertdialog', { name: `Close ${month} now?` })).toBeVisible();
  for (const key of ['Tab', 'Enter']) await owner.keyboard.press(key);
  await expect(owner).toHaveURL(/\/costs$/);
  await owner.getByRole('button', { name: 'Films', expanded: false }).press('Enter');
  await expect(owner.getByRole('region', { name: 'Monthly costs' })).toContainText('The asset was deleted on');
  await expectWellMade(owner);
  await member.goto('/shared');
  await expect(member.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();
  await expect(past).toHaveCount(0);
});
