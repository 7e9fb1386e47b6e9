import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeServer, type Received } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import { anAsset, aShare, list, someAnalytics } from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';

const shares = [aShare(), aShare({ id: 8, asset_name: 'Car', owner: 'ana' })];
const figures = { 7: someAnalytics(), 8: someAnalytics({ total_allocation: 9 }) };

const server = (request: Received) => {
  const id = /shared-assets\/([78])\/analytics/.exec(request.path)?.[1];
  if (id) return { status: 200, json: id === '7' ? figures[7] : figures[8] };
  return request.path === '/api/shared-assets/' ? list(...shares) : list();
};

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the analytics page', () => {
  it('shows its title and purpose', async () => {
    fakeServer(server);
    await openApp('/analytics');
    expect(await screen.findByRole('heading', { level: 1, name: 'Usage Analytics' })).toBeTruthy();
    expect(screen.getByText('Monitor your asset usage patterns and optimize your subscription sharing.')).toBeTruthy();
  });

  it('shows the first asset, then the selected one', async () => {
    const received = fakeServer(server);
    const user = await openApp('/analytics');
    const select = await screen.findByLabelText<HTMLSelectElement>('Select Asset');
    expect(Array.from(select.options, ({ text }) => text)).toEqual(['Figma (owned by ben)', 'Car (owned by ana)']);
    expect(await screen.findByText('20')).toBeTruthy();
    await user.selectOptions(select, 'Car (owned by ana)');
    expect(await screen.findByText('9')).toBeTruthy();
    const asked = received.flatMap(({ path }) => (path.endsWith('/analytics/') ? [path] : []));
    expect([asked[0], asked.at(-1)]).toEqual(['/api/shared-assets/7/analytics/', '/api/shared-assets/8/analytics/']);
  });

  it('shows three charts, each with its data in a table', async () => {
    fakeServer(server);
    await openApp('/analytics');
    const rows = async (name: string) =>
      within(await screen.findByRole('table', { name }))
        .getAllByRole('row')
        .map(({ textContent }) => textContent);
    expect(await rows('Hours Utilization')).toEqual(['AllowanceHours', 'Used14.5 h', 'Remaining5.5 h']);
    expect(await rows('Weekly Usage')).toEqual(['WeekHours Used', 'Week 114.5 h']);
    expect((await rows('Daily Usage Trend')).slice(0, 4)).toEqual([
      'DateDaily Hours',
      'Nov 10 h',
      'Nov 20 h',
      'Nov 314.5 h',
    ]);
  });

  it('shows no charts without data', async () => {
    const nothing = { total_usage: 0, remaining_hours: 0, weekly_usage: [{ week: 1, hours: 0 }], daily_usage: {} };
    fakeServer((request) =>
      request.path.endsWith('/analytics/') ? { status: 200, json: someAnalytics(nothing) } : server(request),
    );
    await openApp('/analytics');
    await screen.findByRole('region', { name: 'Usage Statistics' });
    await waitFor(() => expect(screen.queryByText('Loading charts')).toBeNull());
    expect(screen.queryAllByRole('figure')).toEqual([]);
  });

  it('answers before it shows the figures', async () => {
    const month = { total_usage: 28.8, total_allocation: 12, remaining_hours: 0 };
    fakeServer((request) =>
      request.path.endsWith('/analytics/') ? { status: 200, json: someAnalytics(month) } : server(request),
    );
    await openApp('/analytics');
    const answer = await screen.findByRole('region', { name: "You're 16.8 h over your allowance." });
    expect(within(answer).getByText('Total Allocation')).toBeTruthy();
  });

  it('compares all shares, the most used first, and selects one', async () => {
    const all = [...shares, aShare({ id: 9, asset_name: 'Tools', usage_this_month: 30 })];
    fakeServer((request) => (request.path === '/api/shared-assets/' ? list(...all) : server(request)));
    const user = await openApp('/analytics');
    const rings = within(await screen.findByRole('list', { name: 'All assets shared with you' })).getAllByRole('link');
    expect(rings.map(({ textContent }) => textContent)).toEqual([
      'ToolsShared by ben10 h over',
      'FigmaShared by ben5.5 h left',
      'CarShared by ana5.5 h left',
    ]);
    await user.click(screen.getByRole('link', { name: /^Car/ }));
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Select Asset').value).toBe('8'));
    expect(screen.getByRole('link', { name: /^Car/ }).getAttribute('aria-current')).toBe('page');
  });

  it.each([
    [8, 'rings', true],
    [9, 'only the list of names', false],
  ])('offers %i shares as %s', async (count, _, hasRings) => {
    const many = Array.from({ length: count }, (_none, index) =>
      aShare({ id: index + 1, asset_name: `Tool ${index}` }),
    );
    fakeServer((request) => {
      if (request.path === '/api/shared-assets/') return list(...many);
      return request.path.endsWith('/analytics/') ? { status: 200, json: someAnalytics() } : server(request);
    });
    await openApp('/analytics?share=3');
    const select = await screen.findByLabelText<HTMLSelectElement>('Select Asset');
    expect([select.options.length, select.value]).toEqual([count, '3']);
    expect(screen.queryByRole('list', { name: 'All assets shared with you' }) !== null).toBe(hasRings);
  });

  it('has tabs for a user with shared and owned assets, and keeps the tab in the address', async () => {
    fakeServer((request) => {
      if (request.path === '/api/assets/') return list(anAsset());
      return request.path.endsWith('/history/') ? { status: 404 } : server(request);
    });
    const user = await openApp('/analytics');
    await user.click(await screen.findByRole('tab', { name: 'Assets you own' }));
    expect(await screen.findByRole('region', { name: 'Last 12 months' })).toBeTruthy();
    expect(screen.queryByLabelText('Select Asset')).toBeNull();
    expect(window.location.search).toBe('?view=owned');
  });

  it('has no tabs for a user who owns nothing', async () => {
    fakeServer(server);
    await openApp('/analytics');
    await screen.findByLabelText('Select Asset');
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it.each([
    ['there are no shared assets', list()],
    ['the answer is no list', { status: 200, json: {} }],
  ])('links to the dashboard when %s', async (_, answer) => {
    fakeServer(() => answer);
    await openApp('/analytics');
    await screen.findByRole('heading', { name: 'No Shared Assets Available' });
    expect(
      screen.getByText(
        "You don't have any shared assets to analyze. When assets are shared with you, they'll appear here.",
      ),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard');
  });
});
