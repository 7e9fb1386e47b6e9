import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSignIn } from '../platform/auth/sign-in.ts';
import { aUser, errorReply, fakeServer, type Received } from '../testing/fake-server.ts';
import { openApp, prepareApp } from '../testing/open-app.tsx';
import { aShare } from '../testing/records.ts';
import { followSignIn } from './follow-sign-in.ts';

const broken = errorReply(400, 'malformed_request', 'Broken.');
const emptyList = { status: 200, json: { results: [], next: null } };
const noAssets = ({ method }: Received) => (method === 'GET' ? emptyList : { status: 204 });

const currentUrl = () => window.location.pathname + window.location.search;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('access to pages', () => {
  it.each(['/dashboard', '/assets', '/shared', '/analytics', '/costs', '/settings', '/profile', '/administration'])(
    'redirects a signed-out visitor from %s to the login page',
    async (address) => {
      fakeServer(() => emptyList);
      await openApp(address, { signedIn: false });
      expect(await heading('Sign in to HourShare')).toBeTruthy();
      expect(currentUrl()).toBe('/login');
    },
  );

  it.each(['/', '/login', '/register'])('redirects a signed-in visitor from %s to the dashboard', async (address) => {
    fakeServer(noAssets);
    await openApp(address);
    expect(await heading('Welcome back, mira!')).toBeTruthy();
    expect(currentUrl()).toBe('/dashboard');
  });

  it('leads from the landing page to the sign-in, if the server has none', async () => {
    const about = { contact: null, registration: 'closed', landing: false, mail: false, passkey_origin: null };
    fakeServer(() => ({ status: 200, json: { ...about, providers: [] } }));
    const user = await openApp('/login', { signedIn: false });
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull());
    await user.click(screen.getByRole('link', { name: 'HourShare' }));
    expect(await heading('Sign in to HourShare')).toBeTruthy();
    expect(currentUrl()).toBe('/login');
  });

  it('returns to the same page when an expired sign-in is renewed', async () => {
    fakeServer((request) =>
      request.path === '/api/login/'
        ? { status: 200, json: { access: 'a', refresh: 'r', user: aUser } }
        : noAssets(request),
    );
    await openApp('/shared?share=8&tab=usage');
    await heading('Shared With Me');
    act(() => clearSignIn('expired'));
    await heading('Sign in to HourShare');
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Username'), 'mira');
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await heading('Shared With Me');
    expect(currentUrl()).toBe('/shared?share=8&tab=usage');
  });

  it('shows the 404 page inside the layout for an unknown address', async () => {
    fakeServer(noAssets);
    await openApp('/no/such/page', { signedIn: false });
    expect(await heading('Page not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
  });
});

describe('a list that fails to load', () => {
  it.each([
    ['/dashboard', 'Failed to load dashboard data'],
    ['/assets', 'Failed to load assets data'],
    ['/shared', 'Failed to load shared assets data'],
    ['/analytics', 'Failed to load shared assets'],
  ])('shows an error on %s and retries in place', async (address, sentence) => {
    let reply: typeof broken | typeof emptyList = broken;
    fakeServer(() => reply);
    await openApp(address);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(sentence);
    reply = emptyList;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});

describe('an empty list', () => {
  it.each([
    ['/assets', 'No Assets Yet'],
    ['/shared', 'No Shared Assets'],
    ['/analytics', 'No Shared Assets Available'],
  ])('shows an empty state on %s', async (address, title) => {
    fakeServer(noAssets);
    await openApp(address);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });
});

describe('the analytics page', () => {
  it('selects the first asset and shows no data when its analytics fail', async () => {
    const received = fakeServer(({ path }) =>
      path === '/api/shared-assets/'
        ? { status: 200, json: { results: [aShare()], next: null } }
        : path === '/api/assets/'
          ? emptyList
          : broken,
    );
    await openApp('/analytics');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to load analytics data. Please try again later.');
    expect(screen.getByRole('option', { name: 'Figma (owned by ben)' })).toBeTruthy();
    expect(received.some(({ path }) => path === '/api/shared-assets/7/analytics/')).toBe(true);
    expect(screen.queryByText('Total Allocation')).toBeNull();
  });
});

describe('signing out on the settings page', () => {
  it('shows a busy button, then the login page with nothing left in storage', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    fakeServer(async (request) => {
      if (request.path === '/api/logout/') await held;
      return noAssets(request);
    });
    await openApp('/settings');
    await heading('Settings');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Sign Out' }));
    const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Signing out...' });
    expect(busy.disabled).toBe(true);
    answer();
    await heading('Sign in to HourShare');
    expect([currentUrl(), localStorage.length]).toEqual(['/login', 0]);
  });

  it('shows an error when local storage cannot be cleared', async () => {
    fakeServer(noAssets);
    await openApp('/settings');
    await heading('Settings');
    const removeItem = () => {
      throw new Error('storage is broken');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, removeItem });
    await userEvent.setup().click(screen.getByRole('button', { name: 'Sign Out' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to logout. Please try again.');
  });
});
