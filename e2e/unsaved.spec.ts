import type { Locator, Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { api, openSetting, ownerAndMember } from './verbs.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' });

/** Fills a field, shows another tab, presses Escape, keeps editing, and expects the text to be there. */
async function expectKept(page: Page, dialog: Locator, field: Locator, text: string) {
  await field.fill(text);
  const tab = dialog.getByRole('tab', { selected: true }).first();
  const name = await tab.innerText();
  await dialog.getByRole('tab', { name: 'Usage' }).click();
  await expect(field).toBeHidden();
  await dialog.getByRole('tab', { name, exact: true }).click();
  await expect(field).toHaveValue(text);
  await field.press('Escape');
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(question(page)).toBeHidden();
  await expect(field).toHaveValue(text);
}

/** Discards the edits, and expects that nothing is asked afterwards. */
async function discard(page: Page, dialog: Locator) {
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(question(page)).toBeHidden();
}

test("an owner's edits outlast other tabs and Escape", async ({ browser, server }) => {
  const { owner, assetId } = await ownerAndMember(browser, server, 'unsaved');
  const dialog = owner.getByRole('dialog', { name: /^Manage Asset:/ });
  const open = (tab: string) => owner.goto(`/assets?asset=${assetId}&tab=${tab}`);

  await open('details');
  await dialog.getByText('Advanced', { exact: true }).click();
  for (const [label, text] of [
    ['Asset Name', 'Series'],
    ['Description', 'For rainy days'],
    ['Monthly Subscription Cost ($)', '13.50'],
    ['Session limit (hours)', '5'],
  ] as const)
    await expectKept(owner, dialog, dialog.getByLabel(label), text);
  await discard(owner, dialog);

  await open('share');
  await expectKept(owner, dialog, dialog.getByLabel('Username'), 'somebody');
  await dialog.getByRole('button', { name: "Change unsaved-member's hours" }).click();
  await expectKept(owner, dialog, dialog.getByLabel('Hours a month for unsaved-member'), '7');
  await discard(owner, dialog);

  await open('costs&part=split');
  await expectKept(owner, dialog, dialog.getByLabel('Your own hours'), '30');
  await expectKept(owner, dialog, dialog.getByLabel('Base share (%)'), '40');
  await dialog.getByText('Try different allowances').click();
  await expectKept(owner, dialog, dialog.getByLabel('unsaved-member'), '12');
  await dialog.getByRole('tab', { name: 'Price' }).click();
  await expectKept(owner, dialog, dialog.getByLabel('New monthly price'), '14.50');
  await discard(owner, dialog);
});

test('a member who is editing a session is asked before losing the times', async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'unsaved-times');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  await api(member, `POST /api/shared-assets/${shareId}/end/`);
  await member.goto(`/shared?share=${shareId}&tab=sessions`);
  const dialog = member.getByRole('dialog', { name: /^Manage Asset:/ });
  await dialog.getByRole('button', { name: /^Edit/ }).click();
  await expectKept(member, dialog, dialog.getByLabel('End', { exact: true }), '10:07');
  await discard(member, dialog);
});

test('every way out of a dialog asks once, and only with edits', async ({ browser, server }) => {
  const { owner } = await ownerAndMember(browser, server, 'unsaved-ways');
  await owner.goto('/assets');
  const dialog = owner.getByRole('dialog', { name: /^Manage Asset:/ });
  const ways: (() => Promise<unknown>)[] = [
    () => owner.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    () => dialog.getByRole('button', { name: 'Close dialog' }).click(),
    () => owner.mouse.click(20, 300),
    () => owner.evaluate(() => window.history.back()),
  ];
  for (const leave of ways) {
    await owner.getByRole('button', { name: 'Manage' }).click();
    await expect(dialog).toBeVisible();
    await leave();
    await expect(dialog).toBeHidden();
    await owner.getByRole('button', { name: 'Manage' }).click();
    await dialog.getByLabel('Description').fill('For rainy days');
    await leave();
    await question(owner).getByRole('button', { name: 'Keep editing' }).click();
    await expect(question(owner)).toBeHidden();
    await expect(dialog.getByLabel('Description')).toHaveValue('For rainy days');
    await expect(owner).toHaveURL(/asset=/);
    await leave();
    await question(owner).getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await expect(owner).toHaveURL(/\/assets$/);
  }
});

test('a reload and a link ask before edits on the profile page are lost', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'unsaved-profile');
  await member.goto('/profile#password');
  const field = member.getByLabel('New password', { exact: true });
  // Browsers only ask on pages that have been clicked.
  await field.click();
  await field.fill('something else');
  const asked = member.waitForEvent('dialog');
  await member.evaluate(() => void setTimeout(() => window.location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await member.getByRole('link', { name: 'My Assets' }).first().click();
  await question(member).getByRole('button', { name: 'Keep editing' }).click();
  await expect(field).toHaveValue('something else');
  await member.getByRole('link', { name: 'My Assets' }).first().click();
  await question(member).getByRole('button', { name: 'Discard' }).click();
  await expect(member).toHaveURL(/\/assets$/);
});

test('the dialog for a new asset asks before it loses what was typed', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'unsaved-new');
  await member.goto('/assets');
  await member.getByRole('button', { name: 'Add New Asset' }).click();
  const dialog = member.getByRole('dialog', { name: 'Add New Asset' });
  const typed = { 'Asset Name': 'Music', Description: 'For the car', 'Monthly Subscription Cost ($)': '9.99' };
  for (const [label, text] of Object.entries(typed)) {
    const field = dialog.getByLabel(label);
    await field.fill(text);
    await field.press('Escape');
    await question(member).getByRole('button', { name: 'Keep editing' }).click();
    await expect(field).toHaveValue(text);
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question(member).getByRole('button', { name: 'Keep editing' }).click();
  for (const [label, text] of Object.entries(typed)) await expect(dialog.getByLabel(label)).toHaveValue(text);
  await discard(member, dialog);
});

test('the profile keeps edits over Escape, links, and a sign-out', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'unsaved-account');
  await member.goto('/profile#account');
  await openSetting(member, 'Password');
  const email = member.getByLabel('Email address');
  const typed: [Locator, string][] = [
    [email, 'somebody@example.org'],
    [member.getByRole('group', { name: 'Change email address' }).getByLabel('Current password'), 'not quite'],
    [member.getByLabel('New password', { exact: true }), 'something else'],
    [member.getByLabel('Confirm new password'), 'something'],
  ];
  const ways: (() => Promise<unknown>)[] = [
    () => member.getByRole('link', { name: 'My Assets' }).first().click(),
    async () => {
      await member.getByRole('button', { name: 'User menu' }).click();
      await member.getByRole('menuitem', { name: 'Sign out' }).click();
    },
  ];
  for (const [field, text] of typed) {
    await field.fill(text);
    await field.press('Escape');
  }
  for (const leave of ways) {
    await leave();
    await question(member).getByRole('button', { name: 'Keep editing' }).click();
    await expect(question(member)).toBeHidden();
    for (const [field, text] of typed) await expect(field).toHaveValue(text);
  }
  await ways[1]?.();
  await question(member).getByRole('button', { name: 'Discard' }).click();
  await expect(member).toHaveURL(/\/login$/);
});
