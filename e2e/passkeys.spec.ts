import type { Browser, BrowserContextOptions, CDPSession, Locator, Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expectAccessible, lastOf, mailSettings, test, translator } from './mail.ts';
import type { RunningServer } from './server.ts';
import { expect } from './test.ts';
import { expectToFit, openSetting, PASSWORD, reach, register, signIn, signOut } from './verbs.ts';

/** Passkeys need a host name, and localhost is the only one that works without https. */
const named = ({ url }: RunningServer) => url.replace('127.0.0.1', 'localhost');

/** A device that stores passkeys and confirms everything until told otherwise. */
async function open(browser: Browser, server: RunningServer, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: named(server), locale: 'en-US', ...options });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const authenticatorId = await addAuthenticator(devtools, 'internal');
  const ask = (enabled: boolean) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  return {
    page,
    devtools,
    authenticatorId,
    /** From now on, it waits for a touch. */
    leave: () => ask(false),
    touch: () => ask(true),
    /** Sets whether it recognizes its user. */
    recognize: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function addAuthenticator(devtools: CDPSession, transport: 'internal' | 'usb'): Promise<string> {
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

/** Keeps a browser from suggesting passkeys, so that only the button uses one. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

const uniqueName = (prefix: string) => `${prefix}-${Date.now().toString(36)}`;
const passkeyList = (page: Page, name = 'Passkeys') => page.getByRole('list', { name });
const says = (page: Page, text: string) => expect(page.getByRole('status').getByText(text)).toBeAttached();
const welcome = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome back, ${name}!`);

/** Reaches a button by keyboard and presses it. */
async function press(page: Page, button: Locator) {
  await reach(page, button);
  await page.keyboard.press('Enter');
}

test(
  'a user adds a passkey, signs in with it, and then removes the password, by keyboard',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const name = uniqueName('keys');
    const { page, devtools } = await open(browser, server);
    await withoutSuggestions(page);
    await register(page, name);
    await page.goto('/profile#passkeys');
    await expect(page.getByText('You have no passkeys.')).toBeVisible();
    await expectAccessible(page);

    await press(page, page.getByRole('button', { name: 'Add a passkey' }));
    await says(page, 'Passkey added.');
    const items = passkeyList(page).getByRole('listitem');
    await expect(items).toHaveText([/^Chrome on .+Not used yet\. Created: /]);
    await press(page, page.getByRole('button', { name: /^Rename Chrome/ }));
    await expect(page.getByLabel('Name of this passkey')).toBeFocused();
    await page.keyboard.type('Laptop');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Rename Laptop' })).toBeFocused();
    await expectAccessible(page);

    // A device stores one passkey per account.
    await press(page, page.getByRole('button', { name: 'Add a passkey' }));
    await expect(page.getByRole('alert')).toHaveText('This device already has a passkey for your account.');

    await signOut(page);
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await expect(button).toBeVisible();
    await expectAccessible(page);
    await press(page, button);
    await welcome(page, name);

    await page.goto('/profile#passkeys');
    await expect(items).toHaveText([/Laptop.*Last used: today, /]);
    await openSetting(page, 'Password');
    await press(page, page.getByRole('button', { name: 'Remove password' }));
    const question = page.getByRole('alertdialog', { name: 'Remove your password?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page);
    await press(page, question.getByRole('button', { name: 'Use a passkey to remove it' }));
    await expect(question).toBeHidden();
    await says(page, 'Password removed. Your other devices are signed out.');
    await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible();
    await expect(page.getByLabel('Current password')).toHaveCount(0);

    // Some way to sign in always remains.
    await press(page, page.getByRole('button', { name: 'Remove Laptop' }));
    const removal = page.getByRole('alertdialog', { name: 'Remove this passkey?' });
    await press(page, removal.getByRole('button', { name: 'Remove passkey' }));
    await expect(removal.getByRole('alert')).toContainText('This is your only way to sign in.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await addAuthenticator(devtools, 'usb');
    await press(page, page.getByRole('button', { name: 'Add a passkey' }));
    await expect(items).toHaveCount(2);
    await press(page, page.getByRole('button', { name: 'Remove Laptop' }));
    await press(page, removal.getByRole('button', { name: 'Remove passkey' }));
    await expect(items).toHaveCount(1);

    // A password can be set again without a current one.
    await reach(page, page.getByLabel('New password', { exact: true }));
    await page.keyboard.type('a walnut on the stairs');
    await reach(page, page.getByLabel('Confirm new password'));
    await page.keyboard.type('a walnut on the stairs');
    await page.keyboard.press('Enter');
    await says(page, 'Password changed. Your other devices are signed out.');
    await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();
    await signOut(page);
    await signIn(page, name, 'a walnut on the stairs');
  },
);

test('someone registers with a passkey in German, and the browser suggests it afterwards', async ({
  browser,
  server,
}) => {
  const t = translator('de');
  const name = uniqueName('kim');
  const { page, leave, touch, recognize } = await open(browser, server, { locale: 'de-DE', colorScheme: 'dark' });
  await page.goto('/register');
  await press(page, page.getByRole('button', { name: t('Create a passkey instead of a password') }));
  await expect(page.getByLabel(t('Password'))).toHaveCount(0);
  const create = page.getByRole('button', { name: t('Create account with a passkey') });
  await press(page, create);
  await expect(page.getByLabel(t('Username'))).toBeFocused();
  await expect(page.getByText(t('Username is required'))).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(t('Username')).fill(name);
  await page.getByLabel(t('Email address')).fill(`${name}@example.org`);

  // Cancelling isn't reported as an error.
  await recognize(false);
  await press(page, create);
  await expect(create).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await recognize(true);
  await press(page, create);
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/profile#passkeys');
  await expect(passkeyList(page, t('Passkeys')).getByRole('listitem')).toHaveCount(1);
  await openSetting(page, t('Password'));
  await expect(page.getByRole('button', { name: t('Set password') })).toBeVisible();
  await expectAccessible(page);

  // The virtual device never answers a request that it gets before it is touched, so the page can't make one until then.
  let begin = () => {};
  const touched = new Promise<void>((resolve) => (begin = resolve));
  await page.route('**/api/login/passkey/options/', async (route) => {
    await touched;
    await route.continue();
  });
  await leave();
  await page.goto('/settings');
  await page.getByRole('button', { name: t('Sign Out') }).click();
  await expect(page.getByLabel(t('Username'))).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(page.getByRole('button', { name: t('Sign in with a passkey') })).toBeVisible();
  // As if the user chose the suggestion.
  await touch();
  begin();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('names that are taken are refused before the device keeps a passkey', async ({ browser, server }) => {
  const name = uniqueName('taken');
  const { page, devtools, authenticatorId, leave } = await open(browser, server);
  await register(page, name);
  await leave();
  await signOut(page);
  await page.goto('/register');
  await page.getByRole('button', { name: 'Create a passkey instead of a password' }).click();
  await page.getByLabel('Username').fill(name.toUpperCase());
  await page.getByLabel('Email address').fill('new@example.org');
  await page.getByRole('button', { name: 'Create account with a passkey' }).click();
  await expect(page.getByText('This username is already taken')).toBeVisible();
  expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
});

test('a passkey replaces the current password, and later confirms who the user is', async ({
  browser,
  launch,
  smtp,
}) => {
  const server = await launch(mailSettings(smtp));
  const { page } = await open(browser, server, { colorScheme: 'dark' });
  await register(page, 'mira');
  await page.goto('/profile#passkeys');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await says(page, 'Passkey added.');
  expect((await lastOf(smtp, 1)).parsed.subject).toBe('A passkey was added to your HourShare account');

  // Changing the address takes the password or a passkey.
  await openSetting(page, 'Email and time zone');
  await page.getByLabel('Email address').fill('mira@new.example');
  const fields = page.getByRole('group', { name: 'Change email address' });
  await press(page, fields.getByRole('button', { name: 'Use a passkey instead' }));
  await expect(fields.getByText('Confirmed with a passkey.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText(/^Open the link sent to mira@new\.example before /)).toBeVisible();

  // Minutes later, changes that could lock someone out ask the user to confirm who they are.
  await server.advance(11 * 60_000);
  await page.getByRole('button', { name: /^Remove Chrome/ }).click();
  const removal = page.getByRole('alertdialog', { name: 'Remove this passkey?' });
  await removal.getByRole('button', { name: 'Remove passkey' }).click();
  const question = page.getByRole('alertdialog', { name: "Confirm that it's you" });
  await expect(question.getByLabel('Current password')).toBeFocused();
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
  await press(page, question.getByRole('button', { name: 'Use a passkey instead' }));
  await expect(removal).toBeHidden();
  await expect(page.getByText('You have no passkeys.')).toBeVisible();
  expect((await lastOf(smtp, 3)).parsed.subject).toBe('A passkey was removed from your HourShare account');
});

test('an account with only a passkey is deleted after using it', async ({ browser, launch }) => {
  const server = await launch();
  const { page, leave } = await open(browser, server);
  await page.goto('/register');
  await page.getByLabel('Username').fill('kim');
  await page.getByLabel('Email address').fill('kim@example.org');
  await page.getByRole('button', { name: 'Create a passkey instead of a password' }).click();
  await page.getByRole('button', { name: 'Create account with a passkey' }).click();
  await welcome(page, 'kim');
  await server.advance(11 * 60_000);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await expect(dialog.getByLabel('Current password')).toHaveCount(0);
  await press(page, dialog.getByRole('button', { name: 'Delete account' }));
  const question = page.getByRole('alertdialog', { name: "Confirm that it's you" });
  await expect(question).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await press(page, question.getByRole('button', { name: 'Use a passkey' }));
  await expect(page.getByText(/^Your account has been deleted/)).toBeVisible();

  // The device still has the passkey, which no longer works.
  await leave();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
});

test('a removed passkey is refused', async ({ browser, server }) => {
  const name = uniqueName('removed');
  const { page } = await open(browser, server);
  await withoutSuggestions(page);
  await register(page, name);
  await page.goto('/profile#passkeys');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: /^Remove Chrome/ }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByText('You have no passkeys.')).toBeVisible();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText("This passkey doesn't work here. Sign in another way.");
  await expectAccessible(page);
});

test('where passkeys cannot work they are not offered, and the profile says why', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-US' });
  const page = await context.newPage();
  const name = uniqueName('address');
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await register(page, name);
  await page.goto('/profile#passkeys');
  const reason = page.getByText('Passkeys need a server with a domain name and HTTPS.');
  await expect(reason).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  await expectAccessible(page);
  await signOut(page);
  await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
  await signIn(page, name, PASSWORD);
});
