import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fieldTime } from '../../platform/forms/local-times.ts';
import { fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, list } from '../../testing/records.ts';

// Noon in every time zone, so that the times are of one day.
const now = new Date(2026, 10, 18, 12);
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const session = { id: 5, asset_name: 'Figma', start_time: ago(120), end_time: ago(60), duration: 60 };

/** Serves one share with one session, which may still be running. */
function serve({ running }: { running: boolean }) {
  let active = running;
  const received = fakeServer(({ method, path }) => {
    if (path === '/api/shared-assets/7/end/') {
      active = false;
      return { status: 200, json: session };
    }
    if (method === 'PATCH') return { status: 200, json: session };
    if (path === '/api/shared-assets/')
      return list(aShare({ active_session: active, active_since: active ? session.start_time : null }));
    if (path === '/api/shared-assets/7/logs/') return list(session);
    return path === '/api/assets/' || path.endsWith('/statements/') ? list() : { status: 404 };
  });
  return () => received.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
}

let presses = 0;
const count = () => (presses += 1);

beforeEach(prepareApp);
beforeEach(() => void vi.setSystemTime(now));
afterEach(() => void vi.useRealTimers());
beforeEach(() => {
  presses = 0;
  document.addEventListener('click', count, true);
});
afterEach(() => document.removeEventListener('click', count, true));
afterEach(cleanup);

/** Sets the end of the session a quarter of an hour earlier. */
async function editEnd(user: Awaited<ReturnType<typeof openApp>>) {
  const dialog = within(await screen.findByRole('dialog'));
  const field = await dialog.findByLabelText('End');
  await user.clear(field);
  await user.type(field, fieldTime(ago(75)).slice(-5));
  const before = presses;
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  return presses - before;
}

it('a session that was just ended is edited with two presses', async () => {
  const sent = serve({ running: true });
  const user = await openApp('/shared');
  await user.click(await screen.findByRole('button', { name: /^End Session/ }));
  const edit = await screen.findByRole('link', { name: 'Edit' });
  presses = 0;
  await user.click(edit);
  expect(presses + (await editEnd(user))).toBe(2);
  await waitFor(() => expect(sent()).toEqual([{ end_time: expect.any(String) as string }]));
});

it('the last session opens for editing with two presses on its card', async () => {
  const sent = serve({ running: false });
  const user = await openApp('/shared');
  const manage = await screen.findByRole('button', { name: /^Manage Usage/ });
  presses = 0;
  await user.click(manage);
  const last = within(await screen.findByRole('region', { name: 'Last session' }));
  await user.click(last.getByRole('button', { name: /^Edit the session/ }));
  expect(presses).toBe(2);
  await editEnd(user);
  await waitFor(() => expect(sent()).toHaveLength(1));
});
