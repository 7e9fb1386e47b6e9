import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, device, expectToFit, ownerAndMember, register } from './verbs.ts';

test(
  'the bell tells of access, leads to it, and remembers what was read',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member } = await ownerAndMember(browser, server, 'bell');
    // What was answered no longer waits in the bell.
    await expect(member.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    const { id } = (await api(owner, 'POST /api/assets/', { name: 'Music', subscription_cost: 12 })) as { id: number };
    await api(owner, `POST /api/assets/${id}/share/`, { username: 'bell-member', monthly_hours_allocated: 20 });
    await member.getByRole('button', { name: /^Notifications, 1 unread/ }).click();
    const panel = member.getByRole('dialog', { name: 'Notifications' });
    const notice = panel.getByRole('region', { name: 'Today' }).getByRole('link', { name: /^Unread: .*Music/ });
    await expect(notice).toBeVisible();
    expect(await violationsOn(member)).toEqual([]);
    await notice.click();
    await expect(panel).toBeHidden();
    await expect(member.getByRole('dialog', { name: /Music/ })).toBeVisible();
    await member.goto('/dashboard');
    await expect(member.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  },
);

test('each kind of notice is chosen for the bell, email, and push, also on a small phone', async ({
  browser,
  server,
}) => {
  const page = await device(browser, server);
  await register(page, 'bell-choices');
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/settings');
  await page.getByRole('radio', { name: 'Customize' }).check();
  await page.getByText('One by one').click();
  const box = page.getByLabel('Session edited: Bell');
  await expect(box).toBeChecked();
  await box.uncheck();
  await expect(page.getByText('Saved.')).toBeAttached();
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
  await page.reload();
  await expect(page.getByLabel('Session edited: Bell')).not.toBeChecked();
});

test("a link that unsubscribes says so when it isn't valid, without a sign-in", async ({ page }) => {
  await page.goto('/unsubscribe#nothing');
  await expect(page.getByText('This link is no longer valid. You can turn off emails in your settings.')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});
