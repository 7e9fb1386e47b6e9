import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const share = aShare();
const address = `/start/${share.asset.id}`;
const posts = (received: Received[]) => received.filter(({ method }) => method !== 'GET').map(({ path }) => path);

/** Answers with a session once one is started. */
function serve(change: Parameters<typeof aShare>[0] = {}) {
  const lists = serveLists({ shares: [aShare({ id: 5, asset: { ...share.asset, id: 55 } }), aShare(change)] });
  const session = { id: 1, asset_name: 'Figma', start_time: new Date().toISOString(), end_time: null, duration: 0 };
  return fakeServer((request) => (request.method === 'POST' ? { status: 201, json: session } : lists(request)));
}

describe('the page with one button', () => {
  it('starts no session when opened', async () => {
    const received = serve();
    await openApp(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'Figma' })).toBeTruthy();
    expect(
      screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === '5.5 h left'),
    ).toBeTruthy();
    expect(screen.getByText('No session is running.')).toBeTruthy();
    expect(posts(received)).toEqual([]);
  });

  it('starts a session of that asset when the button is pressed', async () => {
    const received = serve();
    const user = await openApp(address);
    await user.click(await screen.findByRole('button', { name: 'Start Session' }));
    expect(posts(received)).toEqual([`/api/shared-assets/${share.id}/start/`]);
  });

  it('shows the clock and ends the active session', async () => {
    const received = serve({ active_session: true, active_since: new Date(Date.now() - 5_000).toISOString() });
    const user = await openApp(address);
    const button = await screen.findByRole('button', { name: 'End Session' });
    expect(within(screen.getByRole('main')).getByRole('timer').textContent).toMatch(/^0:00:0\d$/);
    await user.click(button);
    expect(posts(received)).toEqual([`/api/shared-assets/${share.id}/end/`]);
  });

  it('says by how much the allowance is exceeded', async () => {
    serve({ usage_this_month: 21.5 });
    await openApp(address);
    expect(
      await screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === '1.5 h over'),
    ).toBeTruthy();
  });

  it.each(['/start/999', '/start/abc', '/start/7'])('has no button without access: %s', async (path) => {
    serve();
    await openApp(path);
    expect(await screen.findByText("This asset isn't available, or you no longer have access.")).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Session/ })).toBeNull();
  });

  it('can be tried again when loading failed', async () => {
    let fails = true;
    const lists = serveLists({ shares: [share] });
    fakeServer((request) =>
      fails && request.path === '/api/shared-assets/' ? errorReply(500, 'internal', 'Broken.') : lists(request),
    );
    const user = await openApp(address);
    const retry = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    await user.click(retry);
    expect(await screen.findByRole('heading', { level: 1, name: 'Figma' })).toBeTruthy();
  });
});
