import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aUser, errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { router } from '../router.tsx';

const TOKEN = 'k7m2-qx4d_abc';
const ADDRESS = `/claim/${TOKEN}`;
const API = `/api/claims/${TOKEN}/`;

const claim = {
  name: 'Grandma',
  owner: 'ana',
  assets: ['Car', 'Sauna'],
  sessions: 3,
  hours: 4.5,
  charges: 2,
  open_charges: [{ currency: 'USD', amount: 12.5 }],
  expires_at: '2030-01-07T12:00:00.000Z',
};

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Answers as a server with an open claim, except for the given calls. */
function serve(replies: Record<string, (request: Received) => Reply> = {}, registration = 'open') {
  return fakeServer((request) => {
    const call = `${request.method} ${request.path}`;
    const reply = replies[call];
    if (reply) return reply(request);
    if (call === `GET ${API}`) return { status: 200, json: claim };
    if (call === `POST ${API}`) return { status: 201, json: claim };
    if (call === 'GET /api/about/') return { status: 200, json: { contact: null, registration } };
    if (call === 'GET /api/me/') return { status: 200, json: aUser };
    return { status: 200, json: { results: [], next: null } };
  });
}

beforeEach(prepareApp);
afterEach(cleanup);

describe('what was recorded for someone without an account', () => {
  it('is summed up for anyone with the link', async () => {
    serve();
    await openApp(ADDRESS, { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'ana recorded this for Grandma' })).toBeTruthy();
    const main = screen.getByRole('main').textContent;
    for (const text of ['Car and Sauna', '3', '4.5 h', '$12.50']) expect(main).toContain(text);
  });

  it('asks visitors about unpaid charges before they register, and sends the answer along', async () => {
    const received = serve({
      'POST /api/register/': () => ({ status: 201, json: { access: 'a', refresh: 'r', user: aUser } }),
    });
    const user = await openApp(ADDRESS, { signedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Create an account' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Choose one of the two');
    await user.click(screen.getByRole('radio', { name: 'I object' }));
    await user.click(screen.getByRole('link', { name: 'Create an account' }));
    await user.type(await screen.findByLabelText('Username'), 'kim');
    await user.type(screen.getByLabelText('Email address'), 'kim@example.org');
    await user.type(screen.getByLabelText('Password'), 'a long password');
    await user.type(screen.getByLabelText('Confirm password'), 'a long password');
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(received.find(({ path }) => path === '/api/register/')?.body).toMatchObject({
      username: 'kim',
      claim: { token: TOKEN, charges: 'object' },
    });
  });

  it('is taken over as it was seen', async () => {
    const received = serve();
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Choose one of the two');
    await user.click(screen.getByRole('radio', { name: 'These are mine' }));
    await user.click(screen.getByRole('button', { name: 'Join' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/shared'));
    expect(received.find(({ method }) => method === 'POST')?.body).toEqual({
      charges: 'accept',
      seen: { sessions: 3, hours: 4.5, charges: 2 },
    });
  });

  it('asks nothing without unpaid charges', async () => {
    const received = serve({
      [`GET ${API}`]: () => ({ status: 200, json: { ...claim, charges: 0, open_charges: [] } }),
    });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/shared'));
    expect(received.find(({ method }) => method === 'POST')?.body).toMatchObject({ charges: 'accept' });
  });

  it('shows what changed meanwhile, before it can be taken over', async () => {
    let sessions = 3;
    serve({
      [`GET ${API}`]: () => ({ status: 200, json: { ...claim, charges: 0, open_charges: [], sessions } }),
      [`POST ${API}`]: () =>
        errorReply(400, 'claim_changed', 'What was recorded just changed. Review it and try again.'),
    });
    const user = await openApp(ADDRESS);
    const take = await screen.findByRole('button', { name: 'Join' });
    sessions = 17;
    await user.click(take);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'What was recorded just changed. Review it and try again.',
    );
    expect(await screen.findByText('17')).toBeTruthy();
  });

  it('can only be passed on by its owner', async () => {
    serve({ [`GET ${API}`]: () => ({ status: 200, json: { ...claim, owner: aUser.username } }) });
    await openApp(ADDRESS);
    expect(await screen.findByText(/^You recorded this yourself\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  });

  it('says that the link is dead', async () => {
    const dead = 'This link is no longer valid. Ask for a new one.';
    serve({ [`GET ${API}`]: () => errorReply(404, 'claim_not_found', dead) });
    await openApp(ADDRESS, { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toBe(dead);
    expect(screen.getByRole('link', { name: 'Go to home page' })).toBeTruthy();
  });

  it('is reached from the login page and by a pasted link', async () => {
    serve({}, 'invited');
    const user = await openApp('/register', { signedIn: false });
    await user.type(await screen.findByLabelText('Invitation link'), `https://hours.example.org${ADDRESS}`);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('heading', { name: 'ana recorded this for Grandma' });
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sign in' }));
    await screen.findByRole('heading', { name: 'Sign in to HourShare' });
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sign up' }));
    expect(await screen.findByRole('heading', { name: 'ana recorded this for Grandma' })).toBeTruthy();
  });
});
