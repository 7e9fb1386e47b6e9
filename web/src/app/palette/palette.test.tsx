import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, aShare, aStatement, bensLine, list, aBalance, aCharge } from '../../testing/records.ts';

// Loaded first, because a busy machine takes longer for it than a test waits.
beforeAll(async () => void (await Promise.all([import('./palette.tsx'), import('./keys-dialog.tsx')])));
beforeEach(prepareApp);
afterEach(() => {
  cleanup();
  delete document.documentElement.dataset['theme'];
});

const balance = aBalance({ lines: [aCharge({ id: 8 })] });

const figma = aShare();
const chess = aShare({ id: 8, asset_name: 'Chess', current_usage: 25, usage_this_month: 25 });
const closed = aStatement({ month: '2026-10', closed: true, lines: [bensLine({ id: 1, status: 'paid' })] });

interface Household {
  running?: boolean;
  start?: object;
  charges?: typeof balance;
}

function serve({ running = false, start = {}, charges = balance }: Household = {}) {
  const shares = [figma, running ? { ...chess, active_session: true, active_since: new Date().toISOString() } : chess];
  return fakeServer(({ method, path }: Received) => {
    if (method === 'POST') return { status: 500, ...start };
    if (path === '/api/assets/') return list(anAsset());
    if (path === '/api/shared-assets/') return list(...shares);
    if (path === '/api/balances/') return list(charges);
    if (path.startsWith('/api/statements/?month=')) return list(closed);
    return path === '/api/statements/' ? list() : { status: 404 };
  });
}

async function openPalette() {
  const user = await openApp('/settings');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = await screen.findByRole('dialog', { name: 'Search or jump to' });
  const input = within(dialog).getByRole('combobox', { name: 'Search or jump to' });
  await waitFor(() => expect(document.activeElement).toBe(input));
  return { user, dialog, input };
}

/** The text of the option that Enter runs, without its picture. */
function highlighted(input: HTMLElement): string {
  const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '');
  const shown = [...(option?.children ?? [])].filter((part) => !part.matches('[aria-hidden=true]'));
  return shown.map((part) => part.textContent).join(' ');
}

test('starts a session and says when that failed', async () => {
  const received = serve({ start: errorReply(404, 'not_found', 'Not found.') });
  const { user, input } = await openPalette();
  await user.keyboard('start fig');
  await waitFor(() => expect(highlighted(input)).toMatch(/^Start Session on Figma/));
  expect(highlighted(input)).toContain('5.5 h left');
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await screen.findByText(/^Failed to start session: /);
  expect(received.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/shared-assets/7/start/',
  ]);
});

test('offers to end the running session first', async () => {
  const session = { id: 4, asset_name: 'Chess', start_time: '2026-11-03T10:00:00Z', end_time: '2026-11-03T11:00:00Z' };
  const received = serve({ running: true, start: { status: 200, json: session } });
  const { user, input } = await openPalette();
  await waitFor(() => expect(highlighted(input)).toMatch(/^End Session on Chess/));
  await user.keyboard('{Enter}');
  await screen.findByText('Session ended: Chess');
  expect(received.find(({ method }) => method === 'POST')?.path).toBe('/api/shared-assets/8/end/');
});

test('shows over-use, statements and their status', async () => {
  serve();
  const { user, dialog } = await openPalette();
  await within(dialog).findByRole('option', { name: /^Start Session on Chess 5 h over/ });
  await user.keyboard('october');
  const option = await within(dialog).findByRole('option', { name: /^Films, October 2026 All paid/ });
  expect(within(dialog).getAllByRole('option')).toEqual([option]);
  expect(within(dialog).getByRole('group', { name: 'Statements' }).contains(option)).toBe(true);
  await user.keyboard('xyz');
  await within(dialog).findByText('No matches');
  expect(within(dialog).queryByRole('option')).toBeNull();
});

test('changes the theme and says so', async () => {
  serve();
  const { user, input } = await openPalette();
  await user.keyboard('dark');
  await waitFor(() => expect(highlighted(input)).toBe('Dark theme'));
  await user.keyboard('{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await screen.findByText('Switched to the dark theme.');
});

test('opens the settle dialog of a person', async () => {
  serve();
  const { user, input } = await openPalette();
  await user.keyboard('settle ben');
  await waitFor(() => expect(highlighted(input)).toMatch(/^Settle up with ben/));
  await user.keyboard('{Enter}');
  const sheet = await screen.findByRole('dialog', { name: 'Settle up with ben' });
  expect(screen.getAllByRole('dialog')).toEqual([sheet]);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('says that charges in both directions cancel out', async () => {
  const [theirs] = balance.lines;
  const lines = [theirs!, { ...theirs!, id: 9, direction: 'you_owe' as const }];
  serve({ charges: { ...balance, lines } });
  const { user, input } = await openPalette();
  await user.keyboard('settle ben');
  await waitFor(() => expect(highlighted(input)).toBe('Settle up with ben Cancels out'));
});

test('opens an asset in its dialog', async () => {
  serve();
  const { user, input } = await openPalette();
  await user.keyboard('films');
  await waitFor(() => expect(highlighted(input)).toMatch(/^Films/));
  await user.keyboard('{Enter}');
  await screen.findByRole('tab', { name: 'Details' });
  // Another dialog is open now.
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Close dialog' }));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("a held key opens nothing twice, and doesn't reach the browser", async () => {
  serve();
  const { dialog, input } = await openPalette();
  const held = { key: 'k', ctrlKey: true, repeat: true };
  // False where the default was prevented.
  expect(fireEvent.keyDown(input, held)).toBe(false);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  expect(fireEvent.keyDown(document.body, held)).toBe(false);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('closes with one Escape and returns the focus', async () => {
  serve();
  const user = await openApp('/settings');
  const button = await screen.findByRole('button', { name: 'Sign Out' });
  button.focus();
  await user.keyboard('{Control>}k{/Control}');
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.keyboard('co{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('the slash goes to the filter of a long list, and opens the palette elsewhere', async () => {
  const assets = ['Films', 'Café', 'Gym', 'Chess', 'Music', 'Car', 'Boat'].map((name, index) =>
    anAsset({ id: index + 1, name, subscription_cost: 10 + index, description: '' }),
  );
  fakeServer(({ path }) => (path === '/api/assets/' ? list(...assets) : list()));
  const user = await openApp('/assets');
  const main = within(screen.getByRole('main'));
  const names = () => main.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  const field = await main.findByRole('searchbox', { name: 'Filter by name, member or price' });
  await user.keyboard('/cafe/');
  expect(document.activeElement).toBe(field);
  expect(names()).toEqual(['Café']);
  expect(main.getByText('1 of 7 shown').role).toBe('status');
  await user.clear(field);
  await user.keyboard('13.00');
  expect(names()).toEqual(['Chess']);
  await user.keyboard('x');
  expect(main.queryAllByRole('heading', { level: 3 })).toEqual([]);
  await user.click(main.getByRole('button', { name: 'Clear filter' }));
  expect(names()).toHaveLength(7);
  expect(document.activeElement).toBe(field);

  await user.click(screen.getAllByRole('link', { name: 'Settings' })[0]!);
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await user.keyboard('/');
  await screen.findByRole('dialog', { name: 'Search or jump to' });
});

test('the question mark lists the keys, where single ones can be turned off', async () => {
  serve();
  const user = await openApp('/settings');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Use / and ?' }));
  await user.click(dialog.getByRole('button', { name: 'Close dialog' }));
  await user.keyboard('?');
  await user.click(screen.getByRole('button', { name: 'Search or jump to' }));
  const palette = await screen.findByRole('dialog', { name: 'Search or jump to' });
  await user.keyboard('keyboard{Enter}');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(palette.isConnected).toBe(false);
});
