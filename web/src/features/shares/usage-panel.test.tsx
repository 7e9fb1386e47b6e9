import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anOffer, aShare } from '../../testing/records.ts';
import { useSharedAssets } from './api.ts';
import { UsagePanel } from './usage-panel.tsx';

const SINCE = '2026-11-21T10:00:00.000Z';
function Panel() {
  const share = useSharedAssets().data?.[0];
  if (!share) return null;
  return <UsagePanel share={share} />;
}

const listReply = (since: string | null, id = 7) => ({
  status: 200,
  json: { results: [aShare({ id, active_session: since !== null, active_since: since })], next: null },
});

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Renders the panel of one share; the handler may change its state on the server. */
async function show(
  state: { since: string | null; id?: number; read?: () => Reply | Promise<Reply> },
  change: () => Reply | Promise<Reply>,
) {
  const read = () => state.read?.() ?? listReply(state.since, state.id);
  const received = fakeServer(({ method }) => (method === 'GET' ? read() : change()));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Panel />
    </QueryClientProvider>,
  );
  await screen.findByText('Session Status');
  return { received, client, user: userEvent.setup() };
}

const deferReply = () => {
  let release: (reply: Reply) => void = () => {};
  const reply = new Promise<Reply>((resolve) => (release = resolve));
  return { reply, release };
};

afterEach(cleanup);

it('says that a start accepts an offer, and by how much an allowance is exceeded', () => {
  const panel = (share: ReturnType<typeof aShare>) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <UsagePanel share={share} />
      </QueryClientProvider>,
    );
  fakeServer(() => listReply(null));
  const { unmount } = panel(anOffer());
  expect(screen.getByText('Starting a session accepts the offer.')).toBeTruthy();
  unmount();
  panel(aShare({ monthly_hours_allocated: 20, usage_this_month: 21.5 }));
  expect(screen.queryByText(/accepts the offer/)).toBeNull();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('21.5 h of 20 h, 1.5 h over');
});

describe('starting and ending a session', () => {
  it('shows a started session at once and rolls back with an error when the server refuses', async () => {
    const { reply, release } = deferReply();
    const { user } = await show({ since: null }, () => reply);
    await user.click(screen.getByRole('button', { name: 'Start Session' }));
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(screen.getByRole('timer').textContent).toBe('0:00:00');
    release(errorReply(503, 'unavailable', 'Not now.'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to start session: Not now.');
    expect(screen.getByText('Inactive')).toBeTruthy();
  });

  it.each([
    ['start', null, 'Inactive'],
    ['end', SINCE, 'Active'],
  ] as const)('rolls back a failed %s even if the list fails to reload', async (verb, since, text) => {
    const state: Parameters<typeof show>[0] = { since };
    const { user, client } = await show(state, () => {
      state.read = () => errorReply(500, 'internal', 'Broken.');
      return errorReply(500, 'internal', 'Broken.');
    });
    await user.click(screen.getByRole('button', { name: verb === 'start' ? 'Start Session' : 'End Session' }));
    expect((await screen.findByRole('alert')).textContent).toContain(`Failed to ${verb} session`);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('ignores an older list response that arrives after the start', async () => {
    const [older, start] = [deferReply(), deferReply()];
    const state: Parameters<typeof show>[0] = { since: null };
    const { user, client, received } = await show(state, () => start.reply);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    const before = received.length;
    state.read = () => older.reply;
    void client.invalidateQueries();
    await waitFor(() => expect(received.length).toBeGreaterThan(before));
    await user.click(screen.getByRole('button', { name: 'Start Session' }));
    expect(await screen.findByText('Active')).toBeTruthy();

    await act(async () => older.release(listReply(null)));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.getByText('Active')).toBeTruthy();
    Object.assign(state, { since: SINCE, read: undefined });
    start.release({ status: 201, json: { id: 1, asset_name: 'Figma', start_time: SINCE } });
    await waitFor(() => expect(client.isMutating()).toBe(0));
    expect(screen.getByText('Active')).toBeTruthy();
  });

  it('reloads and shows a session that is already running', async () => {
    const state = { since: null as string | null };
    const { user, received } = await show(state, () => {
      state.since = SINCE;
      return errorReply(400, 'session_already_running', 'A session is already running for this asset.');
    });
    await user.click(screen.getByRole('button', { name: 'Start Session' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'A session is already running for this asset. Refreshing...',
    );
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(received.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  });

  it('shows an ended session at once and rolls back on failure', async () => {
    const { reply, release } = deferReply();
    const { user } = await show({ since: SINCE }, () => reply);
    await user.click(screen.getByRole('button', { name: 'End Session' }));
    expect(await screen.findByText('Inactive')).toBeTruthy();
    release(errorReply(500, 'internal', 'Broken.'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to end session');
    expect(screen.getByText('Active')).toBeTruthy();
  });

  it('sends no request for an invalid id', async () => {
    const { user, received } = await show({ since: null, id: -1 }, () => errorReply(500, 'internal', 'x'));
    await user.click(screen.getByRole('button', { name: 'Start Session' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Cannot start session: Invalid asset ID.');
    expect(received.every(({ method }) => method === 'GET')).toBe(true);
  });
});

it('says what records the use instead, where there is nothing to start', () => {
  fakeServer(() => listReply(null));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UsagePanel share={aShare({ recorded_by: 'Claude Code' })} />
    </QueryClientProvider>,
  );
  expect(screen.getByText('Session Status').parentElement?.textContent).toBe('Session StatusRecorded by Claude Code');
  expect(screen.queryByText('Inactive')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Start Session' })).toBeNull();
});
