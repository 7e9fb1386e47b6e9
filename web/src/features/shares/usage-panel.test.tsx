import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { useSharedAssets } from './api.ts';
import { UsagePanel } from './usage-panel.tsx';

const SINCE = '2026-11-21T10:00:00.000Z';
const aShare = (id: number, since: string | null) => ({
  id,
  asset_name: 'Figma',
  owner: 'ben',
  monthly_hours_allocated: 20,
  current_usage: 5,
  usage_this_month: 5,
  active_session: since !== null,
  active_since: since,
  asset: { id: 1, name: 'Figma', description: '', owner: 'ben' },
});

function Panel() {
  const share = useSharedAssets().data?.[0];
  if (!share) return null;
  return <UsagePanel share={share} />;
}

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Shows the panel of one share, whose state on the server the handler may change. */
async function show(state: { since: string | null; id?: number }, change: () => Reply | Promise<Reply>) {
  const received = fakeServer(({ method }) =>
    method === 'GET' ? { status: 200, json: { results: [aShare(state.id ?? 7, state.since)], next: null } } : change(),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Panel />
    </QueryClientProvider>,
  );
  await screen.findByText('Session Status');
  return { received, press: userEvent.setup() };
}

const heldReply = () => {
  let release: (reply: Reply) => void = () => {};
  const reply = new Promise<Reply>((resolve) => (release = resolve));
  return { reply, release };
};

afterEach(cleanup);

describe('starting and ending a session', () => {
  it('shows the session at once and puts it back with the sentence when the server says no', async () => {
    const { reply, release } = heldReply();
    const { press } = await show({ since: null }, () => reply);
    await press.click(screen.getByRole('button', { name: 'Start Session' }));
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(screen.getByRole('timer').textContent).toBe('0:00:00');
    release(errorReply(503, 'unavailable', 'Not now.'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to start session: Not now.');
    expect(screen.getByText('Inactive')).toBeTruthy();
  });

  it('reloads when one is running already, and shows that one', async () => {
    const state = { since: null as string | null };
    const { press, received } = await show(state, () => {
      state.since = SINCE;
      return errorReply(400, 'session_already_running', 'A session is already running for this asset.');
    });
    await press.click(screen.getByRole('button', { name: 'Start Session' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'A session is already running for this asset. Refreshing...',
    );
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(received.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  });

  it('ends at once and comes back when that failed', async () => {
    const { reply, release } = heldReply();
    const { press } = await show({ since: SINCE }, () => reply);
    await press.click(screen.getByRole('button', { name: 'End Session' }));
    expect(await screen.findByText('Inactive')).toBeTruthy();
    release(errorReply(500, 'internal', 'Broken.'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to end session');
    expect(screen.getByText('Active')).toBeTruthy();
  });

  it('asks the server nothing for an id that cannot be one', async () => {
    const { press, received } = await show({ since: null, id: -1 }, () => errorReply(500, 'internal', 'x'));
    await press.click(screen.getByRole('button', { name: 'Start Session' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Cannot start session: Invalid asset ID.');
    expect(received.every(({ method }) => method === 'GET')).toBe(true);
  });
});
