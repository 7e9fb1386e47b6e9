import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aLine, aStatement, bensLine, list } from '../../testing/records.ts';

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Serves the statement of Films in October; every other list is empty. */
const serveStatement = (reply: Reply) =>
  fakeServer(({ path }) => (path === '/api/assets/3/statements/2026-10/' ? reply : list()));

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

const rows = async () =>
  (await screen.findAllByRole('row')).map((row) => Array.from(row.children, (cell) => cell.textContent));

beforeEach(prepareApp);
afterEach(cleanup);

describe('the statement page', () => {
  it('shows the owner every line, the total, and each explanation', async () => {
    serveStatement(october());
    await openApp('/costs/3/2026-10');
    expect(await rows()).toEqual([
      ['Who', 'Used', 'Allowance', 'Pays', 'Status'],
      ['mira (owner)', '–', '–', '$15.00', '–'],
      ['benSent', '10 h', '40 h', '$5.00', 'Sent'],
      ['Total', '10 h', '40 h', '$20.00'],
    ]);
    expect(screen.getByRole('heading', { level: 1, name: 'Films' })).toBeTruthy();
    expect(screen.getByText('Statement for October 2026')).toBeTruthy();
    expect(screen.getByText('Closed')).toBeTruthy();
    const why = within(screen.getByRole('region', { name: 'How this was calculated' }));
    expect(why.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'mira covers unused hours: $15.00 of $20.00.',
      'ben used 10 h of 40 h available: $20.00 × 10 ÷ 40 = $5.00.',
    ]);
    expect(document.title).toBe('Statement for October 2026, Films · HourShare');
  });

  it('shows a member their own line and the price', async () => {
    serveStatement(october({ owner: 'ben', lines: [bensLine({ username: 'mira', id: 2, status: 'due' })] }));
    await openApp('/costs/3/2026-10');
    expect(await rows()).toEqual([
      ['Who', 'Used', 'Allowance', 'Pays', 'Status'],
      ['miraDue', '10 h', '40 h', '$5.00', 'Due'],
      ['Full price', '', '', '$20.00'],
    ]);
    expect(screen.getByText('You used 10 h of 40 h available: $20.00 × 10 ÷ 40 = $5.00.')).toBeTruthy();
  });

  it('labels an estimate with its closing date and shows no status', async () => {
    serveStatement(october({ ended: false, closed: false, lines: [aLine(), bensLine()] }));
    await openApp('/costs/3/2026-10');
    expect((await rows())[0]).toEqual(['Who', 'Used', 'Allowance', 'Pays']);
    expect(screen.getByText('Estimate. Closes on December 4.')).toBeTruthy();
  });

  it('leaves explanations out of print when they exceed one page', async () => {
    const many = Array.from({ length: 60 }, (_, index) => bensLine({ username: `member-with-a-long-name-${index}` }));
    serveStatement(october({ base_percent: 25, lines: [aLine(), ...many] }));
    await openApp('/costs/3/2026-10');
    const note = await screen.findByText('Calculations are omitted from print. See the online statement.');
    expect(note.className).toContain('print:block');
    expect(screen.getByRole('region', { name: 'How this was calculated' }).querySelector('ul')?.className).toContain(
      'print:hidden',
    );
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
