import type { Notice } from '@hourshare/contract/notifications';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { NoticeRow } from './notice-row.tsx';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

it('a notice that came just now says later how old it is', async () => {
  const notice: Notice = {
    id: 7,
    kind: 'access_accepted',
    text: 'ana accepted Films',
    detail: '',
    path: '/assets',
    actor: 'ana',
    actor_hue: 1,
    asset_name: 'Films',
    created_at: new Date().toISOString(),
    read: false,
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await renderInRouter(<NoticeRow notice={notice} onOpen={() => undefined} />);
  expect(screen.getByText('now')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(61_000));
  expect(screen.getByText('1 min. ago')).toBeTruthy();
});
