import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { aStatement } from '../../testing/records.ts';
import { AssetSessionLog, SessionLog } from './session-log.tsx';

const now = new Date(2026, 11, 2, 12);
const at = (hour: number) => new Date(2026, 10, 17, hour).toISOString();
const session = {
  id: 5,
  asset_name: 'Figma',
  start_time: at(8),
  end_time: at(10),
  duration: 120,
  edited: null,
  objection: null,
  request: null as object | null,
  added_late: null,
  recorded_by_owner: false,
};
const request = { status: 'open', requested_at: at(12), start_time: at(8), end_time: at(9), waits_for: ['mira'] };
const november = aStatement({
  month: '2026-11',
  owner: 'mira',
  ended: true,
  ends_at: new Date(2026, 11, 1).toISOString(),
});

beforeEach(() => {
  vi.setSystemTime(now);
  storeSignIn({ access: 'a', refresh: 'r', user: { ...aUser, username: 'mira' } });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  clearSignIn('logout');
});

/** Renders a log of one session of an ended month; each change answers the session as it then is, or fails. */
function show(log: React.ReactNode, first: object, change: () => object, statement: object = november) {
  let shown = first;
  const received = fakeServer(({ method, path }) => {
    if (method === 'GET')
      return {
        status: 200,
        json: {
          results: /logs|sessions/.test(path) ? [shown] : path.includes('statements') ? [statement] : [],
          next: null,
        },
      };
    const answer = change();
    if ('status' in answer && 'json' in answer) return answer as ReturnType<typeof errorReply>;
    shown = answer;
    return { status: 200, json: answer };
  });
  render(<QueryClientProvider client={new QueryClient()}>{log}</QueryClientProvider>);
  return { user: userEvent.setup(), changes: () => received.filter(({ method }) => method !== 'GET') };
}

describe('a member', () => {
  it('is told that an edit which takes time out of an ended month asks the owner, and sees what was asked', async () => {
    const { user } = show(<SessionLog shareId={7} assetId={1} />, session, () => ({ ...session, request }));
    await user.click(await screen.findByRole('button', { name: /^Edit the session from/ }));
    const ask = () => screen.queryByText('The month has ended, so mira has to accept this.');
    const end = screen.getByLabelText('End');
    await user.clear(end);
    await user.type(end, '11:00');
    expect(ask()).toBeNull();
    await user.clear(end);
    await user.type(end, '09:00');
    expect(ask()).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^You asked for .*Waiting for mira\.$/)).toBeTruthy();
    expect(screen.queryByLabelText('End')).toBeNull();
  });

  it('is told so before removing a session, and with share of use of all who used it', async () => {
    const byUse = { ...november, split_method: 'share_of_use' };
    const removal = { ...request, start_time: null, end_time: null, waits_for: ['ben', 'mira'] };
    const log = <SessionLog shareId={7} assetId={1} />;
    const { user, changes } = show(log, session, () => ({ ...session, request: removal }), byUse);
    await user.click(await screen.findByRole('button', { name: /^Edit the session from/ }));
    await user.click(screen.getByRole('button', { name: 'Remove session' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(
      dialog.getByText('The month has ended, so everyone whose charge it raises has to accept this.'),
    ).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Remove session' }));
    expect(await screen.findByText('You asked to remove it. Waiting for ben and mira.')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(changes()).toMatchObject([{ method: 'DELETE' }]);
  });

  it('withdraws a request', async () => {
    const log = <SessionLog shareId={7} assetId={1} />;
    const withdrawn = { ...session, request: { ...request, status: 'withdrawn' } };
    const { user, changes } = show(log, { ...session, request }, () => withdrawn);
    await user.click(await screen.findByRole('button', { name: /^Withdraw the edit of the session from/ }));
    expect(await screen.findByRole('button', { name: /^Edit the session from/ })).toBeTruthy();
    await vi.waitFor(() => expect(screen.queryByText(/^You asked for/)).toBeNull());
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/shared-assets/7/logs/5/request/' }]);
  });

  it('reads what became of it', async () => {
    const declined = { ...session, request: { ...request, status: 'declined', waits_for: [] } };
    show(<SessionLog shareId={7} assetId={1} />, declined, () => declined);
    expect(await screen.findByText('Your edit was declined, so the recorded times count.')).toBeTruthy();
  });
});

describe('an owner', () => {
  const own = { ...session, username: 'ben', share_id: 7, person: false, request };

  it.each(['Accept', 'Decline'])('reads what a member asks for, and presses %s', async (verb) => {
    const status = verb === 'Accept' ? 'accepted' : 'declined';
    const answered = { ...own, request: { ...request, status, waits_for: [] } };
    const { user, changes } = show(<AssetSessionLog assetId={3} />, own, () => answered);
    expect(await screen.findByText(/^ben asks for /)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: new RegExp(`^${verb} ben's edit of the session from`) }));
    await vi.waitFor(() => expect(screen.queryByText(/^ben asks for /)).toBeNull());
    expect(changes()).toMatchObject([{ path: `/api/assets/3/sessions/5/request/${verb.toLowerCase()}/` }]);
  });

  it('reads why an answer was refused', async () => {
    const { user } = show(<AssetSessionLog assetId={3} />, own, () =>
      errorReply(409, 'request_ended', 'This request is already closed.'),
    );
    await user.click(await screen.findByRole('button', { name: /^Accept/ }));
    expect(await screen.findByText('This request is already closed.')).toBeTruthy();
  });

  it('answers nothing that waits for others only', async () => {
    show(<AssetSessionLog assetId={3} />, { ...own, request: { ...request, waits_for: ['zoe'] } }, () => own);
    expect(await screen.findByText(/^ben asks for /)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(?:Accept|Decline)/ })).toBeNull();
  });
});
