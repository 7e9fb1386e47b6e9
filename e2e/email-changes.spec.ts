import type { Page } from '@playwright/test';
import { expectAccessible, lastOf, mailSettings, test, translator } from './mail.ts';
import { expect } from './test.ts';
import { api, device, PASSWORD, reach, register } from './verbs.ts';

const HOUR = 3_600_000;
const INVALID = 'This link is no longer valid. Ask for a new one.';

/** On the profile page: asks for a new address, by keyboard. */
async function changeEmail(page: Page, email: string) {
  await reach(page, page.getByLabel('Email address'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(email);
  await reach(page, page.getByRole('group', { name: 'Change email address' }).getByLabel('Current password'));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
}

async function press(page: Page, name: string) {
  await reach(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

test('a new email address takes effect once its link is confirmed, and the old one is notified, by keyboard', async ({
  browser,
  launch,
  smtp,
}) => {
  const server = await launch(mailSettings(smtp));
  const [page, phone] = [await device(browser, server), await device(browser, server)];
  await register(page, 'mira');
  await page.goto('/profile#account');
  await changeEmail(page, 'mira@new.example');
  await expect(page.getByRole('status').getByText(/^Profile saved\. Your email address changes once/)).toBeVisible();
  const pending = page.getByText(/^Open the link sent to mira@new\.example before /);
  await expect(pending).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue('mira@example.org');
  await expectAccessible(page);
  const first = await lastOf(smtp, 1);
  expect([first.recipients, first.parsed.subject]).toEqual([['mira@new.example'], 'Confirm your new email address']);

  await press(page, 'Cancel change');
  await expect(pending).toHaveCount(0);
  await expect(page.getByRole('status').getByText('Your email address stays the same.')).toBeAttached();
  await expect(page.getByLabel('Email address')).toBeFocused();
  await phone.goto(first.link);
  await press(phone, 'Confirm address');
  await expect(phone.getByRole('alert')).toHaveText(INVALID);
  await expect(phone.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(phone.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expectAccessible(phone);

  await changeEmail(page, 'mira@new.example');
  const { link } = await lastOf(smtp, 2);
  expect(link).toMatch(new RegExp(`^${server.url}/confirm-email#[\\w-]{43,}$`));
  const requests: string[] = [];
  phone.on('request', (request) => requests.push(request.url(), JSON.stringify(request.headers())));
  await phone.goto(link);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Confirm your email address');
  await expectAccessible(phone);
  await press(phone, 'Confirm address');
  await expect(phone.getByRole('status')).toHaveText(
    'Your account uses this address now. Sign in and send a link from your profile to confirm it.',
  );
  await expect(phone.getByRole('status')).toBeFocused();
  await expectAccessible(phone);
  await reach(phone, phone.getByRole('main').getByRole('link', { name: 'Sign in' }));
  await phone.keyboard.press('Enter');
  await expect(phone).toHaveURL(`${server.url}/login`);

  const told = await lastOf(smtp, 3);
  expect([told.recipients, told.link]).toEqual([['mira@example.org'], '']);
  expect(told.parsed.text).toContain('is now mira@new.example');
  expect(told.parsed.text).toContain('ida@example.org');
  await page.reload();
  await expect(page.getByLabel('Email address')).toHaveValue('mira@new.example');
  await expect(pending).toHaveCount(0);
  await page.goto(link);
  await press(page, 'Confirm address');
  await expect(page.getByRole('alert')).toHaveText(INVALID);

  const token = link.replace(/^.*#/, '');
  expect(requests.join('\n')).not.toContain(token);
  expect(server.log).not.toContain(token);
  expect(server.log).toContain('"event":"email_changed"');
});

test('an expired link, or one for an address that is taken by now, changes nothing', async ({
  browser,
  launch,
  smtp,
}) => {
  const server = await launch(mailSettings(smtp));
  const [page, other] = [await device(browser, server), await device(browser, server)];
  await register(page, 'ben');
  const change = { email: 'zoe@example.org', current_password: PASSWORD };
  await api(page, 'PATCH /api/me/', change);
  const { link } = await lastOf(smtp, 1);
  await register(other, 'zoe');
  await page.goto(link);
  await press(page, 'Confirm address');
  await expect(page.getByRole('alert')).toHaveText('This email address is already in use');

  await api(page, 'PATCH /api/me/', { ...change, email: 'ben@new.example' });
  const late = await lastOf(smtp, 2);
  await server.advance(25 * HOUR);
  await page.goto(late.link);
  await press(page, 'Confirm address');
  await expect(page.getByRole('alert')).toHaveText(INVALID);
});

test('in German, a signed-in user confirms a new address and returns to their profile', async ({
  browser,
  launch,
  smtp,
}) => {
  const t = translator('de');
  const server = await launch(mailSettings(smtp));
  const page = await (await browser.newContext({ baseURL: server.url, locale: 'de-DE' })).newPage();
  await page.request.post('/api/register/', {
    data: { username: 'jan', email: 'jan@example.org', password: PASSWORD, language: 'de' },
  });
  await page.goto('/login');
  await page.getByLabel(t('Username')).fill('jan');
  await page.getByLabel(t('Password')).fill(PASSWORD);
  await page.getByRole('button', { name: t('Sign in'), exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await api(page, 'PATCH /api/me/', { email: 'jan@new.example', current_password: PASSWORD });
  await page.goto('/profile#account');
  await expect(page.getByRole('button', { name: t('Cancel change') })).toBeVisible();
  await expectAccessible(page);
  const { parsed, link } = await lastOf(smtp, 1);
  expect(parsed.subject).toBe(t('Confirm your new email address'));
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Confirm your email address'));
  await page.getByRole('button', { name: t('Confirm address') }).click();
  await expect(page.getByText(t('Your email address is confirmed.'))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: t('Go to your profile') }).click();
  await expect(page.getByLabel(t('Email'), { exact: true })).toHaveValue('jan@new.example');
  const told = await lastOf(smtp, 2);
  expect(told.parsed.subject).toBe(t('Your HourShare email address was changed'));
});
