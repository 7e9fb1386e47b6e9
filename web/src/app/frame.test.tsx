import type { Notice } from '@hourshare/contract/notifications';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../testing/fake-server.ts';
import { openApp, prepareApp } from '../testing/open-app.tsx';
import { anAsset, aShare, list, serveLists } from '../testing/records.ts';
import { followSignIn } from './follow-sign-in.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const describeLink = (link: HTMLElement) => [link.textContent, link.getAttribute('href')];
const noContent = () => ({ status: 204 });

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('page layout', () => {
  it('shows About, Sign in and Sign up, and no side panel, to a signed-out visitor', async () => {
    fakeServer(noContent);
    await openApp('/terms', { signedIn: false });
    await heading('Terms of service');
    const links = within(screen.getByRole('banner')).getAllByRole('link');
    expect(links.map(describeLink)).toEqual([
      ['HourShare', '/'],
      ['About', '/about'],
      ['Sign in', '/login'],
      ['Sign up', '/register'],
    ]);
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Notifications' })).toBeNull();
  });

  it('is not used on the landing page', async () => {
    fakeServer(noContent);
    await openApp('/', { signedIn: false });
    await heading('Share the plan. Pay for your hours.');
    expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('styles the two words of the wordmark differently', async () => {
    fakeServer(noContent);
    await openApp('/terms', { signedIn: false });
    const [mark] = await screen.findAllByRole('link', { name: 'HourShare' });
    const second = within(mark ?? document.body).getByText('Share');
    expect(second.parentElement?.textContent).toBe('HourShare');
    expect(second.className).toContain('text-accent-text');
  });

  it('shows a notifications button and a user menu that can sign out', async () => {
    fakeServer((request) => (request.method === 'GET' ? list() : { status: 204 }));
    const user = await openApp('/settings');
    await heading('Settings');
    const opens = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-haspopup');
    expect(['Notifications', 'Theme', 'User menu'].map(opens)).toEqual(['dialog', 'menu', 'menu']);
    await user.click(screen.getByRole('button', { name: 'User menu' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(describeLink)).toEqual([
      ['Your Profile', '/profile'],
      ['Settings', '/settings'],
      ['Sign out', null],
    ]);
    // Narrow screens have no room for these in the side panel.
    expect(screen.getByRole('group', { name: /^mira\s*Member\s*Quick Stats\s*Active Assets\s*0/ })).toBeTruthy();
    await user.click(screen.getByRole('menuitem', { name: 'Sign out' }));
    await heading('Sign in to HourShare');
    expect([window.location.pathname, localStorage.length]).toEqual(['/login', 0]);
  });

  it('opens the notifications of a phone as a dialog that fills the screen', async () => {
    fakeServer(() => list());
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: false } as MediaQueryList);
    const user = await openApp('/settings');
    await heading('Settings');
    await user.click(screen.getByRole('button', { name: 'Notifications' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Notifications' }));
    expect(await sheet.findByText("You're all caught up.")).toBeTruthy();
    await user.click(sheet.getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  const aNotice = (change: Partial<Notice> = {}): Notice => ({
    id: 5,
    kind: 'access_offered',
    created_at: new Date().toISOString(),
    read: false,
    text: 'ben shared Figma with you',
    detail: '20 h a month',
    path: '/shared?share=7&tab=usage',
    actor: 'ben',
    actor_hue: 1,
    asset_name: 'Figma',
    ...change,
  });
  const noticeList = (...results: Notice[]) => ({
    status: 200,
    json: { results, next: null, unread: results.filter(({ read }) => !read).length },
  });

  it('lists notifications that lead to what they are about, and marks them as read when opened', async () => {
    const received = fakeServer(({ method, path }) => {
      if (path.startsWith('/api/notifications/?'))
        return noticeList(aNotice(), aNotice({ id: 4, read: true, text: 'old' }));
      if (method === 'POST') return noContent();
      return path === '/api/shared-assets/' ? list(aShare()) : list();
    });
    const user = await openApp('/settings');
    await heading('Settings');
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
    const today = within(await screen.findByRole('region', { name: 'Today' }));
    expect(today.getAllByRole('link')).toEqual([
      today.getByRole('link', { name: /^Unread: ben shared Figma with you/ }),
      today.getByRole('link', { name: /^old/ }),
    ]);
    await user.click(today.getByRole('link', { name: /ben shared Figma with you/ }));
    expect(await screen.findByRole('dialog', { name: /Figma/ })).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull();
    expect(received.find(({ path }) => path === '/api/notifications/read/')?.body).toEqual({ ids: [5] });
  });

  it('marks all notifications as read, and undoes that if it fails', async () => {
    fakeServer(({ method, path }) => {
      if (path.startsWith('/api/notifications/?')) return noticeList(aNotice());
      return method === 'POST' ? errorReply(500, 'internal', 'Broken.') : list();
    });
    const user = await openApp('/settings');
    await heading('Settings');
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    expect(await screen.findByText("Couldn't mark the notifications as read. Please try again.")).toBeTruthy();
    expect(await screen.findByText(/^Unread/)).toBeTruthy();
  });

  it('loads notifications again after a failure', async () => {
    let works = false;
    fakeServer(({ path }) => {
      if (!path.startsWith('/api/notifications/?')) return list();
      return works ? noticeList(aNotice()) : errorReply(500, 'internal', 'Something went wrong on the server.');
    });
    const user = await openApp('/settings');
    await heading('Settings');
    await user.click(screen.getByRole('button', { name: 'Notifications' }));
    await screen.findByText("Couldn't load notifications.");
    works = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: /ben shared Figma/ })).toBeTruthy();
  });

  it('links six pages from the side panel and shows the signed-in user', async () => {
    fakeServer(serveLists({}));
    await openApp('/settings');
    const panel = within(await screen.findByRole('complementary', { name: 'Side panel' }));
    expect(
      panel.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
    ).toEqual([
      ['Dashboard', '/dashboard'],
      ['My Assets', '/assets'],
      ['Shared With Me', '/shared'],
      ['Analytics', '/analytics'],
      ['Costs', '/costs'],
      ['Settings', '/settings'],
    ]);
    expect(panel.getByText('mira').parentElement?.textContent).toBe('miraMember');
    expect(panel.getByText('M')).toBeTruthy();
  });

  it('links five pages from the bottom bar, without the settings', async () => {
    fakeServer(serveLists({}));
    await openApp('/settings');
    const [, bar] = await screen.findAllByRole('navigation', { name: 'Main' });
    expect(
      within(bar ?? document.body)
        .getAllByRole('link')
        .map(describeLink),
    ).toEqual([
      ['Dashboard', '/dashboard'],
      ['Assets', '/assets'],
      ['Shared', '/shared'],
      ['Analytics', '/analytics'],
      ['Costs', '/costs'],
    ]);
  });

  it('shows asset counts in the side panel, and spinners while they load', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const lists = serveLists({ assets: [anAsset(), anAsset({ id: 4, name: 'Music' })], shares: [aShare()] });
    fakeServer(async (request) => {
      await held;
      return lists(request);
    });
    await openApp('/settings');
    const stats = within(await screen.findByRole('region', { name: 'Quick Stats' }));
    expect(stats.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
      'Loading Active Assets',
      'Loading Shared Assets',
    ]);
    answer();
    await waitFor(() => expect(stats.getByText('Active Assets').nextElementSibling?.textContent).toBe('2'));
    expect(stats.getByText('Shared Assets').nextElementSibling?.textContent).toBe('1');
    expect(stats.queryByRole('status')).toBeNull();
  });
});

describe('static pages', () => {
  it.each([
    ['/terms', 'Terms of service', true],
    ['/privacy', 'Privacy policy', true],
    ['/about', 'About HourShare', false],
  ])('links %s to the home page and other pages to About', async (address, title, toAbout) => {
    fakeServer(() => ({ status: 200, json: { contact: null } }));
    await openApp(address, { signedIn: false });
    await heading(title);
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
    const about = main.queryByRole('link', { name: /About/ });
    expect(about?.getAttribute('href')).toBe(toAbout ? '/about' : undefined);
  });

  it('link the open-source licenses as a plain file', async () => {
    fakeServer(() => ({ status: 200, json: { contact: null } }));
    await openApp('/about', { signedIn: false });
    const link = await screen.findByRole('link', { name: 'Open-source licenses' });
    expect(link.getAttribute('href')).toBe('/licenses.txt');
  });

  it('state that the service is not for children', async () => {
    fakeServer(noContent);
    await openApp('/privacy', { signedIn: false });
    expect(await screen.findByText('HourShare is not directed to children under 13.')).toBeTruthy();
  });
});

describe.each([
  {
    address: '/login',
    title: 'Sign in to HourShare',
    fields: ['Username text', 'Password password'],
    button: 'Sign in',
    links: [
      ['Forgot your password?', '/forgot-password'],
      ['Sign up', '/register'],
      ['terms', '/terms'],
      ['privacy policy', '/privacy'],
    ],
  },
  {
    address: '/register',
    title: 'Create your account',
    fields: ['Username text', 'Email address email', 'Password password', 'Confirm password password'],
    button: 'Create account',
    links: [
      ['Sign in', '/login'],
      ['terms', '/terms'],
      ['privacy policy', '/privacy'],
    ],
  },
])('$address', ({ address, title, fields, button, links }) => {
  it('shows its fields, button and links', async () => {
    fakeServer(noContent);
    await openApp(address, { signedIn: false });
    await heading(title);
    const main = screen.getByRole('main');
    const inputs = Array.from(main.querySelectorAll('input'));
    expect(inputs.map((input) => `${input.labels?.[0]?.textContent} ${input.type}`)).toEqual(fields);
    expect(within(main).getByRole('button', { name: button })).toBeTruthy();
    expect(within(main).getAllByRole('link').map(describeLink)).toEqual(links);
  });

  it('explains that Google and GitHub sign-in are not set up', async () => {
    const about = { registration: 'open', passkey_origin: null, providers: [] };
    const received = fakeServer(({ path }) => (path === '/api/about/' ? { status: 200, json: about } : noContent()));
    const user = await openApp(address, { signedIn: false });
    await heading(title);
    await waitFor(() => expect(received).not.toEqual([]));
    for (const provider of ['Google', 'GitHub']) {
      await user.click(screen.getByRole('button', { name: provider }));
      expect(screen.getByRole('status').textContent).toBe(`${provider} sign-in isn't set up on this server.`);
    }
    // Only whether there is registration, for the links to it.
    const calls = received.filter(({ path }) => path !== '/api/about/');
    expect([window.location.pathname, calls]).toEqual([address, []]);
  });
});
