import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, openUsage, ownerAndMember } from './verbs.ts';

test('an owner proposes another split for the running month, and it applies once the member agrees, all by keyboard', async ({
  browser,
  server,
}) => {
  const { owner, member, assetId } = await ownerAndMember(browser, server, 'terms');
  const month = new Date().toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await owner.goto(`/assets?asset=${assetId}&tab=costs&part=split`);
  const ownerDialog = owner.getByRole('dialog');
  await ownerDialog.getByRole('radio', { name: /^By use/ }).focus();
  await owner.keyboard.press('ArrowDown');
  await owner.keyboard.press('ArrowDown');
  await expect(ownerDialog.getByRole('radio', { name: /^Evenly/ })).toBeChecked();
  await ownerDialog.getByRole('radio', { name: /^From next month/ }).focus();
  await owner.keyboard.press('ArrowDown');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText(`Saved. Members are asked whether it applies to ${month}.`)).toBeVisible();
  await expect(ownerDialog.getByText(`Proposed for ${month}. Applies once everyone agrees.`)).toBeVisible();
  await expect(ownerDialog.getByRole('listitem').filter({ hasText: 'terms-member' })).toContainText('Not answered yet');
  await expectToFit(owner);
  expect(await violationsOn(owner)).toEqual([]);

  await member.goto('/shared');
  await openUsage(member);
  const proposal = member.getByRole('group', { name: 'Terms proposed by terms-owner' });
  await expect(proposal).toContainText(`terms-owner wants to change how ${month} is split`);
  await expect(proposal).toContainText(`Applies to ${month} only if everyone agrees.`);
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
  const refuse = proposal.getByRole('button', { name: "Don't agree to the terms for Films" });
  await refuse.press('Enter');
  await expect(proposal.getByText("You didn't agree.")).toBeVisible();
  await expect(refuse).toHaveCount(0);
  // Keyboard users continue where they were.
  await expect.poll(() => member.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  expect(await api(owner, `GET /api/assets/${assetId}/`)).toMatchObject({ split_method: 'usage' });
  await owner.reload();
  await expect(ownerDialog.getByRole('listitem').filter({ hasText: 'terms-member' })).toContainText('Did not agree');

  await proposal.getByRole('button', { name: 'Agree to the terms for Films', exact: true }).press('Enter');
  await expect(proposal).toHaveCount(0);
  await expect.poll(() => member.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  expect(await api(owner, `GET /api/assets/${assetId}/`)).toMatchObject({ split_method: 'equal' });
  await member.getByRole('dialog').getByRole('tab', { name: 'Costs' }).click();
  await expect(member.getByRole('dialog')).toContainText(/[Ee]venly/);
});
