import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { AddSession } from './add-session.tsx';

afterEach(cleanup);

const added = { status: 201, json: { id: 1, request: null } };

/** Renders the form of a share, opened, and returns what it sends. */
async function open(reply: Parameters<typeof fakeServer>[0]) {
  const received = fakeServer(reply);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AddSession shareId={7} />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add a session' }));
  return received;
}

it('adds the last hours with two presses', async () => {
  const received = await open(() => added);
  const recent = screen.getByRole('button', { name: 'The last 2 hours' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'The last hour' }));
  const before = Date.now();
  await userEvent.click(recent);
  expect(await screen.findByRole('button', { name: 'Add a session' })).toBe(document.activeElement);
  const [{ method, path, body } = {}] = received;
  expect([method, path]).toEqual(['POST', '/api/shared-assets/7/logs/']);
  const { start_time: start, end_time: end } = body as { start_time: string; end_time: string };
  expect(Date.parse(end) - Date.parse(start)).toBe(2 * 3_600_000);
  // A whole minute, and never in the future by the server's clock.
  expect(end).toMatch(/:00\.000Z$/);
  expect(Date.parse(end)).toBeLessThanOrEqual(before);
  expect(Date.parse(end)).toBeGreaterThan(before - 66_000);
});

it('adds what is typed, also over midnight', async () => {
  const received = await open(() => added);
  await userEvent.clear(screen.getByLabelText('Day'));
  await userEvent.type(screen.getByLabelText('Day'), '2026-03-07');
  await userEvent.type(screen.getByLabelText('Start'), '23:00');
  await userEvent.type(screen.getByLabelText('End'), '00:30');
  expect(screen.getByText('Duration: 1 h 30 min')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByRole('button', { name: 'Add a session' });
  expect(received[0]?.body).toEqual({
    start_time: new Date('2026-03-07T23:00').toISOString(),
    end_time: new Date('2026-03-08T00:30').toISOString(),
  });
});

it('says why the server refused it, and forgets that when it is opened again', async () => {
  await open(() => errorReply(400, 'session_overlap', 'This overlaps another of your sessions.'));
  await userEvent.click(screen.getByRole('button', { name: 'The last hour' }));
  expect(await screen.findByText('This overlaps another of your sessions.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add a session' }));
  expect(screen.queryByText('This overlaps another of your sessions.')).toBeNull();
});
