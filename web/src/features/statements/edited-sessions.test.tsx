import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, fakeServer } from '../../testing/fake-server.ts';
import { aStatement } from '../../testing/records.ts';
import { EditedSessions } from './edited-sessions.tsx';

beforeEach(() => storeSignIn({ access: 'a', refresh: 'r', user: aUser }));
afterEach(() => {
  cleanup();
  clearSignIn('logout');
});

const edit = {
  session_id: 5,
  username: 'ben',
  by_owner: false,
  kind: 'corrected',
  at: '2026-10-20T19:12:00.000Z',
  recorded_start: '2026-10-19T08:00:00.000Z',
  recorded_end: '2026-10-19T10:00:00.000Z',
  start_time: '2026-10-19T08:00:00.000Z',
  end_time: '2026-10-19T09:00:00.000Z',
  objection: null,
  objected_by: null,
  request: null,
} as const;
const { start_time, end_time } = edit;
const request = { status: 'open', requested_at: edit.at, start_time, end_time, waits_for_you: true } as const;
const requested = { ...edit, kind: 'requested', end_time: edit.recorded_end, request } as const;

/** Renders the edits on a statement of an open month, and returns them and what is sent. */
function show(change: Parameters<typeof aStatement>[0]) {
  const received = fakeServer(({ method }) => ({
    status: 200,
    json: method === 'GET' ? { results: [], next: null } : {},
  }));
  const statement = aStatement({ asset_id: 3, closes_at: '9999-01-01T00:00:00.000Z', ...change });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EditedSessions statement={statement} />
    </QueryClientProvider>,
  );
  return {
    items: screen.getAllByRole('listitem'),
    sent: () => received.map(({ method, path }) => `${method} ${path}`),
  };
}

it('participants answer requests and object to edits of others with share of use', async () => {
  const edited_sessions = [
    requested,
    { ...edit, session_id: 6 },
    { ...edit, session_id: 7, username: aUser.username },
    // Others have yet to answer it.
    { ...requested, session_id: 8, request: { ...request, waits_for_you: false } },
  ];
  const { items, sent } = show({ split_method: 'share_of_use', edited_sessions });
  expect(items[0]?.textContent).toMatch(/ben asked to change 2 h \(.*\) to 1 h \(.*\)Waiting for an answer\./);
  const press = (item: number, name: RegExp) => userEvent.click(within(items[item]!).getByRole('button', { name }));
  await press(0, /^Accept/);
  await press(0, /^Decline/);
  await press(1, /^Object/);
  for (const item of items.slice(2)) expect(within(item).queryByRole('button')).toBeNull();
  expect(sent()).toEqual([
    'POST /api/assets/3/sessions/5/request/accept/',
    'POST /api/assets/3/sessions/5/request/decline/',
    'POST /api/assets/3/sessions/6/objection/',
  ]);
});

it('participants read alone with another split, or once the month is closed', () => {
  const { items } = show({
    edited_sessions: [{ ...requested, request: { ...request, start_time: null, end_time: null } }],
  });
  expect(items[0]?.textContent).toMatch(/ben asked to remove 2 h \(.*\)Waiting for an answer\./);
  cleanup();
  show({ split_method: 'share_of_use', closed: true, edited_sessions: [requested, edit] });
  expect(screen.queryByRole('button')).toBeNull();
});

it('the owner of a deleted asset answers on its statement', async () => {
  const { items, sent } = show({ deleted_at: edit.at, edited_sessions: [requested] });
  await userEvent.click(within(items[0]!).getByRole('button', { name: /^Accept/ }));
  expect(sent()).toEqual(['POST /api/assets/3/sessions/5/request/accept/']);
});
