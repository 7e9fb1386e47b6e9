import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../platform/i18n/language.ts';
import { loadMessages } from '../../platform/i18n/messages.ts';
import { fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, list, serveLists } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

const SINCE = '2026-11-21T10:00:00.000Z';

const films = anAsset({ shared_with: [anEntry(1, 'ana', 40), anEntry(2, null, null)] });
const music = anAsset({ id: 4, name: 'Music', description: '', subscription_cost: 5 });
const shares = [aShare(), aShare({ id: 8, asset_name: 'Car', owner: 'ana', usage_this_month: 25 })];

const main = () => within(screen.getByRole('main'));
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const card = (name: string) => main().findByRole('listitem', { name });
const dialog = (name: RegExp | string) => screen.findByRole('dialog', { name });

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the dashboard', () => {
  it('greets the user and links three counts to their pages', async () => {
    fakeServer(serveLists({ assets: [films, music], shares: [aShare({ active_session: true, active_since: SINCE })] }));
    await openApp('/dashboard');
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Welcome back, mira!');
    expect(main().getByText(/^(?:Last day of|\d+ days? left in) \w+$/)).toBeTruthy();
    const shown = async (name: string, href: string) => {
      const link = await main().findByRole('link', { name });
      expect(link.getAttribute('href')).toBe(href);
      return link.closest('li')?.querySelector('p')?.textContent;
    };
    await card('Films');
    expect(await shown('Your Assets', '/assets')).toBe('2');
    expect(await shown('Shared With You', '/shared')).toBe('1');
    expect(await shown('Active Sessions', '/analytics')).toBe('1');
  });

  it('counts every page of a paginated list', async () => {
    const page = (next: string | null, ...results: object[]) => ({ status: 200, json: { results, next } });
    const running = aShare({ id: 9, asset_name: 'Gym', active_session: true, active_since: SINCE });
    const pages = new Map([
      ['/api/assets/', page('a b', films)],
      ['/api/assets/?cursor=a+b', page('c', music)],
      ['/api/assets/?cursor=c', page(null, anAsset({ id: 5, name: 'Gym', subscription_cost: 1 }))],
      ['/api/shared-assets/', page('d', ...shares)],
      ['/api/shared-assets/?cursor=d', page(null, running)],
    ]);
    const received = fakeServer(({ path }) => pages.get(path) ?? { status: 404 });
    await openApp('/dashboard');
    for (const name of ['Films', 'Music', 'Figma', 'Car']) await card(name);
    expect(await main().findAllByRole('listitem', { name: 'Gym' })).toHaveLength(2);
    const count = (name: string) => main().getByRole('link', { name }).closest('li')?.querySelector('p')?.textContent;
    expect(['Your Assets', 'Shared With You', 'Active Sessions'].map(count)).toEqual(['3', '3', '1']);
    const stats = within(await screen.findByRole('region', { name: 'Quick Stats' }));
    expect(stats.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['3', '3']);
    expect(received.filter(({ path }) => path.startsWith('/api/assets/'))).toHaveLength(3);
  });

  it('shows no items when a later page of the list fails to load', async () => {
    fakeServer(({ path }) =>
      path === '/api/assets/'
        ? { status: 200, json: { results: [films], next: 'c' } }
        : serveLists({ shares })({ path } as Received),
    );
    await openApp('/assets');
    expect(await screen.findByText('Failed to load assets data')).toBeTruthy();
    expect(screen.queryByRole('listitem', { name: 'Films' })).toBeNull();
  });

  it('shows no list as empty for JSON from a proxy or captive portal', async () => {
    fakeServer(({ path }) =>
      path === '/api/shared-assets/' || path === '/api/balances/'
        ? { status: 200, json: { status: 'starting' } }
        : serveLists({})({ path } as Received),
    );
    await openApp('/shared');
    expect(await screen.findByText('Failed to load shared assets data')).toBeTruthy();
    expect(screen.queryByText('No Shared Assets')).toBeNull();
  });

  it('updates the count of active sessions when Refresh is pressed', async () => {
    let running = false;
    fakeServer((request) =>
      serveLists({ shares: [aShare({ active_session: running, active_since: running ? SINCE : null })] })(request),
    );
    const user = await openApp('/dashboard');
    await card('Figma');
    const count = main().getByRole('link', { name: 'Active Sessions' }).closest('li')?.querySelector('p');
    expect(count?.textContent).toBe('None');
    running = true;
    await user.click(main().getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(count?.textContent).toBe('1'));
    expect(window.location.pathname).toBe('/dashboard');
  });

  it('reloads shared assets after an asset changed', async () => {
    const received = fakeServer((request) =>
      request.method === 'PATCH' ? { status: 200, json: films } : serveLists({ assets: [films], shares })(request),
    );
    const user = await openApp('/dashboard?asset=3&tab=details');
    await user.type(await screen.findByLabelText('Description'), '!');
    const reads = () => received.filter(({ path }) => path === '/api/shared-assets/').length;
    const before = reads();
    const started = Date.now();
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
    // Long before the list is polled.
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  it('shows owned assets with price and members, and a tile to add one', async () => {
    fakeServer(serveLists({ assets: [films, music] }));
    const user = await openApp('/dashboard');
    await card('Films');
    const cards = (await region('Your Assets')).getAllByRole('listitem', { name: /^(Films|Music)$/ });
    const [first, second] = cards.map((item) => within(item));
    for (const text of ['Films', 'For the living room', 'Owner', 'Shared with 2 users'])
      expect(first?.getByText(text)).toBeTruthy();
    expect(cards[0]?.textContent).toMatch(/\$22\.99\/mo(?!nth)/);
    expect(cards[1]?.textContent).toMatch(/\$5\.00\/mo(?!nth)/);
    expect(second?.getByText('Shared with 0 users')).toBeTruthy();
    expect((await region('Your Assets')).getByRole('button', { name: 'Add new asset' })).toBeTruthy();
    await user.click(main().getByRole('button', { name: 'Add New Asset' }));
    expect(await dialog('Add New Asset')).toBeTruthy();
  });

  it('shows shared assets with hours, a usage bar and a button to track usage', async () => {
    fakeServer(serveLists({ shares }));
    const user = await openApp('/dashboard');
    const figma = await card('Figma');
    expect((await region('Your Shared Assets')).getByRole('listitem', { name: 'Figma' })).toBe(figma);
    expect(within(figma).getByText('Shared')).toBeTruthy();
    expect(figma.textContent).toContain('Monthly: 20 hours');
    expect(figma.textContent).toContain('Used: 14.5 hours');
    expect(within(figma).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('73');
    expect(
      within(await card('Car'))
        .getByRole('progressbar')
        .getAttribute('aria-valuenow'),
    ).toBe('100');
    await user.click(within(figma).getByRole('button', { name: 'Track Usage' }));
    const opened = await dialog(/Figma/);
    expect(within(opened).getByRole('tab', { name: 'Usage' }).getAttribute('aria-selected')).toBe('true');
  });
});

describe('the My Assets page', () => {
  it('shows the count, a card per asset, and a tile to add one', async () => {
    fakeServer(serveLists({ assets: [films, music] }));
    const user = await openApp('/assets');
    const first = await card('Films');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('My Assets');
    expect(main().getByText('2 assets in total')).toBeTruthy();
    for (const text of ['Films', 'For the living room', 'Owner', 'Shared with 2 users', 'Manage'])
      expect(within(first).getByText(text)).toBeTruthy();
    expect(first.textContent).toMatch(/\$22\.99\/mo(?!nth)/);
    expect(first.parentElement?.lastElementChild?.textContent).toBe('Add new asset');
    expect(first.parentElement?.lastElementChild?.firstElementChild?.className).toContain('border-dashed');
    await user.click(within(first).getByRole('button', { name: 'Manage' }));
    expect(await dialog(/^Manage Asset: Films/)).toBeTruthy();
  });

  it('shows a long list in batches when it has loaded, and whole to those who return to it', async () => {
    const assets = Array.from({ length: 30 }, (_, index) => anAsset({ id: index + 1, name: `Asset ${index + 1}` }));
    fakeServer(serveLists({ assets }));
    const user = await openApp('/assets');
    const names = () => main().queryAllByRole('heading', { level: 3 });
    await main().findByRole('heading', { level: 3, name: 'Asset 1' });
    await waitFor(() => expect(names()).toHaveLength(30));
    await user.click(screen.getAllByRole('link', { name: 'Settings' })[0]!);
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    window.history.back();
    await main().findByRole('heading', { level: 3, name: 'Asset 1' });
    expect(names()).toHaveLength(30);
  });

  it('offers to add the first asset', async () => {
    fakeServer(serveLists({}));
    const user = await openApp('/assets');
    await screen.findByRole('heading', { name: 'No Assets Yet' });
    await user.click(screen.getByRole('button', { name: 'Add Your First Asset' }));
    expect(await dialog('Add New Asset')).toBeTruthy();
  });

  it('appends a new asset to the list and closes the dialog', async () => {
    const assets = [films];
    const received = fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets.push(music);
      return { status: 201, json: music };
    });
    const user = await openApp('/assets?add=true');
    await user.type(await screen.findByLabelText('Asset Name'), ' Music ');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5.50{Enter}');
    await card('Music');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(
      main()
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Films', 'Music']);
    const sent = received.find(({ method }: Received) => method === 'POST')?.body;
    expect(sent).toMatchObject({ name: 'Music', description: '', subscription_cost: 5.5 });
  });

  it('replaces a changed asset in place and closes the dialog', async () => {
    const assets = [films, music];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets[0] = anAsset({ name: 'Series' });
      return { status: 200, json: assets[0] };
    });
    const user = await openApp('/assets?asset=3&tab=details');
    await user.type(await screen.findByLabelText('Asset Name'), ' and series');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await card('Series');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(
      main()
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Series', 'Music']);
  });

  it('accepts a plain array as the list response', async () => {
    fakeServer(({ path }) => (path === '/api/assets/' ? { status: 200, json: [films] } : list()));
    await openApp('/assets');
    expect(await card('Films')).toBeTruthy();
  });
});

describe('the Shared With Me page', () => {
  it('shows the count and a card per share with a button to manage usage', async () => {
    fakeServer(serveLists({ shares }));
    const user = await openApp('/shared');
    const figma = await card('Figma');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Shared With Me');
    expect(main().getByText('2 shared assets')).toBeTruthy();
    for (const text of ['Shared by ben', 'Shared']) expect(within(figma).getByText(text)).toBeTruthy();
    expect(figma.textContent).toContain('Monthly: 20 hours');
    expect(figma.textContent).toContain('Used: 14.5 hours');
    expect(within(figma).getByRole('progressbar')).toBeTruthy();
    await user.click(within(figma).getByRole('button', { name: 'Manage Usage' }));
    expect(await dialog(/^Manage Asset: Figma/)).toBeTruthy();
  });

  const ended = aShare({ id: 9, asset_name: 'Gym', status: 'past', ended_at: '2026-11-20T12:00:00.000Z' });
  const archived = aShare({ id: 10, asset_name: 'Car', status: 'past' });

  it('lists what is past, whose sessions can be edited, even if nothing else is shared', async () => {
    const end_time = new Date().toISOString();
    const sessions = list({ id: 1, asset_name: 'Gym', start_time: end_time, end_time, duration: 0 });
    fakeServer((request) => {
      if (request.path.includes('/9/logs/')) return sessions;
      return request.path.includes('/statements/') ? list() : serveLists({ past: [ended, archived] })(request);
    });
    const user = await openApp('/shared');
    const past = await region('Past');
    expect(past.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/Gym.*Shared by benAccess ended on November 20Sessions of Gym$/),
      expect.stringMatching(/Car.*Archived by benSessions of Car$/),
    ]);
    expect(screen.getByText('No Shared Assets')).toBeTruthy();
    await user.click(past.getByRole('button', { name: 'Sessions of Gym' }));
    const opened = within(await dialog(/^Manage Asset: Gym/));
    expect(opened.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Sessions', 'Costs']);
    expect(opened.getByRole('tab', { selected: true }).textContent).toBe('Sessions');
    expect(opened.getByText('Access ended on November 20')).toBeTruthy();
    expect(await opened.findByRole('button', { name: /^Edit the session from/ })).toBeTruthy();
  });

  it('has no section for the past if there is none', async () => {
    fakeServer(serveLists({}));
    await openApp('/shared');
    await screen.findByText('No Shared Assets');
    expect(screen.queryByRole('region', { name: 'Past' })).toBeNull();
  });

  it('says when the past can’t be loaded, and loads it again', async () => {
    let fails = true;
    fakeServer((request) =>
      fails && request.path.endsWith('?status=past') ? { status: 400 } : serveLists({ shares, past: [ended] })(request),
    );
    const user = await openApp('/shared');
    await screen.findByText("Couldn't load assets from the past. Please try again.");
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'Past' })).toBeTruthy();
  });

  it('opens no Usage tab of a past share', async () => {
    fakeServer((request) =>
      request.path.includes('/logs/') || request.path.includes('/statements/')
        ? list()
        : serveLists({ past: [ended] })(request),
    );
    await openApp('/shared?share=9&tab=usage');
    const opened = within(await dialog(/^Manage Asset: Gym/));
    expect(await opened.findByText('No sessions.')).toBeTruthy();
  });
});

describe('in German', () => {
  afterEach(() => setLanguage('en'));

  it('a card has German words, plurals and figures', async () => {
    fakeServer(serveLists({ shares }));
    setLanguage('de');
    await loadMessages('app');
    await openApp('/shared');
    const figma = await card('Figma');
    expect(main().getByText('2 geteilte Assets')).toBeTruthy();
    expect(figma.textContent).toContain('Monatlich: 20 Stunden');
    expect(figma.textContent).toContain('Genutzt: 14,5 Stunden');
    expect(within(figma).getByRole('progressbar').getAttribute('aria-valuetext')).toBe('14,5 h von 20 h');
  });
});
