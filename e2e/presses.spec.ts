import type { Browser, Page } from '@playwright/test';
import { keepToasts } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, device, expectToFit, monthOpener, ownerAndMember, register } from './verbs.ts';

// How often a person must press for what they do most.

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Counts the presses on a page from now on. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset['presses'] = '0';
    document.addEventListener('click', () => (dataset['presses'] = String(Number(dataset['presses']) + 1)), true);
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset['presses']));
}

/** Opens the same sign-in on a phone. */
async function onPhone(browser: Browser, page: Page, address: string): Promise<Page> {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ ...PHONE, baseURL: new URL(page.url()).origin, storageState });
  const phone = await context.newPage();
  await phone.goto(address);
  return phone;
}

const toast = (page: Page, text: string) => page.getByRole('status').getByText(text);
const nowBar = (page: Page) => page.getByRole('region', { name: 'Session running' });

for (const address of ['/dashboard', '/shared'])
  test(`a session starts with one press on its card of ${address}`, async ({ browser, server }) => {
    const { member } = await ownerAndMember(browser, server, `press-${address.slice(1)}`);
    await member.goto(address);
    const card = member.getByRole('main').getByRole('listitem', { name: 'Films' });
    const start = card.getByRole('button', { name: 'Start Session' });
    await expect(start).toBeEnabled();
    const presses = await countPresses(member);
    await start.click();
    await expect(card.getByRole('timer')).toBeVisible();
    await expect(toast(member, 'Session started: Films')).toBeVisible();
    expect(await presses()).toBe(1);
  });

for (const address of ['/dashboard', '/shared'])
  test(`a session starts with one tap on ${address} of a phone, and a second doesn't end it`, async ({
    browser,
    server,
  }) => {
    const { member, shareId } = await ownerAndMember(browser, server, `tap-${address.slice(1)}`);
    const phone = await onPhone(browser, member, address);
    const start = phone.getByRole('button', { name: 'Start Session' });
    await expect(start).toBeEnabled();
    // On the dashboard, what runs is at the top of the page.
    const running = address === '/dashboard' ? phone.getByRole('region', { name: 'Running now' }) : nowBar(phone);
    const presses = await countPresses(phone);
    await start.tap();
    await expect(running.getByRole('timer')).toBeVisible();
    await expect(toast(phone, 'Session started: Films')).toBeVisible();
    expect(await presses()).toBe(1);

    // Another one, with a double tap.
    await api(phone, `POST /api/shared-assets/${shareId}/end/`, {});
    await phone.reload();
    await start.dblclick();
    await expect(toast(phone, 'Session started: Films')).toBeVisible();
    await expect(running.getByRole('button')).toBeEnabled();
    expect(await api(phone, `GET /api/shared-assets/${shareId}/active-session/`)).not.toBeNull();
  });

test(
  'a session ends from another page with one press in the top bar',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { member, shareId } = await ownerAndMember(browser, server, 'bar');
    await api(member, `POST /api/shared-assets/${shareId}/start/`);
    await member.goto('/settings');
    const end = member.getByRole('banner').getByRole('button', { name: 'End Films' });
    await expect(end).toBeEnabled();
    await keepToasts(member);
    const presses = await countPresses(member);
    await end.click();
    await expect(toast(member, 'Session ended: Films')).toBeVisible();
    expect(await presses()).toBe(1);
    await expect(member.getByRole('banner').getByRole('timer')).toHaveCount(0);

    // What was ended can be edited, and closing the dialog returns to the page.
    await member.getByRole('link', { name: 'Edit' }).click();
    const dialog = member.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Remove session' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close dialog' }).click();
    await expect(member).toHaveURL(/\/settings$/);
  },
);

test('a session ends from another page of a phone with one tap in the Now bar', async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'nowbar');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  const phone = await onPhone(browser, member, '/costs');
  const end = nowBar(phone).getByRole('button', { name: 'End Films' });
  await expect(end).toBeEnabled();
  await expect(phone.getByRole('banner').getByRole('timer')).toHaveCount(0);
  expect((await nowBar(phone).boundingBox())?.height).toBe(56);
  expect((await end.boundingBox())?.height).toBe(44);
  const presses = await countPresses(phone);
  await end.tap();
  await expect(toast(phone, 'Session ended: Films')).toBeVisible();
  await expect(nowBar(phone)).toHaveCount(0);
  expect(await presses()).toBe(1);
});

test('a session that was forgotten is added with two taps on a phone', async ({ browser, launch }) => {
  const server = await launch();
  const { member, shareId } = await ownerAndMember(browser, server, 'forgot');
  await server.advance(3 * 3_600_000);
  const phone = await onPhone(browser, member, `/shared?share=${shareId}&tab=sessions`);
  const dialog = phone.getByRole('dialog');
  const open = dialog.getByRole('button', { name: 'Add a session' });
  await expect(open).toBeEnabled();
  const presses = await countPresses(phone);
  await open.tap();
  await dialog.getByRole('button', { name: 'The last 2 hours' }).tap();
  await expect(toast(phone, 'Session added.')).toBeVisible();
  expect(await presses()).toBe(2);
  await expect(dialog.getByText('2 h', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Added afterwards')).toBeVisible();
  await expectToFit(phone);
});

test("nothing is hidden behind a phone's bars", async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'hidden');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  const phone = await onPhone(browser, member, '/shared');
  await expect(nowBar(phone)).toBeVisible();
  await phone.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const card = await phone.getByRole('main').getByRole('listitem', { name: 'Films' }).boundingBox();
  const bar = await nowBar(phone).boundingBox();
  expect(card!.y + card!.height).toBeLessThan(bar!.y);
});

test("a session shows in the user's other tab at once", async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'tabs');
  const other = await member.context().newPage();
  await other.goto('/shared');
  await expect(other.getByRole('button', { name: 'Start Session' })).toBeVisible();
  await member.getByRole('button', { name: 'Start Session' }).click();
  // Much sooner than the list is read again anyway.
  const soon = { timeout: 20_000 };
  await expect(other.getByRole('button', { name: 'End Session' })).toBeVisible(soon);
  await expect(other.getByRole('banner').getByRole('timer')).toBeVisible();
  await other.getByRole('button', { name: 'End Session' }).click();
  await expect(member.getByRole('button', { name: 'Start Session' })).toBeVisible(soon);
});

test('an owner sees who uses an asset without a press', async ({ browser, server }) => {
  const { owner, member, shareId } = await ownerAndMember(browser, server, 'presence');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  for (const address of ['/dashboard', '/assets']) {
    await owner.goto(address);
    const card = owner.getByRole('main').getByRole('listitem', { name: 'Films' });
    await expect(card.getByRole('listitem').filter({ hasText: 'presence-member' })).toContainText('now');
  }
});

test('the theme changes with two presses', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'theme');
  const presses = await countPresses(member);
  await member.getByRole('link', { name: 'Settings' }).click();
  await member.getByRole('radio', { name: 'Dark' }).click();
  await expect(member.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await presses()).toBe(2);
});

test('the theme changes with two taps on a phone', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'theme-phone');
  const phone = await onPhone(browser, member, '/dashboard');
  const theme = phone.getByRole('banner').getByRole('button', { name: 'Theme' });
  await expect(theme).toBeVisible();
  await expectToFit(phone);
  const presses = await countPresses(phone);
  await theme.tap();
  await phone.getByRole('menuitemradio', { name: 'Dark' }).tap();
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await presses()).toBe(2);
});

test('Netflix is added and shared plainly with two presses', async ({ browser, server }) => {
  const [owner, member] = [await device(browser, server), await device(browser, server)];
  await register(member, 'plain-member');
  await register(owner, 'plain-owner');
  const presses = await countPresses(owner);
  await owner.getByText('Streaming, music, cloud').click();
  await owner.getByLabel('Asset Name').fill('Netflix');
  await owner.getByLabel('Monthly Subscription Cost ($)').fill('15.99');
  await owner.getByLabel('Username').fill('plain-member');
  await expect(owner.getByRole('region', { name: 'What each pays' })).toContainText('$8.00');
  await owner.getByRole('button', { name: 'Create and invite' }).click();
  await expect(owner.getByRole('heading', { name: 'Waiting for plain-member to accept' })).toBeVisible();
  // The label that was pressed also presses its radio button.
  expect(await presses()).toBe(3);
});

test('the first asset is added and shared with one press, and then follows who uses it', async ({
  browser,
  server,
}) => {
  const [owner, member] = [await device(browser, server), await device(browser, server)];
  await register(member, 'first-member');
  await register(owner, 'first-owner');
  const presses = await countPresses(owner);
  await owner.getByLabel('Asset Name').fill('Spotify');
  await owner.getByLabel('Monthly Subscription Cost ($)').fill('16.99');
  await owner.getByLabel('Username').fill('first-member');
  await owner.getByRole('button', { name: 'Create and invite' }).click();
  await expect(owner.getByRole('heading', { name: 'Waiting for first-member to accept' })).toBeVisible();
  expect(await presses()).toBe(1);

  // Someone uses it, and the steps are done for good.
  await member.reload();
  await member.getByRole('button', { name: 'Accept and start' }).first().click();
  await expect(member.getByRole('timer').first()).toBeVisible();
  await expect(owner.getByRole('heading', { name: 'first-member on Spotify' })).toBeVisible({ timeout: 20_000 });
  await owner.reload();
  await expect(owner.getByRole('region', { name: 'Your Assets' })).toBeVisible();
  await expect(owner.getByRole('region', { name: 'Get started' })).toHaveCount(0);
});

test.describe('what was used', () => {
  test.use({ timezoneId: 'UTC', locale: 'en-US' });

  test('a session is edited with two presses, and last month is printed with two', async ({ browser, launch }) => {
    const server = await launch();
    const today = new Date();
    // Two days before the end of next month, far enough from the turn of a month. Before anyone signs in, so that
    // sign-ins last until then.
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1];
    await server.advance(Date.UTC(year, month + 1, -1) - today.getTime());
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'used');
    await api(member, `POST /api/shared-assets/${shareId}/start/`);
    await server.advance(5 * 3_600_000);
    await member.reload();
    // On the dashboard, what runs is at the top of the page instead of in the bar.
    const end = member.getByRole('region', { name: 'Running now' }).getByRole('button', { name: 'End Session Films' });
    await expect(end).toBeEnabled();
    await keepToasts(member);
    await end.click();

    const edits = await countPresses(member);
    await member.getByRole('link', { name: 'Edit' }).click();
    const dialog = member.getByRole('dialog');
    await dialog.getByLabel('End', { exact: true }).fill('04:00');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(toast(member, 'Session updated.')).toBeVisible();
    expect(await edits()).toBe(2);

    // From the row that is shown then.
    await dialog.getByRole('button', { name: /^Edit the session/ }).click();
    await dialog.getByLabel('End', { exact: true }).fill('03:00');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByText('3 h', { exact: true })).toBeVisible();
    expect(await edits()).toBe(2 + 2);

    // After the end of the month and the 72 hours for changes.
    await server.advance(5 * 24 * 3_600_000);
    await owner.addInitScript(() => {
      window.print = () => localStorage.setItem('prints', String(Number(localStorage.getItem('prints')) + 1));
    });
    const prints = () => owner.evaluate(() => Number(localStorage.getItem('prints')));
    // The page opens the current month.
    await owner.context().clock.setFixedTime(Date.UTC(year, month + 1, 4));
    await owner.goto('/costs');
    const lastMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      Date.UTC(year, month),
    );
    const opener = monthOpener(owner, lastMonth);
    await expect(opener).toBeVisible();
    const presses = await countPresses(owner);
    await opener.click();
    await owner.getByRole('button', { name: `Print the statement of Films for ${lastMonth}` }).click();
    await expect.poll(prints).toBe(1);
    expect(await presses()).toBe(2);
    const statement = owner.getByRole('article', { name: 'Films' });
    await expect(statement).toContainText(`Statement for ${lastMonth}`);
    await expect(owner).toHaveURL(new RegExp(`/costs/${assetId}/\\d{4}-\\d\\d$`));

    // Neither a reload nor a return prints it again; the button does.
    await owner.reload();
    await statement.getByRole('button', { name: 'Print' }).click();
    await expect.poll(prints).toBe(2);
    await owner.goBack();
    await expect(opener).toBeVisible();
    await owner.goForward();
    await statement.getByRole('button', { name: 'Print' }).click();
    await expect.poll(prints).toBe(3);
  });
});
