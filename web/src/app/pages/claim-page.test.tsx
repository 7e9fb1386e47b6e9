import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aUser, errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { someTerms } from '../../testing/records.ts';
import { router } from '../router.tsx';

const TOKEN = 'k7m2-qx4d_abc';
const ADDRESS = `/claim/${TOKEN}`;
const API = `/api/claims/${TOKEN}/`;

const anAsset = {
  asset_name: 'Sauna',
  monthly_hours_allocated: 20,
  price: 30,
  currency: 'USD',
  split_method: 'equal',
  base_percent: 0,
  owner_hours: 0,
  members: 2,
  measured: true,
  terms: someTerms({ price: 30, split_method: 'equal', places: 4 }),
  cost_of_all: 7.5,
  starts_on: null,
  next_terms: null,
  next_price: { from_month: '2027-02', price: 45 },
};

const claim = {
  name: 'Grandma',
  owner: 'ana',
  assets: [{ ...anAsset, asset_name: 'Car', next_price: null }, anAsset],
  sessions: 3,
  hours: 4.5,
  latest_sessions: [
    { asset_name: 'Gym', start_time: '2026-11-02T10:00:00.000Z', end_time: '2026-11-02T12:00:00.000Z' },
  ],
  charges: 2,
  open_charges: [{ currency: 'USD', amount: 12.5 }],
  expires_at: '2030-01-07T12:00:00.000Z',
  version: 'v1',
};

const running = {
  asset_name: 'Car',
  month: '2026-11',
  ended: false,
  amount: 7.25,
  currency: 'USD',
};
const months = (...each: object[]) => ({ status: 200, json: { months: each } });
/** Nothing was recorded, and nothing is due. */
const blank = { sessions: 0, hours: 0, latest_sessions: [], charges: 0, open_charges: [] };

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Answers as a server with an open claim, except for the given calls. */
function serve(replies: Record<string, (request: Received) => Reply> = {}, registration = 'open') {
  return fakeServer((request) => {
    const call = `${request.method} ${request.path}`;
    const reply = replies[call];
    if (reply) return reply(request);
    if (call === `GET ${API}`) return { status: 200, json: claim };
    if (call === `GET ${API}estimate/`) return months(running);
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
    for (const text of ['3', '4.5 h', '$12.50', 'Car, November 2026 so far: about $7.25', 'Show the last session'])
      expect(main).toContain(text);
    expect(screen.getAllByText('20 h a month. All of it costs you $7.50.')).toHaveLength(2);
    expect(screen.getAllByText('Everyone pays the same, including ana.')).toHaveLength(2);
    expect(screen.getByText('Starting February 2027: $45.00 a month in total.')).toBeTruthy();
  });

  it('asks visitors about what was recorded before they register, and sends the answer along', async () => {
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
      claim: { token: TOKEN, charges: 'object', version: 'v1' },
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
      version: 'v1',
    });
  });

  it('has no hours of what is not measured', async () => {
    const plain = { ...anAsset, measured: false };
    serve({ [`GET ${API}`]: () => ({ status: 200, json: { ...claim, ...blank, assets: [plain] } }) });
    await openApp(ADDRESS, { signedIn: false });
    expect(await screen.findByText('Unpaid charges')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/\bhours\b|sessions/i);
  });

  it('asks nothing if nothing was recorded, and takes nothing over', async () => {
    const received = serve({
      [`GET ${API}`]: () => ({ status: 200, json: { ...claim, ...blank } }),
      [`GET ${API}estimate/`]: () => months({ ...running, amount: 0 }),
    });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/shared'));
    expect(received.find(({ method }) => method === 'POST')?.body).toMatchObject({ charges: 'object' });
  });

  it('asks about what the open months cost, even if they were not used', async () => {
    serve({ [`GET ${API}`]: () => ({ status: 200, json: { ...claim, ...blank } }) });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Choose one of the two');
  });

  it('asks again about what changed meanwhile', async () => {
    let version = 'v1';
    const received = serve({
      [`GET ${API}`]: () => ({ status: 200, json: { ...claim, version } }),
      [`POST ${API}`]: () =>
        errorReply(400, 'claim_changed', 'What this link offers just changed. Review it and try again.'),
    });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('radio', { name: 'These are mine' }));
    version = 'v2';
    await user.click(screen.getByRole('button', { name: 'Join' }));
    await waitFor(() => expect(screen.getByRole('radio', { name: 'These are mine' })).toHaveProperty('checked', false));
    expect(screen.getByRole('alert').textContent).toBe('What this link offers just changed. Review it and try again.');
    await user.click(screen.getByRole('button', { name: 'Join' }));
    expect(screen.getAllByText('Choose one of the two')).toHaveLength(1);
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'I object' }));
    await user.click(screen.getByRole('button', { name: 'Join' }));
    await waitFor(() =>
      expect(received.findLast(({ method }) => method === 'POST')?.body).toEqual({ charges: 'object', version }),
    );
  });

  it('is not taken over through an address alone', async () => {
    serve();
    await openApp(`/register?claim=${TOKEN}&charges=accept&version=v1`, { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'ana recorded this for Grandma' })).toBeTruthy();
  });

  it('shows what changed meanwhile, before it can be taken over', async () => {
    let hours = 3;
    serve({
      [`GET ${API}`]: () => ({ status: 200, json: { ...claim, ...blank, hours } }),
      [`GET ${API}estimate/`]: () => months(),
      [`POST ${API}`]: () =>
        errorReply(400, 'claim_changed', 'What this link offers just changed. Review it and try again.'),
    });
    const user = await openApp(ADDRESS);
    const take = await screen.findByRole('button', { name: 'Join' });
    hours = 17;
    await user.click(take);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'What this link offers just changed. Review it and try again.',
    );
    expect(await screen.findByText('17 h')).toBeTruthy();
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
