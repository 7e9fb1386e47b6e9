import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { router } from '../router.tsx';
import { aUser, errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, someNextTerms, someTerms } from '../../testing/records.ts';

const TOKEN = 'k7m2-qx4d_abc';
const LONG_TOKEN = TOKEN.repeat(4);
const ADDRESS = `/invite/${TOKEN}`;
const API = `/api/invitations/${TOKEN}/`;

const invitation = {
  asset_name: 'Figma',
  owner: 'ben',
  monthly_hours_allocated: 20,
  price: 22.99,
  currency: 'USD',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 5,
  members: 2,
  measured: true,
  terms: someTerms(),
  cost_of_all: 10,
  starts_on: null,
  next_terms: someNextTerms({ from_month: '2027-01', split_method: 'equal' }),
  next_price: { from_month: '2027-02', price: 45 },
  expires_at: '2030-01-07T12:00:00.000Z',
};

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Answers as a server with an open invitation, except for the given calls. */
function serve(replies: Record<string, (request: Received) => Reply> = {}, registration = 'open') {
  return fakeServer((request) => {
    const call = `${request.method} ${request.path}`;
    const reply = replies[call];
    if (reply) return reply(request);
    if (call === `GET ${API}`) return { status: 200, json: invitation };
    if (call === 'GET /api/about/') return { status: 200, json: { contact: 'ida@example.org', registration } };
    if (call === 'GET /api/me/') return { status: 200, json: aUser };
    return { status: 200, json: { results: [], next: null } };
  });
}

beforeEach(prepareApp);
afterEach(cleanup);

describe('an invitation', () => {
  it.each([
    [{}, 'You pay for the hours you use. ben covers unused hours.'],
    [{ split_method: 'share_of_use' }, "Each person pays their part of everyone's use, up to a limit per hour."],
    [{ base_percent: 25 }, '25% of the price is split by allowance, the rest by the hours each of you uses.'],
    [{ split_method: 'allocation' }, 'Each person pays for their allowance, used or not.'],
    [{ split_method: 'equal' }, 'Everyone pays the same, including ben.'],
  ])('says who offers what, at what price, and how it is split: %j', async (change, split) => {
    serve({ [`GET ${API}`]: () => ({ status: 200, json: { ...invitation, ...change } }) });
    await openApp(ADDRESS, { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'ben invites you to Figma' })).toBeTruthy();
    const main = screen.getByRole('main').textContent;
    for (const text of ['20 h a month. All of it costs you $10.00.', '$22.99 a month', '2 other people', split])
      expect(main).toContain(text);
    expect(screen.getByText('Starting January 2027: Evenly, sessions of up to 24 h.')).toBeTruthy();
    expect(screen.getByText('Starting February 2027: $45.00 a month in total.')).toBeTruthy();
  });

  it('leads visitors to both ways in, and back', async () => {
    serve();
    await openApp(ADDRESS, { signedIn: false });
    const create = await screen.findByRole('link', { name: 'Create an account' });
    expect(create.getAttribute('href')).toBe(`/register?invitation=${TOKEN}`);
    const main = screen.getByRole('main');
    const signIn = [...main.querySelectorAll('a')].find((link) => link.textContent === 'Sign in');
    expect(new URL(signIn?.href ?? '').searchParams.get('from')).toBe(ADDRESS);
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe(`/register?invitation=${TOKEN}`);
    const other = header.getByRole<HTMLAnchorElement>('link', { name: 'Sign in' });
    expect(new URL(other.href).searchParams.get('from')).toBe(ADDRESS);
  });

  it('is accepted with one press, as it was seen, and opens the asset', async () => {
    const received = serve({
      [`POST ${API}`]: () => ({ status: 201, json: aShare() }),
      'GET /api/shared-assets/': () => ({ status: 200, json: { results: [aShare()], next: null } }),
    });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    expect(await screen.findByRole('dialog', { name: /Figma/ })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/shared');
    expect(received.find(({ method }) => method === 'POST')?.body).toEqual({ terms: invitation.terms });
  });

  it('shows what changed meanwhile, before it can be accepted', async () => {
    let cost = 10;
    const received = serve({
      [`GET ${API}`]: () => ({
        status: 200,
        json: { ...invitation, terms: someTerms({ price: 2 * cost }), cost_of_all: cost },
      }),
      [`POST ${API}`]: () => errorReply(409, 'offer_changed', 'This offer just changed. Review it and try again.'),
    });
    const user = await openApp(ADDRESS);
    const accept = await screen.findByRole('button', { name: 'Accept invitation' });
    cost = 100;
    await user.click(accept);
    expect((await screen.findByRole('alert')).textContent).toBe('This offer just changed. Review it and try again.');
    expect(await screen.findByText('20 h a month. All of it costs you $100.00.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Accept invitation' }));
    await waitFor(() => expect(received.filter(({ method }) => method === 'POST')).toHaveLength(2));
    expect(received.findLast(({ method }) => method === 'POST')?.body).toEqual({
      terms: someTerms({ price: 200 }),
    });
  });

  it('can only be passed on by its owner', async () => {
    serve({ [`GET ${API}`]: () => ({ status: 200, json: { ...invitation, owner: aUser.username } }) });
    await openApp(ADDRESS);
    expect(await screen.findByText('This is your own asset. Pass the link on to someone else.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Accept invitation' })).toBeNull();
  });

  it('tells members that they have access', async () => {
    serve({
      [`POST ${API}`]: () => errorReply(400, 'already_shared', 'You already have access to this asset.'),
    });
    const user = await openApp(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    expect(await screen.findByText('You already have access to this asset.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Accept invitation' })).toBeNull();
  });

  it('says that it is dead', async () => {
    const dead = 'This invitation is no longer valid. Ask for a new link.';
    serve({ [`GET ${API}`]: () => errorReply(404, 'invitation_not_found', dead) });
    await openApp(ADDRESS, { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toBe(dead);
    expect(screen.getByRole('link', { name: 'Go to home page' })).toBeTruthy();
  });

  it('can be loaded again once the server is reachable', async () => {
    let isReachable = false;
    serve({ [`GET ${API}`]: () => (isReachable ? { status: 200, json: invitation } : 'no connection') });
    const user = await openApp(ADDRESS, { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toContain("Can't reach the server.");
    isReachable = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'ben invites you to Figma' })).toBeTruthy();
  });
});

describe('registering', () => {
  const fill = async (user: Awaited<ReturnType<typeof openApp>>) => {
    await user.type(await screen.findByLabelText('Username'), 'kim');
    await user.type(screen.getByLabelText('Email address'), 'kim@example.org');
    await user.type(screen.getByLabelText('Password'), 'a long password');
    await user.type(screen.getByLabelText('Confirm password'), 'a long password');
    await user.click(screen.getByRole('button', { name: 'Create account' }));
  };

  it('with an invitation sends it along, and says what it accepts', async () => {
    const received = serve({
      'POST /api/register/': () => ({ status: 201, json: { access: 'a', refresh: 'r', user: aUser } }),
    });
    const user = await openApp(`/register?invitation=${TOKEN}`, { signedIn: false });
    expect(
      await screen.findByText('ben invites you to Figma. Creating an account accepts the invitation.'),
    ).toBeTruthy();
    await fill(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(received.find(({ path }) => path === '/api/register/')?.body).toMatchObject({ invitation: TOKEN });
  });

  it('says why a dead invitation leads to no account', async () => {
    const dead = 'This invitation is no longer valid. Ask for a new link.';
    serve({ 'POST /api/register/': () => errorReply(404, 'invitation_not_found', dead) });
    const user = await openApp(`/register?invitation=${TOKEN}`, { signedIn: false });
    await fill(user);
    expect(await screen.findByText(dead)).toBeTruthy();
  });

  it('asks for a link where only invited people may register', async () => {
    serve({}, 'invited');
    const user = await openApp('/register', { signedIn: false });
    const field = await screen.findByLabelText('Invitation link');
    expect(screen.queryByLabelText('Password')).toBeNull();
    await user.type(field, 'hello{Enter}');
    expect(await screen.findByText('Paste the whole link that you were sent')).toBeTruthy();
    await user.clear(field);
    await user.type(field, ` https://hours.example.org${ADDRESS} {Enter}`);
    expect(await screen.findByRole('heading', { name: 'ben invites you to Figma' })).toBeTruthy();
  });

  it('lets people in with a link of the administrator, opened or pasted', async () => {
    const received = serve(
      { 'POST /api/register/': () => ({ status: 201, json: { access: 'a', refresh: 'r', user: aUser } }) },
      'invited',
    );
    const user = await openApp('/register', { signedIn: false });
    await user.type(
      await screen.findByLabelText('Invitation link'),
      `https://hours.example.org/register#${LONG_TOKEN}`,
    );
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByLabelText('Username');
    expect(router.state.location.hash).toBe(LONG_TOKEN);
    await fill(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(received.find(({ path }) => path === '/api/register/')?.body).toMatchObject({ invitation: LONG_TOKEN });
  });

  it('takes the place that the link to the content leads to for no invitation', async () => {
    serve({}, 'invited');
    await openApp('/register#content', { signedIn: false });
    expect(await screen.findByLabelText('Invitation link')).toBeTruthy();
  });

  it('lets invited people in where only they may register', async () => {
    serve({}, 'invited');
    await openApp(`/register?invitation=${TOKEN}`, { signedIn: false });
    expect(await screen.findByLabelText('Password')).toBeTruthy();
  });

  it('says who to ask where no one may register, and no page links to it', async () => {
    serve({}, 'closed');
    await openApp('/register', { signedIn: false });
    expect(await screen.findByText(/doesn't accept new accounts/)).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'ida@example.org' })).toBeTruthy();
    expect(screen.queryByLabelText('Password')).toBeNull();
    for (const address of ['/about', '/login', '/', ADDRESS]) {
      cleanup();
      await openApp(address, { signedIn: false });
      await screen.findByRole('main');
      await waitFor(() => expect(document.querySelector('a[href^="/register"]')).toBeNull());
    }
  });
});
