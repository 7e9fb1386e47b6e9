import type { AdministeredAccount, Administration } from '@hourshare/contract/administration';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aUser, errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const anAccount = (change: Partial<AdministeredAccount> = {}): AdministeredAccount => ({
  id: 7,
  username: 'ben',
  created_on: '2024-05-06',
  last_used_on: null,
  assets: 2,
  disabled: false,
  administrator: false,
  ...change,
});

const aState = (change: Partial<Administration> = {}): Administration => ({
  registration: 'invited',
  registration_set: false,
  mail: true,
  backups: { folder: true, made_at: null, failing_since: null },
  jobs: [
    { name: 'send mail', every_seconds: 2, last_run_at: null, last_success_at: null, failing: false },
    {
      name: 'delete old notices',
      every_seconds: 3600,
      last_run_at: '2024-05-06T08:00:00.000Z',
      last_success_at: null,
      failing: true,
    },
  ],
  versions: { hourshare: '1.2.3', node: '24.1.0', database: 'PostgreSQL 17.2', migration: '0001-first' },
  ...change,
});

interface Served {
  state?: Partial<Administration>;
  accounts?: AdministeredAccount[];
  twoStep?: boolean;
  answer?: (request: Received) => { status: number; json?: unknown } | undefined;
}

/** Opens the page as an administrator. Returns the user and the requests that changed something. */
async function open({ state, accounts = [anAccount()], twoStep = true, answer }: Served = {}) {
  const lists = serveLists({});
  const received = fakeServer((request) => {
    const other = answer?.(request);
    if (other) return other;
    if (request.path === '/api/me/') return { status: 200, json: { ...aUser, two_step: twoStep, administrator: true } };
    if (request.path === '/api/administration/') return { status: 200, json: aState(state) };
    if (request.path.startsWith('/api/administration/accounts/?'))
      return { status: 200, json: { results: accounts, next: null } };
    return lists(request);
  });
  const user = await openApp('/administration');
  await screen.findByRole('heading', { level: 1, name: 'Administration' });
  return { user, changes: () => received.filter(({ method }) => method !== 'GET') };
}

const region = (name: string) => screen.findByRole('region', { name });

it('the administration page is a 404 for everyone else', async () => {
  const lists = serveLists({});
  fakeServer((request) =>
    request.path.startsWith('/api/administration/') ? errorReply(404, 'not_found', 'Not found.') : lists(request),
  );
  const user = await openApp('/administration');
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.queryByText('Administration')).toBeNull();
  await user.click(screen.getByRole('button', { name: /User menu|mira/ }));
  await screen.findByRole('menuitem', { name: 'Settings' });
  expect(screen.queryByRole('menuitem', { name: 'Administration' })).toBeNull();
});

it('the administration page is in the menu of administrators', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: /User menu|mira/ }));
  expect(await screen.findByRole('menuitem', { name: 'Administration' })).toBeTruthy();
});

it('says how the server is, failing jobs first', async () => {
  await open({ state: { backups: { folder: false, made_at: null, failing_since: '2024-05-06T08:00:00.000Z' } } });
  const server = within(await region('Server'));
  expect(server.getByText(/^1 job is failing\./)).toBeTruthy();
  expect(server.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^delete old noticesFailed /),
    'send mailNot yet',
  ]);
  expect(server.getByText(/^Daily backups have failed since /)).toBeTruthy();
  expect(server.queryByRole('button', { name: 'Back up now' })).toBeNull();
  expect(server.getByText(/HourShare 1\.2\.3 · Node\.js 24\.1\.0 · PostgreSQL 17\.2 · 0001-first/)).toBeTruthy();
});

it('changes nothing without two-step sign-in, and says where to turn it on', async () => {
  await open({ twoStep: false });
  const link = await screen.findByRole('link', { name: 'turn on two-step sign-in' });
  expect(link.getAttribute('href')).toBe('/profile');
  for (const name of ['Create link', 'Send test message', 'Back up now'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  expect(screen.queryByRole('radio')).toBeNull();
});

it('searches accounts, says that there are none, and shows what is known of one', async () => {
  const { user } = await open({
    answer: ({ path }) =>
      path.includes('search=zoe') ? { status: 200, json: { results: [], next: null } } : undefined,
  });
  const accounts = within(await region('Accounts'));
  expect((await accounts.findByRole('listitem')).textContent).toContain(
    'Created May 6, 2024 · Not signed in · 2 assets',
  );
  await user.type(accounts.getByLabelText('Search usernames'), 'zoe');
  expect(await accounts.findByText('Nothing here matches “zoe”.')).toBeTruthy();
});

it('offers to try again if accounts or the server could not be loaded', async () => {
  const failing = new Set(['/api/administration/', '/api/administration/accounts/']);
  const { user } = await open({
    answer: ({ path }) => (failing.has(path.split('?')[0] ?? '') ? errorReply(500, 'internal', 'Broken.') : undefined),
  });
  failing.delete('/api/administration/');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect((await screen.findByText("Couldn't load the accounts.")).closest('[role=alert]')).toBeTruthy();
  failing.clear();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Manage ben' })).toBeTruthy();
});

it('disables an account in a dialog that says what happens', async () => {
  let account = anAccount();
  const { user, changes } = await open({
    answer: ({ method, path }) => {
      if (method === 'PATCH') account = anAccount({ disabled: true });
      if (path.startsWith('/api/administration/accounts/?'))
        return { status: 200, json: { results: [account], next: null } };
      return method === 'PATCH' ? { status: 200, json: account } : undefined;
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Manage ben' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'ben' }));
  expect(dialog.getByText(/^Signs this person out everywhere/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Disable' }));
  await dialog.findByRole('button', { name: 'Enable' });
  expect(dialog.queryByRole('button', { name: 'Create reset link' })).toBeNull();
  expect(changes()).toMatchObject([{ path: '/api/administration/accounts/7/', body: { disabled: true } }]);
});

it('leaves accounts of administrators to commands', async () => {
  const { user } = await open({ accounts: [anAccount({ administrator: true })] });
  await user.click(await screen.findByRole('button', { name: 'Manage ben' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'ben' }));
  expect(dialog.getByText(/only on the server's command line/)).toBeTruthy();
  expect(dialog.getAllByRole('button')).toHaveLength(1);
});

it('shows links once they are made, and why a test message was refused', async () => {
  const expires_at = '2030-01-01T00:00:00.000Z';
  const { user } = await open({
    answer: ({ method, path }) => {
      if (method !== 'POST') return undefined;
      if (path.endsWith('/test-mail/')) return { status: 200, json: { problem: '550 no such user' } };
      return { status: 201, json: { link: `http://localhost${path}#token`, expires_at } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create link' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toContain('/invitations/#token');
  await user.click(screen.getByRole('button', { name: 'Send test message' }));
  expect(await screen.findByText('550 no such user')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Manage ben' }));
  await user.click(await screen.findByRole('button', { name: 'Create reset link' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Reset link')).value).toContain('/reset-link/#token');
});

it('chooses who can create an account', async () => {
  const { user, changes } = await open({
    answer: ({ method }) =>
      method === 'PATCH' ? { status: 200, json: aState({ registration: 'closed' }) } : undefined,
  });
  await user.click(await screen.findByRole('radio', { name: 'No one' }));
  await waitFor(() => expect(changes()).toMatchObject([{ body: { registration: 'closed' } }]));
});

it('shows who can create an account if a setting decides', async () => {
  await open({ state: { registration: 'closed', registration_set: true } });
  expect(await screen.findByText(/^The setting REGISTRATION/)).toBeTruthy();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull();
});
