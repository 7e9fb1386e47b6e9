import type { Renewal } from '@hourshare/contract/periods';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aUser, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, aStatement, bensLine, list } from '../../testing/records.ts';
import { router } from '../router.tsx';

const renewal: Renewal = {
  asset_id: 3,
  share_id: 7,
  asset_name: 'Films',
  owner: 'ana',
  your_role: 'member',
  kind: 'renewal',
  on: '2027-03-14',
  cancel_by: '2027-02-28',
  price: 120,
  currency: 'USD',
  cycle: { every: 1, unit: 'year', anchor: '2026-03-14' },
  auto_renews: true,
  near: true,
  open: true,
  votes: [{ username: 'ben', choice: 'smaller', line: 'Two seats would do', hue: 2 }],
  your_vote: null,
  decision: null,
};

const serve = (first: Renewal, ...later: Renewal[]) =>
  fakeServer(({ path, method }) => {
    if (path.endsWith('/replay/'))
      return { status: 200, json: { currency: 'USD', months: [], people: [], total: null } };
    if (method === 'POST') return { status: 200, json: first };
    if (path === '/api/renewals/') return list(first, ...later);
    if (path === '/api/assets/') return first.share_id === null ? list(anAsset()) : list();
    if (path === '/api/assets/3/statements/')
      return list(
        aStatement({
          closed: true,
          ended: true,
          lines: [bensLine({ username: 'mira', amount: -31, price_amount: 5, costs_paid: 36, used_seconds: 36_000 })],
        }),
      );
    return list();
  });

beforeEach(prepareApp);
afterEach(cleanup);

it('shows what renews when, what others want, and what one has paid and used', async () => {
  const later = { ...renewal, near: false, open: false, votes: [] };
  const own = { ...later, auto_renews: false };
  serve(
    renewal,
    { ...later, kind: 'end', on: '2027-05-01' },
    { ...own, asset_id: 4, on: '2027-06-01' },
    { ...own, asset_id: 5, on: '2027-07-01', decision: 'renewed' },
  );
  await openApp('/renewals');
  expect(await screen.findByText('Renews March 14, 2027')).toBeTruthy();
  expect(screen.getAllByText('$120.00 a year')).toHaveLength(4);
  expect(screen.getByRole('radio', { name: 'Cancel it', description: 'Ends on March 14, 2027' })).toBeTruthy();
  // The face of who voted for it.
  expect(screen.getByRole('radio', { name: 'Something smaller' }).closest('label')?.textContent).toMatch(/B$/);
  expect(screen.getByText('ana decides by February 28, 2027. Everyone sees what you say.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Calendar link' }).getAttribute('href')).toBe('/settings#calendar');
  expect(screen.getByText('Two seats would do')).toBeTruthy();
  expect(within(screen.getByRole('list', { name: 'Later' })).getByText('Ends on May 1, 2027')).toBeTruthy();
  expect(screen.getByText('Ends on June 1, 2027 unless renewed')).toBeTruthy();
  expect(screen.getByText('Renews July 1, 2027')).toBeTruthy();
  expect(await screen.findByText('$0.50')).toBeTruthy();
});

it('shows hours by month and person, to screen readers as well, and hidden people together as others', async () => {
  serve(renewal);
  await openApp('/renewals');
  const table = within(await screen.findByRole('table', { name: 'Hours by month' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Month', 'mira', 'Others']);
  expect(table.getByRole('row', { name: /10 h/ })).toBeTruthy();
});

it('asks members what to do at the end of a trial, until its last day', async () => {
  serve({ ...renewal, kind: 'trial', on: '2026-12-15', cancel_by: '2026-12-14', price: 30, cycle: null });
  await openApp('/renewals');
  expect(await screen.findByText(/^Free trial ends; paid from December 15/)).toBeTruthy();
  expect(screen.getByText(/^(?:Last day|\d+ days?) to vote$/)).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Keep it', description: '$30.00 a month' })).toBeTruthy();
  cleanup();
  prepareApp();
  serve({ ...renewal, kind: 'trial', your_role: 'owner', share_id: null });
  await openApp('/renewals');
  expect(await screen.findByRole('button', { name: 'Canceled' })).toBeTruthy();
});

it('compares what a member paid with a plan of their own', async () => {
  serve(renewal);
  const user = await openApp('/renewals');
  const price = await screen.findByLabelText('A plan of your own, a month');
  await user.type(price, '15.99');
  expect(screen.getByText('You saved $10.99 by sharing.')).toBeTruthy();
  await user.clear(price);
  await user.type(price, '2');
  expect(screen.getByText('Sharing cost you $3.00 more.')).toBeTruthy();
  // Stated once.
  cleanup();
  render(<RouterProvider router={router} />);
  expect(await screen.findByText('Sharing cost you $3.00 more.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('A plan of your own, a month').value).toBe('2');
});

it('lets the owner try another plan beside the votes', async () => {
  const received = serve({ ...renewal, your_role: 'owner', share_id: null });
  const user = await openApp('/renewals');
  await user.click(await screen.findByRole('heading', { name: 'What if, last year?' }));
  await user.type(await screen.findByLabelText('Price of a month'), '8');
  await waitFor(() => expect(received.at(-1)).toMatchObject({ path: '/api/assets/3/replay/', body: { price: 8 } }));
  expect(await screen.findByText('No month has closed yet.')).toBeTruthy();
});

it('lets a member try another plan, too', async () => {
  const received = serve(renewal);
  const user = await openApp('/renewals');
  await user.click(await screen.findByRole('heading', { name: 'What if, last year?' }));
  await user.type(await screen.findByLabelText('Price of a month'), '8');
  await waitFor(() =>
    expect(received.at(-1)).toMatchObject({ path: '/api/shared-assets/7/replay/', body: { price: 8 } }),
  );
});

it('takes what a member wants, with a line', async () => {
  const received = serve(renewal);
  const user = await openApp('/renewals');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Choose one');
  await user.click(await screen.findByRole('radio', { name: 'Keep it' }));
  expect(screen.queryByText('Choose one')).toBeNull();
  await user.type(screen.getByLabelText('Comment (optional)'), 'I use it daily');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(received.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/shared-assets/7/vote/',
      body: { renews_on: '2027-03-14', choice: 'keep', line: 'I use it daily' },
    }),
  );
});

it('asks before anyone voted', async () => {
  serve({ ...renewal, votes: [] });
  await openApp('/renewals');
  expect(await screen.findByText('ana decides by February 28, 2027. Everyone sees what you say.')).toBeTruthy();
});

it('says what most members want, or several of what equally many want, once two voted', async () => {
  const vote = (username: string, choice: 'keep' | 'smaller' | 'cancel') => ({ username, choice, line: '', hue: 1 });
  const [mira, ben, cem] = [vote('mira', 'smaller'), vote('ben', 'smaller'), vote('cem', 'keep')];
  const own = { ...renewal, your_role: 'owner' as const, share_id: null };
  serve(
    { ...own, votes: [mira, ben, cem] },
    { ...own, asset_id: 4, votes: [ben, cem] },
    { ...own, asset_id: 5, votes: [cem] },
  );
  await openApp('/renewals');
  expect(await screen.findByText('2 of 3 say smaller.')).toBeTruthy();
  expect(screen.getByText('1 of 2 says keep. 1 of 2 says smaller.')).toBeTruthy();
  expect(screen.getAllByText(/ of \d says? /)).toHaveLength(2);
});

it('lets the owner say what happens', async () => {
  const received = serve({ ...renewal, your_role: 'owner', share_id: null });
  const user = await openApp('/renewals');
  expect(screen.queryByRole('radio')).toBeNull();
  expect(await screen.findByText('Cancel by February 28, 2027')).toBeTruthy();
  expect(screen.getByText(/^(?:Last day|\d+ days?) to decide$/)).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Canceled' }));
  await waitFor(() =>
    expect(received.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/assets/3/renewal/',
      body: { renews_on: '2027-03-14', decision: 'canceled' },
    }),
  );
});

it('keeps the line that a member wrote before', async () => {
  const received = serve({
    ...renewal,
    your_vote: 'keep',
    votes: [{ username: aUser.username, choice: 'keep', line: 'Daily', hue: 1 }],
  });
  const user = await openApp('/renewals');
  expect((await screen.findByLabelText<HTMLInputElement>('Comment (optional)')).value).toBe('Daily');
  expect(screen.queryByRole('list', { name: 'What members want' })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Cancel it' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(received.find(({ method }) => method === 'POST')).toMatchObject({
      body: { renews_on: '2027-03-14', choice: 'cancel', line: 'Daily' },
    }),
  );
});

it('lets the owner change what they said, and keeps the focus', async () => {
  const owned = { ...renewal, your_role: 'owner' as const, share_id: null };
  let now: Renewal = owned;
  const received = fakeServer(({ path, method, body }) => {
    if (method === 'POST') {
      const { decision } = body as Pick<Renewal, 'decision'>;
      now = { ...owned, decision, kind: decision === 'canceled' ? 'end' : 'renewal', open: decision !== 'canceled' };
      return { status: 200, json: now };
    }
    return path === '/api/renewals/' ? list(now) : list();
  });
  const user = await openApp('/renewals');
  await user.click(await screen.findByRole('button', { name: 'Canceled' }));
  const outcome = await screen.findByText('ana cancels it.');
  await waitFor(() => expect(document.activeElement).toBe(outcome));
  expect(screen.queryByRole('button', { name: 'Canceled' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Renewed' }));
  expect(await screen.findByText('ana renews it.')).toBeTruthy();
  expect(received.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { renews_on: '2027-03-14', decision: 'canceled' },
    { renews_on: '2027-03-14', decision: 'renewed' },
  ]);
});

it('says when an answer could not be saved, or the last year not be read', async () => {
  fakeServer(({ path, method }) => {
    if (method === 'POST') return { status: 502 };
    if (path === '/api/renewals/') return list({ ...renewal, your_vote: 'keep' });
    return path.endsWith('/statements/') ? { status: 502 } : list();
  });
  const user = await openApp('/renewals');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText("Couldn't save your answer. Please try again.")).toBeTruthy();
  expect(await screen.findByText("Couldn't load costs. Please try again later.")).toBeTruthy();
});
