import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeServer, type Received } from '../testing/fake-server.ts';
import { openApp, prepareApp } from '../testing/open-app.tsx';
import { anAsset, anEntry, aShare, list, serveLists, someNextTerms, someTerms } from '../testing/records.ts';
import { followSignIn } from './follow-sign-in.ts';

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

const evenly = someTerms({ split_method: 'equal', price: 15.99, places: 3, monthly_hours: 744 });
const netflix = anAsset({
  name: 'Netflix',
  subscription_cost: 15.99,
  split_method: 'equal',
  measured: false,
  used: false,
  places: 3,
  shared_with: [
    anEntry(1, 'ana', 744),
    { ...anEntry(2, 'Grandma (mira)', 744), person: true },
    { ...anEntry(3, 'kim', 744), pending: true, accepted: false, expires_at: '2030-01-07T12:00:00.000Z' },
    { ...anEntry(4, null, null), invitation_id: 4, expires_at: '2030-01-07T12:00:00.000Z' },
  ],
});
const share = aShare({
  asset_name: 'Netflix',
  measured: false,
  terms: evenly,
  cost_of_all: 5.33,
  monthly_hours_allocated: 744,
});

describe('what is not measured', () => {
  it('shows a member what they pay, and nothing to start', async () => {
    fakeServer(serveLists({ shares: [share] }));
    await openApp('/shared');
    const card = within(await screen.findByRole('listitem', { name: 'Netflix' }));
    expect(card.getByText('You pay $5.33 a month')).toBeTruthy();
    expect(card.getByText('$15.99 in total, split evenly among 3 people.')).toBeTruthy();
    expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details']);
    expect(card.queryByRole('progressbar')).toBeNull();
  });

  it('shows what a member agreed to until they agree to a higher price', async () => {
    const raised = { ...share, terms: { ...evenly, price: 30 }, cost_of_all: 10, agreed: evenly, asked: true };
    fakeServer(serveLists({ shares: [raised] }));
    await openApp('/shared');
    const card = within(await screen.findByRole('listitem', { name: 'Netflix' }));
    expect(card.getByText('You pay $5.33 a month')).toBeTruthy();
  });

  it('has no tabs about use, except sessions from when it was measured', async () => {
    fakeServer(serveLists({ shares: [share], assets: [netflix] }));
    const tabs = async () =>
      within(await screen.findByRole('dialog'))
        .getAllByRole('tab')
        .map(({ textContent }) => textContent);
    await openApp('/shared?share=7&tab=usage');
    expect(await tabs()).toEqual(['Details', 'Costs']);
    cleanup();
    await openApp('/assets?asset=3&tab=usage');
    expect(await tabs()).toEqual(['Details', 'Share', 'Costs']);
    cleanup();
    fakeServer(serveLists({ assets: [{ ...netflix, used: true }] }));
    prepareApp();
    await openApp('/assets?asset=3');
    expect(await tabs()).toEqual(['Details', 'Share', 'Sessions', 'Costs']);
  });

  it('is shared, offered by link, and given to someone without an account without hours', async () => {
    const invitation = { id: 9, link: '/invite/k7m2', expires_at: '2030-01-07T12:00:00.000Z' };
    const received = fakeServer((request: Received) => {
      if (request.method === 'POST')
        return { status: 201, json: { ...netflix, invitation: { ...invitation, monthly_hours_allocated: 744 } } };
      return request.path.includes('/manager-changes/') ? list() : serveLists({ assets: [netflix] })(request);
    });
    const user = await openApp('/assets?asset=3&tab=share');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Share Asset' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Username is required');
    await user.type(dialog.getByLabelText('Username'), 'ben{Enter}');
    await user.click(dialog.getByRole('button', { name: 'Invite by link' }));
    await dialog.findByLabelText('Link for one person');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await user.type(dialog.getByLabelText('Username'), 'Grandpa');
    await user.click(dialog.getByRole('button', { name: 'Add without an account' }));
    const sent = () => received.filter(({ method }) => method === 'POST').map(({ body }) => body);
    await waitFor(() => expect(sent()).toEqual([{ username: 'ben' }, {}, { name: 'Grandpa' }]));
    expect((await screen.findByRole('dialog')).textContent).not.toMatch(/hours/i);
  });

  it('lists what each pays, and who has not accepted yet', async () => {
    fakeServer(serveLists({ assets: [netflix] }));
    await openApp('/assets?asset=3&tab=share');
    const users = await screen.findByRole('region', { name: 'Users With Access' });
    const rows = within(users)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows[0]).toContain('$5.33 a month');
    expect(rows[1]).toContain('$5.33 a month');
    expect(rows[1]).not.toContain('Record a session');
    expect(rows[2]).toMatch(/Not accepted yet.*Offer expires on Jan 7/);
    expect(rows[3]).toContain('Not accepted yet');
  });

  it('names the payers on the card of its owner, without a bar', async () => {
    fakeServer(serveLists({ assets: [netflix] }));
    await openApp('/assets');
    const card = await screen.findByRole('listitem', { name: 'Netflix' });
    expect(card.textContent).toContain('$5.33 each');
    expect(card.textContent).toContain('ana, Grandma (mira), and you');
    expect(within(card).queryByRole('progressbar')).toBeNull();
  });
});

describe('an owner', () => {
  it('who does not take part is told so, and can take part from next month', async () => {
    const later = { ...anAsset(), next_terms: someNextTerms({ owner_takes_part: true }) };
    const received = fakeServer((request) =>
      request.method === 'PATCH' ? { status: 200, json: later } : serveLists({ assets: [anAsset()] })(request),
    );
    const user = await openApp('/assets?asset=3&tab=usage');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Usage tracking not available for owned assets.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'I use it, too' }));
    await waitFor(() =>
      expect(received.find(({ method }) => method === 'PATCH')?.body).toEqual({ owner_takes_part: true }),
    );
    expect(await screen.findByText('Saved. Applies starting December 2026.')).toBeTruthy();
  });

  it('who takes part starts and ends a session on the card, with their own share', async () => {
    const asset = anAsset({ owner_takes_part: true, own_share_id: 40, shared_with: [anEntry(1, 'ana', 40)] });
    const own = aShare({
      id: 40,
      own: true,
      asset_name: 'Films',
      owner: 'mira',
      monthly_hours_allocated: 0,
      usage_this_month: 3,
      asset: { id: 3, name: 'Films', description: '', owner: 'mira' },
    });
    let running = false;
    const received = fakeServer((request) => {
      if (request.path === '/api/shared-assets/?own=include')
        return list({ ...own, active_session: running, active_since: running ? new Date().toISOString() : null });
      if (request.method !== 'POST') return serveLists({ assets: [asset] })(request);
      running = true;
      const session = { id: 5, asset_name: 'Films', start_time: new Date().toISOString(), end_time: null };
      return { status: 201, json: { ...session, duration: null } };
    });
    const user = await openApp('/assets');
    const card = within(await screen.findByRole('listitem', { name: 'Films' }));
    expect((await card.findByText('You')).closest('li')?.textContent).toContain('You3 h');
    await user.click(card.getByRole('button', { name: 'Start Session' }));
    expect(await card.findByRole('button', { name: 'End Session' })).toBeTruthy();
    expect(received.some(({ path }) => path === '/api/shared-assets/40/start/')).toBe(true);
    // It is in the top bar, too, whose link leads to the asset's dialog.
    await user.click(screen.getAllByRole('link', { name: /Session running: Films/ })[0]!);
    const dialog = within(await screen.findByRole('dialog', { name: /^Manage Asset: Films/ }));
    expect(dialog.getByRole('tab', { name: 'Usage', selected: true })).toBeTruthy();
  });
});
