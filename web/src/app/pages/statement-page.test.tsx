import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../platform/http/query-client.ts';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import {
  aLine,
  anAsset,
  anExplanation,
  aStatement,
  bensLine as bensLineOfNovember,
  list,
} from '../../testing/records.ts';

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Serves the statement of Films in October; every other list is empty. */
const serveStatement = (reply: Reply) =>
  fakeServer(({ path }) => (path === '/api/assets/3/statements/2026-10/' ? reply : list()));

const bensLine = (change: Parameters<typeof bensLineOfNovember>[0] = {}) =>
  bensLineOfNovember({ days: 31, summed_hours: 1240, ...change });

const october = (change = {}) => ({
  status: 200,
  json: aStatement({
    month: '2026-10',
    ended: true,
    closed: true,
    lines: [aLine({ id: 1 }), bensLine({ id: 2, status: 'sent' })],
    ...change,
  }),
});

/** Returns what a cell says, without faces. */
function textOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll('[aria-hidden]')) part.remove();
  return copy.textContent;
}

const rows = async () => (await screen.findAllByRole('row')).map((row) => Array.from(row.children, textOf));

beforeEach(prepareApp);
afterEach(cleanup);

describe('the statement page', () => {
  it('shows the owner every charge with its calculation, and the total', async () => {
    serveStatement(october());
    await openApp('/costs/3/2026-10');
    expect(await rows()).toEqual([
      ['Who', 'Charge', 'Status'],
      ['ben10 h of 40 h', '$5.00', 'SentMark as paid for ben, October 2026'],
      ['miraRemaining cost', '$15.00', '–'],
      ['Total 10 h of 40 h', '$20.00', '0 of 1 paid'],
    ]);
    for (const text of ['10 h × $20.00 ÷ 40 h = $5.00', 'You (owner)', '$20.00 − $5.00 = $15.00'])
      expect(screen.getByText(text)).toBeTruthy();
    // In its row and as the result of its calculation.
    expect(screen.getAllByText(/\$15\.00/)).toHaveLength(2);
    expect(screen.getByRole('heading', { level: 1, name: 'Films' })).toBeTruthy();
    expect(screen.getByText('Statement for October 2026')).toBeTruthy();
    expect(screen.getByText('Closed')).toBeTruthy();
    expect(screen.getByText('1 person owes you $5.00 of $20.00.')).toBeTruthy();
    expect(document.title).toBe('Statement for October 2026, Films · HourShare');
  });

  it('says first what is owed to a member who paid more than their part', async () => {
    const lines = [bensLine({ username: 'mira', id: 2, status: 'due', amount: -37, price_amount: 5, costs_paid: 42 })];
    serveStatement(october({ owner: 'ben', lines }));
    await openApp('/costs/3/2026-10');
    expect((await screen.findByText('$37.00 owed to you')).nextElementSibling?.textContent).toContain('$5.00');
  });

  it('shows a member their own charge, the others as one, and why', async () => {
    const lines = [bensLine({ username: 'mira', id: 2, status: 'due', amount: 5.07 })];
    serveStatement(october({ owner: 'ben', lines }));
    await openApp('/costs/3/2026-10');
    expect(await rows()).toEqual([
      ['Who', 'Charge', 'Status'],
      ['mira10 h of 40 h', '$5.07', 'DueMark as sent for Films, October 2026'],
      ['Others', '$14.93', '–'],
      ['Total', '$20.00', ''],
    ]);
    expect(screen.getByText('You used 10 h at $0.50 an hour: $5.00.')).toBeTruthy();
  });

  it('says whose asset it is, its price, and how that is split', async () => {
    const lines = [bensLine({ username: 'mira', id: 2, status: 'due' })];
    serveStatement(october({ owner: 'ben', lines }));
    await openApp('/costs/3/2026-10');
    const owner = await screen.findByText('Shared by ben');
    expect(Array.from(owner.parentElement?.children ?? [], textOf)).toEqual([
      'Shared by ben',
      '$20.00 per month',
      'Price per hour',
    ]);
  });

  it('says of a month that is not billed that it costs nothing, instead of a price', async () => {
    const free = [anExplanation({ kind: 'free', price: 0, amount: 0, whole: 0 })];
    const unbilled = { unbilled: true, price: 0, lines: [aLine({ amount: 0, explanation: free })] };
    serveStatement(october(unbilled));
    await openApp('/costs/3/2026-10');
    expect((await screen.findAllByText("This month isn't billed, so there's no charge."))[0]).toBeTruthy();
    expect(screen.queryByText(/per month/)).toBeNull();
  });

  it('lists members as people sort them, then the owner', async () => {
    const members = [10, 2, 1].map((number) => bensLine({ id: number + 1, username: `Member ${number}` }));
    serveStatement(october({ lines: [aLine({ id: 1 }), ...members] }));
    await openApp('/costs/3/2026-10');
    const names = (await rows()).slice(1, 5).map(([name]) => name?.replace(/10 h of.*|Remaining cost/, ''));
    expect(names).toEqual(['Member 1', 'Member 2', 'Member 10', 'mira']);
  });

  it('explains use beyond all hours', async () => {
    const overused = anExplanation({ kind: 'overused', price: 16.99, amount: 16.99, part: 224_136, whole: 224_136 });
    const ben = { used_hours: 62.26, used_seconds: 224_136, allocated_hours: 50 };
    serveStatement(
      october({
        price: 16.99,
        total_hours: 50,
        lines: [
          aLine({ amount: 0 }),
          bensLine({ ...ben, id: 2, status: 'due', amount: 16.99, explanation: [overused] }),
        ],
      }),
    );
    await openApp('/costs/3/2026-10');
    expect((await rows())[1]?.slice(0, 2)).toEqual(['ben62.3 h of 50 h', '$16.99']);
    expect(screen.getByText('62 h 15 min 36 s × $16.99 ÷ 62 h 15 min 36 s = $16.99')).toBeTruthy();
  });

  it('tells the owner, and no one else, what they cover because a member has not agreed', async () => {
    const covered = bensLine({ id: 2, covered: 4.2, asked: true });
    serveStatement(october({ ended: false, closed: false, lines: [aLine(), covered] }));
    await openApp('/costs/3/2026-10');
    expect(await screen.findByText('You cover $4.20 for ben until ben agrees.')).toBeTruthy();
    cleanup();
    prepareApp();
    serveStatement(october({ owner: 'ben', lines: [{ ...covered, username: 'mira' }] }));
    await openApp('/costs/3/2026-10');
    await rows();
    expect(screen.queryByText(/^You cover/)).toBeNull();
  });

  it('shows both parts of a charge with a base share', async () => {
    const base = anExplanation({
      method: 'allocation',
      kind: 'allowance',
      price: 5,
      amount: 1.25,
      part: 10,
      whole: 40,
      unit: 'hours',
    });
    const used = anExplanation({ price: 15, amount: 3.75 });
    serveStatement(
      october({ base_percent: 25, lines: [bensLine({ id: 2, status: 'paid', explanation: [base, used] })] }),
    );
    await openApp('/costs/3/2026-10');
    expect((await rows())[1]).toEqual(['ben10 h of 40 h', '$5.00', 'PaidUndo marking as paid for ben, October 2026']);
    expect(screen.getByText('10 h × $5.00 ÷ 40 h = $1.25')).toBeTruthy();
    expect(screen.getByText('10 h × $15.00 ÷ 40 h = $3.75')).toBeTruthy();
  });

  it('shows a month without a price', async () => {
    const free = [anExplanation({ kind: 'free', price: 0, amount: 0, whole: 0 })];
    serveStatement(
      october({
        price: 0,
        lines: [
          aLine({ amount: 0, explanation: free }),
          bensLine({ id: 2, amount: 0, status: 'due', explanation: free }),
        ],
      }),
    );
    await openApp('/costs/3/2026-10');
    const [, ben, mira] = await rows();
    expect(ben).toEqual(['ben10 h of 40 h', '$0.00', '–']);
    expect(mira).toEqual(['miraRemaining cost', '$0.00', '–']);
    expect(screen.getAllByText("The price is $0.00, so there's no charge.")).toHaveLength(2);
  });

  it('marks a charge as paid on the page', async () => {
    let status = 'sent';
    const line = () => bensLine({ id: 2, status: status as 'sent' });
    const received = fakeServer(({ method, path }) => {
      if (method === 'POST') {
        status = 'paid';
        return { status: 200, json: line() };
      }
      return path === '/api/assets/3/statements/2026-10/' ? october({ lines: [aLine({ id: 1 }), line()] }) : list();
    });
    const user = await openApp('/costs/3/2026-10');
    await user.click(await screen.findByRole('button', { name: 'Mark as paid for ben, October 2026' }));
    expect(await screen.findByRole('button', { name: 'Undo marking as paid for ben, October 2026' })).toBeTruthy();
    expect(screen.getByText('All paid')).toBeTruthy();
    expect(received.find(({ method }) => method === 'POST')?.path).toBe('/api/statement-lines/2/mark/');
  });

  it('labels an estimate with its closing date and shows no status', async () => {
    serveStatement(october({ ended: false, closed: false, lines: [aLine(), bensLine()] }));
    await openApp('/costs/3/2026-10');
    expect((await rows())[0]).toEqual(['Who', 'Charge']);
    expect(screen.getByText('Estimate. Closes on December 4.')).toBeTruthy();
  });

  it('lists what the price was changed from and to, and when', async () => {
    const at = '2026-10-20T19:12:00.000Z';
    const price_changes = [{ at, from: 20, to: 12.5 }];
    serveStatement(october({ price_changes }));
    await openApp('/costs/3/2026-10');
    const changes = within(await screen.findByRole('list', { name: 'Price changes' }));
    expect(changes.getByRole('listitem').textContent).toMatch(/^Oct \d+, 2026, .*\$20\.00 → \$12\.50$/);
  });

  it('lists edited sessions with both times, and what became of an objection', async () => {
    const edit = {
      session_id: 5,
      request: null,
      username: 'ben',
      by_owner: false,
      at: '2026-10-20T19:12:00.000Z',
      recorded_start: '2026-10-19T08:00:00.000Z',
      recorded_end: '2026-10-20T14:00:00.000Z',
      start_time: '2026-10-19T08:00:00.000Z',
      end_time: '2026-10-19T08:00:00.400Z',
    };
    const none = { start_time: null, end_time: null, objection: 'open' } as const;
    const removed = { ...edit, ...none, kind: 'removed' } as const;
    const restored = { ...edit, kind: 'restored', objection: 'upheld' } as const;
    const corrected = { ...edit, kind: 'corrected', objection: null } as const;
    const recorded = { username: 'Grandma (mira)', by_owner: true };
    const stands = { ...corrected, objection: 'not_upheld' } as const;
    const byOwner = [
      { ...corrected, ...recorded },
      { ...removed, ...recorded },
    ];
    const edited_sessions = [corrected, removed, restored, ...byOwner, stands];
    serveStatement(october({ edited_sessions }));
    await openApp('/costs/3/2026-10');
    const list = within(await screen.findByRole('list', { name: 'Edited sessions' }));
    const texts = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/ben changed 30 h \(Oct .*\) to 0 s \(Oct [^–]*\)$/);
    expect(texts[1]).toMatch(/ben removed 30 h \(.*\)An objection is open\.$/);
    expect(texts[2]).toMatch(/Recorded times of ben restored: 30 h .*There was no agreement, so .*$/);
    expect(texts[3]).toMatch(/The owner changed Grandma \(mira\)'s 30 h \(Oct .*\) to 0 s \(/);
    expect(texts[4]).toMatch(/The owner removed Grandma \(mira\)'s 30 h \(/);
    expect(texts[5]).toMatch(/The edit stands: the recorded times would change a closed month\.$/);
  });

  it('lists the sessions of a deleted asset for its owner until the month closes', async () => {
    const times = { start_time: '2026-10-19T08:00:00.000Z', end_time: '2026-10-19T09:00:00.000Z', duration: 60 };
    const of = { username: 'ben', share_id: 7, person: false, recorded_by_owner: false };
    const session = { id: 5, asset_name: 'Films', ...times, ...of, edited: null, objection: null };
    const serve = (closed: boolean, assets: ReturnType<typeof anAsset>[]) =>
      fakeServer(({ path }) => {
        if (path === '/api/assets/3/statements/2026-10/') return october({ closed });
        return path === '/api/assets/'
          ? list(...assets)
          : list(...(path === '/api/assets/3/sessions/' ? [session] : []));
      });
    serve(false, []);
    await openApp('/costs/3/2026-10');
    expect(await within(await screen.findByRole('region', { name: 'Sessions' })).findByText(/ben/)).toBeTruthy();
    for (const [closed, assets] of [
      [true, []],
      [false, [anAsset({ id: 3 })]],
    ] as const) {
      cleanup();
      prepareApp();
      const received = serve(closed, [...assets]);
      await openApp('/costs/3/2026-10');
      await rows();
      await waitFor(() => expect(received.some(({ path }) => path === '/api/assets/') || closed).toBe(true));
      await waitFor(() => expect(queryClient.isFetching()).toBe(0));
      expect(screen.queryByRole('region', { name: 'Sessions' })).toBeNull();
    }
  });

  it('asks a member of an ended month, but not its owner, whether they have something to edit', async () => {
    serveStatement(october({ closed: false, owner: 'ben', lines: [bensLine({ username: 'mira' })] }));
    await openApp('/costs/3/2026-10');
    expect(await screen.findByRole('button', { name: 'Nothing to edit in October 2026' })).toBeTruthy();
    cleanup();
    serveStatement(october({ closed: false }));
    await openApp('/costs/3/2026-10');
    await rows();
    expect(screen.queryByRole('button', { name: /^Nothing to edit/ })).toBeNull();
  });

  it.each([
    [{ deleted_at: '2026-10-20T12:00:00.000Z' }, 'The asset was deleted on October 20. Days and use count up to then.'],
    [
      { deleted_at: '2026-10-20T12:00:00.000Z', unbilled: true },
      /deleted on October 20\. October 2026 isn't billed\.$/,
    ],
    [{ unbilled: true }, "The asset was archived. October 2026 isn't billed."],
  ])('says what an end before the month means: %j', async (change, text) => {
    serveStatement(october(change));
    await openApp('/costs/3/2026-10');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryAllByText("This month isn't billed, so there's no charge.")).toHaveLength(
      'unbilled' in change ? 1 : 0,
    );
  });

  it('lets the owner close the last month of a deleted asset, and leads back to the costs', async () => {
    const open = { ended: true, closed: false, deleted_at: '2026-10-20T12:00:00.000Z' };
    const lines = [aLine(), bensLine({ confirmed_at: '2026-10-21T12:00:00.000Z' })];
    const { json } = october({ ...open, lines });
    const received = fakeServer(({ method, path }) =>
      method === 'POST'
        ? { status: 200, json: { ...json, closed: true, asset_id: null } }
        : path === '/api/assets/3/statements/2026-10/'
          ? { status: 200, json }
          : list(...(path.startsWith('/api/assets/3/statements/') ? [json] : [])),
    );
    const user = await openApp('/costs/3/2026-10');
    await user.click(await screen.findByRole('button', { name: 'Close now for October 2026' }));
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Close now' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Costs' })).toBeTruthy();
    expect(received.some(({ path }) => path === '/api/assets/3/statements/2026-10/close/')).toBe(true);
  });

  it('leaves calculations out of print when they exceed one page', async () => {
    const explanation = [anExplanation({ method: 'allocation', kind: 'allowance' }), anExplanation()];
    const many = Array.from({ length: 20 }, (_, index) => bensLine({ username: `member-${index}`, explanation }));
    serveStatement(october({ base_percent: 25, lines: [aLine(), ...many] }));
    await openApp('/costs/3/2026-10');
    const note = await screen.findByText('Calculations are omitted from print. See the online statement.');
    expect(note.className).toContain('print:block');
    expect(document.querySelector('.statement-calculations')?.className).toContain('print:hidden');
  });

  it('links to the statements before and after, over months without one', async () => {
    const months = ['2026-11', '2026-10', '2026-08', '2026-07'].map((month) => aStatement({ month }));
    fakeServer(({ path }) => {
      const shown = months.find(({ month }) => path === `/api/assets/3/statements/${month}/`);
      if (shown) return { status: 200, json: shown };
      return path === '/api/assets/3/statements/' ? list(...months) : list();
    });
    const user = await openApp('/costs/3/2026-10');
    const links = async () =>
      within(await screen.findByRole('navigation', { name: 'Other months' }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(await links()).toEqual(['Statement for August 2026', 'Statement for November 2026']);
    await user.click(screen.getByRole('link', { name: 'Statement for November 2026' }));
    await screen.findByText('Statement for November 2026');
    expect(window.location.pathname).toBe('/costs/3/2026-11');
    expect(await links()).toEqual(['Statement for October 2026']);
  });

  it('shows a message and a link back for a missing statement', async () => {
    serveStatement(errorReply(404, 'not_found', 'Not found.'));
    await openApp('/costs/3/2026-10');
    expect(await screen.findByRole('heading', { name: 'Statement not found' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Costs' }).getAttribute('href')).toBe('/costs');
  });

  it('retries in place after a failed load', async () => {
    let reply: Reply = errorReply(500, 'internal', 'Broken.');
    fakeServer(({ path }) => (path.includes('/statements/2026-10/') ? reply : list()));
    const user = await openApp('/costs/3/2026-10');
    expect(await screen.findByText("Couldn't load the statement. Please try again later.")).toBeTruthy();
    reply = october();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(4);
  });
});
