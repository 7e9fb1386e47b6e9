import type { ImportAnswer, ImportedPart, Meter } from '@hourshare/contract/meters';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import bookings from './files/samples/bookings.ics?raw';
import netflix from './files/samples/viewing-activity.csv?raw';
import { ImportFile } from './import-file.tsx';

beforeEach(() => void vi.setSystemTime('2026-03-30T12:00:00Z'));
afterEach(() => void vi.useRealTimers());
afterEach(cleanup);

const meter: Meter = {
  id: 4,
  name: 'Netflix',
  kind: 'sessions',
  per_member: false,
  grace_minutes: 10,
  merge_minutes: 5,
  min_seconds: 60,
  counter: 'claude_code.active_time.total',
  counted_types: 'all',
  name_attribute: 'user.email',
  created_at: '2026-03-01T00:00:00.000Z',
  last_event_at: null,
  silences: [],
  late_events: 0,
  names: [],
  members: [
    { share_id: 7, username: 'mira', agreed: true, told_hours: 0, counted_hours: 0, list_price: null },
    { share_id: 8, username: 'ben', agreed: null, told_hours: 0, counted_hours: 0, list_price: null },
  ],
};

interface Body {
  dry_run: boolean;
  rows: { name: string; start: string; end: string }[];
}

const isImport = ({ path }: Received) => path === '/api/assets/3/meters/4/imports/';

/** Answers as a server that knows whom some names mean; the hour of their first row is in a closed month. */
function answerOf({ rows }: Body, shareOf: Map<string, number>): ImportAnswer {
  return {
    names: [...new Set(rows.map(({ name }) => name))].map((name) => {
      const ofName = rows.filter((row) => row.name === name);
      const share_id = shareOf.get(name) ?? null;
      const hours = ofName.reduce((sum, { start, end }) => sum + (Date.parse(end) - Date.parse(start)) / 3_600_000, 0);
      const counts = { rows: ofName.length - 1, hours: hours - 1 };
      const main: ImportedPart =
        share_id === 7
          ? { result: 'counted', reason: null, ...counts }
          : { result: 'waiting', reason: share_id === 8 ? 'not_agreed' : 'unknown_name', ...counts };
      const lost: ImportedPart = { result: 'ignored', reason: 'month_closed', rows: 1, hours: 1 };
      return { external_name: name, share_id, rows: ofName.length, hours, parts: [main, lost] };
    }),
  };
}

/** Renders the section, with a server that knows one name, and returns what it is sent and how often something was pressed. */
function open(reply: (body: Body) => ImportAnswer | undefined = () => undefined) {
  const shareOf = new Map([['Mira', 7]]);
  const received = fakeServer((request) => {
    if (request.method === 'PUT') {
      const { names } = request.body as { names: { external_name: string; share_id: number }[] };
      for (const { external_name: name, share_id: id } of names) shareOf.set(name, id);
      return { status: 200, json: meter };
    }
    if (!isImport(request)) return { status: 404 };
    const body = request.body as Body;
    return { status: 200, json: reply(body) ?? answerOf(body, shareOf) };
  });
  let presses = 0;
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportFile assetId={3} meter={meter} />
    </QueryClientProvider>,
  );
  const field = container.querySelector<HTMLInputElement>('input[type=file]');
  const press = async (name: string | RegExp) => {
    presses += 1;
    await userEvent.click(await screen.findByRole('button', { name }));
  };
  const choose = async (text: string, name = 'ViewingActivity.csv') => {
    if (!field) throw new Error('There is no field for a file.');
    await userEvent.upload(field, new File([text], name));
  };
  return { received, press, choose, presses: () => presses };
}

const rowsOf = (name: string) =>
  screen.getAllByRole('row', { name: new RegExp(name) }).map((row) => row.textContent.replaceAll('\u00A0', ' '));

it('imports a file with few presses, and says what it did', async () => {
  const { received, press, choose, presses } = open();
  await press('Choose a file');
  await choose(netflix);
  expect(await screen.findByText(/^ViewingActivity\.csv: 44 rows, March 1 to March 27 · 16 left out$/)).toBeTruthy();
  expect(await screen.findByRole('table', { name: 'Hours by member' })).toBeTruthy();
  expect(rowsOf('In a closed month')).toHaveLength(1);
  expect(received.filter(isImport).map(({ body }) => (body as Body).dry_run)).toEqual([true]);
  await press('Import');
  expect(await screen.findByText(/^Imported: [\d.]+ h\. Waiting: [\d.]+ h\.$/)).toBeTruthy();
  await press('Done');
  expect(presses()).toBeLessThanOrEqual(4);
  const [preview, stored] = received.filter(isImport).map(({ body }) => body as Body);
  expect(stored).toEqual({ ...preview, dry_run: false });
});

it('sends names and times alone, never titles, devices, or places', async () => {
  const { received, press, choose } = open();
  await choose(netflix);
  await press('Import');
  await screen.findByRole('button', { name: 'Done' });
  await press('Done');
  await choose(bookings, 'bike.ics');
  await press('Import');
  await screen.findByRole('button', { name: 'Done' });
  const sent = received.map(({ body }) => JSON.stringify(body)).join('');
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent).not.toMatch(/Show|Season|Episode|Samsung|United|TRAILER|Kindergarten|hardware/);
  const keys = received.filter(isImport).flatMap(({ body }) => (body as Body).rows.flatMap((row) => Object.keys(row)));
  expect(new Set(keys)).toEqual(new Set(['name', 'start', 'end']));
});

it('asks who is meant by names that it does not know, and checks again', async () => {
  const { received, choose } = open();
  await choose(netflix);
  const who = await screen.findByLabelText('Kids');
  expect(
    within(who)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Nobody', 'mira', 'ben']);
  await userEvent.selectOptions(who, 'mira');
  await waitFor(() => expect(received.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']));
  expect(received[1]?.body).toEqual({ names: [{ external_name: 'Kids', share_id: 7 }] });
  await waitFor(() => expect(rowsOf('^mira')).toHaveLength(1));
  expect(screen.queryByRole('row', { name: /^Kids/ })).toBeNull();
});

it('sends nothing of a table before someone has said which columns are meant', async () => {
  const { received, press, choose } = open();
  await choose('What;Member;Start;End\nSecret;Mira;2026-03-05 10:00;2026-03-05 12:00', 'table.csv');
  expect(await screen.findByLabelText('Who')).toHaveProperty('value', '1');
  await userEvent.selectOptions(screen.getByLabelText('Who'), 'Start');
  await userEvent.selectOptions(screen.getByLabelText('Start'), 'What');
  await press('Continue');
  expect(await screen.findByText('This file has no use with a name, a start, and an end.')).toBeTruthy();
  expect(received).toEqual([]);
  await userEvent.selectOptions(screen.getByLabelText('Who'), 'Member');
  await userEvent.selectOptions(screen.getByLabelText('Start'), 'Start');
  await press('Continue');
  await press('Import');
  await screen.findByRole('button', { name: 'Done' });
  expect(JSON.stringify(received)).not.toContain('Secret');
});

it.each([
  ['\u0000', "This file can't be read. Unpack a ZIP file first."],
  ['Dear Ben', 'This file is of another kind. Choose one of those above, or a table with names, starts, and ends.'],
  ['Profile Name,Start Time,Duration', 'This file has no use with a name, a start, and an end.'],
  [
    `Profile Name,Start Time,Duration${'\nBen,2026-03-05 10:00:00,00:10:00'.repeat(20_001)}`,
    'This file has too many rows. Export fewer months.',
  ],
])('says what is wrong with a file: %#', async (text, message) => {
  const { received, choose } = open();
  await choose(text);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy();
  expect(received).toEqual([]);
});

it('offers no import of what is known', async () => {
  const { press, choose } = open(({ rows }) => ({
    names: [
      {
        external_name: 'Mira',
        share_id: 7,
        rows: rows.length,
        hours: 5,
        parts: [{ result: 'known', reason: null, rows: rows.length, hours: 5 }],
      },
    ],
  }));
  await choose(netflix);
  expect(await screen.findByText('Nothing in it is new.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  await press('Cancel');
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy();
});

it('says why the server refused it', async () => {
  const received = fakeServer(() => errorReply(404, 'not_found', 'Meter not found.'));
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportFile assetId={3} meter={meter} />
    </QueryClientProvider>,
  );
  const field = container.querySelector<HTMLInputElement>('input[type=file]');
  if (field) await userEvent.upload(field, new File([netflix], 'ViewingActivity.csv'));
  expect((await screen.findByRole('alert')).textContent).toContain('Meter not found.');
  expect(received).toHaveLength(1);
});
