import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import {
  api,
  closeMonth,
  correctEnd,
  endSession,
  expectToFit,
  openUsage,
  ownerAndMember,
  sayNothingToEdit,
  startSession,
} from './verbs.ts';

const HOUR = 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

test('someone who left edits a session, and the owner closes the month once they agree', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const now = new Date();
  const [first = 0, end = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const billed = new Date(first).toISOString().slice(0, 7);
  const month = new Date(first).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  // Advanced before anyone signs in, so that sign-ins last until the month has closed.
  await server.advance(end - 10 * 24 * HOUR - now.getTime());
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'window');
  await server.advance(8 * 24 * HOUR);
  await openUsage(member);
  await startSession(member);
  await server.advance(5 * HOUR);
  await endSession(member);
  const memberDialog = member.getByRole('dialog');
  await memberDialog.getByRole('tab', { name: 'Details' }).click();
  await memberDialog.getByRole('button', { name: 'Leave' }).click();
  await member.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(memberDialog).toHaveCount(0);

  // An hour after the month. The owner lowers its price, and can't close it yet.
  await server.advance(44 * HOUR);
  await owner.goto('/assets');
  await expect(owner.getByRole('heading', { name: 'Films' })).toBeVisible();
  await api(owner, `POST /api/assets/${assetId}/prices/`, { from_month: billed, subscription_cost: 6 });
  await owner.goto(`/assets?asset=${assetId}&tab=costs&part=history`);
  const ownerDialog = owner.getByRole('dialog');
  await ownerDialog.getByText(month, { exact: true }).click();
  await expect(
    ownerDialog.getByText(/^Waiting for window-member to say there's nothing to edit\. Closes by itself on \w+ 4\.$/),
  ).toBeVisible();
  await expect(ownerDialog.getByRole('button', { name: `Close now for ${month}` })).toBeDisabled();
  await expect(ownerDialog.getByRole('list', { name: 'Price changes' })).toContainText('$12.00 → $6.00');
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  await member.goto('/shared');
  const past = member.getByRole('region', { name: 'Past' });
  await expect(past.getByRole('listitem', { name: 'Films' })).toContainText(/Access ended on \w+ \d+/);
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
  await past.getByRole('button', { name: 'Sessions of Films' }).click();
  await expect(memberDialog.getByRole('tab')).toHaveText(['Sessions', 'Costs']);
  const { results } = (await api(member, `GET /api/shared-assets/${shareId}/logs/`)) as {
    results: { start_time: string }[];
  };
  const shorter = new Date(Date.parse(results[0]?.start_time ?? '') + 2 * HOUR).toISOString().slice(0, 16);
  await memberDialog.getByRole('tab', { name: 'Costs' }).click();
  await sayNothingToEdit(member, month);

  // An edit takes that back.
  await correctEnd(member, /^Edit the session from/, shorter);
  await memberDialog.getByRole('tab', { name: 'Costs' }).click();
  await expect(memberDialog.getByRole('button', { name: `Nothing to edit in ${month}` })).toBeVisible();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
  await member.keyboard.press('Escape');
  await member.goto(`/costs/${assetId}/${billed}`);
  const statement = member.getByRole('article', { name: 'Films' });
  await expect(statement.getByRole('list', { name: 'Price changes' })).toContainText('$12.00 → $6.00');
  await statement.getByRole('button', { name: `Nothing to edit in ${month}` }).press('Enter');
  await expect(statement.getByText('You have nothing to edit', { exact: true })).toBeVisible();
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);

  // It takes time out of an ended month, so it waits for the owner.
  await owner.goto(`/assets?asset=${assetId}&tab=sessions`);
  await ownerDialog.getByRole('button', { name: /^Accept window-member's edit/ }).press('Enter');
  await expect(ownerDialog.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  await owner.goto(`/assets?asset=${assetId}&tab=costs&part=month`);
  await closeMonth(owner, month);
  await expect(ownerDialog.getByText('Not closed yet')).toHaveCount(0);
  await member.goto('/shared');
  await expect(member.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();
  await expect(past).toHaveCount(0);
});
