import type { Balance } from '@hourshare/contract/settlements';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { queryClient } from '../../../platform/http/query-client.ts';
import { fakeServer } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import {
  aCost,
  anAsset,
  anEntry,
  aShare,
  aStatement,
  bensLine,
  list,
  serveLists,
  aBalance,
  aCharge,
  aSettlement,
} from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

const main = () => within(screen.getByRole('main'));
const stat = async (name: string) => {
  const link = await main().findByRole('link', { name });
  return link.closest('li')?.textContent;
};

/** Mira's share of what others own. */
const figma = aStatement({
  asset_id: 1,
  asset_name: 'Figma',
  owner: 'ben',
  lines: [bensLine({ username: 'mira', amount: 14.5 })],
});

const owing = (username: string, direction: 'they_owe' | 'you_owe', amount: number): Balance =>
  aBalance({ username, lines: [aCharge({ id: Math.round(amount * 100), amount, direction })] });

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe("the dashboard's figures", () => {
  const used = (hours: number) => ({ ...anEntry(1, 'ana', 40), usage_this_month: hours });

  it('says what the month costs so far, without what an owner covers', async () => {
    fakeServer(serveLists({ shares: [aShare()], statements: [aStatement(), figma] }));
    await openApp('/dashboard');
    expect(await main().findByText(/^(?:Last day of|\d+ days? left in) \w+$/)).toBeTruthy();
    await waitFor(async () => expect(await stat('Shared With You')).toBe('Shared With You1$14.50 so far'));
  });

  it('keeps what their own assets cost apart, also while a cost there waits', async () => {
    const running = aShare({ id: 9, own: true, asset_name: 'Films', active_session: true, active_since: ago(84) });
    const share = { ...running, asset: { id: 3, name: 'Films', description: '', owner: 'mira' } };
    const own = aStatement({ costs: [aCost()] });
    fakeServer((request) =>
      request.path === '/api/shared-assets/?own=include'
        ? list(aShare(), share)
        : serveLists({ assets: [anAsset({ own_share_id: 9 })], shares: [aShare()], statements: [own, figma] })(request),
    );
    await openApp('/dashboard');
    expect(await main().findByRole('listitem', { name: 'ben asks to count $60.00 for Films' })).toBeTruthy();
    expect(await stat('Shared With You')).toBe('Shared With You1$14.50 so far');
    expect((await main().findByRole('region', { name: 'Running now' })).textContent).not.toContain('about');
  });

  it('names the month of the costs, whichever month it is for the viewer', async () => {
    fakeServer(serveLists({ shares: [aShare()], statements: [{ ...figma, month: '2026-01' }] }));
    await openApp('/dashboard');
    expect(await main().findByText('Last day of January')).toBeTruthy();
  });

  it('lists several currencies instead of adding them', async () => {
    const assets = [
      anAsset({ shared_with: [used(10)] }),
      anAsset({ id: 4, name: 'Gym', subscription_cost: 10, currency: 'EUR', shared_with: [used(20)] }),
    ];
    const gym = aStatement({ ...figma, asset_id: 2, currency: 'EUR' });
    fakeServer(serveLists({ assets, shares: [aShare(), aShare({ id: 8 })], statements: [figma, gym] }));
    await openApp('/dashboard');
    await waitFor(async () => expect(await stat('Your Assets')).toBe('Your Assets2$22.99 and €10.00/mo'));
    await waitFor(async () => expect(await stat('Shared With You')).toContain('$14.50 and €14.50 so far'));
  });

  it('shows what runs, and where it ends', async () => {
    const running = (id: number, asset_name: string, minutes: number) =>
      aShare({ id, asset_name, active_session: true, active_since: ago(minutes) });
    let shares = [running(7, 'Figma', 84)];
    fakeServer((request) => serveLists({ shares })(request));
    const user = await openApp('/dashboard');
    const hero = async () => (await main().findByRole('region', { name: 'Running now' })).textContent;
    await waitFor(async () => expect(await hero()).toMatch(/^Figma1:24:\d\d5\.5 h leftEnd Session Figma$/));
    expect(await stat('Active Sessions')).toBe('Active SessionsRefresh1You');
    shares = [...shares, running(8, 'Car', 5)];
    await user.click(main().getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect(await hero()).toMatch(/^Car.*Figma/));
    shares = [];
    await user.click(main().getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect(await stat('Active Sessions')).toBe('Active SessionsRefreshNone'));
    expect(main().queryByRole('region', { name: 'Running now' })).toBeNull();
  });

  it('names who uses the assets of an owner', async () => {
    const using = (id: number, name: string) => ({
      ...anEntry(id, name, 40),
      active_session: true,
      active_since: ago(5),
    });
    let shared_with = [using(1, 'ana')];
    fakeServer((request) => serveLists({ assets: [anAsset({ shared_with })] })(request));
    await openApp('/dashboard');
    await waitFor(async () => expect(await stat('Active Sessions')).toBe('Active SessionsRefreshNoneana on Films'));
    shared_with = [...shared_with, using(2, 'ben')];
    await act(() => queryClient.refetchQueries());
    await waitFor(async () => expect(await stat('Active Sessions')).toContain('2 people on your assets'));
  });

  it('says that costs failed to load, and loads them again', async () => {
    let isBroken = true;
    fakeServer((request) =>
      isBroken && request.path === '/api/statements/?role=member&proposed=include'
        ? { status: 500 }
        : serveLists({ shares: [aShare()], statements: [figma] })(request),
    );
    const user = await openApp('/dashboard');
    expect(await screen.findByText("Couldn't load costs. Please try again later.")).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await stat('Shared With You')).toContain('$14.50 so far'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows no headings or counts over lists that failed to load', async () => {
    fakeServer((request) =>
      request.path === '/api/assets/' ? { status: 500 } : serveLists({ shares: [aShare()] })(request),
    );
    await openApp('/dashboard');
    expect(await screen.findByText('Failed to load dashboard data')).toBeTruthy();
    await waitFor(() => expect(main().queryByRole('status')).toBeNull());
    expect(
      main()
        .queryAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Failed to load dashboard data']);
    expect(main().queryByRole('link', { name: 'Your Assets' })).toBeNull();
  });
});

describe("the dashboard's line about debts", () => {
  it("names the user's largest debt and settles it in place", async () => {
    let balances = [owing('ana', 'they_owe', 50), owing('ben', 'you_owe', 2), owing('dora', 'you_owe', 8)];
    fakeServer((request) => {
      if (request.method !== 'POST') return serveLists({ balances })(request);
      balances = [];
      return { status: 201, json: aSettlement({ username: 'dora', status: 'sent' }) };
    });
    const user = await openApp('/dashboard');
    const settle = await main().findByRole('button', { name: 'Settle up with dora' });
    expect(main().getByText((_, element) => element?.textContent === 'You owe dora $8.00')).toBeTruthy();
    expect(
      main()
        .getAllByText(/^(?:You owe|Owes you)$/)
        .map(({ textContent }) => textContent),
    ).toEqual(['You owe', 'You owe', 'Owes you']);
    const line = main().getByRole('region', { name: 'Settle up' }).parentElement;
    await user.click(settle);
    await user.click(await screen.findByRole('button', { name: 'I paid $8.00' }));
    await waitFor(() => expect(line?.hasAttribute('inert')).toBe(true));
    await user.click(await screen.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(main().queryByRole('link', { name: 'All balances' })).toBeNull());
  });

  it('stays, with a message, when the dialog cannot be loaded', async () => {
    vi.doMock('../../../features/settlements/settle-dialog.tsx', () => {
      throw new Error('Not found');
    });
    fakeServer(serveLists({ balances: [owing('dora', 'you_owe', 8)] }));
    const user = await openApp('/dashboard');
    await user.click(await main().findByRole('button', { name: 'Settle up with dora' }));
    expect(await screen.findByText("Couldn't settle up. Please try again.")).toBeTruthy();
    expect(main().getByRole('button', { name: 'Settle up with dora' })).toBeTruthy();
    vi.doUnmock('../../../features/settlements/settle-dialog.tsx');
  });

  it('names who owes the user most when the user owes nothing', async () => {
    fakeServer(serveLists({ balances: [owing('ben', 'they_owe', 2), owing('ana', 'they_owe', 8.68)] }));
    await openApp('/dashboard');
    expect(await main().findByRole('button', { name: 'Settle up with ana' })).toBeTruthy();
    expect(main().getByText((_, element) => element?.textContent === 'ana owes you $8.68')).toBeTruthy();
    expect(main().getByRole('link', { name: 'All balances' }).getAttribute('href')).toBe('/costs');
  });

  it('is missing when nothing is due', async () => {
    fakeServer(serveLists({ shares: [aShare()] }));
    await openApp('/dashboard');
    await main().findByRole('listitem', { name: 'Figma' });
    expect(main().queryByRole('link', { name: 'All balances' })).toBeNull();
  });
});

describe("the dashboard's edits to answer", () => {
  const objected = aStatement({
    asset_id: 1,
    closed: false,
    edited_sessions: [
      {
        session_id: 5,
        username: 'mira',
        by_owner: false,
        kind: 'corrected',
        at: ago(60),
        recorded_start: ago(400),
        recorded_end: ago(300),
        start_time: ago(400),
        end_time: ago(350),
        objection: 'open',
        objected_by: 'zoe',
        request: null,
      },
    ],
  });
  const serve = (statements: Promise<void>) =>
    fakeServer(async (request) => {
      if (request.path === '/api/statements/?role=member&proposed=include') await statements;
      return serveLists({ shares: [aShare()], statements: [objected] })(request);
    });

  it('appear with the lists, which they would push down', async () => {
    let answer = () => {};
    serve(new Promise((resolve) => (answer = resolve)));
    await openApp('/dashboard');
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(main().queryByRole('listitem', { name: 'Figma' })).toBeNull();
    answer();
    await main().findByRole('listitem', { name: 'Figma' });
    expect(main().getByRole('listitem', { name: 'zoe objects to your edit' })).toBeTruthy();
  });

  it('reads each list once, also while a month that ended is open', async () => {
    vi.setSystemTime('2026-11-30T12:00:00.000Z');
    onTestFinished(() => void vi.useRealTimers());
    const received = fakeServer(serveLists({ shares: [aShare()], statements: [objected] }));
    await openApp('/dashboard');
    await main().findByRole('listitem', { name: 'zoe objects to your edit' });
    const read = received.map(({ method, path }) => `${method} ${path}`);
    expect(read).toContain('GET /api/statements/?month=2026-11');
    expect(read).toEqual([...new Set(read)]);
  });

  it("don't keep the lists waiting for long", async () => {
    serve(new Promise(() => {}));
    await openApp('/dashboard');
    expect(await main().findByRole('listitem', { name: 'Figma' })).toBeTruthy();
  });
});

describe("the dashboard's order", () => {
  const DAY = 24 * 60 * MINUTE;
  const usedDaysAgo = (id: number, asset_name: string, days: number | null) =>
    aShare({ id, asset_name, last_used_at: days === null ? null : new Date(Date.now() - days * DAY).toISOString() });
  const namesIn = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent);

  it('is running first, then last used, and stays while the page is open', async () => {
    let shares = [usedDaysAgo(1, 'Gym', null), usedDaysAgo(2, 'Car', 1), usedDaysAgo(3, 'Figma', 0)];
    fakeServer((request) =>
      serveLists({ shares, statements: [{ ...figma, lines: [bensLine({ username: 'mira', amount: 8.12 })] }] })(
        request,
      ),
    );
    const user = await openApp('/dashboard');
    await main().findByRole('listitem', { name: 'Gym' });
    expect(namesIn('Your Shared Assets')).toEqual(['Figma', 'Car', 'Gym']);
    await waitFor(() => expect(main().getByRole('listitem', { name: 'Figma' }).textContent).toContain('$8.12 so far'));
    shares = shares.map((share) => (share.id === 1 ? { ...share, active_session: true, active_since: ago(1) } : share));
    await user.click(main().getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(main().getByRole('region', { name: 'Running now' }).textContent).toContain('Gym'));
    expect(namesIn('Your Shared Assets')).toEqual(['Figma', 'Car', 'Gym']);
    cleanup();
    await openApp('/dashboard');
    await main().findByRole('listitem', { name: 'Gym' });
    expect(namesIn('Your Shared Assets')).toEqual(['Gym', 'Figma', 'Car']);
  });

  it('starts with shared assets, also for an owner, whose assets in use come first', async () => {
    const isUsed = { shared_with: [{ ...anEntry(1, 'ana', 40), active_session: true, active_since: ago(5) }] };
    const assets = [anAsset(), anAsset({ id: 4, name: 'Gym', ...isUsed })];
    fakeServer(serveLists({ assets, shares: [aShare()] }));
    await openApp('/dashboard');
    await main().findByRole('listitem', { name: 'Gym' });
    const headings = main().getAllByRole('heading', { level: 2 });
    expect(headings.map(({ textContent }) => textContent)).toEqual(['Your Shared Assets', 'Your Assets']);
    expect(namesIn('Your Assets')).toEqual(['Gym', 'Films']);
  });

  it('says what is left of a running session once', async () => {
    fakeServer(serveLists({ shares: [aShare({ active_session: true, active_since: ago(5) })] }));
    await openApp('/dashboard');
    const card = await main().findByRole('listitem', { name: 'Figma' });
    expect(within(card).getByText(/h left$/).className).toContain('sr-only');
    expect(within(card).getByText('Shared by ben')).toBeTruthy();
    expect(main().queryByRole('link', { name: /^View all/ })).toBeNull();
  });

  it('has six cards of each list, and the way to all of them', async () => {
    const shares = Array.from({ length: 8 }, (_, index) => aShare({ id: index + 1, asset_name: `Share ${index}` }));
    fakeServer(serveLists({ shares }));
    await openApp('/dashboard');
    expect(await main().findByRole('link', { name: 'View all 8 of your shared assets' })).toBeTruthy();
    expect(namesIn('Your Shared Assets')).toHaveLength(6);
  });
});

describe("an owner's card", () => {
  const using = (id: number, name: string, minutes: number) => ({
    ...anEntry(id, name, 40),
    active_session: true,
    active_since: ago(minutes),
  });

  it('says who uses the asset now', async () => {
    let shared_with = [using(1, 'ana', 38.5), anEntry(2, 'ben', 10)];
    fakeServer((request) => serveLists({ assets: [anAsset({ shared_with })] })(request));
    await openApp('/dashboard');
    const card = async () => (await main().findByRole('listitem', { name: 'Films' })).textContent;
    expect(await card()).toContain('Aana0 hnowBben0 h');
    shared_with = [anEntry(1, 'ana', 40)];
    await act(() => queryClient.refetchQueries());
    expect(await card()).not.toContain('now');
  });

  it('names members by number, and of many those who used it', async () => {
    const people = Array.from({ length: 40 }, (_, index) => ({
      ...anEntry(index + 1, `Member ${index + 1}`, 10),
      usage_this_month: [2, 10].includes(index + 1) ? 1.25 : 0,
    }));
    fakeServer(serveLists({ assets: [anAsset({ shared_with: people.toReversed() })] }));
    await openApp('/dashboard');
    const { textContent } = await main().findByRole('listitem', { name: 'Films' });
    expect(textContent).toContain('Member 21.3 hMMember 101.3 h38 people, no usage');
  });

  it('offers to share what is not shared yet', async () => {
    fakeServer(serveLists({ assets: [anAsset()] }));
    const user = await openApp('/dashboard');
    const card = within(await main().findByRole('listitem', { name: 'Films' }));
    await user.click(card.getByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('tab', { name: 'Share' }).getAttribute('aria-selected')).toBe('true');
  });
});
