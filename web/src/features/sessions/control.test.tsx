import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { SharedAsset } from '@hourshare/contract/shares';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { SessionButton } from '../../ui/session-button.tsx';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { aShare, list } from '../../testing/records.ts';
import { useSharedAssets } from '../shares/api.ts';
import { useSessionControl } from './api.ts';

afterEach(cleanup);

function Control({ share, label }: { share: SharedAsset; label: string }) {
  const session = useSessionControl(share);
  return (
    <section aria-label={label}>
      <SessionButton running={share.active_session} session={session} />
      {session.failure !== null && <p role="alert">{session.failure}</p>}
    </section>
  );
}

/** Two controls for each share. */
const Controls = () =>
  useSharedAssets().data?.flatMap((share) =>
    ['card', 'panel'].map((place) => (
      <Control key={`${share.id} ${place}`} share={share} label={`${share.asset_name} ${place}`} />
    )),
  );

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Serves the shares of which those in `running` have a session; the handler answers starts and ends. */
async function show(names: string[], running: Set<string>, change: (name: string) => Reply | Promise<Reply>) {
  const since = new Date().toISOString();
  const shares = () =>
    names.map((asset_name, id) =>
      aShare({ id: id + 1, asset_name, active_session: running.has(asset_name), active_since: since }),
    );
  const received = fakeServer(({ method, path }) =>
    method === 'GET' ? list(...shares()) : change(names[Number(path.split('/')[3]) - 1]!),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Controls />
    </QueryClientProvider>,
  );
  const button = (label: string, name: string) =>
    within(screen.getByRole('region', { name: label })).findByRole('button', { name });
  await screen.findByRole('region', { name: `${names[0]} card` });
  return { received, button, user: userEvent.setup() };
}

const session = (asset_name: string) => ({ id: 1, asset_name, start_time: new Date().toISOString(), end_time: null });

it('starting one asset after the other reads the list once both are answered', async () => {
  const running = new Set<string>();
  const answers = new Map<string, () => void>();
  const { received, button, user } = await show(
    ['Figma', 'Chess'],
    running,
    (name) =>
      new Promise((resolve) => {
        answers.set(name, () => {
          running.add(name);
          resolve({ status: 201, json: session(name) });
        });
      }),
  );
  const reads = () => received.filter(({ method }) => method === 'GET').length;
  await user.click(await button('Figma card', 'Start Session'));
  await user.click(await button('Chess card', 'Start Session'));
  await waitFor(() => expect(answers.size).toBe(2));
  await act(async () => answers.get('Figma')!());
  expect(await button('Chess card', 'End Session')).toBeTruthy();
  expect(reads()).toBe(1);
  await act(async () => answers.get('Chess')!());
  await waitFor(() => expect(reads()).toBe(2));
  expect(await button('Figma card', 'End Session')).toBeTruthy();
  expect(await button('Chess card', 'End Session')).toBeTruthy();
});

it('a failure message goes when another control of the same asset is pressed', async () => {
  const running = new Set<string>();
  let isFirst = true;
  const { button, user } = await show(['Figma'], running, (name) => {
    if (!isFirst) return { status: 200, json: session(name) };
    isFirst = false;
    running.add(name);
    return errorReply(400, 'session_already_running', 'A session is already running for this asset.');
  });
  await user.click(await button('Figma card', 'Start Session'));
  expect((await screen.findByRole('alert')).textContent).toContain('already running');
  const end = await button('Figma panel', 'End Session');
  expect(screen.getByRole('alert')).toBeTruthy();
  await waitFor(() => expect(end.getAttribute('aria-disabled')).toBeNull());
  await user.click(end);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
