import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { addAsset, api, device, expectToFit, PASSWORD, reach, register, signOut, startSession } from './verbs.ts';

test(
  'an owner invites by link, and a stranger registers through it and starts a session',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const context = await browser.newContext({
      baseURL: server.url,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const mira = await context.newPage();
    await register(mira, 'mira');
    await addAsset(mira, { name: 'Netflix Premium', description: '', cost: '22.99' });
    await expect(mira.getByText('$22.99/mo').last()).toBeVisible();
    await mira.goto('/assets?asset=1&tab=share');
    const dialog = mira.getByRole('dialog');

    // A username that no one has leads to the link, with the hours as typed, all by keyboard.
    await reach(mira, dialog.getByLabel('Username', { exact: true }));
    await mira.keyboard.type('nobody.yet');
    await reach(mira, dialog.getByLabel('Monthly Hours', { exact: true }));
    await mira.keyboard.type('20');
    await mira.keyboard.press('Enter');
    await expect(dialog.getByText('User "nobody.yet" not found')).toBeVisible();
    expect(await violationsOn(mira)).toEqual([]);
    await reach(mira, dialog.getByRole('button', { name: 'Invite by link' }));
    await mira.keyboard.press('Enter');
    const link = dialog.getByLabel('Link for one person, 20 hours a month');
    await expect(link).toHaveValue(new RegExp(`^${server.url}/invite/[\\w-]{43,}$`));
    await expect(dialog.getByText('Hours pending')).toBeVisible();
    await reach(mira, dialog.getByRole('button', { name: 'Copy' }));
    await mira.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await mira.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await link.inputValue());
    await reach(mira, dialog.getByText('Show QR code').locator('xpath=ancestor::summary'));
    await mira.keyboard.press('Enter');
    await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    expect(await violationsOn(mira)).toEqual([]);

    // Someone without an account opens it elsewhere.
    const kim = await (await browser.newContext({ baseURL: server.url })).newPage();
    await kim.goto(copied);
    await expect(kim.getByRole('heading', { name: 'mira invites you to Netflix Premium' })).toBeVisible();
    await expect(kim.getByRole('main')).toContainText('$22.99 a month');
    expect(await violationsOn(kim)).toEqual([]);
    await reach(kim, kim.getByRole('link', { name: 'Create an account' }));
    await kim.keyboard.press('Enter');
    await expect(kim.getByText('Creating an account accepts the invitation.')).toBeVisible();
    expect(await violationsOn(kim)).toEqual([]);
    for (const [label, text] of [
      ['Username', 'kim'],
      ['Email address', 'kim@example.org'],
      ['Password', PASSWORD],
      ['Confirm password', PASSWORD],
    ] as const) {
      await reach(kim, kim.getByLabel(label, { exact: true }));
      await kim.keyboard.type(text);
    }
    // The price changes meanwhile: nothing is accepted that she hasn't seen.
    await expect(kim.getByRole('main')).toContainText('20 h a month. All of it costs you $22.99.');
    const { results } = (await api(mira, 'GET /api/assets/')) as { results: { id: number }[] };
    await api(mira, `PATCH /api/assets/${results[0]?.id}/`, { subscription_cost: 30 });
    await kim.keyboard.press('Enter');
    await expect(kim.getByText('This offer just changed. Review it and try again.')).toBeVisible();
    await expect(kim.getByRole('main')).toContainText('20 h a month. All of it costs you $30.00.');
    expect(await violationsOn(kim)).toEqual([]);
    await kim.keyboard.press('Enter');
    await expect(kim).toHaveURL(/\/dashboard$/);
    await kim.goto('/shared?share=2&tab=usage');
    await startSession(kim);

    // The link is used up, and the owner sees who uses the asset.
    await mira.reload();
    await expect(dialog.getByText('20 hours/month')).toBeVisible();
    await expect(dialog.getByText('using it now')).toBeVisible();
    const late = await (await browser.newContext({ baseURL: server.url })).newPage();
    await late.goto(copied);
    await expect(late.getByRole('alert')).toHaveText('This invitation is no longer valid. Ask for a new link.');
    expect(await violationsOn(late)).toEqual([]);
    expect(server.log).not.toContain(copied.replace(/^.*\//, ''));
  },
);

test('someone with an account signs in, comes back to the invitation, and accepts it with one press', async ({
  browser,
  server,
}) => {
  const [olga, pia] = [await device(browser, server), await device(browser, server)];
  await register(olga, 'olga');
  await register(pia, 'pia');
  await signOut(pia);
  const { id } = (await api(olga, 'POST /api/assets/', { name: 'Figma', subscription_cost: 15 })) as { id: number };
  const made = await api(olga, `POST /api/assets/${id}/invitations/`, { monthly_hours_allocated: 8 });
  const { link } = (made as { invitation: { link: string } }).invitation;

  await pia.goto(link);
  await expectToFit(pia);
  await pia.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await pia.getByLabel('Username').fill('pia');
  await pia.getByLabel('Password').fill(PASSWORD);
  await pia.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(pia).toHaveURL(link);
  expect(await violationsOn(pia)).toEqual([]);
  await pia.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(pia.getByRole('dialog', { name: /Figma/ })).toBeVisible();
  await expect(pia.getByText('You now have access to Figma.')).toBeVisible();

  await olga.goto(link);
  await expect(olga.getByRole('alert')).toHaveText('This invitation is no longer valid. Ask for a new link.');
});

test('a server that takes no new accounts says so everywhere, and who to ask', async ({ browser, launch }) => {
  const server = await launch({ REGISTRATION: 'closed', CONTACT: 'ida@example.org' });
  const page = await device(browser, server);
  for (const path of ['/', '/about', '/login']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: /^(?:Sign up|Get Started Free)$/ })).toHaveCount(0);
  }
  await page.goto('/register');
  await expect(page.getByText("This server doesn't accept new accounts.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'ida@example.org' })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});
