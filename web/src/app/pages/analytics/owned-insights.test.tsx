import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import { aHistoryMonth, anAsset, anIdleFinding, list } from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';

const running = {
  month: '2026-11',
  running: true,
  whole: false,
  used_hours: 0,
  price_per_used_hour: null,
  idle_percentage: 100,
};
const history = (change: object = {}) => ({
  status: 200,
  json: {
    asset_id: 3,
    asset_name: 'Films',
    currency: 'USD',
    months: [aHistoryMonth(), aHistoryMonth(running)],
    findings: [anIdleFinding()],
    ...change,
  },
});

type Answer = { status: number; json?: unknown };

const serveHousehold = (change: Record<string, (request: Received) => Answer | Promise<Answer>> = {}) => {
  const answers: typeof change = {
    'GET /api/assets/': () => list(anAsset(), anAsset({ id: 4, name: 'Car' })),
    'GET /api/shared-assets/': () => list(),
    'GET /api/findings/': () => list(anIdleFinding()),
    'GET /api/assets/3/history/': () => history(),
    'GET /api/assets/4/history/': () => history({ months: [aHistoryMonth(running)], findings: [] }),
    'GET /api/assets/3/analytics/': () => ({ status: 404 }),
    ...change,
  };
  return fakeServer((request) => answers[`${request.method} ${request.path}`]?.(request) ?? { status: 404 });
};

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the owned assets section', () => {
  it('answers with an insight, shows the months of an asset and links to it', async () => {
    serveHousehold();
    const user = await openApp('/analytics');
    const found = within(
      await screen.findByRole('region', {
        name: '75% of Films hours went unused over 3 months, about $180.00 per year.',
      }),
    );
    const table = await screen.findByRole('table', { name: 'Usage and price by month' });
    const cells = within(table)
      .getAllByRole('row')
      .map((row) =>
        within(row)
          .queryAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect(cells.at(-1)).toEqual(['10 h', '75%', '$2.00']);
    expect(cells.at(1)).toEqual(['0 h', '100%', '–']);
    const drawn = await screen.findByRole('table', { name: 'Hours by member' });
    expect(
      within(drawn)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['MonthbenAllowance', 'October 202610 h40 h', 'November 202610 h40 h']);
    await user.click(found.getByRole('link', { name: 'Manage Films' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Films/ }));
    await user.click(await dialog.findByText('Last 12 months'));
    expect(await dialog.findByRole('list', { name: 'Insights' })).toBeTruthy();
  });

  it('says that it is loading insights', async () => {
    let answer: (insights: Answer) => void = () => undefined;
    const insights = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    serveHousehold({ 'GET /api/findings/': () => insights });
    await openApp('/analytics');
    expect(await screen.findByText('Loading insights')).toBeTruthy();
    answer(list());
    expect(await screen.findByRole('list', { name: 'Assets you own' })).toBeTruthy();
  });

  it('says of an asset that is no longer measured that it is split evenly, instead of hours', async () => {
    const plain = anAsset({ id: 4, name: 'Car', measured: false, split_method: 'equal', total_hours: 0 });
    serveHousehold({ 'GET /api/assets/': () => list(anAsset(), plain) });
    await openApp('/analytics');
    const rings = within(await screen.findByRole('list', { name: 'Assets you own' })).getAllByRole('link');
    expect(rings.map(({ textContent }) => textContent)).toEqual(['Films0 of 40 h', 'CarEvenly']);
  });

  const serveAssets = (count: number) => {
    const assets = Array.from({ length: count }, (_, index) => anAsset({ id: index + 3, name: `Asset ${index}` }));
    serveHousehold({ 'GET /api/assets/': () => list(...assets) });
  };

  it('opens on the asset in the address, and writes another choice there', async () => {
    serveAssets(8);
    const user = await openApp('/analytics?view=owned&asset=4');
    await screen.findByText('Trends appear after the first full month.');
    expect(screen.getByRole('link', { name: /^Asset 1/ }).getAttribute('aria-current')).toBe('page');
    await user.click(screen.getByRole('link', { name: /^Asset 0/ }));
    await screen.findByRole('table', { name: 'Usage and price by month' });
    expect(window.location.search).toBe('?view=owned&asset=3');
  });

  it('lists the names of more assets than there is room for rings', async () => {
    serveAssets(9);
    const user = await openApp('/analytics?view=owned&asset=4');
    const select = await screen.findByLabelText<HTMLSelectElement>('Asset you own');
    expect(select.value).toBe('4');
    expect(screen.queryByRole('list', { name: 'Assets you own' })).toBeNull();
    await user.selectOptions(select, 'Asset 0');
    await screen.findByRole('table', { name: 'Usage and price by month' });
    expect(window.location.search).toBe('?view=owned&asset=3');
  });

  it('switches to another asset and explains that no month has ended', async () => {
    serveHousehold();
    const user = await openApp('/analytics');
    await user.click(await screen.findByRole('link', { name: /^Car/ }));
    expect(await screen.findByText('Trends appear after the first full month.')).toBeTruthy();
  });

  it('lists five insights and the rest on demand', async () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      anIdleFinding({ asset_id: index + 3, asset_name: `Asset ${index}` }),
    );
    serveHousehold({ 'GET /api/findings/': () => list(...many) });
    const user = await openApp('/analytics');
    const found = within(await screen.findByRole('list', { name: 'Insights' }));
    expect(found.getAllByRole('listitem')).toHaveLength(5);
    await user.click(screen.getByRole('button', { name: 'Show all 7' }));
    expect(found.getAllByRole('listitem')).toHaveLength(7);
  });

  it('explains that the asset was archived all year', async () => {
    serveHousehold({ 'GET /api/assets/3/history/': () => history({ months: [], findings: [] }) });
    await openApp('/analytics');
    expect(await screen.findByText('Archived for the last 12 months.')).toBeTruthy();
  });

  it('retries in place after a failed load', async () => {
    let broken = true;
    serveHousehold({
      'GET /api/assets/3/history/': () => (broken ? errorReply(500, 'internal', 'Something went wrong.') : history()),
    });
    const user = await openApp('/analytics');
    await screen.findByText("Couldn't load the last 12 months. Please try again later.");
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table', { name: 'Usage and price by month' })).toBeTruthy();
  });

  it('stays hidden from a user who owns nothing', async () => {
    const received = serveHousehold({ 'GET /api/assets/': () => list() });
    await openApp('/analytics');
    await screen.findByRole('heading', { name: 'No Shared Assets Available' });
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('/api/assets/'));
    expect(screen.queryByRole('heading', { name: 'Assets you own' })).toBeNull();
  });
});
