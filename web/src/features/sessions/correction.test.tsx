import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { hasUnsaved } from '../../platform/forms/unsaved.ts';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { aStatement } from '../../testing/records.ts';
import { fieldTime } from '../../platform/forms/local-times.ts';
import { AssetSessionLog, LastSession, SessionLog } from './session-log.tsx';

// Noon in every time zone, so that the times are of one day.
const now = new Date(2026, 10, 18, 12);
const start = new Date(2026, 10, 18, 10).toISOString();
const end = new Date(2026, 10, 18, 11).toISOString();
const halfPast = new Date(2026, 10, 18, 11, 30).toISOString();
const session = { id: 5, asset_name: 'Figma', start_time: start, end_time: end, duration: 60 };

beforeEach(() => void vi.setSystemTime(now));
afterEach(() => void vi.useRealTimers());
afterEach(cleanup);

function show(log: React.ReactNode) {
  const client = new QueryClient();
  render(<QueryClientProvider client={client}>{log}</QueryClientProvider>);
  return client;
}

type Reply = { status: number; json?: object } | ReturnType<typeof errorReply>;

/** An instant as a time field shows it. */
const timeOf = (instant: string) => fieldTime(instant).slice(-5);
const minutesBefore = (instant: string, minutes: number) =>
  timeOf(new Date(Date.parse(instant) - minutes * 60_000).toISOString());

/** Renders a member's log with the form of its newest session open; the server answers changes with the given reply. */
async function openForm(answer: Reply | Promise<Reply>, ...others: object[]) {
  let sessions: object[] = [session, ...others];
  const received = fakeServer(async ({ method, path, body }) => {
    if (method === 'GET')
      return { status: 200, json: { results: path.includes('/logs/') ? sessions : [], next: null } };
    const reply = await answer;
    if (method === 'DELETE' && reply.status === 204) sessions = [];
    if (method === 'PATCH' && reply.status === 200) sessions = [{ ...session, ...(body as object) }, ...others];
    return reply;
  });
  const user = userEvent.setup();
  const client = show(<SessionLog shareId={7} assetId={1} />);
  const [opener] = await screen.findAllByRole('button', { name: /^Edit the session from / });
  await user.click(opener as HTMLElement);
  /** Ends the session at half past eleven, as another tab does. */
  const saveElsewhere = async () => {
    sessions = [{ ...session, end_time: halfPast, duration: 90 }, ...others];
    await announceChange(client, 'sessions');
    await screen.findByText('1 h 30 min');
  };
  return { user, client, saveElsewhere, changes: () => received.filter(({ method }) => method !== 'GET') };
}

describe("a member's own session", () => {
  it('is edited in place, sends only changes, and keeps the focus', async () => {
    const { user, changes } = await openForm({ status: 200, json: session });
    const field = screen.getByLabelText('End');
    expect(document.activeElement).toBe(screen.getByLabelText('Start'));
    expect(screen.getByText('Duration: 1 h')).toBeTruthy();
    await user.clear(field);
    await user.type(field, minutesBefore(end, 10));
    expect(screen.getByText('Duration: 50 min')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByLabelText('End')).toBeNull());
    expect(changes()).toMatchObject([
      { method: 'PATCH', path: '/api/shared-assets/7/logs/5/', body: { end_time: expect.any(String) as string } },
    ]);
    expect(document.activeElement?.textContent).toContain('Edit');
  });

  it("shows the server's error under its field", async () => {
    const wrong = "A session can't end in the future.";
    const { user } = await openForm(errorReply(400, 'validation_failed', wrong, { end_time: [wrong] }));
    const field = screen.getByLabelText<HTMLInputElement>('End');
    await user.clear(field);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(field.getAttribute('aria-describedby')).not.toBeNull();
    expect(screen.getByText('End is required')).toBeTruthy();
    await user.type(field, minutesBefore(end, 10));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(wrong)).toBeTruthy();
    expect(field.value).toBe(minutesBefore(end, 10));
  });

  it("shows the server's message about an overlap instead of its own", async () => {
    const overlap = 'This overlaps another of your sessions.';
    const { user } = await openForm(errorReply(400, 'session_overlap', overlap));
    const field = screen.getByLabelText<HTMLInputElement>('Start');
    fireEvent.change(field, { target: { value: minutesBefore(start, 45) } });
    const line = screen.getByRole('status');
    expect(line.textContent).toBe('Duration: 1 h 45 min');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(line.textContent).toBe(overlap));
    expect(screen.getAllByText(overlap)).toEqual([line]);
    expect(document.activeElement).toBe(screen.getByLabelText('End'));
    fireEvent.change(field, { target: { value: minutesBefore(start, 15) } });
    expect(line.textContent).toBe('Duration: 1 h 15 min');
  });

  it('says that it failed when a proxy gives no reason', async () => {
    const { user } = await openForm({ status: 502 });
    fireEvent.change(screen.getByLabelText('End'), { target: { value: minutesBefore(end, 10) } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText("Couldn't change the session. Please try again.")).toBeTruthy();
  });

  it('explains what is wrong with its times before they are sent', async () => {
    const other = {
      ...session,
      id: 4,
      start_time: new Date(Date.parse(start) - 3_600_000).toISOString(),
      end_time: new Date(Date.parse(start) - 1_800_000).toISOString(),
      duration: 30,
    };
    const { user, changes } = await openForm({ status: 200, json: session }, other);
    const field = screen.getByLabelText<HTMLInputElement>('Start');
    await user.clear(field);
    await user.type(field, minutesBefore(start, 45));
    expect(screen.getByRole('status').textContent).toMatch(/^This overlaps your session from .*\.$/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.clear(field);
    await user.type(field, minutesBefore(end, -10));
    expect(screen.getByText('A session must end after it starts.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(changes()).toEqual([]);
  });

  it('has fields without seconds, and days where they are needed', async () => {
    const { user } = await openForm({ status: 200, json: session });
    const field = screen.getByLabelText<HTMLInputElement>('Start');
    expect([field.type, field.step, field.value]).toEqual(['time', '', timeOf(start)]);
    expect(screen.queryByLabelText('Start day')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Change day' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Start day'));
    expect(screen.getByLabelText<HTMLInputElement>('Start day').value).toBe(fieldTime(start).slice(0, 10));
    expect(screen.getByLabelText<HTMLInputElement>('End day').value).toBe(fieldTime(end).slice(0, 10));
    // Set back, a time is no edit: Escape closes the form.
    await user.clear(field);
    await user.type(field, minutesBefore(start, 5));
    await user.clear(field);
    await user.type(field, timeOf(start));
    await user.keyboard('{Escape}');
    expect(screen.queryByLabelText('Start')).toBeNull();
  });

  it('has days from the start for a session over midnight', async () => {
    const night = { ...session, start_time: new Date(2026, 10, 17, 23).toISOString() };
    fakeServer(() => ({ status: 200, json: { results: [night], next: null } }));
    show(<SessionLog shareId={7} assetId={1} edit={5} />);
    expect((await screen.findByLabelText<HTMLInputElement>('Start day')).value).toBe('2026-11-17');
    expect(document.activeElement).toBe(screen.getByLabelText('Start'));
  });

  it.each([
    ['Start', '', 'Start is required'],
    ['End', '', 'End is required'],
    ['Start day', '', 'Start day is required'],
    ['End day', '', 'End day is required'],
    ['End day', '12026-11-18', 'End day is required'],
  ])('asks for %s when it is "%s"', async (label, value, text) => {
    const { user, changes } = await openForm({ status: 200, json: session });
    await user.click(screen.getByRole('button', { name: 'Change day' }));
    const field = screen.getByLabelText<HTMLInputElement>(label);
    fireEvent.change(field, { target: { value } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(document.activeElement).toBe(field);
    const error = screen.getByText(text);
    expect(field.getAttribute('aria-describedby')).toBe(error.id);
    expect(screen.getAllByText(/ is required$/)).toEqual([error]);
    expect(changes()).toEqual([]);
  });

  it('accepts no day of a year with five digits', async () => {
    const { user } = await openForm({ status: 200, json: session });
    await user.click(screen.getByRole('button', { name: 'Change day' }));
    const days = ['Start day', 'End day'].map((label) => screen.getByLabelText<HTMLInputElement>(label).max);
    expect(days).toEqual(['9999-12-31', '9999-12-31']);
  });

  it('follows a change in another tab while nothing is edited', async () => {
    const { user, saveElsewhere, changes } = await openForm({ status: 200, json: session });
    await saveElsewhere();
    expect(screen.getByLabelText<HTMLInputElement>('End').value).toBe('11:30');
    expect(hasUnsaved()).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.queryByLabelText('End')).toBeNull();
    expect(changes()).toEqual([]);
  });

  it('keeps its edits, and sends nothing else, when another tab saves the session', async () => {
    const { user, saveElsewhere, changes } = await openForm({ status: 200, json: session });
    const field = screen.getByLabelText<HTMLInputElement>('Start');
    fireEvent.change(field, { target: { value: '10:15' } });
    await saveElsewhere();
    expect(field.value).toBe('10:15');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]?.body).toEqual({ start_time: new Date(2026, 10, 18, 10, 15).toISOString() });
  });

  it('keeps what is typed while it saves, as an edit of the saved times', async () => {
    let answer: (reply: Reply) => void = () => {};
    const { user, changes } = await openForm(new Promise<Reply>((resolve) => (answer = resolve)));
    const field = screen.getByLabelText<HTMLInputElement>('End');
    fireEvent.change(field, { target: { value: '10:50' } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    fireEvent.change(field, { target: { value: '11:00' } });
    await act(async () => answer({ status: 200, json: session }));
    await screen.findByRole('button', { name: 'Save' });
    // The time of before is now an edit.
    expect([field.value, hasUnsaved()]).toEqual(['11:00', true]);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()).toHaveLength(2));
    expect(changes()[1]?.body).toEqual({ end_time: end });
  });

  it('says which sessions are in a closed month', async () => {
    // Closed an hour and a half ago, between the two.
    const ends_at = new Date(Date.now() - 1.5 * 3_600_000).toISOString();
    const later = { ...session, id: 6, start_time: end, end_time: new Date().toISOString() };
    fakeServer(({ path }) => ({
      status: 200,
      json: {
        results: path.includes('statements') ? [aStatement({ closed: true, ends_at })] : [later, session],
        next: null,
      },
    }));
    show(<SessionLog shareId={7} assetId={1} />);
    expect(await screen.findByText('Closed')).toBeTruthy();
    const [first, second] = screen.getAllByRole('listitem');
    expect([first?.textContent, second?.textContent]).toEqual([
      expect.stringContaining('Edit the session'),
      expect.stringContaining('Closed'),
    ]);
    expect(screen.getAllByRole('button', { name: /^Edit/ })).toHaveLength(1);
  });

  it('is removed after confirmation, and the dialog shows a failure', async () => {
    const { user, changes } = await openForm(errorReply(400, 'month_closed', 'This month is closed.'));
    await user.click(screen.getByRole('button', { name: 'Remove session' }));
    const question = await screen.findByRole('alertdialog', { name: 'Remove this session?' });
    await user.click(within(question).getByRole('button', { name: 'Remove session' }));
    expect(await within(question).findByText('This month is closed.')).toBeTruthy();
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/shared-assets/7/logs/5/' }]);
  });

  it('disappears from the log once removed, which is said even if other data is slow', async () => {
    const { user, client } = await openForm({ status: 204 });
    const read = () => (client.isMutating() > 0 ? new Promise(() => {}) : null);
    const slow = new QueryObserver(client, { queryKey: ['slow'], queryFn: read, meta: { staleAfter: ['sessions'] } });
    const stop = slow.subscribe(() => {});
    await user.click(screen.getByRole('button', { name: 'Remove session' }));
    const question = await screen.findByRole('alertdialog');
    await user.click(within(question).getByRole('button', { name: 'Remove session' }));
    expect(await screen.findByText('No sessions yet. Start one on the Usage tab.')).toBeTruthy();
    expect(toasts.get().map(({ text }) => text)).toContain('Session removed.');
    stop();
  });

  it('cannot be edited when its month closed long ago', async () => {
    const old = { ...session, start_time: '2020-01-01T10:00:00.000Z', end_time: '2020-01-01T11:00:00.000Z' };
    fakeServer(() => ({ status: 200, json: { results: [old], next: null } }));
    show(<SessionLog shareId={7} assetId={1} />);
    expect(await screen.findAllByRole('listitem')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: /^Edit the session from / })).toBeNull();
  });
});

it('the last session stays while its form is open, and gives way to a later one with the focus', async () => {
  const later = { ...session, id: 6, start_time: halfPast, end_time: now.toISOString() };
  let sessions = [session];
  fakeServer(({ path }) => ({
    status: 200,
    json: { results: path.includes('/logs/') ? sessions : [], next: null },
  }));
  const user = userEvent.setup();
  const client = show(
    <>
      <LastSession shareId={7} assetId={1} />
      <SessionLog shareId={7} assetId={1} />
    </>,
  );
  const serve = async (...next: (typeof session)[]) => {
    sessions = next;
    await announceChange(client, 'sessions');
    const log = within(screen.getByRole('list', { name: /^Sessions on/ }));
    await waitFor(() => expect(log.getAllByRole('listitem')).toHaveLength(next.length));
  };
  const last = within(await screen.findByRole('region', { name: 'Last session' }));
  const shownStart = () => last.getByRole('listitem').querySelector('time')?.dateTime;

  await user.click(last.getByRole('button', { name: /^Edit the session/ }));
  const field = last.getByLabelText<HTMLInputElement>('End');
  fireEvent.change(field, { target: { value: '10:50' } });
  await serve(later, session);
  expect(last.getByLabelText('End')).toBe(field);
  expect([shownStart(), field.value]).toEqual([start, '10:50']);
  await user.click(last.getByRole('button', { name: 'Cancel' }));
  expect(shownStart()).toBe(halfPast);
  expect(document.activeElement).toBe(last.getByRole('button', { name: /^Edit the session/ }));

  // Once a session is removed, the one before it is shown without a form.
  await user.click(last.getByRole('button', { name: /^Edit the session/ }));
  await serve(session);
  expect(shownStart()).toBe(start);
  expect(last.queryByLabelText('End')).toBeNull();
});

describe('in the night in which the clocks change', () => {
  const open = async (times: { start_time: string; end_time: string }) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    vi.setSystemTime(Date.parse(times.end_time) + 3_600_000);
    const received = fakeServer(({ method }) =>
      method === 'GET'
        ? { status: 200, json: { results: [{ ...session, ...times }], next: null } }
        : { status: 200, json: session },
    );
    const user = userEvent.setup();
    show(<SessionLog shareId={7} assetId={1} />);
    await user.click(await screen.findByRole('button', { name: /^Edit the session from / }));
    return { user, changes: () => received.filter(({ method }) => method === 'PATCH').map(({ body }) => body) };
  };

  it('an edit in the hour that comes twice keeps the time in which it was, unless the other is chosen', async () => {
    // From the first 2:10 to the second 2:50.
    const { user, changes } = await open({
      start_time: '2026-10-25T00:10:00.000Z',
      end_time: '2026-10-25T01:50:00.000Z',
    });
    const end = screen.getByLabelText('End');
    fireEvent.change(end, { target: { value: '02:40' } });
    expect(screen.getByText('Duration: 1 h 30 min')).toBeTruthy();
    const which = screen.getByRole('combobox', { name: 'Which end', description: /came twice/ });
    expect(which.textContent).toMatch(/2:40.AM.GMT\+22:40.AM.GMT\+1/);
    await user.selectOptions(which, 'first');
    expect(screen.getByText('Duration: 30 min')).toBeTruthy();
    fireEvent.change(end, { target: { value: '02:45' } });
    expect(screen.getByText('Duration: 1 h 35 min')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()).toEqual([{ end_time: '2026-10-25T01:45:00.000Z' }]));
  });

  it('a time that the clocks skip is refused at its field', async () => {
    const { user, changes } = await open({
      start_time: '2026-03-28T23:30:00.000Z',
      end_time: '2026-03-29T02:30:00.000Z',
    });
    fireEvent.change(screen.getByLabelText('End'), { target: { value: '02:30' } });
    expect(screen.getByLabelText('End').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText("The clocks were set forward, so this time didn't come.")).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(changes()).toEqual([]);
  });
});

it('an owner sees edited and removed sessions with their original times', async () => {
  const edit = { at: end, start_time: start, end_time: end, open_until: null, objection_until: null };
  const results = [
    { ...session, username: 'ben', edited: { kind: 'corrected', ...edit } },
    { ...session, id: 6, username: 'ana', duration: 0, edited: { kind: 'removed', ...edit } },
    { ...session, id: 7, username: 'cem', edited: null },
  ];
  fakeServer(() => ({ status: 200, json: { results, next: null } }));
  show(<AssetSessionLog assetId={3} />);
  const [corrected, removed, plain] = await screen.findAllByRole('listitem');
  expect(corrected?.textContent).toMatch(/1 hEdited .*\. Originally .*–.*\./);
  expect(removed?.textContent).toMatch(/RemovedRemoved [^.]*\.$/);
  expect(plain?.textContent).not.toContain('Originally');
});
