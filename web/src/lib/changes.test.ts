import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announceChange } from './changes.ts';

const client = new QueryClient();
afterEach(() => client.clear());

/** Puts a query on screen and returns how often it was read, and how to take it off. */
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

describe('a change', () => {
  it('reads queries again that are stale after it, and no others', async () => {
    const log = await show('log', { staleAfter: ['sessions'] });
    const access = await show('access', { staleAfter: ['shares'] });
    const contact = await show('contact');
    await announceChange(client, 'sessions');
    expect([log, access, contact].map(({ read }) => read.mock.calls.length)).toEqual([2, 1, 1]);
  });

  it('marks queries that are not on screen as stale, and leaves reading them for later', async () => {
    const { read, hide } = await show('log', { staleAfter: ['sessions', 'shares'] });
    hide();
    await announceChange(client, 'shares');
    expect(read).toHaveBeenCalledTimes(1);
    expect(client.getQueryState(['log'])?.isInvalidated).toBe(true);
  });
});
