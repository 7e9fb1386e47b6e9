import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { addAsset, api, device, expectToFit, PASSWORD, reach, register, settleUp } from './verbs.ts';

const HOUR = 3_600_000;
const NAME = 'Grandma (ana)';

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test.use({ timezoneId: 'UTC', locale: 'en-US' });

test(
  'an owner records sessions for someone without an account, who joins by link and removes one',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const now = new Date();
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 20, 10);
    await server.advance(start - now.getTime());
    const options = { baseURL: server.url, timezoneId: 'UTC', locale: 'en-US' };
    const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
    const ana = await context.newPage();
    await register(ana, 'ana');
    await addAsset(ana, { name: 'Car', description: '', cost: '300' });
    await expect(ana.getByText('$300.00/mo').last()).toBeVisible();
    await ana.goto('/assets?asset=1&tab=share');
    const dialog = ana.getByRole('dialog');
    await reach(ana, dialog.getByLabel('Username', { exact: true }));
    await ana.keyboard.type('Grandma');
    const add = dialog.getByRole('button', { name: 'Add without an account' });
    await reach(ana, add);
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText(/^Monthly hours must be a whole number/)).toBeVisible();
    await expect(dialog.getByLabel('Monthly Hours', { exact: true })).toBeFocused();
    await ana.keyboard.type('20');
    await reach(ana, add);
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText(NAME, { exact: true })).toBeVisible();
    await expect(dialog.getByText('No account', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Username', { exact: true })).toBeFocused();

    await server.advance(3 * HOUR);
    await ana.reload();
    await reach(ana, dialog.getByRole('button', { name: `Record a session of ${NAME}` }));
    await ana.keyboard.press('Enter');
    await expect(dialog.getByLabel('Start', { exact: true })).toBeFocused();
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText('Start is required')).toBeVisible();
    await ana.keyboard.type('1030AM');
    await reach(ana, dialog.getByLabel('End', { exact: true }));
    await ana.keyboard.type('1145PM');
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText("A session can't end in the future.")).toBeVisible();
    await expectAccessible(ana);
    await dialog.getByLabel('End', { exact: true }).fill('12:30');
    await expect(dialog.getByText('Duration: 2 h')).toBeVisible();
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText('2 h used')).toBeVisible();
    await expect(dialog.getByRole('button', { name: `Record a session of ${NAME}` })).toBeFocused();

    // The owner edits it on the Sessions tab.
    await dialog.getByRole('tab', { name: 'Sessions' }).press('Enter');
    await reach(ana, dialog.getByRole('button', { name: /^Edit Grandma \(ana\)'s session from/ }));
    await ana.keyboard.press('Enter');
    await dialog.getByLabel('End', { exact: true }).fill('11:30');
    await expectAccessible(ana);
    await reach(ana, dialog.getByRole('button', { name: 'Save', exact: true }));
    await ana.keyboard.press('Enter');
    await expect(dialog.getByText(/^Edited /)).toBeVisible();
    // The form has closed.
    await expect(dialog.getByRole('button', { name: /^Edit Grandma \(ana\)'s session from/ })).toBeFocused();

    // A link leads to them.
    await dialog.getByRole('tab', { name: 'Share' }).press('Enter');
    await reach(ana, dialog.getByRole('button', { name: `Link to join for ${NAME}` }));
    await ana.keyboard.press('Enter');
    await expect(dialog.getByLabel('Link that works once')).toHaveValue(
      new RegExp(`^${server.url}/claim/[\\w-]{43,}$`),
    );
    await reach(ana, dialog.getByRole('button', { name: 'Copy' }));
    await ana.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    const link = await ana.evaluate(() => navigator.clipboard.readText());
    await reach(ana, dialog.getByText('Show QR code').locator('xpath=ancestor::summary'));
    await ana.keyboard.press('Enter');
    await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    await expectAccessible(ana);

    const kim = await (await browser.newContext(options)).newPage();
    await kim.goto(link);
    await expect(kim.getByRole('heading', { name: 'ana recorded this for Grandma' })).toBeVisible();
    await expect(kim.getByRole('main')).toContainText(/Car, .* so far: about \$/);
    await reach(kim, kim.getByText('Show the session').locator('xpath=ancestor::summary'));
    await kim.keyboard.press('Enter');
    await expect(kim.getByText(/10:30 AM – 11:30 AM$/)).toBeVisible();
    await expectAccessible(kim);
    await reach(kim, kim.getByRole('radio', { name: 'These are mine' }));
    await kim.keyboard.press('Space');
    await reach(kim, kim.getByRole('link', { name: 'Create an account' }));
    await kim.keyboard.press('Enter');
    await expect(kim.getByText('You take over what ana recorded for Grandma.')).toBeVisible();
    for (const [label, text] of [
      ['Username', 'kim'],
      ['Email address', 'kim@example.org'],
      ['Password', PASSWORD],
      ['Confirm password', PASSWORD],
    ] as const) {
      await reach(kim, kim.getByLabel(label, { exact: true }));
      await kim.keyboard.type(text);
    }
    await kim.keyboard.press('Enter');
    await expect(kim).toHaveURL(/\/dashboard$/);
    await kim.goto('/shared?share=1&tab=sessions');
    const own = kim.getByRole('dialog');
    await expect(own.getByText('Recorded by the owner')).toBeVisible();
    await expectAccessible(kim);
    await reach(kim, own.getByRole('button', { name: /^Edit the session from/ }));
    await kim.keyboard.press('Enter');
    await reach(kim, own.getByRole('button', { name: 'Remove session' }));
    await kim.keyboard.press('Enter');
    await reach(kim, kim.getByRole('alertdialog').getByRole('button', { name: 'Remove session' }));
    await kim.keyboard.press('Enter');
    await expect(own.getByText('Recorded by the owner')).toHaveCount(0);

    // An ordinary member now, and the link is used up.
    await ana.reload();
    await expect(dialog.getByText('kim', { exact: true })).toBeVisible();
    await expect(dialog.getByText('No account', { exact: true })).toHaveCount(0);
    const late = await (await browser.newContext(options)).newPage();
    await late.goto(link);
    await expect(late.getByRole('alert')).toHaveText('This link is no longer valid. Ask for a new one.');
    expect(server.log).not.toContain(link.replace(/^.*\//, ''));
  },
);

test('someone signs in, objects to what was billed in their name, and the owner covers it', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const now = new Date();
  const [month = 0, after = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  await server.advance(after - 10 * 24 * HOUR - now.getTime());
  const ana = await device(browser, server);
  await register(ana, 'ana');
  const asset = { name: 'Car', subscription_cost: 300, time_zone: 'UTC', split_method: 'equal' };
  const { id } = (await api(ana, 'POST /api/assets/', asset)) as { id: number };
  for (const name of ['Grandma', 'Uncle'])
    await api(ana, `POST /api/assets/${id}/people/`, { name, monthly_hours_allocated: 20 });
  const kim = await device(browser, server);
  await register(kim, 'kim');
  await server.advance(14 * 24 * HOUR);
  await ana.reload();
  await kim.reload();

  // The owner settles for one of them alone.
  await ana.goto('/costs');
  await expect(ana.getByText(NAME).first()).toBeVisible();
  await expectAccessible(ana);
  await settleUp(ana, 'Uncle (ana)', /^I received /);
  await expect(ana.getByText('Uncle (ana) owes you')).toHaveCount(0);

  await ana.goto(`/assets?asset=${id}&tab=share`);
  const dialog = ana.getByRole('dialog');
  await dialog.getByRole('button', { name: `Link to join for ${NAME}` }).press('Enter');
  const link = await dialog.getByLabel('Link that works once').inputValue();
  await kim.goto(link);
  await reach(kim, kim.getByRole('button', { name: 'Join' }));
  await kim.keyboard.press('Enter');
  await expect(kim.getByText('Choose one of the two').first()).toBeVisible();
  await expectAccessible(kim);
  await kim.getByRole('radio', { name: 'These are mine' }).focus();
  await kim.keyboard.press('ArrowDown');
  await expect(kim.getByRole('radio', { name: 'I object' })).toBeChecked();
  await reach(kim, kim.getByRole('button', { name: 'Join' }));
  await kim.keyboard.press('Enter');
  await expect(kim).toHaveURL(/\/shared$/);
  await expect(kim.getByRole('heading', { name: 'Car' })).toBeVisible();

  const billed = new Date(month).toISOString().slice(0, 7);
  await ana.goto(`/costs/${id}/${billed}`);
  await expect(ana.getByText(`${NAME} said this wasn't theirs when joining, so you cover it.`)).toBeVisible();
  await expectAccessible(ana);
  await kim.goto('/costs');
  await expect(kim.getByText("You're all settled up.")).toBeVisible();
});
