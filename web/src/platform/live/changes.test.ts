import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announceChange, shareChanges } from './changes.ts';

const client = new QueryClient();
afterEach(() => client.clear());

/** Mounts a query. Returns its mocked fetch and a function that unmounts it. */
async function show(name: string, meta?: { staleAfter: ('sessions' | 'shares')[] }) {
  const read = vi.fn<() => Promise<string>>(() => Promise.resolve(name));
  const observer = new QueryObserver(client, {
    queryKey: [name],
    queryFn: read,
    staleTime: Infinity,
    ...(meta && { meta }),
  });
  const hide = observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  return { read, hide };
}

describe('announceChange', () => {
  it('refetches only the queries that depend on the change', async () => {
    const log = await show('log', { staleAfter: ['sessions'] });
    const access = await show('access', { staleAfter: ['shares'] });
    const contact = await show('contact');
    await announceChange(client, 'sessions');
    expect([log, access, contact].map(({ read }) => read.mock.calls.length)).toEqual([2, 1, 1]);
  });

  it('marks inactive queries as stale without refetching them', async () => {
    const { read, hide } = await show('log', { staleAfter: ['sessions', 'shares'] });
    hide();
    await announceChange(client, 'shares');
    expect(read).toHaveBeenCalledTimes(1);
    expect(client.getQueryState(['log'])?.isInvalidated).toBe(true);
  });
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
const tell = (channel: BroadcastChannel) => channel.postMessage('sessions');

describe('shareChanges', () => {
  it("tells the user's other tabs, and refetches after their changes", async () => {
    const stop = shareChanges(client, 1);
    const [sameUser, otherUser] = [1, 2].map((id) => new BroadcastChannel(`hourshare_changes_${id}`));
    const heard: unknown[] = [];
    sameUser!.addEventListener('message', ({ data }) => heard.push(data));
    const log = await show('log', { staleAfter: ['sessions'] });

    tell(otherUser!);
    tell(sameUser!);
    await vi.waitFor(() => expect(log.read).toHaveBeenCalledTimes(2));
    // What it heard isn't told again.
    await announceChange(client, 'shares');
    await vi.waitFor(() => expect(heard).toEqual(['shares']));
    expect(log.read).toHaveBeenCalledTimes(2);

    stop();
    await announceChange(client, 'sessions');
    // A third tab hears of this change alone; by then, this one would have, too.
    const third = new BroadcastChannel('hourshare_changes_1');
    const lastHeard = new Promise((resolve) => third.addEventListener('message', resolve));
    tell(sameUser!);
    await lastHeard;
    expect(log.read).toHaveBeenCalledTimes(3);
    expect(heard).toEqual(['shares']);
    for (const channel of [sameUser!, otherUser!, third]) channel.close();
    log.hide();
  });
});
