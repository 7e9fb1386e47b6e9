import type { PaymentMethod } from '@hourshare/contract/payment-methods';
import type { Balance } from '@hourshare/contract/settlements';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../../platform/http/query-client.ts';
import { errorReply, fakeServer, type Received } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import {
  aBalance,
  aCharge,
  anAsset,
  anEntry,
  aSettlement,
  aShare,
  aStatement,
  aLine,
  bensLine,
  anExplanation,
  list,
} from '../../../testing/records.ts';
import { openTotals } from '../../../features/settlements/rules.ts';
import { followSignIn } from '../../follow-sign-in.ts';
import { router } from '../../router.tsx';

const region = async (name: string) => within(await screen.findByRole('region', { name }));
const shown = (text: string | RegExp) => screen.findByText(text);

const balance = aBalance({
  lines: [
    aCharge({ month: '2026-09', amount: 3 }),
    aCharge({ id: 2, amount: 2, status: 'sent', status_since: '2026-11-05T12:00:00.000Z' }),
    aCharge({ id: 3, asset_id: 1, asset_name: 'Figma', amount: 2, direction: 'you_owe' }),
  ],
});

const paidBy = (methods: PaymentMethod[]) => ({ iban: null, link: null, text: null, methods });

const films = aStatement();
const figma = aStatement({
  asset_id: 1,
  asset_name: 'Figma',
  owner: 'ben',
  lines: [
    bensLine({
      username: 'mira',
      used_hours: 20,
      used_seconds: 72_000,
      amount: 10,
      explanation: [anExplanation({ part: 72_000, amount: 10 })],
    }),
  ],
});
const settlement = aSettlement({
  username: 'ana',
  amount: 4,
  settled_at: '2026-10-05T12:00:00.000Z',
  lines: [
    {
      id: 8,
      asset_id: null,
      asset_name: 'Gone',
      month: '2026-08',
      amount: 4,
      covered_amount: 4,
      direction: 'they_owe',
    },
  ],
});

const settlementPath = `/api/settlements/${aSettlement().id}/`;

type Answer = ReturnType<typeof list> | ReturnType<typeof errorReply> | 'no connection';
type Answers = Record<string, () => Answer | Promise<Answer>>;

/** Serves the page's lists; a test replaces the responses it is about. */
const serveHousehold = (change: Answers = {}) => {
  const answers: Answers = {
    'GET /api/assets/': () => list(anAsset({ shared_with: [anEntry(1, 'ben', 40)] })),
    'GET /api/shared-assets/': () => list(aShare()),
    'GET /api/balances/': () => list(balance),
    'GET /api/deposits/': () => list(),
    'GET /api/settlements/': () => list(settlement),
    'GET /api/statements/': () => list(films, figma),
    'GET /api/assets/3/statements/': () => list(films),
    'GET /api/assets/3/prices/': () => list({ from_month: '2026-06', subscription_cost: 20, open: false }),
    ...change,
  };
  return fakeServer(({ method, path }: Received) => answers[`${method} ${path}`]?.() ?? { status: 404 });
};
const sentBodies = (received: Received[], call: string) =>
  received.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

followSignIn();

beforeEach(prepareApp);
// The month of the served statements: months of the same year are named without it.
beforeEach(() => void vi.setSystemTime('2026-11-18T12:00:00.000Z'));
afterEach(() => void vi.useRealTimers());
afterEach(cleanup);

describe('the costs page', () => {
  const owing = (username: string, amount: number, currency = 'USD'): Balance => ({
    ...balance,
    username,
    currency,
    lines: balance.lines.slice(0, 1).map((line) => ({
      ...line,
      amount: Math.abs(amount),
      open_amount: Math.abs(amount),
      direction: amount < 0 ? 'you_owe' : 'they_owe',
      your_mark: amount < 0 ? 'sent' : 'paid',
    })),
  });

  it('leads to renewals if there can be any', async () => {
    serveHousehold({ 'GET /api/assets/': () => list(anAsset({ ends_on: '2027-03-14' })) });
    await openApp('/costs');
    expect((await screen.findByRole('link', { name: 'Renewals' })).getAttribute('href')).toBe('/renewals');
  });

  it.each([
    ['one debt', [owing('dora', -134.11)], 'You owe dora $134.11.'],
    [
      'debts and a credit',
      [owing('dora', -134.11), owing('chen', -44.5), owing('ana', 8.68)],
      'You owe $178.61 to 2 people; ana owes you $8.68.',
    ],
    ['credits', [owing('ana', 3), owing('ben', 4)], '2 people owe you $7.00.'],
    [
      'two currencies, which are not added up',
      [owing('ana', -3, 'EUR'), owing('ana', -4), owing('ben', 450, 'JPY')],
      'You owe ana €3.00 and $4.00; ben owes you ¥450.',
    ],
    [
      'charges that cancel out',
      [{ ...balance, net: 0, lines: balance.lines.slice(1) }],
      'Your charges with ben cancel out.',
    ],
    ['no balance', [], "You're all settled up. New balances appear when a month closes."],
  ])('says %s in one sentence', async (_, balances, sentence) => {
    serveHousehold({ 'GET /api/balances/': () => list(...balances) });
    await openApp('/costs');
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Costs');
    await waitFor(() => expect(document.title).toBe('Costs · HourShare'));
    await screen.findByText((_text, element) => element?.tagName === 'P' && element.textContent === sentence);
  });

  it('opens the charges behind a balance in place, and says so in the address', async () => {
    serveHousehold();
    const user = await openApp('/costs');
    const row = within(await screen.findByRole('listitem', { name: 'ben' }));
    expect(row.getByText('Figma').parentElement?.innerHTML).toBe('<bdi>Films</bdi>, <bdi>Figma</bdi>');
    const toggle = row.getByRole('button', { name: 'ben', expanded: false, description: 'Owes you +$3.00' });
    expect(row.queryByText('ben owes you $5.00')).toBeNull();
    await user.click(toggle);
    await waitFor(() => expect(window.location.search).toBe('?person=ben'));
    expect(row.getByText('ben owes you $5.00')).toBeTruthy();
    expect(row.getByText('You owe ben $2.00')).toBeTruthy();
    expect(row.getByText('Films', { selector: 'summary *' }).closest('summary')?.textContent).toBe(
      'Films2 months, September to October$5.00',
    );
    expect(
      within(row.getByRole('list', { name: 'Films' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'September 2026$3.00DueMark as paid for Films, September 2026',
      'October 2026$2.00SentNovember 5Mark as paid for Films, October 2026',
    ]);
    expect(row.getByText('Figma', { selector: 'span' }).closest('li')?.textContent).toBe(
      'Figma$2.00October 2026DueMark as sent for Figma, October 2026',
    );
    await user.click(toggle);
    await waitFor(() => expect(toggle.getAttribute('aria-expanded')).toBe('false'));
    expect(window.location.search).toBe('');
  });

  it('lists debts first, the largest first, and opens one of two currencies', async () => {
    serveHousehold({
      'GET /api/balances/': () =>
        list(
          ...[owing('ana', 8), owing('ben', 9), owing('chen', -4), owing('dora', -5), owing('dora', -7, 'EUR')].map(
            (each) => ({ ...each, net: openTotals(each.lines, each.currency).net }),
          ),
        ),
    });
    const user = await openApp('/costs?person=ben');
    const balances = await region('Balances');
    const rows = await balances.findAllByRole('heading', { level: 3 });
    expect(rows.map(({ textContent }) => textContent)).toEqual(['dora', 'chen', 'dora', 'ben', 'ana']);
    expect(balances.getByRole('button', { expanded: true }).textContent).toBe('ben');
    await user.click(screen.getByRole('button', { name: 'dora', description: 'You owe −€7.00' }));
    await waitFor(() => expect(window.location.search).toBe('?person=dora&currency=EUR'));
    expect(balances.getAllByRole('button', { expanded: true })).toHaveLength(1);
    expect(screen.getByText('You owe dora €7.00')).toBeTruthy();
  });

  it('marks all charges in one direction, keeps the focus in the row, and undoes it', async () => {
    let status = 'paid';
    const received = serveHousehold({
      'POST /api/statement-lines/1/mark/': () => ({ status: 200, json: { ...films.lines[1], id: 1, status } as never }),
      'POST /api/statement-lines/2/mark/': () => ({ status: 200, json: { ...films.lines[1], id: 2, status } as never }),
    });
    const user = await openApp('/costs?person=ben');
    // A single charge has its own button only.
    expect(screen.queryByRole('button', { name: /^Mark all as sent/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Mark all paid by ben' }));
    await shown('Marked 2 charges as paid.');
    await shown('ben owes you $0.00');
    expect(screen.queryByRole('button', { name: /^Mark all/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'ben' }));
    expect(sentBodies(received, 'POST /api/statement-lines/2/mark/')).toEqual([{ status: 'paid' }]);
    status = 'due';
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await shown('Undone.');
    await shown('ben owes you $5.00');
    expect(sentBodies(received, 'POST /api/statement-lines/2/mark/')).toEqual([{ status: 'paid' }, { status: 'due' }]);
  });

  it('offers to mark all again only while some are left', async () => {
    let loads = 0;
    serveHousehold({
      // Someone else has marked them by the time they are read again.
      'GET /api/balances/': () => {
        loads += 1;
        return list(loads === 1 ? balance : { ...balance, lines: balance.lines.slice(2) });
      },
      'POST /api/statement-lines/1/mark/': () => errorReply(500, 'internal', 'Broken.'),
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Mark all paid by ben' }));
    await waitFor(() => expect(screen.queryByText(/^ben owes you/)).toBeNull());
    expect(screen.queryByRole('button', { name: /^Mark all/ })).toBeNull();
  });

  it('stops at the first charge that cannot be marked and says so', async () => {
    serveHousehold({
      'POST /api/statement-lines/1/mark/': () => ({
        status: 200,
        json: { ...films.lines[1], id: 1, status: 'paid' } as never,
      }),
      'POST /api/statement-lines/2/mark/': () => errorReply(500, 'internal', 'Broken.'),
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Mark all paid by ben' }));
    expect((await screen.findByRole('alert')).textContent).toBe("Couldn't update this charge. Please try again.");
  });

  it('marks a line as paid, leaves it out of the balance, and undoes it', async () => {
    let status = 'paid';
    const received = serveHousehold({
      'POST /api/statement-lines/1/mark/': () => ({ status: 200, json: { ...films.lines[1], id: 1, status } as never }),
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Mark as paid for Films, September 2026' }));
    await shown('ben owes you $2.00');
    status = 'due';
    await user.click(screen.getByRole('button', { name: 'Undo marking as paid for Films, September 2026' }));
    await shown('ben owes you $5.00');
    expect(sentBodies(received, 'POST /api/statement-lines/1/mark/')).toEqual([{ status: 'paid' }, { status: 'due' }]);
  });

  it('lets the owner alone say that what they owe someone without an account is paid', async () => {
    const owed = owing('zoe', -4);
    const lines = owed.lines.map((line) => ({ ...line, your_mark: 'paid' as const }));
    serveHousehold({ 'GET /api/balances/': () => list({ ...owed, account_deleted: true, hue: null, lines }) });
    await openApp('/costs?person=zoe');
    expect(await screen.findByRole('button', { name: 'Mark as paid for Films, September 2026' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /as sent/ })).toBeNull();
  });

  it('can still undo a mark after the notifications were opened', async () => {
    const received = serveHousehold({
      'POST /api/statement-lines/1/mark/': () => ({
        status: 200,
        json: { ...films.lines[1], id: 1, status: 'paid' } as never,
      }),
    });
    const reads = () => received.filter(({ path }) => path === '/api/balances/').length;
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Mark as paid for Films, September 2026' }));
    await shown('ben owes you $2.00');
    const before = reads();
    await user.click(screen.getByRole('button', { name: 'Notifications' }));
    const notifications = await screen.findByRole('dialog', { name: 'Notifications' });
    await waitFor(() => expect(within(notifications).queryByRole('status')).toBeNull());
    expect(reads()).toBe(before);
    expect(screen.getByRole('button', { name: 'Undo marking as paid for Films, September 2026' })).toBeTruthy();
  });

  const debtTo = (username: string, amount: number) =>
    aBalance({ username, lines: [aCharge({ amount, direction: 'you_owe' })] });

  it('settles with one press, and sends exactly the lines it showed', async () => {
    let open = [balance];
    const received = serveHousehold({
      'GET /api/balances/': () => list(...open),
      'POST /api/settlements/': () => {
        open = [];
        return { status: 201, json: { ...settlement, username: 'ben', amount: 3 } as never };
      },
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Settle up with ben' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Settle up with ben' }));
    const button = sheet.getByRole('button', { name: 'I received $3.00' });
    await waitFor(() => expect(document.activeElement).toBe(button));
    expect(
      within(sheet.getByText('What it covers').closest('details')!)
        .getAllByRole('listitem', { hidden: true })
        .map(({ textContent }) => textContent),
    ).toEqual(['Films2 months, September to October+$5.00', 'FigmaOctober−$2.00']);
    expect(sentBodies(received, 'POST /api/settlements/')).toEqual([]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Settled'));
    expect(sheet.getByText('ben paid you $3.00.')).toBeTruthy();
    expect(sentBodies(received, 'POST /api/settlements/')).toEqual([
      { username: 'ben', currency: 'USD', lines: [1, 2, 3], net: 3, amount: 3 },
    ]);
    // Stays though no balance is left below it.
    await waitFor(() => expect(screen.queryByRole('listitem', { name: 'ben', hidden: true })).toBeNull());
    await user.click(sheet.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await shown("You're all settled up. New balances appear when a month closes.");
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  it('offers the next debt, then undoes the last payment', async () => {
    let open = [debtTo('dora', 16), debtTo('chen', 5), debtTo('ana', 2), owing('ben', 4)];
    const received = serveHousehold({
      'GET /api/balances/': () => list(...open),
      'POST /api/settlements/': () => {
        const [paid] = open;
        open = open.slice(1);
        return {
          status: 201,
          json: aSettlement({
            username: paid?.username ?? '',
            amount: 16,
            status: 'sent',
            direction: 'you_paid',
          }) as never,
        };
      },
      [`POST ${settlementPath}undo/`]: () => ({ status: 200, json: aSettlement({ status: 'undone' }) as never }),
    });
    const user = await openApp('/costs');
    await user.click(await screen.findByRole('button', { name: 'Settle up with dora' }));
    await user.click(await screen.findByRole('button', { name: 'I paid $16.00' }));
    await shown('Waiting for dora to confirm $16.00.');
    const next = within(await screen.findByRole('region', { name: 'Next' }));
    expect(next.getByText('2 left')).toBeTruthy();
    await user.click(next.getByRole('button', { name: 'Settle up with chen' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Settle up with chen' }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('I paid $5.00'));
    await user.click(sheet.getByRole('button', { name: 'I paid $5.00' }));
    await user.click(await sheet.findByRole('button', { name: 'Undo' }));
    await shown('Undone.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sentBodies(received, `POST ${settlementPath}undo/`)).toEqual([{ step: 'alone' }]);
  });

  it('closes the charges of who was paid, also if the next payment is left for later', async () => {
    let open = [debtTo('dora', 16), debtTo('chen', 5)];
    serveHousehold({
      'GET /api/balances/': () => list(...open),
      'POST /api/settlements/': () => {
        open = open.slice(1);
        return { status: 201, json: aSettlement({ username: 'dora', status: 'sent', direction: 'you_paid' }) as never };
      },
    });
    const user = await openApp('/costs?person=dora');
    await user.click(await screen.findByRole('button', { name: 'Settle up with dora' }));
    await user.click(await screen.findByRole('button', { name: 'I paid $16.00' }));
    const next = within(await screen.findByRole('region', { name: 'Next' }));
    await user.click(next.getByRole('button', { name: 'Settle up with chen' }));
    await screen.findByRole('dialog', { name: 'Settle up with chen' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  it('records a part of a debt as sent, with how to pay and a code that follows the amount', async () => {
    const debt = aBalance({
      currency: 'EUR',
      lines: [aCharge({ amount: 10, direction: 'you_owe' }), aCharge({ id: 2, amount: 4, sent_amount: 4 })],
      payment_details: paidBy([
        { kind: 'iban', value: 'DE89370400440532013000', holder: 'Ben Lind', town: null },
        { kind: 'paypal', value: 'ben', holder: null, town: null },
        { kind: 'link', value: 'javascript:alert(1)', holder: null, town: null },
      ]),
    });
    const received = serveHousehold({
      'GET /api/balances/': () => list(debt),
      'POST /api/settlements/': () => ({
        status: 201,
        json: aSettlement({ status: 'sent', amount: 2.5, currency: 'EUR', direction: 'you_paid' }) as never,
      }),
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Settle up with ben' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Settle up with ben' }));
    // Without what is sent already.
    expect(sheet.getByRole('button', { name: 'I paid €10.00' })).toBeTruthy();
    expect(sheet.getByText('DE89 3704 0044 0532 0130 00')).toBeTruthy();
    const link = () => sheet.getByRole<HTMLAnchorElement>('link', { name: 'Open PayPal' });
    expect(link().href).toBe('https://paypal.me/ben/10.00EUR');
    // What could run a script is no way to pay.
    expect(sheet.getAllByRole('link')).toHaveLength(1);
    const code = await sheet.findByRole('img', { name: 'QR code for Bank transfer' });
    const before = code.innerHTML;
    await user.click(sheet.getByRole('button', { name: 'Pay part of it' }));
    const amount = sheet.getByRole<HTMLInputElement>('textbox', { name: 'Amount (€)' });
    expect(amount.value).toBe('10.00');
    await user.clear(amount);
    await user.type(amount, '10.01{Enter}');
    expect(await sheet.findByText('Amount must be at most 10')).toBeTruthy();
    expect(sheet.queryByRole('link')).toBeNull();
    expect(sentBodies(received, 'POST /api/settlements/')).toEqual([]);
    await user.clear(amount);
    await user.type(amount, '2.5');
    expect(sheet.getByText('Goes toward the oldest charges first. €7.50 will still be due.')).toBeTruthy();
    expect(sheet.queryByText('What it covers')).toBeNull();
    expect(link().href).toBe('https://paypal.me/ben/2.50EUR');
    expect(sheet.getByRole('img', { name: 'QR code for Bank transfer' }).innerHTML).not.toBe(before);
    await user.click(sheet.getByRole('button', { name: 'I paid €2.50' }));
    await shown('Waiting for ben to confirm €2.50.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentBodies(received, 'POST /api/settlements/')).toEqual([
      { username: 'ben', currency: 'EUR', lines: [1], net: -10, amount: 2.5 },
    ]);
  });

  it('asks on return whether it was paid, and records nothing before a yes', async () => {
    const debt = aBalance({
      lines: [aCharge({ amount: 12.4, direction: 'you_owe' })],
      payment_details: paidBy([{ kind: 'venmo', value: 'ben-lind', holder: null, town: null }]),
    });
    const received = serveHousehold({
      'GET /api/balances/': () => list(debt),
      'POST /api/settlements/': () => ({ status: 201, json: aSettlement({ status: 'sent', amount: 5 }) as never }),
    });
    const user = await openApp('/costs');
    await user.click(await screen.findByRole('button', { name: 'Settle up with ben' }));
    const question = () => screen.queryByRole('alertdialog', { name: 'Did you pay $12.40?' });
    const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
    comeBack();
    expect(question()).toBeNull();
    const open = await screen.findByRole('link', { name: 'Open Venmo' });
    // The page itself can't be opened here.
    open.addEventListener('click', (event) => event.preventDefault());
    await user.click(open);
    expect(question()).toBeNull();
    comeBack();
    await user.click(within(question()!).getByRole('button', { name: 'Not yet' }));
    await waitFor(() => expect(question()).toBeNull());
    comeBack();
    expect(question()).toBeNull();
    expect(sentBodies(received, 'POST /api/settlements/')).toEqual([]);
    // It asks about what was filled in there, whatever is typed here meanwhile.
    await user.click(screen.getByRole('button', { name: 'Pay part of it' }));
    const amount = screen.getByRole('textbox', { name: 'Amount ($)' });
    expect(document.activeElement).toBe(amount);
    await user.keyboard('5');
    await user.click(open);
    await user.type(amount, '.5');
    act(() => void window.dispatchEvent(new Event('focus')));
    const again = within(screen.getByRole('alertdialog', { name: 'Did you pay $5.00?' }));
    await user.click(again.getByRole('button', { name: 'Yes' }));
    await shown('Waiting for ben to confirm $5.00.');
    expect(sentBodies(received, 'POST /api/settlements/')).toMatchObject([{ amount: 5 }]);
  });

  it('shows a sent payment separately, and lets the creditor confirm it', async () => {
    const sent = aSettlement({
      status: 'sent',
      confirmed_at: null,
      events: [{ kind: 'sent', username: 'ben', at: '2026-11-17T10:00:00.000Z' }],
      can: { confirm: true, reject: true, undo: null, withdraw: false },
    });
    const owed = aBalance({ they_sent: 5, lines: [aCharge({ amount: 8, sent_amount: 5 })] });
    const received = serveHousehold({
      'GET /api/balances/': () => list(owed),
      'GET /api/settlements/': () => list(sent),
      [`POST ${settlementPath}confirm/`]: () => ({ status: 200, json: aSettlement() as never }),
    });
    const user = await openApp('/costs?person=ben');
    await shown('$5.00 sent, not yet confirmed');
    await shown('$5.00 was sent to you. Confirm it once you have it.');
    const row = within(await screen.findByRole('listitem', { name: 'ben' }));
    expect(row.getByText('$5.00 of $8.00 sent')).toBeTruthy();
    // A charge that a payment covers in part can't be marked.
    expect(row.queryByRole('button', { name: /^Mark/ })).toBeNull();
    await user.click(row.getByRole('button', { name: 'Confirm $5.00 from ben' }));
    await shown('Payment confirmed.');
    expect(received.filter(({ path }) => path.endsWith('/confirm/'))).toHaveLength(1);
  });

  it('asks before it undoes a payment, and shows everything that happened to it', async () => {
    const asked = aSettlement({
      undo_asked_by: 'ben',
      events: [
        { kind: 'sent', username: 'ben', at: '2026-11-01T10:00:00.000Z' },
        { kind: 'confirmed', username: 'mira', at: '2026-11-02T10:00:00.000Z' },
        { kind: 'undo_asked', username: 'ben', at: '2026-11-17T10:00:00.000Z' },
      ],
      can: { confirm: false, reject: false, undo: 'agree', withdraw: false },
    });
    const received = serveHousehold({
      'GET /api/settlements/': () => list(asked),
      [`POST ${settlementPath}undo/`]: () => ({
        status: 200,
        json: { ...asked, status: 'undone', undo_asked_by: null } as never,
      }),
    });
    const user = await openApp('/costs');
    const history = await region('Payment history');
    await history.findByText('Undo requested');
    expect(history.getByText(/^Undo requested by ben/)).toBeTruthy();
    await user.click(history.getByRole('button', { name: 'Agree to undo the payment of $5.00 with ben' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Undo this payment?' }));
    expect(received.filter(({ path }) => path.endsWith('/undo/'))).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Undo payment' }));
    await shown('Undone.');
    expect(received.filter(({ path }) => path.endsWith('/undo/'))).toHaveLength(1);
  });

  it('shows a settled row unchanged while it leaves', async () => {
    let open = [balance, owing('dora', -4)];
    serveHousehold({
      'GET /api/balances/': () => list(...open),
      'POST /api/settlements/': () => {
        open = open.slice(1);
        return { status: 201, json: { ...settlement, username: 'ben', amount: 3 } as never };
      },
    });
    const user = await openApp('/costs?person=ben');
    const row = await screen.findByRole('listitem', { name: 'ben' });
    await user.click(within(row).getByRole('button', { name: 'Settle up with ben' }));
    await user.click(await screen.findByRole('button', { name: /^I received / }));
    await waitFor(() => expect(row.hasAttribute('inert')).toBe(true));
    expect(within(row).getByText('ben owes you $5.00')).toBeTruthy();
    await waitFor(() => expect(row.isConnected).toBe(false));
    expect(screen.getByRole('listitem', { name: 'dora', hidden: true }).hasAttribute('inert')).toBe(false);
  });

  it('reloads the balance and explains when it changed before settling', async () => {
    let lines = balance.lines;
    serveHousehold({
      'GET /api/balances/': () => list({ ...balance, lines }),
      'POST /api/settlements/': () => {
        lines = balance.lines.slice(0, 1);
        return errorReply(400, 'lines_changed', 'Balances just changed. Review and try again.');
      },
    });
    const user = await openApp('/costs?person=ben');
    await user.click(await screen.findByRole('button', { name: 'Settle up with ben' }));
    await user.click(await screen.findByRole('button', { name: /^I received / }));
    await shown('Balances just changed. Review and try again.');
    await shown('ben owes you $3.00');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  const cells = async (name: string | RegExp) =>
    within(await (await region('Monthly costs')).findByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);

  it('lists what each asset costs this month, with a total', async () => {
    serveHousehold({ 'GET /api/shared-assets/': () => list(aShare({ active_session: true })) });
    await openApp('/costs');
    const month = await region('Monthly costs');
    expect(month.getByRole('button', { expanded: true }).textContent).toBe('November 2026Closes on December 4');
    expect(await cells(/^Films/)).toEqual(['10 of 40 h', '$15.00Open', 'Open', '']);
    await waitFor(async () => expect(await cells(/^Figma/)).toEqual(['20 of 40 h', '$10.00Running', 'Running', '']));
    const total = month.getByRole('row', { name: /^Total/ });
    expect(total.textContent).toBe('Total$10.00 to others + $15.00 you cover as owner$25.00');
  });

  it('lists an asset under its own month when another time zone is already in the next', async () => {
    const ahead = { ...films, month: '2026-12' };
    serveHousehold({
      'GET /api/statements/': () => list(ahead, figma),
      'GET /api/statements/?month=2026-11': () => list({ ...films, ended: true }, figma),
      'GET /api/shared-assets/': () => list(aShare({ active_session: true })),
    });
    const user = await openApp('/costs');
    const month = await region('Monthly costs');
    await waitFor(() => expect(month.getByRole('row', { name: /^Total/ }).textContent).toBe('Total$15.00'));
    expect(month.queryByRole('row', { name: /^Figma/ })).toBeNull();
    await user.click(month.getByRole('button', { name: /^November 2026/ }));
    await waitFor(async () => expect(await cells(/^Figma/)).toEqual(['20 of 40 h', '$10.00Running', 'Running', '']));
  });

  it('totals each currency separately', async () => {
    serveHousehold({ 'GET /api/statements/': () => list(films, { ...figma, currency: 'EUR' }) });
    await openApp('/costs');
    const totals = await (await region('Monthly costs')).findAllByRole('row', { name: /^Total/ });
    expect(totals.map(({ textContent }) => textContent)).toEqual(['Total$15.00', 'Total€10.00']);
  });

  it('loads a past month when it is opened, with who has paid', async () => {
    const past = { month: '2026-10', ended: true, closed: true };
    const received = serveHousehold({
      'GET /api/statements/?month=2026-10': () =>
        list(
          { ...films, ...past, lines: [aLine(), bensLine({ status: 'paid' })] },
          { ...figma, ...past, lines: [{ ...figma.lines[0], id: 3, status: 'due' }] },
        ),
    });
    const user = await openApp('/costs');
    const month = await region('Monthly costs');
    // Back to the first month with a charge: what ana settled.
    expect(month.getAllByRole('rowheader').map(({ textContent }) => textContent?.slice(0, 12))).toContain(
      'August 2026',
    );
    const october = await month.findByRole('button', { name: 'October 2026 1 charge due' });
    expect(received.filter(({ path }) => path.startsWith('/api/statements/?'))).toEqual([]);
    await user.click(october);
    const shownRow = async (name: RegExp) => (await month.findAllByRole('row', { name })).at(-1)?.textContent;
    await waitFor(async () => expect(await shownRow(/^Films/)).toContain('$15.00All paidAll paid'));
    expect(await shownRow(/^Figma/)).toContain('$10.00DueDue');
    expect(october.getAttribute('aria-expanded')).toBe('true');
  });

  it('says whether what is owed to one, or by an owner, is paid', async () => {
    const past = { month: '2026-10', ended: true, closed: true };
    serveHousehold({
      'GET /api/statements/?month=2026-10': () =>
        list(
          { ...films, ...past, lines: [aLine(), bensLine({ amount: -6, status: 'paid' })] },
          { ...figma, ...past, lines: [{ ...figma.lines[0], id: 3, amount: -4, status: 'due' }] },
        ),
    });
    const user = await openApp('/costs');
    const month = await region('Monthly costs');
    await user.click(await month.findByRole('button', { name: /^October 2026/ }));
    const shownRow = async (name: RegExp) => (await month.findAllByRole('row', { name })).at(-1)?.textContent;
    await waitFor(async () => expect(await shownRow(/^Films/)).toContain('All paid'));
    expect(await shownRow(/^Figma/)).toContain('$4.00Due');
  });

  it('says for two weeks what the month that closed cost, and leads to it', async () => {
    vi.setSystemTime('2026-11-05T12:00:00.000Z');
    const past = { month: '2026-10', ended: true, closed: true };
    serveHousehold({
      'GET /api/balances/': () => list({ ...balance, lines: balance.lines.slice(0, 2) }),
      'GET /api/statements/?month=2026-10': () => list({ ...films, ...past }, { ...figma, ...past }),
    });
    const user = await openApp('/costs');
    const ready = await region('October is ready');
    expect(ready.getByText('It cost you $25.00.')).toBeTruthy();
    // Without the charge of September.
    expect(ready.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Bben: +$2.00you get']);
    await user.click(ready.getByRole('button', { name: 'See October' }));
    const october = await screen.findByRole('button', { name: /^October 2026/ });
    await waitFor(() => expect(document.activeElement).toBe(october));
    expect(october.getAttribute('aria-expanded')).toBe('true');
    await user.click(october);
    await user.click(ready.getByRole('button', { name: 'See October' }));
    const again = screen.getByRole('button', { name: /^October 2026/, expanded: true });
    await waitFor(() => expect(document.activeElement).toBe(again));
    cleanup();
    vi.setSystemTime('2026-11-15T12:00:00.000Z');
    await openApp('/costs');
    await region('Balances');
    expect(screen.queryByRole('region', { name: 'October is ready' })).toBeNull();
  });

  it('waits for balances before it says that a month is ready, and leads to one without charges', async () => {
    vi.setSystemTime('2026-11-05T12:00:00.000Z');
    const past = { month: '2026-10', ended: true, closed: true };
    let answerBalances = () => {};
    const balances = new Promise<void>((resolve) => (answerBalances = resolve)).then(() => list());
    serveHousehold({
      'GET /api/balances/': () => balances,
      'GET /api/settlements/': () => list(),
      'GET /api/statements/?month=2026-10': () => list({ ...films, ...past }),
    });
    const user = await openApp('/costs');
    await screen.findByRole('heading', { level: 1, name: 'Costs' });
    await act(() => vi.waitFor(() => expect(queryClient.isFetching()).toBe(1)));
    expect(screen.queryByRole('region', { name: 'October is ready' })).toBeNull();
    answerBalances();
    await user.click(await screen.findByRole('button', { name: 'See October' }));
    const october = await screen.findByRole('button', { name: /^October 2026/, expanded: true });
    await waitFor(() => expect(document.activeElement).toBe(october));
  });

  it('shows the month before the last one on request', async () => {
    serveHousehold({
      'GET /api/balances/': () => list(),
      'GET /api/settlements/': () => list(),
      'GET /api/statements/?month=2026-10': () => list(),
    });
    const user = await openApp('/costs');
    await user.click(await screen.findByRole('button', { name: 'Show October 2026' }));
    expect(await shown('No costs for this month.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'October 2026' }).getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('button', { name: 'Show September 2026' })).toBe(document.activeElement);
  });

  it('leads from a row to the statement', async () => {
    serveHousehold({ 'GET /api/assets/3/statements/2026-11/': () => ({ status: 200, json: films as never }) });
    const user = await openApp('/costs');
    await user.click(await screen.findByRole('link', { name: 'Films' }));
    await screen.findByRole('heading', { level: 1, name: 'Films' });
    expect(window.location.pathname).toBe('/costs/3/2026-11');
  });

  it('prints a statement from its row, once', async () => {
    let isServed = false;
    serveHousehold({
      'GET /api/assets/3/statements/2026-11/': () =>
        isServed ? { status: 200, json: films as never } : errorReply(500, 'internal', 'Broken.'),
    });
    vi.stubGlobal('print', vi.fn<() => void>());
    let onFontsLoaded = () => {};
    const ready = new Promise<void>((resolve) => (onFontsLoaded = resolve));
    Object.defineProperty(document, 'fonts', { configurable: true, value: { ready } });
    const user = await openApp('/costs');
    const row = within(await screen.findByRole('row', { name: /^Films/ }));
    await user.click(row.getByRole('button', { name: 'Print the statement of Films for November 2026' }));
    await screen.findByRole('alert');
    isServed = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 1, name: 'Films' });
    expect(window.location.pathname).toBe('/costs/3/2026-11');
    expect(window.print).not.toHaveBeenCalled();

    act(() => onFontsLoaded());
    await waitFor(() => expect(window.print).toHaveBeenCalledTimes(1));
    expect(document.title).toBe('Statement for November 2026, Films · HourShare');
    expect(window.history.state).not.toHaveProperty('print');
    act(() => router.history.back());
    await screen.findByRole('heading', { level: 1, name: 'Costs' });
    act(() => router.history.forward());
    await screen.findByRole('heading', { level: 1, name: 'Films' });
    await user.click(screen.getByRole('button', { name: 'Print' }));
    expect(window.print).toHaveBeenCalledTimes(2);
  });

  it("opens a deleted asset's row in place: the calculation, and the marks of an owner", async () => {
    const gone = { ...figma, asset_id: null, asset_name: 'Gone' };
    const past = { ...films, asset_id: null, asset_name: 'Gym', ended: true, closed: true };
    let status = 'paid';
    const received = serveHousehold({
      'GET /api/statements/': () =>
        list({ ...past, lines: [aLine({ id: 4 }), bensLine({ id: 5, status: status as never })] }, gone),
      'POST /api/statement-lines/5/mark/': () => {
        status = 'due';
        return { status: 200, json: { ...films.lines[1], id: 5, status } as never };
      },
    });
    const user = await openApp('/costs');
    const month = await region('Monthly costs');
    await user.click(await month.findByRole('button', { name: 'Gone', expanded: false }));
    expect(month.getByText('You used 20 h at $0.50 an hour: $10.00.')).toBeTruthy();
    expect(month.queryByRole('link')).toBeNull();
    expect(month.queryByRole('button', { name: /^Print/ })).toBeNull();
    await user.click(month.getByRole('button', { name: 'Gym' }));
    await user.click(month.getByRole('button', { name: 'Undo marking as paid for ben, 10 h used' }));
    expect(await month.findByRole('button', { name: 'Mark as paid for ben, 10 h used' })).toBeTruthy();
    expect(sentBodies(received, 'POST /api/statement-lines/5/mark/')).toEqual([{ status: 'due' }]);
  });

  it('downloads balances, payments and each month from one button', async () => {
    serveHousehold();
    const user = await openApp('/costs');
    await screen.findByRole('button', { name: 'ben' });
    await user.click(screen.getByRole('button', { name: 'Download CSV' }));
    const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(names).toEqual([
      'Balances',
      'Payment history',
      ...['November', 'October', 'September', 'August'].map((month) => `Costs for ${month} 2026`),
    ]);
  });

  it('lists settlements with their lines', async () => {
    serveHousehold();
    await openApp('/costs');
    const settled = await region('Payment history');
    expect((await settled.findByText(/ana paid you/)).closest('summary')?.textContent).toContain('$4.00');
    expect(settled.getByText('Gone').closest('li')?.textContent).toBe('Gone August 2026to you $4.00');
    expect(settled.getByText(/^Recorded as paid by mira/)).toBeTruthy();
  });

  it('shows an empty state in every section', async () => {
    serveHousehold({
      'GET /api/balances/': () => list(),
      'GET /api/settlements/': () => list(),
      'GET /api/statements/': () => list(),
    });
    await openApp('/costs');
    expect(await shown("You're all settled up. New balances appear when a month closes.")).toBeTruthy();
    expect(await shown('No costs yet. Assets you own or use appear here.')).toBeTruthy();
    expect(await shown('No payments yet.')).toBeTruthy();
  });

  it('does not say that nothing is owed if that was only so when it was last read', async () => {
    const query = { queryKey: ['GET /api/balances/', {}] };
    const kept = { data: list().json, dataUpdatedAt: Date.now() - 60_000, status: 'success' as const };
    queryClient.getQueryCache().build(queryClient, query).setState(kept);
    let isDown = true;
    serveHousehold({ 'GET /api/balances/': () => (isDown ? 'no connection' : list()) });
    const user = await openApp('/costs');
    expect(await shown("Couldn't load balances")).toBeTruthy();
    expect(screen.queryByText(/all settled up/)).toBeNull();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await shown(/all settled up/)).toBeTruthy();
    expect(screen.queryByText("Couldn't load balances")).toBeNull();
  });

  it('lists charges of later months than the viewer is in', async () => {
    vi.setSystemTime(new Date('2026-06-18T12:00:00Z'));
    serveHousehold({ 'GET /api/statements/': () => errorReply(500, 'internal', 'Broken.') });
    await openApp('/costs');
    expect(await shown(/^Couldn't load costs for this month/)).toBeTruthy();
    const months = within(await screen.findByRole('region', { name: 'Monthly costs' }));
    expect(months.getByRole('button', { name: /^October 2026/ })).toBeTruthy();
  });

  it.each([
    ['GET /api/balances/', "Couldn't load balances"],
    ['GET /api/statements/', "Couldn't load costs for this month"],
    ['GET /api/settlements/', "Couldn't load payment history"],
  ])('shows an error when %s fails and retries in place', async (call, sentence) => {
    let broken = true;
    serveHousehold({ [call]: () => (broken ? errorReply(500, 'internal', 'Broken.') : list()) });
    const user = await openApp('/costs');
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
