import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { list } from '../../testing/records.ts';

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

const about = (mail: boolean, contact: string | null = null) => ({
  status: 200,
  json: { registration: 'open', contact, mail },
});
/** Answers the pages' requests with `reply()`. */
const serve = (reply: () => Reply, server = about(true)) =>
  fakeServer(({ method, path }) => {
    if (path === '/api/about/') return server;
    if (method === 'GET') return path === '/api/me/' ? { status: 200, json: aUser } : list();
    return reply();
  });

const invalid = errorReply(400, 'link_invalid', 'This link is no longer valid. Ask for a new one.');

beforeEach(prepareApp);
afterEach(cleanup);

describe('the page for a forgotten password', () => {
  it('asks for a link, and says that one is on its way', async () => {
    const received = serve(() => ({ status: 204 }));
    const user = await openApp('/forgot-password', { signedIn: false });
    await user.type(await screen.findByLabelText('Email address'), 'mira@example.org');
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    const sent = await screen.findByText(/^If an account has the address/);
    expect(sent.textContent).toContain('mira@example.org');
    expect(received.at(-1)).toMatchObject({ path: '/api/password-reset/', body: { email: 'mira@example.org' } });
    await user.click(screen.getByRole('button', { name: 'Use another address' }));
    expect(await screen.findByLabelText('Email address')).toBeTruthy();
  });

  it('shows errors of the address under the field, and other errors above it', async () => {
    let reply: Reply = { status: 500 };
    const received = serve(() => reply);
    const user = await openApp('/forgot-password', { signedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Send link' }));
    expect(screen.getByLabelText('Email address').getAttribute('aria-invalid')).toBe('true');
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
    await user.type(screen.getByLabelText('Email address'), 'mira@example.org');
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't send the link.");
    reply = errorReply(429, 'rate_limited', 'Too many attempts.');
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toContain("Couldn't"));
  });

  it('says who to ask on a server that sends no email', async () => {
    serve(() => ({ status: 204 }), about(false, 'admin@example.org'));
    await openApp('/forgot-password', { signedIn: false });
    expect((await screen.findByRole('link', { name: 'admin@example.org' })).getAttribute('href')).toBe(
      'mailto:admin@example.org',
    );
    expect(screen.queryByLabelText('Email address')).toBeNull();
  });
});

describe('the page of the link', () => {
  const fill = async (user: Awaited<ReturnType<typeof openApp>>, second = 'a walnut on the stairs') => {
    await user.type(await screen.findByLabelText('New password'), 'a walnut on the stairs');
    await user.type(screen.getByLabelText('Confirm new password'), second);
    await user.click(screen.getByRole('button', { name: 'Set password' }));
  };

  it('sets the password with the token after the #', async () => {
    const received = serve(() => ({ status: 204 }));
    const user = await openApp('/reset-password#some-token', { signedIn: false });
    await fill(user);
    expect(await screen.findByText(/^You are signed out on all devices/)).toBeTruthy();
    expect(received.at(-1)).toMatchObject({
      path: '/api/password-reset/confirm/',
      body: { token: 'some-token', password: 'a walnut on the stairs' },
    });
  });

  it('still says so, and leads to the sign-in form, when it ends the sign-in of this device', async () => {
    let isSet = false;
    fakeServer(({ method, path }) => {
      if (path === '/api/about/') return about(true);
      if (path === '/api/password-reset/confirm/') isSet = true;
      else if (isSet) return errorReply(401, 'invalid_refresh_token', 'Sign in first');
      if (method === 'GET') return path === '/api/me/' ? { status: 200, json: aUser } : list();
      return { status: 204 };
    });
    const user = await openApp('/reset-password#some-token');
    await fill(user);
    expect(await screen.findByText(/^You are signed out on all devices/)).toBeTruthy();
    // Only the frame for visitors has this link.
    expect(await screen.findByRole('link', { name: 'Sign up' })).toBeTruthy();
    expect(localStorage.getItem('access_token')).toBeNull();
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sign in' }));
    expect(await screen.findByLabelText('Username')).toBeTruthy();
  });

  it('requires the same password twice', async () => {
    const received = serve(() => ({ status: 204 }));
    const user = await openApp('/reset-password#some-token', { signedIn: false });
    await fill(user, 'another');
    expect(await screen.findByText('Passwords do not match')).toBeTruthy();
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('says under the field why the server refuses a password', async () => {
    serve(() => errorReply(400, 'password_too_weak', 'Too easy to guess', { password: ['Too easy to guess'] }));
    const user = await openApp('/reset-password#some-token', { signedIn: false });
    await fill(user);
    await waitFor(() => expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true'));
  });

  it('leads to a new link once this one is no longer valid, and without a token', async () => {
    serve(() => invalid);
    const user = await openApp('/reset-password#some-token', { signedIn: false });
    await fill(user);
    expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toBeTruthy();
    cleanup();
    await openApp('/reset-password', { signedIn: false });
    expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toBeTruthy();
  });
});

describe('the page that confirms an email address', () => {
  it('confirms it when the button is pressed', async () => {
    const received = serve(() => ({ status: 204 }));
    const user = await openApp('/confirm-email#some-token');
    const button = await screen.findByRole('button', { name: 'Confirm address' });
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
    await user.click(button);
    expect(await screen.findByText('Your email address is confirmed.')).toBeTruthy();
    const sent = received.find(({ method }) => method === 'POST');
    expect(sent).toMatchObject({ path: '/api/me/email-change/confirm/', body: { token: 'some-token' } });
  });

  // The server takes an address as proven only from a device that is signed in.
  it('says how to confirm the address after a change while signed out', async () => {
    serve(() => ({ status: 204 }));
    const user = await openApp('/confirm-email#some-token', { signedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Confirm address' }));
    expect(await screen.findByText(/^Your account uses this address now\. Sign in and send a link/)).toBeTruthy();
    expect(screen.queryByText('Your email address is confirmed.')).toBeNull();
  });

  it('says that a link is no longer valid', async () => {
    serve(() => invalid);
    const user = await openApp('/confirm-email#some-token');
    await user.click(await screen.findByRole('button', { name: 'Confirm address' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This link is no longer valid. Ask for a new one.');
    expect(screen.queryByRole('button', { name: 'Confirm address' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to your profile' })).toBeTruthy();
    cleanup();
    await openApp('/confirm-email', { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toBe('This link is no longer valid. Ask for a new one.');
  });

  it('can be tried again after another failure', async () => {
    serve(() => ({ status: 500 }));
    const user = await openApp('/confirm-email#some-token', { signedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Confirm address' }));
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't confirm the address.");
    expect(screen.getByRole('button', { name: 'Confirm address' })).toBeTruthy();
  });
});
