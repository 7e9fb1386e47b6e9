import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { SessionLog } from './session-log.tsx';

const ended = {
  id: 1,
  asset_name: 'Figma',
  start_time: '2026-11-21T10:00:00.000Z',
  end_time: '2026-11-21T11:25:00.000Z',
  duration: 85,
};
const active = { ...ended, id: 2, start_time: '2026-11-21T12:00:00.000Z', end_time: null, duration: null };

afterEach(cleanup);

describe.each([
  ['an object with results', { results: [active, ended], next: null }],
  ['a plain array', [active, ended]],
])('the session log of a share from %s', (_, json) => {
  it('shows each duration and which session is active', async () => {
    const received = fakeServer(() => ({ status: 200, json }));
    render(
      <QueryClientProvider client={new QueryClient()}>
        <SessionLog shareId={7} assetId={1} />
      </QueryClientProvider>,
    );
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toContain('in progress');
    expect(first?.textContent).toContain('Active');
    expect(second?.textContent).toContain('1 h 25 min');
    expect(second?.textContent).not.toContain('Active');
    expect(received[0]?.path).toBe('/api/shared-assets/7/logs/');
  });
});

it('the button that loads more sessions keeps the focus while it works', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  const received = fakeServer(async ({ path }) => {
    if (!path.includes('/logs/')) return { status: 200, json: { results: [], next: null } };
    const pages = received.filter((each) => each.path.includes('/logs/')).length;
    if (pages > 1) await held;
    return { status: 200, json: { results: [{ ...ended, id: pages }], next: '/api/shared-assets/7/logs/?cursor=c' } };
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionLog shareId={7} assetId={1} />
    </QueryClientProvider>,
  );
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Load more' });
  await userEvent.click(button);
  expect([button.textContent, button.disabled, document.activeElement]).toEqual(['Loading...', false, button]);
  await act(async () => answer());
  expect(await screen.findByRole('button', { name: 'Load more' })).toBe(button);
});
