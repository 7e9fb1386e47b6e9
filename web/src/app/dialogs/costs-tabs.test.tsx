import type { SplitPreview } from '@hourshare/contract/statements';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aLine, anAsset, anEntry, aShare, aStatement, bensLine, list, someNextTerms } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

const november = aStatement();
const october = aStatement({ month: '2026-10', ended: true, closes_at: '2026-11-04T12:00:00.000Z' });
/** When a member said that they have nothing to edit. */
const ANSWERED = '2026-11-02T12:00:00.000Z';
const september = {
  ...october,
  month: '2026-09',
  closed: true,
  lines: [aLine({ id: 1 }), bensLine({ id: 2, status: 'due' })],
};

const preview: SplitPreview = {
  month: '2026-11',
  price: 20,
  currency: 'USD',
  before: november.lines.map(({ id: _id, status: _status, settled: _settled, ...each }) => each),
  after: [aLine({ amount: 10 }), bensLine({ amount: 10 })],
};

const films = anAsset({ subscription_cost: 20, shared_with: [anEntry(1, 'ben', 40)] });
type Reply = { status: number; json?: unknown };

const serveHousehold = (change: Record<string, (request: Received) => Reply> = {}) => {
  const answers: typeof change = {
    'GET /api/assets/': () => list(films),
    'GET /api/shared-assets/': () => list(aShare()),
    'GET /api/assets/3/statements/': () => list(november, october, september),
    'GET /api/assets/3/prices/': () =>
      list(
        { from_month: '2026-06', subscription_cost: 18, open: false },
        { from_month: '2026-10', subscription_cost: 20, open: true },
        { from_month: '2027-01', subscription_cost: 22, open: true },
      ),
    'POST /api/assets/3/split-preview/': () => list(preview),
    'PATCH /api/assets/3/': () => ({ status: 200, json: films }),
    ...change,
  };
  return fakeServer((request) => answers[`${request.method} ${request.path}`]?.(request) ?? { status: 404 });
};
const sentBodies = (received: Received[], call: string) =>
  received.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

const headings = { month: 'November so far', split: 'Cost split', price: 'Price', history: 'Past months' };

async function open(part: keyof typeof headings, address = `/assets?asset=3&tab=costs&part=${part}`) {
  const user = await openApp(address);
  const dialog = within(await screen.findByRole('dialog', { name: /^Manage Asset:/ }));
  await dialog.findByRole('heading', { name: headings[part] });
  return { user, dialog };
}
const rows = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the Costs tab of an owned asset', () => {
  it('shows every line of this month with its explanation and closing date', async () => {
    serveHousehold();
    const { dialog } = await open('month');
    const month = within(dialog.getByRole('region', { name: 'November so far' }));
    expect(rows(month.getByRole('table'))).toEqual(['WhoUsedAllowancePays', 'You (owner)––$15.00', 'ben10 h40 h$5.00']);
    expect(month.getByText('10 h × $20.00 ÷ 40 h = $5.00')).toBeTruthy();
    expect(month.getByText('Closes on December 4')).toBeTruthy();
    expect(month.getByText('Price per hour')).toBeTruthy();
  });

  it('keeps its part in the address and saves the edits of several tabs at once', async () => {
    const received = serveHousehold({
      'POST /api/assets/3/prices/': () =>
        errorReply(400, 'month_closed', "This month is closed and can't be changed.", {
          from_month: ["This month is closed, so its price can't change."],
        }),
    });
    const { user, dialog } = await open('split');
    const selected = () => dialog.getAllByRole('tab', { selected: true }).map(({ textContent }) => textContent);
    expect(selected()).toEqual(['Costs', 'Split']);
    await user.clear(dialog.getByLabelText('Your own hours'));
    await user.type(dialog.getByLabelText('Your own hours'), '7');
    await user.click(dialog.getByRole('tab', { name: 'Price' }));
    await user.type(await dialog.findByLabelText('New monthly price'), '25');
    expect(window.location.search).toBe('?asset=3&tab=costs&part=price');
    await user.click(dialog.getByRole('tab', { name: 'Details' }));
    await waitFor(() => expect(selected()).toEqual(['Details']));

    // The split is saved, and the price, which can't be, is shown.
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText("Couldn't save your changes.");
    await waitFor(() => expect(selected()).toEqual(['Costs', 'Price']));
    expect(dialog.getByText("This month is closed, so its price can't change.")).toBeTruthy();
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toMatchObject([{ owner_hours: 7 }]);
  });

  it('previews another split before saving it', async () => {
    const received = serveHousehold();
    const { user, dialog } = await open('split');
    await user.click(dialog.getByRole('radio', { name: 'Evenly' }));
    const tried = within(await dialog.findByRole('group', { name: 'Preview' }));
    expect(rows(tried.getByRole('table'))).toEqual([
      'WhoNowNewChange',
      'You$15.00$10.00−$5.00',
      'ben$5.00$10.00+$5.00',
    ]);
    const terms = { split_method: 'equal', base_percent: 0, owner_hours: 0 };
    expect(sentBodies(received, 'POST /api/assets/3/split-preview/')).toEqual([terms]);
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText('All changes saved');
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([{ split_method: 'equal' }]);
  });

  it('says what starts next month', async () => {
    const changed = { ...films, next_terms: someNextTerms({ split_method: 'equal' }) };
    let asset = films;
    const received = serveHousehold({
      'GET /api/assets/': () => list(asset),
      'PATCH /api/assets/3/': () => ({ status: 200, json: (asset = changed) }),
    });
    const { user, dialog } = await open('split');
    await user.click(dialog.getByRole('radio', { name: 'Evenly' }));
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText(
      'Starting December 2026: Evenly, sessions of up to 24 h. Until then: Price per hour, sessions of up to 24 h.',
    );
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([{ split_method: 'equal' }]);
  });

  it('saves and previews a share of use, with what an hour costs at most and the owner taking part', async () => {
    const received = serveHousehold();
    const { user, dialog } = await open('split');
    await user.click(dialog.getByRole('radio', { name: 'Share of use' }));
    const own = dialog.getByRole('checkbox', {
      name: 'I use it, too',
      description: "You aren't measured, so the others pay.",
    });
    await user.type(dialog.getByLabelText('Maximum price per hour (USD)'), '0,75');
    await user.click(own);
    await dialog.findByRole('group', { name: 'Preview' });
    await waitFor(() =>
      expect(sentBodies(received, 'POST /api/assets/3/split-preview/').at(-1)).toEqual({
        split_method: 'share_of_use',
        base_percent: 0,
        owner_hours: 0,
        max_price_per_hour: 0.75,
      }),
    );
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText('All changes saved');
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([
      { split_method: 'share_of_use', max_price_per_hour: 0.75, owner_takes_part: true },
    ]);
  });

  it('previews other allowances without saving them', async () => {
    const received = serveHousehold();
    const { user, dialog } = await open('split');
    const hours = dialog.getByLabelText('ben');
    await user.clear(hours);
    await user.type(hours, '80');
    await dialog.findByRole('group', { name: 'Preview' });
    const terms = { split_method: 'usage', base_percent: 0, owner_hours: 0 };
    expect(sentBodies(received, 'POST /api/assets/3/split-preview/').at(-1)).toEqual({
      ...terms,
      allocations: { ben: 80 },
    });
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([]);
  });

  it('explains each method', async () => {
    serveHousehold();
    const { dialog } = await open('split');
    const methods = within(dialog.getByRole('group', { name: 'Method' })).getAllByRole('radio');
    expect(methods).toHaveLength(4);
    expect(
      dialog.getByRole('radio', {
        name: 'Price per hour',
        checked: true,
        description: 'An hour has a price. Each person pays for the hours they use; you cover the rest.',
      }),
    ).toBe(methods[0]);
  });

  it('shows an error under invalid hours without sending a request', async () => {
    const received = serveHousehold();
    const { user, dialog } = await open('split');
    const own = dialog.getByLabelText('Your own hours');
    await user.clear(own);
    await user.type(own, '745');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await dialog.findByText('Your own hours must be a whole number from 0 to 744')).toBeTruthy();
    expect(own.getAttribute('aria-invalid')).toBe('true');
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([]);
  });

  it('leaves out an invalid value of a hidden field', async () => {
    const received = serveHousehold();
    const { user, dialog } = await open('split');
    await user.type(dialog.getByLabelText('Base share (%)'), '999');
    await user.click(dialog.getByRole('radio', { name: 'Evenly' }));
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText('All changes saved');
    expect(sentBodies(received, 'PATCH /api/assets/3/')).toEqual([{ split_method: 'equal' }]);
  });

  it('lists prices, marks closed ones, and sets a new one', async () => {
    const received = serveHousehold({
      'POST /api/assets/3/prices/': () => ({
        status: 201,
        json: { results: [{ from_month: '2026-12', subscription_cost: 25.5, open: true }], next: null },
      }),
    });
    const { user, dialog } = await open('price');
    const prices = within(dialog.getByRole('region', { name: 'Price' }));
    await prices.findByText('Since June 2026');
    expect(prices.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Starting January 2027$22.00',
      'Since October 2026$20.00',
      'Since June 2026Closed$18.00',
    ]);
    await user.selectOptions(prices.getByLabelText('Starting month'), '2026-12');
    await user.type(prices.getByLabelText('New monthly price'), '25,5');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('$25.50 per month starting December 2026.');
    expect(sentBodies(received, 'POST /api/assets/3/prices/')).toEqual([
      { from_month: '2026-12', subscription_cost: 25.5 },
    ]);
  });

  it('shows an error under the month when it was closed in the meantime', async () => {
    serveHousehold({
      'POST /api/assets/3/prices/': () =>
        errorReply(400, 'month_closed', "This month is closed and can't be changed.", {
          from_month: ["This month is closed, so its price can't change."],
        }),
    });
    const { user, dialog } = await open('price');
    await user.selectOptions(dialog.getByLabelText('Starting month'), '2026-10');
    await user.type(dialog.getByLabelText('New monthly price'), '3');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await dialog.findByText("This month is closed, so its price can't change.");
    expect(dialog.getByLabelText('Starting month').getAttribute('aria-invalid')).toBe('true');
  });

  it('closes an ended month after a confirmation, once no member has anything to edit', async () => {
    let closed = false;
    const answered = { ...october, lines: [aLine(), bensLine({ confirmed_at: ANSWERED })] };
    const received = serveHousehold({
      'GET /api/assets/3/statements/': () => list(november, { ...answered, closed }, september),
      'POST /api/assets/3/statements/2026-10/close/': () => {
        closed = true;
        return { status: 200, json: { ...answered, closed } };
      },
    });
    const { user, dialog } = await open('history');
    expect(dialog.getByText('Open until November 4')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Close now for October 2026' }));
    const confirmation = within(await screen.findByRole('alertdialog', { name: 'Close October 2026 now?' }));
    expect(confirmation.getByText('Otherwise it closes by itself on November 4.')).toBeTruthy();
    expect(sentBodies(received, 'POST /api/assets/3/statements/2026-10/close/')).toHaveLength(0);
    await user.click(confirmation.getByRole('button', { name: 'Close now' }));
    await waitFor(() => expect(dialog.queryByText('Not closed yet')).toBeNull());
    expect(sentBodies(received, 'POST /api/assets/3/statements/2026-10/close/')).toHaveLength(1);
  });

  it('says who still has to answer before a month can be closed, also in an earlier month that is open', async () => {
    const cem = bensLine({ username: 'cem' });
    serveHousehold({
      'GET /api/assets/3/statements/': () =>
        list(
          november,
          { ...october, lines: [aLine(), bensLine({ confirmed_at: ANSWERED }), cem] },
          { ...october, month: '2026-09', lines: [aLine(), bensLine()] },
        ),
    });
    const { user, dialog } = await open('history');
    const button = dialog.getByRole<HTMLButtonElement>('button', {
      name: 'Close now for October 2026',
      description: "Waiting for cem and ben to say there's nothing to edit. Closes by itself on November 4.",
    });
    await user.click(button);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(dialog.getByText(/^Waiting for ben to say/)).toBeTruthy();
  });

  it('says so when a member has something to edit after all', async () => {
    const REFUSED = 'This month can be closed early once every member has said there is nothing to edit.';
    let confirmed_at: string | null = ANSWERED;
    serveHousehold({
      'GET /api/assets/3/statements/': () =>
        list(november, { ...october, lines: [aLine(), bensLine({ confirmed_at })] }),
      'POST /api/assets/3/statements/2026-10/close/': () => {
        confirmed_at = null;
        return errorReply(400, 'members_may_edit', REFUSED);
      },
    });
    const { user, dialog } = await open('history');
    await user.click(dialog.getByRole('button', { name: 'Close now for October 2026' }));
    const confirmation = within(await screen.findByRole('alertdialog'));
    await user.click(confirmation.getByRole('button', { name: 'Close now' }));
    expect(await confirmation.findByText(REFUSED)).toBeTruthy();
    await user.click(confirmation.getByRole('button', { name: 'Cancel' }));
    await dialog.findByText(/^Waiting for ben to say/);
  });

  it('lists the changes of a month’s price', async () => {
    const change = { at: '2026-11-03T19:12:00.000Z', from: 20, to: 12.5 };
    serveHousehold({ 'GET /api/assets/3/statements/': () => list({ ...november, price_changes: [change] }, october) });
    const { user, dialog } = await open('month');
    const changes = within(dialog.getByRole('list', { name: 'Price changes' })).getAllByRole('listitem');
    expect(changes.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Nov \d, 2026, .*\$20\.00 → \$12\.50$/),
    ]);
    await user.click(dialog.getByRole('tab', { name: 'History' }));
    await dialog.findByRole('heading', { name: 'Past months' });
    expect(dialog.queryByRole('list', { name: 'Price changes' })).toBeNull();
  });

  it('shows who paid in each past month and marks a line as paid', async () => {
    let status: 'due' | 'paid' = 'due';
    serveHousehold({
      'GET /api/assets/3/statements/': () =>
        list(november, { ...september, lines: [aLine({ id: 1 }), bensLine({ id: 2, status })] }),
      'POST /api/statement-lines/2/mark/': () => {
        status = 'paid';
        return { status: 200, json: bensLine({ id: 2, status }) };
      },
    });
    const { user, dialog } = await open('history');
    expect(dialog.getByText('0 of 1 paid')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Mark as paid for ben, 10 h used' }));
    await dialog.findByText('All paid');
    expect(dialog.getByRole('button', { name: 'Undo marking as paid for ben, 10 h used' })).toBeTruthy();
  });
});

describe('the Costs tab of a shared asset', () => {
  const own = { ...november, asset_id: 1, asset_name: 'Figma', owner: 'ben' };
  const running = { ...own, lines: [bensLine({ username: 'mira' })] };
  const past = { ...running, month: '2026-10', ended: true, closed: true };

  it('shows the member’s line of each month, explains the running one, and marks a past one as sent', async () => {
    let status: 'due' | 'sent' = 'due';
    const line = (marked: 'due' | 'sent') =>
      bensLine({ username: 'mira', id: 7, status: marked, days: 31, summed_hours: 1240 });
    const received = serveHousehold({
      'GET /api/assets/1/statements/': () => list(running, { ...past, lines: [line(status)] }),
      'POST /api/statement-lines/7/mark/': () => {
        status = 'sent';
        return { status: 200, json: line(status) };
      },
    });
    const { user, dialog } = await open('month', '/shared?share=7&tab=costs');
    expect(dialog.getByText('of $20.00 per month').parentElement?.textContent).toBe('$5.00 of $20.00 per month');
    // The statement of a closed month has its explanation.
    expect(dialog.getAllByText('You used 10 h at $0.50 an hour: $5.00.')).toHaveLength(1);
    expect(dialog.getByRole('link', { name: 'Statement for October 2026' })).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Mark as sent for October 2026, 10 h' }));
    expect(await dialog.findByRole('button', { name: 'Undo marking as sent for October 2026, 10 h' })).toBeTruthy();
    expect(sentBodies(received, 'POST /api/statement-lines/7/mark/')).toEqual([{ status: 'sent' }]);
  });

  it('lets a member with access try another plan, once a month has closed', async () => {
    const REPLAY = 'POST /api/shared-assets/7/replay/';
    const people = [{ username: 'mira', hue: 1, paid: 5, replayed: 4 }];
    const months = [{ month: '2026-10', unfit_hours: 0, people }];
    const received = serveHousehold({
      'GET /api/assets/1/statements/': () => list(running, { ...past, lines: [bensLine({ username: 'mira' })] }),
      [REPLAY]: () => ({
        status: 200,
        json: { currency: 'USD', months, people, total: { paid: 20, replayed: 16 } },
      }),
    });
    const { user, dialog } = await open('month', '/shared?share=7&tab=costs');
    await user.click(await dialog.findByRole('button', { name: 'Show', description: 'What if, last year?' }));
    await user.type(await dialog.findByLabelText('Price of a month'), '16');
    expect(await dialog.findByRole('row', { name: 'Total $20.00 $16.00 −$4.00' })).toBeTruthy();
    expect(sentBodies(received, REPLAY).at(-1)).toEqual({ price: 16 });
  });

  it('lets the member say that they have nothing to edit in an ended month', async () => {
    let confirmed_at: string | null = null;
    const ended = { ...past, closed: false, closes_at: '2026-11-04T12:00:00.000Z' };
    const CONFIRM = 'POST /api/assets/1/statements/2026-10/confirm/';
    const received = serveHousehold({
      'GET /api/assets/1/statements/': () =>
        list(running, { ...ended, lines: [bensLine({ username: 'mira', confirmed_at })] }),
      [CONFIRM]: () => {
        if (sentBodies(received, CONFIRM).length === 1) return { status: 500 };
        confirmed_at = ANSWERED;
        return { status: 200, json: ended };
      },
    });
    const { user, dialog } = await open('month', '/shared?share=7&tab=costs');
    expect(dialog.getByText('Tells ben that this month can be closed. Editing a session takes it back.')).toBeTruthy();
    const button = dialog.getByRole('button', { name: 'Nothing to edit in October 2026' });
    await user.click(button);
    await dialog.findByText("Couldn't save your answer. Please try again.");
    await user.click(button);
    const answer = await dialog.findByText('You have nothing to edit');
    expect(answer.parentElement?.textContent).toBe('You have nothing to editNovember 2');
    expect(await screen.findByText('You have nothing to edit in October 2026.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.contains(answer)).toBe(true));
    expect(document.activeElement).not.toBe(document.body);
    expect(dialog.queryByRole('button', { name: /^Nothing to edit/ })).toBeNull();
  });
});
