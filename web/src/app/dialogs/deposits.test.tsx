import type { Deposit } from '@hourshare/contract/deposits';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, aStatement, list, serveLists, someTerms } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

followSignIn();
beforeEach(prepareApp);
afterEach(cleanup);

/** What mira, the user, holds of ben for Films. */
const aDeposit = (change: Partial<Deposit> = {}): Deposit => ({
  id: 4,
  username: 'ben',
  hue: 1,
  account_deleted: false,
  direction: 'you_hold',
  held_by: 'mira',
  asset_id: 3,
  asset_name: 'Films',
  amount: 50,
  currency: 'USD',
  status: 'held',
  recorded_by: 'ben',
  recorded_at: '2026-11-02T12:00:00.000Z',
  confirmed_at: '2026-11-02T12:00:00.000Z',
  returned_by: null,
  returned_at: null,
  return_confirmed_at: null,
  can: { confirm: false, withdraw: false, give_back: true },
  ...change,
});
const waits = { confirm: true, withdraw: true, give_back: false };
const recorded = aDeposit({ status: 'recorded', confirmed_at: null, can: waits });
const given = aDeposit({ id: 5, direction: 'they_hold', held_by: 'ben', asset_id: 1, asset_name: 'Figma' });

type Reply = { status: number; json?: unknown } | 'no connection';

/** Serves an asset of the user's that ben uses, one of ben's that the user does, and deposits. */
const serve = (deposits: Deposit[], change: Record<string, (request: Received) => Reply> = {}) => {
  const lists = serveLists({
    assets: [anAsset({ shared_with: [anEntry(1, 'ben', 40), anEntry(2, null, null)] })],
    shares: [aShare({ terms: someTerms() })],
  });
  const answers: typeof change = {
    'GET /api/deposits/': () => list(...deposits),
    'GET /api/settlements/': () => list(),
    'GET /api/assets/3/statements/': () => list(aStatement()),
    'GET /api/assets/1/statements/': () => list(),
    'GET /api/assets/3/costs/': () => list(),
    'GET /api/shared-assets/7/costs/': () => list(),
    ...change,
  };
  return fakeServer((request) => answers[`${request.method} ${request.path}`]?.(request) ?? lists(request));
};
const writes = (received: Received[]) =>
  received.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const section = async () => within(await screen.findByRole('region', { name: 'Deposits' }));
const rowsOf = async () => (await section()).getAllByRole('listitem').map(({ textContent }) => textContent);

describe('the deposits of the costs page', () => {
  it('say who holds what and for which asset, those that were given back last', async () => {
    const over = aDeposit({ id: 9, status: 'returned', can: { confirm: false, withdraw: false, give_back: false } });
    serve([over, aDeposit(), given]);
    await openApp('/costs');
    expect(await rowsOf()).toEqual([
      expect.stringMatching(/^You hold \$50\.00 of ben's\. ?Films · .*Given back/),
      expect.stringMatching(/^ben holds \$50\.00 of yours\. ?Figma · /),
      expect.stringMatching(/^ben · \$50\.00 Given back ?Films · /),
    ]);
  });

  it('are not mentioned if there are none', async () => {
    serve([]);
    await openApp('/costs');
    expect(await screen.findByText('No payments yet.')).toBeTruthy();
    expect(screen.queryByText('Deposits')).toBeNull();
  });

  it('are confirmed as what was seen, refused, and said to be given back', async () => {
    const received = serve([recorded, { ...given, can: waits, status: 'returning' }, aDeposit({ id: 6 })], {
      'POST /api/deposits/4/confirm/': () => errorReply(400, 'deposit_changed', 'Review it.'),
      'DELETE /api/deposits/5/': () => ({ status: 204 }),
      'POST /api/deposits/6/return/': () => ({ status: 200, json: aDeposit({ id: 6 }) }),
    });
    const user = await openApp('/costs');
    expect((await rowsOf()).slice(0, 2)).toEqual([
      expect.stringContaining('Not confirmed yet'),
      expect.stringContaining('Given back, not confirmed yet'),
    ]);
    const [first, second, third] = (await section()).getAllByRole('listitem');
    await user.click(within(first!).getByRole('button', { name: 'Confirm $50.00 from ben' }));
    expect((await within(first!).findByRole('alert')).textContent).toMatch(/Review it/);
    await user.click(within(second!).getByRole('button', { name: 'Not right ($50.00, ben)' }));
    expect(await screen.findByText('Saved.')).toBeTruthy();
    await user.click(within(third!).getByRole('button', { name: 'Given back ($50.00, ben)' }));
    await waitFor(() =>
      expect(writes(received)).toEqual([
        ['POST', '/api/deposits/4/confirm/', { status: 'recorded' }],
        ['DELETE', '/api/deposits/5/', undefined],
        ['POST', '/api/deposits/6/return/', undefined],
      ]),
    );
  });
});

describe('recording a deposit', () => {
  it('is an amount for the owner, in the menu of who gave it', async () => {
    const received = serve([], { 'POST /api/assets/3/deposits/': () => ({ status: 201, json: recorded }) });
    const user = await openApp('/assets?asset=3&tab=share');
    const options = await screen.findByRole('button', { name: 'Options for ben' });
    await user.click(options);
    await user.click(await screen.findByRole('menuitem', { name: 'Record a deposit of ben' }));
    const form = within(await screen.findByRole('form', { name: 'Record a deposit' }));
    expect(document.activeElement).toBe(form.getByLabelText('Amount (USD)'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('Amount must be a number')).toBeTruthy();
    await user.type(form.getByLabelText('Amount (USD)'), '50');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('ben was asked to agree.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(options));
    expect(writes(received)).toEqual([['POST', '/api/assets/3/deposits/', { username: 'ben', amount: 50 }]]);
  });

  it('asks no one who has no account', async () => {
    serve([], { 'POST /api/assets/3/deposits/': () => ({ status: 201, json: aDeposit({ status: 'held' }) }) });
    const user = await openApp('/assets?asset=3&tab=share');
    await user.click(await screen.findByRole('button', { name: 'Options for ben' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Record a deposit of ben' }));
    const form = within(await screen.findByRole('form', { name: 'Record a deposit' }));
    await user.type(form.getByLabelText('Amount (USD)'), '50{Enter}');
    expect(await screen.findByText('Added.')).toBeTruthy();
    expect(screen.queryByText('ben was asked to agree.')).toBeNull();
  });

  it('says what failed, even without a connection', async () => {
    serve([], { 'POST /api/assets/3/deposits/': () => 'no connection' });
    const user = await openApp('/assets?asset=3&tab=share');
    await user.click(await screen.findByRole('button', { name: 'Options for ben' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Record a deposit of ben' }));
    const form = within(await screen.findByRole('form', { name: 'Record a deposit' }));
    await user.type(form.getByLabelText('Amount (USD)'), '50{Enter}');
    expect((await form.findByRole('alert')).textContent).toContain("Can't reach the server.");
  });

  it('is not mentioned among the costs of an asset without any, which show those that there are', async () => {
    serve([aDeposit(), given]);
    await openApp('/assets?asset=3&tab=costs&part=month');
    expect(await rowsOf()).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Record a deposit' })).toBeNull();
    cleanup();
    prepareApp();
    serve([given]);
    await openApp('/assets?asset=3&tab=costs&part=month');
    expect(await screen.findByRole('button', { name: 'Add a cost' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Deposits' })).toBeNull();
  });

  it('is an amount for a member, below what they gave', async () => {
    const received = serve([given, aDeposit()], {
      'POST /api/shared-assets/7/deposits/': () => ({ status: 201, json: given }),
    });
    const user = await openApp('/shared?share=7&tab=costs');
    expect(await rowsOf()).toHaveLength(1);
    await user.click((await section()).getByRole('button', { name: 'Record a deposit' }));
    const form = within(screen.getByRole('form', { name: 'Record a deposit' }));
    await user.type(form.getByLabelText('Amount (USD)'), '7,50{Enter}');
    await waitFor(() =>
      expect(writes(received)).toEqual([['POST', '/api/shared-assets/7/deposits/', { amount: 7.5 }]]),
    );
    const opener = await (await section()).findByRole('button', { name: 'Record a deposit' });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe('what waits for the user', () => {
  it('is a deposit to confirm, in the panel of the bell', async () => {
    const received = serve([recorded], { 'POST /api/deposits/4/confirm/': () => ({ status: 200, json: aDeposit() }) });
    const user = await openApp('/profile');
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    const item = within(await screen.findByRole('listitem', { name: "You hold $50.00 of ben's." }));
    expect(item.getByText('Not confirmed yet')).toBeTruthy();
    expect(await item.findByRole('button', { name: 'Not right ($50.00, ben)' })).toBeTruthy();
    await user.click(item.getByRole('button', { name: 'Confirm $50.00 from ben' }));
    await waitFor(() => expect(writes(received)).toHaveLength(1));
  });
});

describe('ending access', () => {
  it('tells the owner what they still hold', async () => {
    serve([aDeposit(), aDeposit({ id: 6, amount: 7 }), recorded, given, aDeposit({ id: 8, asset_id: 2 })]);
    const user = await openApp('/assets?asset=3&tab=share');
    await user.click(await screen.findByRole('button', { name: 'Options for ben' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove access for ben' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(await question.findByText("You hold $57.00 of ben's.")).toBeTruthy();
  });

  it('tells a member what the owner still holds', async () => {
    serve([given]);
    const user = await openApp('/shared?share=7&tab=details');
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(await question.findByText('ben holds $50.00 of yours.')).toBeTruthy();
  });
});
