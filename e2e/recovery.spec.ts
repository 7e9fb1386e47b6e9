import type { Page } from '@playwright/test';
import { expectAccessible, lastOf, mailSettings, test, translator } from './mail.ts';
import { expect } from './test.ts';
import { api, device, PASSWORD, reach, register, signIn } from './verbs.ts';

const NEW_PASSWORD = 'a walnut on the stairs';
const INVALID = 'This link is no longer valid. Ask for a new one.';
const MINUTE = 60_000;

/** On a reset link's page: enters a password twice, by keyboard. */
async function setPassword(page: Page, password: string, again = password) {
  for (const [label, text] of [
    ['New password', password],
    ['Confirm new password', again],
  ] as const) {
    await reach(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
}

test(
  'someone who forgot their password sets a new one by email, which ends all sign-ins, by keyboard',
  { tag: '@journey' },
  async ({ browser, launch, smtp }) => {
    const server = await launch(mailSettings(smtp));
    const [page, laptop] = [await device(browser, server), await device(browser, server)];
    await register(laptop, 'mira');

    await page.goto('/login');
    await reach(page, page.getByRole('link', { name: 'Forgot your password?' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?');
    await reach(page, page.getByLabel('Email address'));
    await page.keyboard.type('mira');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter a valid email address')).toBeVisible();
    await expect(page.getByLabel('Email address')).toBeFocused();
    await expectAccessible(page);

    // An address without an account gets the same answer, and no message.
    for (const name of ['nobody', 'mira']) {
      await reach(page, page.getByLabel('Email address'));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(`${name}@example.org`);
      await page.keyboard.press('Enter');
      const sent = page.getByRole('main').getByRole('status');
      await expect(sent).toContainText(`If an account has the address ${name}@example.org, a link is on its way.`);
      await expect(sent).toBeFocused();
      await expectAccessible(page);
      if (name === 'mira') continue;
      await reach(page, page.getByRole('button', { name: 'Use another address' }));
      await page.keyboard.press('Enter');
    }
    const { recipients, parsed, link } = await lastOf(smtp, 1);
    expect([recipients, parsed.subject]).toEqual([['mira@example.org'], 'Reset your HourShare password']);
    expect(link).toMatch(new RegExp(`^${server.url}/reset-password#[\\w-]{43,}$`));

    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url(), JSON.stringify(request.headers())));
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password');
    await expectAccessible(page);
    await setPassword(page, NEW_PASSWORD, 'a walnut on the stair');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await setPassword(page, 'mira@example.org');
    await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page);
    await setPassword(page, NEW_PASSWORD);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is set');
    await expect(page.getByText(/^You are signed out on all devices/)).toBeFocused();
    await expectAccessible(page);

    await laptop.goto('/assets');
    await expect(laptop).toHaveURL(/\/login/);
    await reach(page, page.getByRole('main').getByRole('link', { name: 'Sign in' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${server.url}/login`);
    await signIn(page, 'mira', NEW_PASSWORD);

    // The page of a used link leads to a new one.
    await laptop.goto(link);
    await setPassword(laptop, 'another one of those');
    await expect(laptop.getByRole('alert')).toHaveText(INVALID);
    await expect(laptop.getByRole('heading', { level: 1 })).toBeFocused();
    await expectAccessible(laptop);
    await reach(laptop, laptop.getByRole('link', { name: 'Ask for a new link' }));
    await laptop.keyboard.press('Enter');
    await expect(laptop.getByLabel('Email address')).toBeVisible();

    // The token was only sent in the body of the request.
    const token = link.replace(/^.*#/, '');
    expect(requests.join('\n')).not.toContain(token);
    expect(server.log).not.toContain(token);
    expect(server.log).toContain('"event":"password_reset"');
    // No other link was sent.
    expect((await lastOf(smtp, 2)).parsed.subject).toBe('Your HourShare password was changed');
  },
);

test('altered and expired links say so, and a message survives a restart of both servers', async ({
  browser,
  launch,
  smtp,
}) => {
  const server = await launch(mailSettings(smtp));
  const page = await device(browser, server);
  await register(page, 'ben');
  smtp.behavior = 'refuse';
  await api(page, 'POST /api/password-reset/', { email: 'ben@example.org' });
  await expect.poll(() => server.log).toContain('a message could not be sent, and will be tried again');
  smtp.behavior = 'accept';
  await server.restart();
  expect(smtp.received.filter(({ link }) => link?.includes('/reset-password#'))).toEqual([]);
  await server.advance(2 * MINUTE);
  const { link } = await lastOf(smtp, 1);

  for (const address of [`${server.url}/reset-password`, `${link.slice(0, -1)}${link.endsWith('a') ? 'b' : 'a'}`]) {
    await page.goto(address);
    if (address.includes('#')) await setPassword(page, NEW_PASSWORD);
    await expect(page.getByRole('alert')).toHaveText(INVALID);
  }
  await server.advance(31 * MINUTE);
  await page.goto(link);
  await setPassword(page, NEW_PASSWORD);
  await expect(page.getByRole('alert')).toHaveText(INVALID);
  const late = await device(browser, server);
  await signIn(late, 'ben', PASSWORD);
});

test('a signed-in user who sets a new password with a link has to sign in with it', async ({
  browser,
  launch,
  smtp,
}) => {
  const server = await launch(mailSettings(smtp));
  const page = await device(browser, server);
  await register(page, 'zoe');
  await api(page, 'POST /api/password-reset/', { email: 'zoe@example.org' });
  const { link } = await lastOf(smtp, 1);
  const stream = page.waitForResponse(
    (response) => response.url().endsWith('/api/events/') && response.frame().url() === link,
  );
  await page.goto(link);
  // The server ends the stream with the sign-in.
  await stream;
  await setPassword(page, NEW_PASSWORD);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is set');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${server.url}/login`);
  await signIn(page, 'zoe', NEW_PASSWORD);
});

test.describe('in Arabic', () => {
  test.use({ locale: 'ar-EG' });

  test('the pages and the message are in the language of the account', async ({ browser, launch, smtp }) => {
    const t = translator('ar');
    const server = await launch(mailSettings(smtp));
    const page = await (await browser.newContext({ baseURL: server.url, locale: 'ar-EG' })).newPage();
    await page.request.post('/api/register/', {
      data: { username: 'salma', email: 'salma@example.org', password: PASSWORD, language: 'ar' },
    });
    await page.goto('/forgot-password');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Forgot your password?'));
    await page.getByLabel(t('Email address')).fill('salma@example.org');
    await page.getByRole('button', { name: t('Send link') }).click();
    await expect(page.getByRole('button', { name: t('Use another address') })).toBeVisible();
    await expectAccessible(page);
    const { parsed, link } = await lastOf(smtp, 1);
    expect(parsed.subject).toBe(t('Reset your HourShare password'));
    expect(parsed.html).toContain('dir="rtl"');

    await page.goto(link);
    await page.getByLabel(t('New password'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(t('Confirm new password'), { exact: true }).fill(NEW_PASSWORD);
    await expectAccessible(page);
    await page.getByRole('button', { name: t('Set password') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Your password is set'));
    await expectAccessible(page);

    // The message itself, as a mail program shows it.
    await page.goto('about:blank');
    await page.setContent(String(parsed.html));
    await expectAccessible(page);
  });
});

test('a server without email says who to ask, and refuses links', async ({ browser, launch }) => {
  const server = await launch({ CONTACT: 'ida@example.org' });
  const page = await device(browser, server);
  await page.goto('/forgot-password');
  await expect(page.getByText(/^This server doesn't send email/)).toBeVisible();
  await reach(page, page.getByRole('main').getByRole('link', { name: 'ida@example.org' }));
  await expect(page.getByLabel('Email address')).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/reset-password#made-up');
  await setPassword(page, NEW_PASSWORD);
  await expect(page.getByRole('alert')).toHaveText(INVALID);
  await page.goto('/confirm-email#made-up');
  await page.getByRole('button', { name: 'Confirm address' }).press('Enter');
  await expect(page.getByRole('alert')).toHaveText(INVALID);
});
