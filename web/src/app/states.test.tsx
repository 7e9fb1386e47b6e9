import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSignIn } from '../platform/auth/sign-in.ts';
import { errorReply, fakeServer, storeTestSignIn, type Received } from '../testing/fake-server.ts';
import { router } from './router.tsx';
import { openApp, prepareApp } from '../testing/open-app.tsx';
import { aShare, aStatement, bensLine } from '../testing/records.ts';
import { followSignIn } from './follow-sign-in.ts';

const list = (...results: object[]) => ({ status: 200, json: { results, next: null } });
const share = (active_since: string | null) => aShare({ active_session: active_since !== null, active_since });
const session = { id: 1, asset_name: 'Figma', start_time: '2026-11-21T10:00:00.000Z', end_time: null, duration: null };

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

const PAST_SHARES = '/api/shared-assets/?status=past';

/** Serves the lists of a member with one share; the test handles every other call. */
const member =
  (since: () => string | null, rest: (request: Received) => Reply | Promise<Reply>) => (request: Received) => {
    if (request.method === 'GET' && request.path === '/api/shared-assets/') return list(share(since()));
    if (
      request.method === 'GET' &&
      ['/api/assets/', PAST_SHARES, '/api/statements/?role=member&proposed=include', '/api/balances/'].includes(
        request.path,
      )
    )
      return list();
    return rest(request);
  };

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe.each(['/dashboard', '/shared'])('a running session on a card of %s', (address) => {
  it('ends when its button is pressed', async () => {
    let since: string | null = session.start_time;
    const received = fakeServer(
      member(
        () => since,
        () => {
          since = null;
          return { status: 200, json: { ...session, end_time: '2026-11-21T11:00:00.000Z', duration: 60 } };
        },
      ),
    );
    const user = await openApp(address);
    await user.click(await screen.findByRole('button', { name: 'End Session' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End Session' })).toBeNull());
    expect(received.some(({ path }) => path === '/api/shared-assets/7/end/')).toBe(true);
    await waitFor(() => expect(screen.queryByRole('timer')).toBeNull());
  });

  it('stays with an error message when ending it fails', async () => {
    fakeServer(
      member(
        () => session.start_time,
        () => 'no connection',
      ),
    );
    const user = await openApp(address);
    await user.click(await screen.findByRole('button', { name: 'End Session' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to end session');
    expect(screen.getByRole('button', { name: 'End Session' })).toBeTruthy();
  });
});

describe.each(['/dashboard', '/shared'])('a card of %s without a session', (address) => {
  it('starts one with one press, sent once even when pressed twice', async () => {
    let since: string | null = null;
    let answer = () => {};
    const received = fakeServer(
      member(
        () => since,
        ({ method }) =>
          // Such as for notifications, which may be read only now.
          method === 'GET'
            ? { status: 404 }
            : new Promise<Reply>((resolve) => {
                answer = () => {
                  since = session.start_time;
                  resolve({ status: 201, json: session });
                };
              }),
      ),
    );
    const user = await openApp(address);
    await user.dblClick(await screen.findByRole('button', { name: 'Start Session' }));
    // Optimistic: before the server has answered.
    expect(await screen.findByRole('button', { name: 'End Session' })).toBeTruthy();
    act(answer);
    expect(await screen.findByText('Session started: Figma')).toBeTruthy();
    // A live region in the page would keep dialogs from hiding the page.
    expect(screen.getAllByRole('timer').some((clock) => clock.closest('[aria-live]'))).toBe(false);
    expect(received.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/shared-assets/7/start/',
    ]);
  });

  it("shows the server's message when the start fails", async () => {
    fakeServer(
      member(
        () => null,
        () => errorReply(403, 'forbidden', 'This share has ended.'),
      ),
    );
    const user = await openApp(address);
    await user.click(await screen.findByRole('button', { name: 'Start Session' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to start session: \w/);
    expect(screen.getByRole('button', { name: 'Start Session' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('timer')).toBeNull());
  });
});

describe('the End of the bars', () => {
  /** The button of the top bar; a phone's bar has the other. */
  const findEnd = async () => {
    const [button] = await screen.findAllByRole('button', { name: 'End Figma' });
    await waitFor(() => expect(button?.getAttribute('aria-disabled')).toBeNull());
    return button!;
  };

  it('ends the session from another page, says what it came to, and offers to edit it', async () => {
    let since: string | null = session.start_time;
    const month = new Date().toISOString().slice(0, 7);
    const ended = {
      ...session,
      start_time: `${month}-01T10:00:00.000Z`,
      end_time: `${month}-01T11:24:00.000Z`,
      duration: 84,
    };
    fakeServer(
      member(
        () => since,
        ({ method, path }) => {
          if (path.endsWith('/logs/')) return list(ended);
          if (path === `/api/assets/1/statements/${month}/`)
            return { status: 200, json: aStatement({ month, lines: [bensLine()] }) };
          if (method === 'GET') return { status: 404 };
          since = null;
          return { status: 200, json: ended };
        },
      ),
    );
    const user = await openApp('/settings');
    await user.click(await findEnd());
    // $20.00 × 1.4 h ÷ 40 h
    expect(await screen.findByText('1 h 24 min · about $0.70')).toBeTruthy();
    expect(screen.getByText('Session ended: Figma')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End Figma' })).toBeNull());

    await user.click(screen.getByRole('link', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('button', { name: 'Remove session' })).toBeTruthy();
    // Opened once, not on each return to the tab.
    await user.click(dialog.getByRole('tab', { name: 'Usage' }));
    await user.click(dialog.getByRole('tab', { name: 'Sessions' }));
    expect(await dialog.findByRole('listitem')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Remove session' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Close dialog' }));
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
  });

  it('says at once that the session ended, and leaves out a cost that cannot be known', async () => {
    fakeServer(
      member(
        () => session.start_time,
        ({ path }) =>
          path.includes('/statements/')
            ? new Promise(() => {})
            : { status: 200, json: { ...session, end_time: '2026-11-21T11:24:00.000Z', duration: 84 } },
      ),
    );
    const user = await openApp('/settings');
    await user.click(await findEnd());
    expect(await screen.findByText('1 h 24 min')).toBeTruthy();
  });

  it('keeps its place and the focus for a moment, so that a double press hits nothing else', async () => {
    let since: string | null = session.start_time;
    const received = fakeServer(
      member(
        () => since,
        ({ method }) => {
          if (method === 'GET') return { status: 404 };
          since = null;
          return { status: 200, json: { ...session, end_time: '2026-11-21T11:24:00.000Z', duration: 84 } };
        },
      ),
    );
    const user = await openApp('/settings');
    const end = await findEnd();
    await user.click(end);
    await screen.findByText('Session ended: Figma');
    await user.click(end);
    expect(document.activeElement).toBe(end);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End Figma' })).toBeNull());
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Settings'));
  });

  it('stays and shows a message when ending the session fails', async () => {
    fakeServer(
      member(
        () => session.start_time,
        () => errorReply(500, 'internal', 'Broken.'),
      ),
    );
    const user = await openApp('/settings');
    await user.click(await findEnd());
    expect(await screen.findByText('Failed to end session')).toBeTruthy();
    expect(await findEnd()).toBeTruthy();
  });
});

describe('connection status', () => {
  it('announces an unreachable server until a request succeeds', async () => {
    let reply: Reply = 'no connection';
    fakeServer(() => reply);
    const user = await openApp('/assets');
    const note = await screen.findByText(/Can't reach the server/);
    expect(note.closest('[role=status]')).toBeTruthy();
    reply = list();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(/Can't reach the server/)).toBeNull());
    expect(await screen.findByRole('heading', { name: 'No Assets Yet' })).toBeTruthy();
  });

  it('shows that the browser is offline and keeps typed text', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const received = fakeServer(({ method }) => (method === 'GET' ? list() : 'no connection'));
    const user = await openApp('/assets?add=true');
    const name = await screen.findByLabelText<HTMLInputElement>('Asset Name');
    await user.type(name, 'Netflix');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '22,99');
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    // The dialog covers the page's own note.
    expect(within(screen.getByRole('dialog')).getByText(/^Offline/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to create asset. Please try again.');
    expect(name.value).toBe('Netflix');

    const before = received.length;
    online.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(received.length).toBeGreaterThan(before));
    await waitFor(() => expect(screen.queryByText(/^Offline|Can't reach/)).toBeNull());
    expect(name.value).toBe('Netflix');
  });
});

describe('a missing share or asset', () => {
  it.each(['/shared?share=99', '/assets?asset=99'])('shows a message in the dialog at %s', async (address) => {
    fakeServer(
      member(
        () => null,
        () => errorReply(404, 'not_found', 'Not found.'),
      ),
    );
    await openApp(address);
    expect(await screen.findByText("This asset isn't available, or you no longer have access.")).toBeTruthy();
  });
});

describe('an unreadable stored user', () => {
  it('signs the user out', async () => {
    fakeServer(() => ({ status: 204 }));
    localStorage.clear();
    storeTestSignIn('a', 'r');
    localStorage.setItem('user', '{broken');
    // Nothing waits for the login page, which would still be loading once the window is gone.
    const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
    followSignIn();
    await waitFor(() => expect(localStorage.getItem('access_token')).toBeNull());
    expect(localStorage.getItem('user')).toBeNull();
    expect(currentSignIn()).toBeNull();
    expect(navigate).toHaveBeenCalledWith({ to: '/login' });
  });
});
