import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, aStatement, list } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';
import { router } from '../router.tsx';

const films = anAsset({ subscription_cost: 20, shared_with: [anEntry(1, 'ben', 40)] });
const hour = 3_600_000;
// Noon here, so that the time typed below is none of the session's.
const now = new Date(2026, 10, 18, 12).getTime();
const session = {
  id: 5,
  asset_name: 'Figma',
  start_time: new Date(now - 2 * hour).toISOString(),
  end_time: new Date(now - hour).toISOString(),
  duration: 60,
};

/** Answers requests; a change waits for `before`. */
const serve = (before?: (request: Received) => Promise<void>) =>
  fakeServer(async (request) => {
    const { method, path } = request;
    if (method !== 'GET') await before?.(request);
    if (method === 'PATCH' && path === '/api/assets/3/') return { status: 200, json: films };
    if (method === 'DELETE' && path === '/api/assets/3/?bill=until_today') return { status: 204 };
    if (method === 'POST' && path === '/api/assets/') return { status: 201, json: anAsset({ id: 4, name: 'Music' }) };
    if (path === '/api/assets/3/share/') return { status: 201, json: films };
    if (path === '/api/assets/3/prices/' && method === 'POST') return list();
    if (path === '/api/me/') return { status: 200, json: { ...aUser, ...(request.body as object) } };
    if (path === '/api/me/password/' || path === '/api/logout/') return { status: 204 };
    if (method !== 'GET') return { status: 500 };
    if (path === '/api/assets/') return list(films);
    if (path === '/api/shared-assets/') return list(aShare());
    if (path === '/api/shared-assets/7/logs/') return list(session);
    if (path === '/api/assets/3/statements/') return list(aStatement());
    if (path === '/api/assets/3/prices/') return list({ from_month: '2026-06', subscription_cost: 18, open: true });
    return { status: 404 };
  });

async function open(address: string) {
  const received = serve();
  const user = await openApp(address);
  const dialog = within(await screen.findByRole('dialog', { name: /^(Add|Manage Asset:)/ }));
  return { user, dialog, received };
}

const question = () => screen.findByRole('alertdialog', { name: 'Discard changes?' });
const answer = async (user: UserEvent, button: 'Keep editing' | 'Discard') =>
  user.click(within(await question()).getByRole('button', { name: button }));
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

followSignIn();

beforeEach(prepareApp);
beforeEach(() => void vi.setSystemTime(now));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Types into a field of a tab, which some forms show only after a press on a button. */
const forms: [form: string, address: string, opener: RegExp | null, field: string, typed: string][] = [
  ['the details', '/assets?asset=3', null, 'Description', 'Living room'],
  ['the share form', '/assets?asset=3&tab=share', null, 'Username', 'zoe'],
  ["a member's hours", '/assets?asset=3&tab=share', /^Change ben's hours/, 'Hours a month for ben', '4'],
  ['the split', '/assets?asset=3&tab=costs&part=split', null, 'Your own hours', '3'],
  ['tried allowances', '/assets?asset=3&tab=costs&part=split', null, 'ben', '3'],
  ['a price', '/assets?asset=3&tab=costs&part=price', null, 'New monthly price', '25'],
  ['a session in the address', '/shared?share=7&tab=sessions&session=5', null, 'End', '10:07'],
  ['a session', '/shared?share=7&tab=sessions', /^Edit the session/, 'End', '10:07'],
];

describe.each(forms)('edits of %s', (_, address, opener, field, typed) => {
  it('survive another tab and Escape', async () => {
    const { user, dialog } = await open(address);
    if (opener) await user.click(await dialog.findByRole('button', { name: opener }));
    const input = await dialog.findByLabelText<HTMLInputElement>(field);
    await user.clear(input);
    await user.type(input, typed);
    const [tab] = dialog.getAllByRole('tab', { selected: true });
    if (!tab) throw new Error('No tab is selected');

    await user.click(dialog.getByRole('tab', { name: 'Usage' }));
    await waitFor(() => expect(dialog.getByRole('tab', { selected: true }).textContent).toBe('Usage'));
    await user.click(tab);
    await waitFor(() => expect(tab.getAttribute('aria-selected')).toBe('true'));
    expect(dialog.getByLabelText<HTMLInputElement>(field).value).toBe(typed);

    dialog.getByLabelText(field).focus();
    await user.keyboard('{Escape}');
    await answer(user, 'Keep editing');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(dialog.getByLabelText<HTMLInputElement>(field).value).toBe(typed);

    await user.keyboard('{Escape}');
    await answer(user, 'Discard');
    await expectClosed();
  });
});

describe('a dialog with edits', () => {
  const edit = async () => {
    const opened = await open('/assets?asset=3');
    await opened.user.type(opened.dialog.getByLabelText('Description'), '!');
    return opened;
  };

  it.each(['Close', 'Close dialog'])('asks when closed with %s', async (button) => {
    const { user, dialog } = await edit();
    await user.click(dialog.getByRole('button', { name: button }));
    await answer(user, 'Keep editing');
    expect(window.location.search).toContain('asset=3');
    await user.click(dialog.getByRole('button', { name: button }));
    await answer(user, 'Discard');
    await expectClosed();
  });

  it('asks before the browser goes back, and stays at its address', async () => {
    serve();
    const user = await openApp('/assets');
    await user.click(await screen.findByRole('button', { name: 'Manage' }));
    await user.type(await screen.findByLabelText('Description'), '!');
    router.history.back();
    await answer(user, 'Keep editing');
    await waitFor(() => expect(window.location.search).toContain('asset=3'));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('For the living room!');
    router.history.back();
    await answer(user, 'Discard');
    await expectClosed();
  });

  it('makes the browser ask before a reload, but not once they are undone', async () => {
    const { user, dialog } = await edit();
    const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave()).toBe(true);
    await user.type(dialog.getByLabelText('Description'), '{Backspace}');
    expect(leave()).toBe(false);
    await user.keyboard('{Escape}');
    await expectClosed();
  });

  it('closes without a question once saved or deleted', async () => {
    const saved = await edit();
    await saved.user.click(saved.dialog.getByRole('button', { name: 'Save Changes' }));
    await expectClosed();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    cleanup();
    prepareApp();
    const deleted = await edit();
    await deleted.user.click(deleted.dialog.getByRole('button', { name: 'Delete' }));
    await deleted.user.click(await screen.findByRole('button', { name: 'Continue' }));
    await deleted.user.click(await screen.findByRole('button', { name: 'Delete asset' }));
    await expectClosed();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

it('asks nothing once tried allowances are back to what they were', async () => {
  const { user, dialog } = await open('/assets?asset=3&tab=costs&part=split');
  const field = await dialog.findByLabelText('ben');
  await user.type(field, '5');
  expect(dialog.getByText('Unsaved changes.')).toBeTruthy();
  await user.type(field, '{Backspace}');
  expect(dialog.getByText('All changes saved')).toBeTruthy();
  await user.keyboard('{Escape}');
  await expectClosed();
});

it('asks before the Add New Asset dialog loses what was typed, and not after it is saved', async () => {
  const { user, dialog } = await open('/assets?add=true');
  await user.type(dialog.getByLabelText('Asset Name'), 'Music');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await answer(user, 'Keep editing');
  await user.type(dialog.getByLabelText('Monthly Subscription Cost ($)'), '5');
  await user.click(dialog.getByRole('button', { name: 'Create Asset' }));
  await expectClosed();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it.each([
  ['Email address', 'account'],
  ['Current password', 'password'],
  ['New password', 'password'],
])('asks before the profile page loses the %s', async (name, row) => {
  serve();
  const user = await openApp(`/profile#${row}`);
  await user.type(await screen.findByLabelText(name), 'long enough');
  await user.click(screen.getAllByRole('link', { name: 'My Assets' })[0] as HTMLElement);
  await answer(user, 'Keep editing');
  expect(window.location.pathname).toBe('/profile');
  await user.click(screen.getAllByRole('link', { name: 'My Assets' })[0] as HTMLElement);
  await answer(user, 'Discard');
  await waitFor(() => expect(window.location.pathname).toBe('/assets'));
});

it('asks before a sign-out loses edits', async () => {
  const received = serve();
  const user = await openApp('/profile#password');
  await user.type(await screen.findByLabelText('New password'), 'long enough');
  const signOut = async () => {
    await user.click(screen.getByRole('button', { name: 'User menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  };
  await signOut();
  await answer(user, 'Keep editing');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('long enough');
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(received.map(({ path }) => path)).not.toContain('/api/logout/');
  await signOut();
  await answer(user, 'Discard');
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
});

describe('during a save', () => {
  /** Delays every change until it is released. */
  function hold() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const received = serve(() => released);
    const sent = () => received.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/split-preview/'));
    return { sent, release: () => act(async () => release()) };
  }

  it('closing waits for it, and happens once', async () => {
    const { sent, release } = hold();
    const user = await openApp('/assets');
    await user.click(await screen.findByRole('button', { name: 'Manage' }));
    await user.type(await screen.findByLabelText('Description'), '!');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.keyboard('{Escape}');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await release();
    await expectClosed();
    expect(window.location.pathname + window.location.search).toBe('/assets');
  });

  /**
   * A form: what is typed first, the button that saves it, and what its fields contain at the end, after more was typed
   * into the first.
   */
  const slowForms: [form: string, address: string, typed: Record<string, string>, button: string, after: string[]][] = [
    ['the details', '/assets?asset=3', { Description: 'Den' }, 'Save Changes', ['Den!']],
    ['the split', '/assets?asset=3&tab=costs&part=split', { 'Your own hours': '3' }, 'Save Changes', ['34']],
    ['a price', '/assets?asset=3&tab=costs&part=price', { 'New monthly price': '2' }, 'Save Changes', ['25']],
    [
      'the share form',
      '/assets?asset=3&tab=share',
      { Username: 'zo', 'Monthly Hours': '4' },
      'Share Asset',
      ['zoe', ''],
    ],
    ["a member's hours", '/assets?asset=3&tab=share', { 'Hours a month for ben': '4' }, 'Save', ['45']],
    [
      'the profile',
      '/profile#account',
      { 'Email address': 'm@example.org', 'Current password': 'long enough' },
      'Save Changes',
      ['m@example.orgs', ''],
    ],
    [
      'the password',
      '/profile#password',
      { 'New password': 'long enough 2', 'Current password': 'long enough', 'Confirm new password': 'long enough 2' },
      'Change password',
      ['long enough 2!', '', ''],
    ],
  ];

  it.each(slowForms)('what is typed into %s stays', async (_, address, typed, button, after) => {
    const { sent, release } = hold();
    const user = await openApp(address);
    if (button === 'Save') await user.click(await screen.findByRole('button', { name: /^Change ben's hours/ }));
    const labels = Object.keys(typed);
    // The profile page has two fields for the current password.
    const field = async (label: string) =>
      (await screen.findAllByLabelText<HTMLInputElement>(label))[0] as HTMLInputElement;
    for (const [label, text] of Object.entries(typed)) {
      const input = await field(label);
      await user.clear(input);
      await user.type(input, text);
    }
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    const [first = ''] = labels;
    await user.type(await field(first), after[0]?.slice(typed[first]?.length) ?? '');
    await release();
    const values = () => Promise.all(labels.map(async (label) => (await field(label)).value));
    await waitFor(async () => expect(await values()).toEqual(after));
    // It wasn't sent, and is still an edit.
    expect(sent()).toHaveLength(1);
    expect(JSON.stringify(sent()[0]?.body)).not.toContain(after[0]);
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  });
});
