import type { Page } from '@playwright/test';
import { freePort } from '../harness/free-port.mjs';
import { openTestOpenIdProvider, type TestOpenIdProvider } from '../server/src/testing/openid-provider.ts';
import { codeAt } from './authenticator-app.ts';
import { expectAccessible, translator } from './mail.ts';
import type { RunningServer } from './server.ts';
import { expect, test as base } from './test.ts';
import { device, PASSWORD, reach, register, signOut } from './verbs.ts';

interface ProviderFixtures {
  /** A provider on another site, and a server where people can sign in with it. */
  home: { there: TestOpenIdProvider; server: RunningServer };
}

const test = base.extend<ProviderFixtures>({
  home: async ({ launch }, use) => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const there = await openTestOpenIdProvider([`${address}/sign-in/oidc`]);
    const server = await launch({
      PORT: String(port),
      APP_URL: address,
      OIDC_ISSUER: there.issuer,
      OIDC_CLIENT_ID: there.clientId,
      OIDC_CLIENT_SECRET: there.clientSecret,
      OIDC_NAME: 'Home ID',
    });
    await use({ there, server });
    await there.close();
  },
});

/** On the provider's page: signs in under a name, by keyboard. */
async function signInThere(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL(/^http:\/\/localhost:/);
  await reach(page, page.getByPlaceholder('Enter any login'));
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('any password');
  await page.keyboard.press('Enter');
}

/** Presses a button using only the keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, page.getByRole('main').getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test(
  'someone signs up with a provider, and then signs in with it, by keyboard',
  { tag: '@journey' },
  async ({ browser, home }) => {
    home.there.emails.set('ida-there', { email: 'ida@example.org', email_verified: true });
    const page = await device(browser, home.server);
    await page.goto('/costs');
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('main').getByRole('button', { name: 'Home ID' })).toBeVisible();
    await expectAccessible(page);
    const [requests, referrers]: [string[], string[]] = [[], []];
    page.on('request', (request) => {
      requests.push(request.url());
      referrers.push(request.headers()['referer'] ?? '');
    });
    await press(page, 'Home ID');
    await signInThere(page, 'ida-there');

    await expect(heading(page)).toHaveText('Choose a username');
    await expect(page.getByText("You'll sign in with Home ID, without a password.")).toBeFocused();
    await expect(page.getByLabel('Email address')).toHaveValue('ida@example.org');
    await expectAccessible(page);
    await press(page, 'Create account');
    await expect(page.getByText('Username is required')).toBeVisible();
    await expect(page.getByLabel('Username')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('ida');
    await page.keyboard.press('Enter');
    // The page that was originally requested.
    await expect(page).toHaveURL(`${home.server.url}/costs`);

    // The provider's answer was sent to this server once, and never as a referrer.
    const withCode = requests.filter((each) => each.includes('code='));
    expect(withCode).toEqual([expect.stringMatching(/\/sign-in\/oidc\?code=/)]);
    expect(referrers.join()).not.toContain('code=');
    expect(home.server.log).not.toContain('code=');

    // The user is still signed in at the provider.
    await signOut(page);
    await press(page, 'Home ID');
    await expect(heading(page)).toHaveText('Welcome back, ida!');

    await page.goto('/profile#providers');
    const providers = page.getByRole('list', { name: 'Sign-in providers' });
    await expect(providers.getByRole('listitem')).toHaveText([/Home ID.*ida@example\.org.*Last used: today/s]);
    await expectAccessible(page);
    await press(page, 'Disconnect Home ID');
    const question = page.getByRole('alertdialog', { name: 'Disconnect Home ID?' });
    await reach(page, question.getByRole('button', { name: 'Disconnect' }));
    await page.keyboard.press('Enter');
    await expect(question.getByText(/^This is your only way to sign in\./)).toBeVisible();
    await expectAccessible(page);
  },
);

test('an account with the same address is connected only once its password is entered', async ({ browser, home }) => {
  home.there.emails.set('someone', { email: 'mira@example.org', email_verified: true });
  const laptop = await device(browser, home.server);
  await register(laptop, 'mira');
  const page = await device(browser, home.server);
  await page.goto('/register');
  await press(page, 'Home ID');
  await signInThere(page, 'someone');
  await expect(heading(page)).toHaveText('Connect Home ID to your account');
  await expect(page.getByText(/^The account mira has the address mira@example\.org\./)).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveValue('mira');
  await expectAccessible(page);
  await reach(page, page.getByLabel('Password'));
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrong username or password.')).toBeVisible();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Home ID is connected.')).toBeVisible();
  await expect(heading(page)).toHaveText('Welcome back, mira!');

  await page.goto('/profile#providers');
  await press(page, 'Disconnect Home ID');
  const question = page.getByRole('alertdialog', { name: 'Disconnect Home ID?' });
  await expectAccessible(page);
  await reach(page, question.getByRole('button', { name: 'Disconnect' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Home ID is disconnected.')).toBeVisible();
  await press(page, 'Connect Home ID');
  await expect(page.getByText('Home ID is connected.')).toBeVisible();
  await expect(page).toHaveURL(`${home.server.url}/profile#providers`);
  await expect(page.getByRole('main').getByRole('button', { name: 'Disconnect Home ID' })).toBeVisible();
});

test('declining shows no error, an answer works once, and a provider failure is reported', async ({
  browser,
  home,
}) => {
  const page = await device(browser, home.server);
  await page.goto('/login');
  await press(page, 'Home ID');
  await page.getByRole('link', { name: 'Cancel' }).press('Enter');
  await expect(page).toHaveURL(`${home.server.url}/login`);
  await expect(page.getByRole('alert')).toHaveCount(0);

  let address = '';
  page.on('request', (request) => {
    if (request.url().includes('/sign-in/oidc?')) address = request.url();
  });
  await press(page, 'Home ID');
  await signInThere(page, 'kim');
  await expect(heading(page)).toHaveText('Choose a username');
  // The provider vouches for no address.
  await expect(page.getByLabel('Email address')).toHaveValue('');
  await press(page, 'I already have an account');
  await expect(heading(page)).toHaveText('Connect Home ID to your account');
  await press(page, 'Create a new account instead');

  // An answer planted in another browser, whose user would then use the wrong account.
  const other = await device(browser, home.server);
  for (const target of [page, other]) {
    await target.goto(address);
    await expect(target.getByRole('alert')).toHaveText(/^This took too long or was started in another browser\./);
    await expectAccessible(target);
  }
  await reach(other, other.getByRole('main').getByRole('link', { name: 'Start again' }));
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(`${home.server.url}/login`);

  await home.server.restart();
  home.there.answer = () => ({ status: 503, body: '{}' });
  await press(other, 'Home ID');
  await expect(other.getByRole('alert')).toHaveText(/^Can't reach the provider right now\./);
  await expectAccessible(other);
  await press(other, 'GitHub');
  await expect(other.getByText("GitHub sign-in isn't set up on this server.")).toBeVisible();
});

test('no return address leads to another site after signing in', async ({ browser, home }) => {
  const page = await device(browser, home.server);
  await register(page, 'zoe');
  await page.goto('/profile#providers');
  await press(page, 'Connect Home ID');
  await signInThere(page, 'zoe');
  await expect(page.getByText('Home ID is connected.')).toBeVisible();
  for (const from of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
    await signOut(page);
    await page.goto(`/login?from=${encodeURIComponent(from)}`);
    await press(page, 'Home ID');
    await expect(page).toHaveURL(`${home.server.url}/dashboard`);
  }
});

test.describe('in Arabic', () => {
  test('the pages are translated', async ({ browser, home }) => {
    const t = translator('ar');
    home.there.emails.set('salma', { email: 'salma@example.org', email_verified: true });
    const page = await (await browser.newContext({ baseURL: home.server.url, locale: 'ar-EG' })).newPage();
    await page.goto('/register');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await press(page, 'Home ID');
    await signInThere(page, 'salma');
    await expect(heading(page)).toHaveText(t('Choose a username'));
    await expectAccessible(page);
    await reach(page, page.getByLabel(t('Username')));
    await page.keyboard.type('salma');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${home.server.url}/dashboard`);
    await page.goto('/profile#providers');
    const providers = page.getByRole('list', { name: t('Sign-in providers') });
    await expect(providers.getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page);
    await providers.getByRole('button').press('Enter');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page);
  });
});

test('sign-ins with a provider also take a code, and confirm who users without a password are', async ({
  browser,
  home,
}) => {
  home.there.emails.set('ida-there', { email: 'ida@example.org', email_verified: true });
  const page = await device(browser, home.server);
  await page.goto('/login');
  await press(page, 'Home ID');
  await signInThere(page, 'ida-there');
  await page.getByLabel('Username').fill('ida');
  await press(page, 'Create account');
  await expect(heading(page)).toHaveText('Welcome back, ida!');

  await page.goto('/profile#two-step');
  await press(page, 'Turn on');
  const setup = page.getByRole('dialog', { name: 'Turn on two-step sign-in' });
  const key = (await setup.getByLabel("Key, if you can't scan it").inputValue()).replaceAll(' ', '');
  await setup.getByLabel('Code', { exact: true }).fill(codeAt(key, Date.now()));
  await page.keyboard.press('Enter');
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const [first = ''] = (await saved.getByLabel('Recovery codes').inputValue()).split('\n');
  await saved.getByRole('button', { name: "I've saved them" }).click();

  await signOut(page);
  await press(page, 'Home ID');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await press(page, 'Use a recovery code');
  await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That code is wrong or was already used')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(first);
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Welcome back, ida!');

  // The provider has its own clock, so its answers are refused from now on.
  await home.server.advance(11 * 60_000);
  await page.goto('/profile#two-step');
  await press(page, 'Turn off');
  const confirmation = page.getByRole('alertdialog', { name: 'Turn off two-step sign-in?' });
  await reach(page, confirmation.getByRole('button', { name: 'Turn off' }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: "Confirm that it's you" });
  await expectAccessible(page);
  await reach(page, question.getByRole('button', { name: 'Continue with Home ID' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/^http:\/\/localhost:/);
  await expect(page.getByPlaceholder('Enter any login')).toBeVisible();
});
