import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, ownerAndMember, PASSWORD } from './verbs.ts';

test.use({ timezoneId: 'UTC', locale: 'en-US' });

const HOUR = 3_600_000;

async function expectWellMade(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

/** Downloads a file by pressing the focused button. Returns the file's name and content. */
async function download(page: Page): Promise<{ name: string; content: Buffer }> {
  const started = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const saved = await started;
  return { name: saved.suggestedFilename(), content: await readFile(await saved.path()) };
}

/** Creates an owner and a member who owes a charge for a closed month. */
async function billed(...[browser, server, name]: Parameters<typeof ownerAndMember>) {
  const now = new Date();
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  // The clock is advanced before anyone signs in, so that sign-ins last until the month has closed.
  await server.advance(end - 24 * HOUR - now.getTime());
  const people = await ownerAndMember(browser, server, name, { split_method: 'equal' });
  await server.advance(97 * HOUR);
  return people;
}

test(
  'a member downloads their data and deletes their account, by keyboard',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const { owner, member } = await billed(browser, server, 'leaving');
    await member.goto('/profile#your-data');
    const data = member.getByRole('region', { name: 'Your data' });
    await expectWellMade(member);

    await data.getByRole('button', { name: 'Download as JSON' }).focus();
    const json = await download(member);
    expect(json.name).toBe('hourshare.json');
    expect(JSON.parse(json.content.toString())).toMatchObject({
      account: { username: 'leaving-member' },
      shares: [{ asset_name: 'Films', owner: 'leaving-owner' }],
      balances: [{ username: 'leaving-owner' }],
    });
    await expect(member.getByRole('status').filter({ hasText: 'Downloaded hourshare.json.' })).toHaveCount(1);
    await member.keyboard.press('Tab');
    const zip = await download(member);
    expect([zip.name, zip.content.subarray(0, 2).toString()]).toEqual(['hourshare.zip', 'PK']);

    await member.getByRole('button', { name: 'Delete account' }).press('Enter');
    const question = member.getByRole('alertdialog', { name: 'Delete your account?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(question).toContainText(/You owe leaving-owner \$\d+\.\d\d/);
    await expect(question.getByRole('radio', { name: '"Deleted user"' })).toBeChecked();
    await expectWellMade(member);

    await member.keyboard.press('Shift+Tab');
    const password = question.getByLabel('Current password');
    await expect(password).toBeFocused();
    await member.keyboard.press('Enter');
    await expect(question).toContainText('Current password is required');
    await member.keyboard.type('not my password');
    await member.keyboard.press('Enter');
    await expect(question).toContainText('Your current password is incorrect');
    await expectWellMade(member);
    await password.fill(PASSWORD);
    await password.press('Enter');

    await expect(member).toHaveURL(/\/login$/);
    await expect(member.getByText('Your account has been deleted')).toBeVisible();
    await expectWellMade(member);
    await member.goto('/profile');
    await expect(member).toHaveURL(/\/login$/);
    await member.getByLabel('Username').fill('leaving-member');
    await member.getByLabel('Password').fill(PASSWORD);
    await member.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
    await expect(member.getByText('Wrong username or password.')).toBeVisible();

    await owner.goto('/costs');
    await expect(owner.getByText(/Deleted user \d+/).first()).toBeVisible();
    await expect(owner.getByText('leaving-member')).toHaveCount(0);
    await expectWellMade(owner);
  },
);

test('an owner deletes their account in German and keeps the name; the member still sees the charge', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const { owner, member } = await billed(browser, server, 'abschied');
  await owner.evaluate(() => localStorage.setItem('hourshare_language', 'de'));
  await owner.goto('/profile');
  await owner.getByRole('button', { name: 'Konto löschen' }).press('Enter');
  const question = owner.getByRole('alertdialog', { name: 'Dein Konto löschen?' });
  await expect(question).toContainText('abschied-member schuldet dir');
  await question.getByRole('radio', { name: '„Deleted user“' }).press('ArrowDown');
  await expect(question.getByRole('radio', { name: 'Deinen Namen, abschied-owner' })).toBeChecked();
  await question.getByLabel('Aktuelles Passwort').fill(PASSWORD);
  await expectWellMade(owner);
  await question.getByRole('button', { name: 'Konto löschen' }).press('Enter');
  await expect(owner.getByText('Dein Konto ist gelöscht')).toBeVisible();

  await member.goto('/costs');
  await expect(member.getByText('abschied-owner').first()).toBeVisible();
  await expectWellMade(member);
});
