import type { Cost } from '@hourshare/contract/costs';
import type { Statement } from '@hourshare/contract/statements';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aLine, anAsset, anEntry, aShare, aStatement, someTerms, bensLine, list } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

followSignIn();
beforeEach(prepareApp);
afterEach(cleanup);

const aCost = (change: Partial<Cost> = {}): Cost => ({
  id: 7,
  version: 1,
  at: '2026-11-12T12:00:00.000Z',
  date: '2026-11-12',
  text: 'Fuel',
  amount: 60,
  split: 'usage',
  paid_by: 'ben',
  person: null,
  month: '2026-11',
  closed: false,
  currency: 'USD',
  status: 'counted',
  author: 'ben',
  reply: null,
  repeats: null,
  earlier: [],
  answers: [],
  can: { change: false, remove: false, decide: false, answer: false },
  ...change,
});

/** $60.00 of fuel that ben paid, of which 6 of 20 hours are his. */
const withFuel = (change: Partial<Statement> = {}): Statement =>
  aStatement({
    costs: [
      {
        id: 7,
        version: 1,
        date: '2026-11-12',
        text: 'Fuel',
        amount: 60,
        split: 'usage',
        status: 'counted',
        paid_by: 'ben',
        person: null,
        author: 'ben',
      },
    ],
    lines: [
      aLine({ amount: 57, price_amount: 15, costs_amount: 42 }),
      bensLine({
        amount: -37,
        price_amount: 5,
        costs_amount: 18,
        costs_paid: 60,
        costs: [
          {
            id: 7,
            amount: 18,
            split_amount: 18,
            standing: 'charged',
            explanation: [
              { method: 'share_of_use', price: 60, amount: 18, part: 21_600, whole: 72_000, unit: 'seconds' },
            ],
          },
        ],
      }),
    ],
    ...change,
  });

type Reply = { status: number; json?: unknown };
const serve = (change: Record<string, (request: Received) => Reply> = {}) => {
  const answers: typeof change = {
    'GET /api/assets/': () => list(anAsset({ subscription_cost: 20, shared_with: [anEntry(1, 'ben', 40)] })),
    'GET /api/shared-assets/': () => list(),
    'GET /api/assets/3/statements/': () => list(withFuel()),
    'GET /api/assets/3/costs/': () => list(),
    ...change,
  };
  return fakeServer((request) => answers[`${request.method} ${request.path}`]?.(request) ?? { status: 404 });
};
const sent = (received: Received[], method: string) =>
  received.filter((each) => each.method === method).map(({ body }) => body);

async function open(address = '/assets?asset=3&tab=costs&part=month') {
  const user = await openApp(address);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('button', { name: 'Add a cost' });
  const costs = within(dialog.getByRole('button', { name: 'Add a cost' }).closest('section') as HTMLElement);
  return { user, dialog, costs };
}

describe('the costs of an owned asset', () => {
  it('are added with an amount and a few words', async () => {
    const received = serve({ 'POST /api/assets/3/costs/': () => ({ status: 201, json: aCost() }) });
    const { user, dialog, costs } = await open();
    expect(await costs.findByText('Fuel, repairs, or anything else that someone paid.')).toBeTruthy();
    await user.click(costs.getByRole('button', { name: 'Add a cost' }));
    const form = within(dialog.getByRole('form', { name: 'Add a cost' }));
    expect(document.activeElement).toBe(form.getByLabelText('Amount (USD)'));
    await user.click(form.getByRole('button', { name: 'Add' }));
    expect(await form.findByText('Say what this was for')).toBeTruthy();
    await user.type(form.getByLabelText('Amount (USD)'), '60');
    await user.type(form.getByLabelText('What for'), 'Fuel{Enter}');
    await waitFor(() => expect(dialog.queryByRole('form', { name: 'Add a cost' })).toBeNull());
    expect(sent(received, 'POST')).toEqual([{ amount: 60, text: 'Fuel', split: 'month', paid_by: 'mira' }]);
  });

  it('are not split by use or allowance where there is neither', async () => {
    serve({ 'GET /api/assets/3/statements/': () => list(withFuel({ measured: false, costs: [] })) });
    const { user, dialog, costs } = await open();
    await user.click(costs.getByRole('button', { name: 'Add a cost' }));
    await user.click(dialog.getByText('Day, who paid, and how it is split'));
    const split = within(dialog.getByLabelText('Split'));
    expect(split.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Like the price',
      'Evenly',
      'One person',
    ]);
  });

  it('keep what was typed when saving fails', async () => {
    serve({ 'POST /api/assets/3/costs/': () => errorReply(500, 'internal', 'Something failed.') });
    const { user, dialog, costs } = await open();
    await user.click(costs.getByRole('button', { name: 'Add a cost' }));
    await user.type(dialog.getByLabelText('Amount (USD)'), '60');
    await user.type(dialog.getByLabelText('What for'), 'Fuel{Enter}');
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>('What for').value).toBe('Fuel');
  });

  it('say when they could not be read', async () => {
    serve({ 'GET /api/assets/3/costs/': () => errorReply(500, 'internal', 'Something failed.') });
    const { costs } = await open();
    expect(await costs.findByText("Couldn't load costs. Please try again later.")).toBeTruthy();
  });

  it('of a member are counted, or declined with a line', async () => {
    const can = { change: false, remove: false, decide: true, answer: false };
    const received = serve({
      'GET /api/assets/3/costs/': () => list(aCost({ status: 'proposed', can })),
      'POST /api/assets/3/costs/7/answer/': () => ({ status: 200, json: aCost() }),
    });
    const { user, costs } = await open();
    expect(await costs.findByText('Fuel, Nov 12, $60.00 paid by ben, by use')).toBeTruthy();
    expect(costs.getByText("Doesn't count yet")).toBeTruthy();
    await user.click(costs.getByRole('button', { name: 'Count Fuel' }));
    await user.click(await costs.findByRole('button', { name: 'Decline Fuel' }));
    expect(document.activeElement).toBe(costs.getByLabelText('Why (optional)'));
    await user.keyboard('Not ours{Enter}');
    await waitFor(() =>
      expect(sent(received, 'POST')).toEqual([
        { answer: 'count', version: 1 },
        { answer: 'decline', version: 1, text: 'Not ours' },
      ]),
    );
  });

  it('are on the statement with every part and what that makes of each line', async () => {
    serve();
    const { dialog } = await open();
    expect(
      await dialog.findByText('price $5.00 + costs $18.00 − paid $60.00 = -$37.00', { exact: false }),
    ).toBeTruthy();
    expect(dialog.getByText('$60.00 × 6 h ÷ 20 h = $18.00', { exact: false })).toBeTruthy();
  });

  it('have a limit, which the owner changes', async () => {
    const received = serve({ 'PATCH /api/assets/3/': () => ({ status: 200, json: anAsset() }) });
    const { user, costs } = await open();
    expect(costs.getByText(/^Members are asked before they pay any of it\.$/)).toBeTruthy();
    await user.click(costs.getByRole('button', { name: 'Change the limit' }));
    const field = costs.getByLabelText('Extra costs without asking, a month');
    await user.clear(field);
    await user.type(field, '50{Enter}');
    await waitFor(() => expect(sent(received, 'PATCH')).toEqual([{ extra_cost_limit: 50 }]));
    await waitFor(() => expect(document.activeElement).toBe(costs.getByRole('button', { name: 'Change the limit' })));
  });

  it('have a limit that cannot be empty, and forget a failure that was canceled', async () => {
    const received = serve({ 'PATCH /api/assets/3/': () => errorReply(500, 'internal', 'Something failed.') });
    const { user, costs } = await open();
    await user.click(costs.getByRole('button', { name: 'Change the limit' }));
    const field = costs.getByLabelText('Extra costs without asking, a month');
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.click(costs.getByRole('button', { name: 'Save' }));
    expect(document.activeElement).toBe(field);
    expect(await costs.findByText('The limit must be a number, 0 or higher')).toBeTruthy();
    expect(sent(received, 'PATCH')).toEqual([]);
    await user.type(field, '50');
    expect(field.getAttribute('aria-invalid')).toBeNull();
    await user.click(costs.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(field);
    await user.click(costs.getByRole('button', { name: 'Cancel' }));
    await user.click(costs.getByRole('button', { name: 'Change the limit' }));
    expect(costs.getByLabelText('Extra costs without asking, a month').getAttribute('aria-invalid')).toBeNull();
  });

  it('of a month that has ended keep who paid, and send only what is edited', async () => {
    const can = { change: true, remove: true, decide: false, answer: false };
    const october = { date: '2026-10-12', month: '2026-10', paid_by: 'zoe', split: 'person', person: 'max' } as const;
    const received = serve({
      'GET /api/assets/3/statements/': () =>
        list(withFuel(), withFuel({ month: '2026-10', ended: true, lines: [aLine(), bensLine({ username: 'kim' })] })),
      'GET /api/assets/3/costs/': () => list(aCost({ ...october, can })),
      'PATCH /api/assets/3/costs/7/': () => ({ status: 200, json: aCost() }),
    });
    const { user, costs } = await open();
    await user.click(await costs.findByRole('button', { name: 'Change Fuel' }));
    const payer = costs.getByLabelText<HTMLSelectElement>('Paid by');
    expect(payer.value).toBe('zoe');
    expect([...payer.options].map(({ value }) => value)).toEqual(['mira', 'ben', 'kim', 'zoe', 'max']);
    expect(costs.getByLabelText<HTMLSelectElement>('Charged to').value).toBe('max');
    const day = costs.getByLabelText('Day it was paid');
    await user.clear(day);
    await user.click(costs.getByRole('button', { name: 'Save' }));
    expect(await costs.findByText('Choose a day up to today in a month that is open')).toBeTruthy();
    await user.type(day, '2026-10-12');
    await user.type(costs.getByLabelText('What for'), ' and oil{Enter}');
    await waitFor(() => expect(sent(received, 'PATCH')).toEqual([{ text: 'Fuel and oil' }]));
  });

  it('say whose it is along with a new split, and end what repeats', async () => {
    const can = { change: true, remove: true, decide: false, answer: false };
    const repeats = { every: 1, until: null, next: '2026-12-12' };
    const received = serve({
      'GET /api/assets/3/costs/': () => list(aCost({ can, repeats })),
      'PATCH /api/assets/3/costs/7/': () => ({ status: 200, json: aCost() }),
    });
    const { user, costs } = await open();
    await user.click(await costs.findByRole('button', { name: 'Change Fuel' }));
    await user.selectOptions(costs.getByLabelText('Split'), 'person');
    await user.selectOptions(costs.getByLabelText('Repeats'), '0');
    expect(costs.queryByLabelText('Until (optional)')).toBeNull();
    await user.click(costs.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(received, 'PATCH')).toEqual([{ split: 'person', person: 'mira', repeats: null }]));
  });

  it('repeat until a day, which they show and which can be changed', async () => {
    const can = { change: true, remove: true, decide: false, answer: false };
    const repeats = { every: 1, until: '2027-06-30', next: '2026-12-12' };
    const received = serve({
      'GET /api/assets/3/costs/': () => list(aCost({ can, repeats })),
      'PATCH /api/assets/3/costs/7/': () => ({ status: 200, json: aCost() }),
    });
    const { user, costs } = await open();
    expect(await costs.findByText('Repeats on December 12, until June 30, 2027.')).toBeTruthy();
    await user.click(costs.getByRole('button', { name: 'Change Fuel' }));
    const until = costs.getByLabelText<HTMLInputElement>('Until (optional)');
    expect(until.value).toBe('2027-06-30');
    await user.clear(until);
    await user.type(until, '2027-03-31');
    await user.click(costs.getByRole('button', { name: 'Save' }));
    const changed = { every: 1, until: '2027-03-31' };
    await waitFor(() => expect(sent(received, 'PATCH')).toEqual([{ repeats: changed }]));
  });

  it('say that they no longer repeat because who paid has left', async () => {
    const repeats = { every: 1, until: null, next: null };
    serve({
      'GET /api/assets/3/costs/': () =>
        list(
          aCost({ repeats, closed: true, author: 'mira' }),
          aCost({ id: 9, text: 'Toll', repeats, closed: true, author: 'ben' }),
        ),
    });
    const { costs } = await open();
    expect(await costs.findByText('No longer repeats: who paid it has left.')).toBeTruthy();
    expect(costs.queryByText(/Toll/)).toBeNull();
    expect(costs.getByRole('button', { name: 'Stop repeating Fuel' })).toBeTruthy();
  });

  it('of a closed month are listed while they repeat, which their author can stop', async () => {
    const closed = { closed: true, month: '2026-10', date: '2026-10-12' } as const;
    const repeats = { every: 12, until: null, next: '2027-10-12' };
    let own = aCost({ ...closed, id: 8, text: 'Insurance', author: 'mira', paid_by: 'mira', repeats });
    let fails = true;
    const received = serve({
      'GET /api/assets/3/costs/': () =>
        list(aCost({ ...closed, repeats }), own, aCost({ ...closed, id: 9, text: 'Oil', author: 'mira' })),
      'PATCH /api/assets/3/costs/8/': () => {
        if (fails) return errorReply(500, 'internal', 'Something failed.');
        own = { ...own, repeats: null };
        return { status: 200, json: own };
      },
    });
    const { user, costs } = await open();
    expect(await costs.findAllByText('Repeats on October 12, 2027.')).toHaveLength(2);
    expect(costs.queryByText('Oil', { exact: false })).toBeNull();
    expect(costs.queryByRole('button', { name: 'Stop repeating Fuel' })).toBeNull();
    await user.click(costs.getByRole('button', { name: 'Stop repeating Insurance' }));
    expect(await costs.findByRole('alert')).toBeTruthy();
    fails = false;
    await user.click(costs.getByRole('button', { name: 'Stop repeating Insurance' }));
    await waitFor(() => expect(costs.queryByText('Insurance', { exact: false })).toBeNull());
    expect(sent(received, 'PATCH')).toEqual([{ repeats: null }, { repeats: null }]);
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('dialog'));
  });

  it('give the focus back to the button that opened the form', async () => {
    serve();
    const { user, costs } = await open();
    await user.click(costs.getByRole('button', { name: 'Add a cost' }));
    await user.click(costs.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement).toBe(costs.getByRole('button', { name: 'Add a cost' })));
  });
});

describe('the costs of a share', () => {
  const ben = { terms: someTerms({ extra_cost_limit: 50 }), agreed: someTerms({ extra_cost_limit: 50 }) };
  const serveBen = (cost: Cost, change: Parameters<typeof serve>[0] = {}) =>
    serve({
      'GET /api/assets/': () => list(),
      'GET /api/shared-assets/': () =>
        list(aShare({ owner: 'ida', ...ben, asset: { id: 3, name: 'Films', description: '', owner: 'ida' } })),
      'GET /api/assets/3/statements/': () => {
        const [, line] = withFuel().lines;
        const standing = 'asked' as const;
        const part = { ...line?.costs[0], amount: 0, standing };
        return list({ ...withFuel({ owner: 'ida' }), lines: [{ ...line, username: 'mira', costs: [part] }] });
      },
      'GET /api/shared-assets/7/costs/': () => list(cost),
      ...change,
    });

  it('say what is above the limit, and take a yes', async () => {
    const can = { change: false, remove: false, decide: false, answer: true };
    const received = serveBen(aCost({ author: 'ida', paid_by: 'ida', can }), {
      'POST /api/shared-assets/7/costs/7/answer/': () => ({ status: 200, json: aCost() }),
    });
    const { user, costs } = await open('/shared?share=7&tab=costs');
    expect(await costs.findByText('You pay up to $50.00 a month without being asked.')).toBeTruthy();
    expect(await costs.findByText('Your part would be $18.00. Without your yes, ida covers it.')).toBeTruthy();
    await user.click(costs.getByRole('button', { name: 'Say yes to Fuel' }));
    await waitFor(() => expect(sent(received, 'POST')).toEqual([{ answer: 'yes', amount: 18, version: 1 }]));
  });

  it('say what a yes to less is charged, and ask again', async () => {
    const answer = { username: 'mira', answer: 'yes' as const, amount: 7, text: null, at: '2026-11-13T12:00:00.000Z' };
    const part = { standing: 'asked' as const, amount: 7, split_amount: 18, id: 7, explanation: [] };
    const can = { change: false, remove: false, decide: false, answer: true };
    serveBen(aCost({ author: 'ida', paid_by: 'ida', answers: [answer], can }), {
      'GET /api/assets/3/statements/': () =>
        list({ ...withFuel({ owner: 'ida' }), lines: [bensLine({ username: 'mira', costs: [part] })] }),
    });
    const { costs } = await open('/shared?share=7&tab=costs');
    expect(await costs.findByText('Your part: $7.00, as you agreed. It would be $18.00 now.')).toBeTruthy();
    expect(costs.getByRole('button', { name: 'Say yes to Fuel' })).toBeTruthy();
  });

  it('say what one answered as one would', async () => {
    const answer = {
      username: 'mira',
      answer: 'no' as const,
      amount: null,
      text: null,
      at: '2026-11-13T12:00:00.000Z',
    };
    const part = { standing: 'refused' as const, amount: 0, split_amount: 18, id: 7, explanation: [] };
    serveBen(aCost({ author: 'ida', paid_by: 'ida', answers: [answer] }), {
      'GET /api/assets/3/statements/': () =>
        list({ ...withFuel({ owner: 'ida' }), lines: [bensLine({ username: 'mira', costs: [part] })] }),
    });
    const { costs } = await open('/shared?share=7&tab=costs');
    expect(await costs.findByText('You objected, so ida covers your part.')).toBeTruthy();
    expect(costs.getByText('Your part would be $18.00.')).toBeTruthy();
  });
});
