// Every screen and every state that it can be in, in the order of the contact sheet.

/**
 * @typedef {object} Household the addresses of screens, by name
 * @property {(name: string) => string} asset the address of its owner's dialog on an asset, without its tab
 * @property {(person: string, name: string) => string} share the address of a member's dialog on a share, without its tab
 */

/**
 * @typedef {object} Screen
 * @property {string} name of the pictures
 * @property {string} [as] who is signed in; no one by default
 * @property {string} path
 * @property {(page: import('@playwright/test').Page) => Promise<unknown>} [act] what they do there before the picture
 * @property {Record<string, 'fails' | 'hangs'>} [calls] what the server does not answer, by the end of its path
 */

/** @typedef {import('@playwright/test').Page} Page */

/** @param {string} name */
const press = (name) => (/** @type {Page} */ page) => page.getByRole('button', { name }).first().click();

const openCovered = (/** @type {Page} */ page) => page.getByText('What it covers').click();

const openReplay = (/** @type {Page} */ page) =>
  page.getByRole('heading', { name: 'What if, last year?' }).first().click();

/** @param {string} option of the comparison */
const choose = (option) => (/** @type {Page} */ page) =>
  page.getByLabel('Compare with').first().selectOption({ label: option });

/** @param {string} name of what a menu offers */
const pressItem = (name) => (/** @type {Page} */ page) => page.getByRole('menuitem', { name }).click();

/** @param {Record<string, string>} values */
const fill = (values) => async (/** @type {Page} */ page) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
};

/** @param {((page: Page) => Promise<unknown>)[]} steps */
const inTurn =
  (...steps) =>
  async (/** @type {Page} */ page) => {
    for (const step of steps) await step(page);
  };

const wait = (/** @type {string} */ text) => (/** @type {Page} */ page) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

const key = (/** @type {string} */ keys) => (/** @type {Page} */ page) => page.keyboard.press(keys);

const openTab = (/** @type {string} */ name) => (/** @type {Page} */ page) => page.getByRole('tab', { name }).click();

/** Any language's name of a currency may be typed. @param {string} currency */
const chooseCurrency = (currency) => async (/** @type {Page} */ page) => {
  await page.getByRole('combobox', { name: 'Currency' }).fill(currency);
  await page.getByRole('option').first().click();
};

const waitForRole = (/** @type {'alert' | 'dialog' | 'option'} */ role) => (/** @type {Page} */ page) =>
  page.getByRole(role).first().waitFor();

const goOffline = (/** @type {Page} */ page) => page.context().setOffline(true);

/** The page of one month of an asset, by the address of its owner's dialog. @param {string} asset @param {string} month */
const statement = (asset, month) => `${asset.replace('/assets?asset=', '/costs/')}/${month}`;

/**
 * Returns the addresses of assets and shares, which have numbers.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {Record<string, any>} signIns
 * @param {string} owner
 */
export async function addresses(call, signIns, owner) {
  const listOf = async (/** @type {string} */ path, /** @type {string} */ person) =>
    (await call('GET', path, { as: signIns[person].user.id })).results;
  const assets = await listOf('/api/assets/', owner);
  /** @type {Record<string, any[]>} */
  const shares = {};
  for (const person of Object.keys(signIns)) {
    shares[person] = await listOf('/api/shared-assets/', person);
    if (person !== owner) assets.push(...(await listOf('/api/assets/', person)));
  }
  return {
    asset: (/** @type {string} */ start) =>
      `/assets?asset=${assets.find((/** @type {any} */ { name }) => name.startsWith(start)).id}`,
    share: (/** @type {string} */ person, /** @type {string} */ start) =>
      `/shared?share=${shares[person]?.find(({ asset_name: name }) => name.startsWith(start)).id}`,
  };
}

/** @param {Household} household @returns {Screen[]} */
export const householdScreens = ({ asset, share }) => [
  { name: 'landing', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-errors', path: '/login', act: press('Sign in') },
  {
    name: 'login-refused',
    path: '/login',
    act: inTurn(
      fill({ Username: 'mira', Password: 'not my password' }),
      press('Sign in'),
      wait('Wrong username or password.'),
    ),
  },
  { name: 'login-provider', path: '/login', act: press('Google') },
  { name: 'register', path: '/register' },
  { name: 'register-errors', path: '/register', act: press('Create account') },
  {
    name: 'register-refused',
    path: '/register',
    act: inTurn(
      fill({ Username: 'mira', 'Email address': 'mira@example.net', Password: 'aaaaaaaa', 'Confirm password': 'a' }),
      press('Create account'),
      wait('Passwords do not match'),
    ),
  },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'about', path: '/about' },
  { name: 'terms', path: '/terms' },
  { name: 'privacy', path: '/privacy' },
  { name: 'not-found', path: '/nowhere' },

  { name: 'dashboard', as: 'mira', path: '/dashboard' },
  { name: 'dashboard-empty', as: 'emil', path: '/dashboard' },
  {
    name: 'dashboard-loading',
    as: 'mira',
    path: '/dashboard',
    calls: { '/api/assets/': 'hangs', '/api/shared-assets/': 'hangs' },
  },
  { name: 'dashboard-failed', as: 'mira', path: '/dashboard', calls: { '/api/assets/': 'fails' } },
  { name: 'dashboard-offline', as: 'mira', path: '/dashboard', act: inTurn(goOffline, wait('Offline')) },
  { name: 'menu-user', as: 'mira', path: '/dashboard', act: inTurn(press('User menu'), wait('Your Profile')) },
  {
    name: 'menu-notifications',
    as: 'mira',
    path: '/dashboard',
    act: inTurn(press('Notifications'), waitForRole('dialog')),
  },
  {
    name: 'session-refused',
    as: 'ana',
    path: '/shared',
    act: inTurn(press('Start Session'), waitForRole('alert')),
    calls: { '/start/': 'fails' },
  },
  { name: 'palette', as: 'mira', path: '/dashboard', act: inTurn(key('Control+k'), waitForRole('option')) },
  { name: 'keys', as: 'mira', path: '/dashboard', act: inTurn(key('?'), wait('Keyboard shortcuts')) },
  { name: 'assets', as: 'mira', path: '/assets' },
  { name: 'assets-long-name', as: 'ben', path: '/assets' },
  { name: 'assets-empty', as: 'emil', path: '/assets' },
  { name: 'costs', as: 'mira', path: '/costs' },
  { name: 'costs-person', as: 'mira', path: '/costs?person=dora' },
  { name: 'costs-settle', as: 'mira', path: '/costs', act: inTurn(press('Settle up'), openCovered) },
  {
    name: 'costs-settle-part',
    as: 'mira',
    path: '/costs',
    act: inTurn(press('Settle up'), press('Pay part of it')),
  },
  { name: 'costs-month', as: 'mira', path: '/costs', act: press('October 2026') },
  { name: 'costs-empty', as: 'emil', path: '/costs' },
  { name: 'statement', as: 'mira', path: statement(asset('Spotify'), '2026-10') },
  { name: 'statement-estimate', as: 'mira', path: statement(asset('Netflix'), '2026-11') },
  { name: 'statement-member', as: 'mira', path: statement(asset('Figma'), '2026-10') },
  { name: 'statement-alone', as: 'mira', path: statement(asset('Cloud'), '2026-10') },
  { name: 'statement-missing', as: 'mira', path: '/costs/999999/2026-10' },
  {
    name: 'statement-failed',
    as: 'mira',
    path: statement(asset('Spotify'), '2026-10'),
    calls: { '/statements/2026-10/': 'fails' },
  },
  { name: 'shared', as: 'mira', path: '/shared' },
  { name: 'shared-empty', as: 'emil', path: '/shared' },
  { name: 'shared-failed', as: 'mira', path: '/shared', calls: { '/api/shared-assets/': 'fails' } },
  { name: 'analytics', as: 'mira', path: share('mira', 'Figma').replace('/shared', '/analytics') },
  { name: 'analytics-owner', as: 'ana', path: '/analytics' },
  { name: 'analytics-owned', as: 'mira', path: '/analytics', act: openTab('Assets you own') },
  { name: 'analytics-over', as: 'mira', path: share('mira', 'Dropbox').replace('/shared', '/analytics') },
  { name: 'analytics-unused', as: 'ana', path: share('ana', 'Language').replace('/shared', '/analytics') },
  { name: 'analytics-empty', as: 'emil', path: '/analytics' },
  { name: 'analytics-failed', as: 'mira', path: '/analytics', calls: { '/analytics/': 'fails' } },
  { name: 'settings', as: 'mira', path: '/settings' },
  { name: 'profile', as: 'mira', path: '/profile' },
  { name: 'profile-zones', as: 'mira', path: '/profile#account', act: press('Show all: Time zone') },
  {
    name: 'profile-errors',
    as: 'mira',
    path: '/profile#account',
    act: inTurn(fill({ 'Email address': 'mira' }), press('Save Changes')),
  },
  { name: 'profile-payment', as: 'mira', path: '/profile#payment-details', act: press('Add a way to get paid') },
  { name: 'not-found-signed-in', as: 'mira', path: '/nowhere' },

  { name: 'add-asset', as: 'mira', path: '/assets?add=true' },
  { name: 'add-asset-errors', as: 'mira', path: '/assets?add=true', act: press('Create Asset') },
  {
    name: 'add-asset-yen',
    as: 'mira',
    path: '/assets?add=true',
    act: inTurn(chooseCurrency('JPY'), fill({ 'Asset Name': 'Anime' })),
  },
  { name: 'owner-details', as: 'mira', path: asset('Netflix') },
  {
    name: 'owner-unsaved',
    as: 'mira',
    path: asset('Netflix'),
    act: inTurn(fill({ 'Asset Name': 'Films' }), key('Escape'), wait('Keep editing')),
  },
  { name: 'owner-share', as: 'mira', path: `${asset('Netflix')}&tab=share` },
  { name: 'owner-share-none', as: 'mira', path: `${asset('Cloud')}&tab=share` },
  {
    name: 'owner-share-errors',
    as: 'mira',
    path: `${asset('Spotify')}&tab=share`,
    act: inTurn(
      fill({ Username: 'nobody', 'Monthly Hours': '5' }),
      press('Share Asset'),
      wait('not found'),
      press('Change'),
    ),
  },
  { name: 'owner-sessions', as: 'mira', path: `${asset('Strava')}&tab=sessions` },
  { name: 'owner-sessions-none', as: 'mira', path: `${asset('Cloud')}&tab=sessions` },
  { name: 'owner-analytics', as: 'mira', path: `${asset('Spotify')}&tab=analytics` },
  { name: 'owner-usage', as: 'mira', path: `${asset('Netflix')}&tab=usage` },
  { name: 'owner-costs', as: 'mira', path: `${asset('Spotify')}&tab=costs` },
  { name: 'owner-split', as: 'mira', path: `${asset('Spotify')}&tab=costs`, act: openTab('Split') },
  { name: 'owner-price', as: 'mira', path: `${asset('Spotify')}&tab=costs`, act: openTab('Price') },
  { name: 'owner-history', as: 'mira', path: `${asset('Spotify')}&tab=costs`, act: openTab('History') },
  { name: 'add-cost', as: 'mira', path: `${share('mira', 'Car')}&tab=costs`, act: press('Add a cost') },
  { name: 'renewals', as: 'mira', path: '/renewals' },
  { name: 'member-renewals', as: 'dora', path: '/renewals' },
  { name: 'replay', as: 'mira', path: '/renewals', act: inTurn(openReplay, choose('One seat fewer'), wait('Total')) },
  {
    name: 'member-replay',
    as: 'dora',
    path: '/renewals',
    act: inTurn(openReplay, fill({ 'Price of a month': '8', 'Hours included': '10' }), wait('Total')),
  },
  { name: 'owner-archived', as: 'mira', path: asset('Ski') },
  { name: 'owner-long-name', as: 'ben', path: asset('Donau') },
  { name: 'member-details', as: 'mira', path: `${share('mira', 'Figma')}&tab=details` },
  { name: 'member-sessions', as: 'mira', path: `${share('mira', 'Car')}&tab=sessions` },
  { name: 'member-session-edit', as: 'mira', path: `${share('mira', 'Car')}&tab=sessions`, act: press('Edit') },
  { name: 'member-sessions-none', as: 'ana', path: `${share('ana', 'Donau')}&tab=sessions` },
  { name: 'member-analytics', as: 'mira', path: `${share('mira', 'Car')}&tab=analytics` },
  { name: 'member-costs', as: 'mira', path: `${share('mira', 'Figma')}&tab=costs` },
  { name: 'member-usage-running', as: 'mira', path: share('mira', 'Figma') },
  { name: 'member-usage-idle', as: 'mira', path: share('mira', 'Car') },
  { name: 'member-usage-over', as: 'mira', path: share('mira', 'Dropbox') },
  { name: 'member-usage-offline', as: 'mira', path: share('mira', 'Figma'), act: goOffline },
  { name: 'unavailable', as: 'mira', path: '/assets?asset=999999' },
  {
    name: 'confirm-delete',
    as: 'mira',
    path: asset('Netflix'),
    act: inTurn(press('Delete'), press('Continue'), wait("This can't be undone")),
  },
  {
    name: 'confirm-remove-access',
    as: 'mira',
    path: `${asset('Netflix')}&tab=share`,
    act: inTurn(press('Options for'), pressItem('Remove access')),
  },
];

/** The same screens with extreme amounts of data. @param {Household} household @returns {Screen[]} */
export const extremeScreens = ({ asset, share }) => [
  { name: 'landing', path: '/' },
  { name: 'login-errors', path: '/login', act: press('Sign in') },
  { name: 'register', path: '/register' },
  { name: 'terms', path: '/terms' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'dashboard-nothing', as: 'nothing', path: '/dashboard' },
  { name: 'dashboard-one', as: 'one', path: '/dashboard' },
  { name: 'dashboard-twelve', as: 'twelve', path: '/dashboard' },
  { name: 'dashboard-most', as: 'most', path: '/dashboard' },
  { name: 'dashboard-offline', as: 'twelve', path: '/dashboard', act: goOffline },
  { name: 'dashboard-failed', as: 'twelve', path: '/dashboard', calls: { '/api/assets/': 'fails' } },
  { name: 'menu-user', as: 'most', path: '/settings', act: inTurn(press('User menu'), wait('Your Profile')) },
  { name: 'assets-nothing', as: 'nothing', path: '/assets' },
  { name: 'assets-one', as: 'one', path: '/assets' },
  { name: 'shared-nothing', as: 'nothing', path: '/shared' },
  { name: 'shared-most', as: 'most', path: '/shared' },
  { name: 'analytics-nothing', as: 'nothing', path: '/analytics' },
  { name: 'analytics-most', as: 'most', path: '/analytics' },
  { name: 'settings-most', as: 'most', path: '/settings' },
  { name: 'profile-most', as: 'most', path: '/profile' },
  { name: 'add-asset', as: 'most', path: '/assets?add=true', act: press('Create Asset') },
  { name: 'owner-details', as: 'most', path: asset('W') },
  { name: 'owner-share', as: 'most', path: `${asset('W')}&tab=share`, act: press('Change') },
  { name: 'owner-sessions', as: 'most', path: `${asset('W')}&tab=sessions` },
  { name: 'owner-analytics', as: 'most', path: `${asset('W')}&tab=analytics` },
  { name: 'statement-most', as: 'most', path: statement(asset('W'), '2026-11') },
  { name: 'owner-right-to-left', as: 'most', path: asset('اشتراك') },
  { name: 'confirm-delete', as: 'most', path: asset('W'), act: press('Delete') },
  {
    name: 'confirm-remove-access',
    as: 'most',
    path: `${asset('W')}&tab=share`,
    act: inTurn(press('Options for'), pressItem('Remove access')),
  },
  { name: 'member-usage', as: 'most', path: share('most', 'W') },
  { name: 'member-details', as: 'most', path: `${share('most', 'A sub')}&tab=details` },
  { name: 'member-right-to-left', as: 'most', path: `${share('most', 'اشتراك')}&tab=details` },
  { name: 'member-sessions', as: 'most', path: `${share('most', 'W')}&tab=sessions` },
];
