import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../platform/http/call.ts';
import { clearSignIn, currentSignIn } from '../platform/auth/sign-in.ts';
import { errorReply, fakeServer, type Received } from '../testing/fake-server.ts';
import { openApp, prepareApp } from '../testing/open-app.tsx';
import { serveLists } from '../testing/records.ts';

const checkRequired = errorReply(403, 'check_required', "Confirm that it's you, then try again.");
const QUESTION = "Confirm that it's you";

const HOME = {
  id: 1,
  provider: 'oidc',
  label: 'Home ID',
  name: 'mira',
  created_at: '2026-11-01T12:00:00.000Z',
  last_used_at: '2026-11-01T12:00:00.000Z',
  available: true,
};

/** A server that refuses changes until the password has been entered. */
function serveChecks({ methods = ['password'] as string[] } = {}) {
  const lists = serveLists({});
  let isChecked = false;
  return fakeServer((request) => {
    const { method, path, body } = request;
    if (path === '/api/me/check/') {
      if (method === 'GET') return { status: 200, json: { methods, expires_at: null } };
      isChecked = (body as { current_password: string }).current_password === 'correct horse';
      const wrong = { current_password: ['Your current password is incorrect'] };
      return isChecked
        ? { status: 200, json: { methods, expires_at: '2026-11-23T12:00:00.000Z' } }
        : errorReply(400, 'wrong_password', 'Your current password is incorrect', wrong);
    }
    if (path === '/api/about/')
      return { status: 200, json: { registration: 'open', passkey_origin: null, providers: [] } };
    if (path === '/api/me/identities/') return { status: 200, json: { identities: [HOME] } };
    if (path === '/api/me/password/' || (path === '/api/me/' && method === 'DELETE'))
      return isChecked ? { status: 204 } : checkRequired;
    return path === '/api/logout/' ? { status: 204 } : lists(request);
  });
}

const question = async () => within(await screen.findByRole('alertdialog', { name: QUESTION }));
const changes = (received: Received[]) => received.filter(({ path }) => path === '/api/me/password/');

async function changePassword() {
  const user = await openApp('/profile#password');
  await user.type(await screen.findByLabelText('Current password'), 'what it was');
  await user.type(screen.getByLabelText('New password'), 'a much longer one');
  await user.type(screen.getByLabelText('Confirm new password'), 'a much longer one');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  return user;
}

beforeEach(prepareApp);
afterEach(cleanup);

describe('a change that needs a recent check', () => {
  it('asks for the password, with the focus in the field, and is then made', async () => {
    const received = serveChecks();
    const user = await changePassword();
    const dialog = await question();
    const password = dialog.getByLabelText('Current password');
    await waitFor(() => expect(document.activeElement).toBe(password));
    await user.keyboard('not that{Enter}');
    expect(await dialog.findByText('Your current password is incorrect')).toBeTruthy();
    await user.clear(password);
    await user.keyboard('correct horse{Enter}');
    expect(await screen.findByText('Password changed. Your other devices are signed out.')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(changes(received).map(({ body }) => body)).toEqual([
      { current_password: 'what it was', new_password: 'a much longer one' },
      { current_password: 'what it was', new_password: 'a much longer one' },
    ]);
  });

  it('asks for a code, too, where the right password alone is not enough', async () => {
    const lists = serveLists({});
    let isChecked = false;
    const received = fakeServer((request) => {
      const { method, path, body } = request;
      if (path === '/api/me/password/') return isChecked ? { status: 204 } : checkRequired;
      if (path !== '/api/me/check/') return lists(request);
      if (method === 'GET') return { status: 200, json: { methods: ['password'], expires_at: null } };
      const { code } = body as { code?: string };
      if (code === undefined)
        return errorReply(400, 'validation_failed', 'Code is required', { code: ['Code is required'] });
      const wrong = 'That code is wrong or was already used';
      if (code === 'wrong') return errorReply(400, 'wrong_code', wrong, { code: [wrong] });
      isChecked = true;
      return { status: 200, json: { methods: ['password'], expires_at: '2026-11-23T12:00:00.000Z' } };
    });
    const user = await changePassword();
    const dialog = await question();
    expect(dialog.queryByLabelText('Code')).toBeNull();
    await user.type(dialog.getByLabelText('Current password'), 'correct horse{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Code')));
    expect(dialog.queryByText('Code is required')).toBeNull();
    await user.keyboard('{Enter}');
    expect(await dialog.findByText('Code is required')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Use a recovery code' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Recovery code')));
    await user.keyboard('wrong{Enter}');
    expect(await dialog.findByText('That code is wrong or was already used')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Use your authenticator app' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Code')));
    expect(dialog.getByLabelText<HTMLInputElement>('Code').value).toBe('');
    await user.keyboard('١٢٣٤٥٦{Enter}');
    expect(await screen.findByText('Password changed. Your other devices are signed out.')).toBeTruthy();
    const sent = received.filter(({ method, path }) => method === 'POST' && path === '/api/me/check/');
    expect(sent.map(({ body }) => body)).toEqual([
      { current_password: 'correct horse' },
      { current_password: 'correct horse', code: 'wrong' },
      { current_password: 'correct horse', code: '123456' },
    ]);
  });

  it('is not made if the user cancels, and keeps what was typed', async () => {
    const received = serveChecks();
    const user = await changePassword();
    await user.click((await question()).getByRole('button', { name: 'Cancel' }));
    expect((await screen.findByRole('alert')).textContent).toBe("Confirm that it's you, then try again.");
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('a much longer one');
    expect(changes(received)).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await question()).toBeTruthy();
  });

  it('asks inside the dialog that made it, which stays open', async () => {
    serveChecks();
    const user = await openApp('/profile');
    await user.click(await screen.findByRole('button', { name: 'Delete account' }));
    const asking = within(await screen.findByRole('alertdialog', { name: 'Delete your account?' }));
    await user.click(asking.getByLabelText(/Your name/));
    await user.type(asking.getByLabelText('Current password'), 'mine');
    await user.click(asking.getByRole('button', { name: 'Delete account' }));
    await question();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: QUESTION })).toBeNull());
    expect(asking.getByLabelText<HTMLInputElement>('Current password').value).toBe('mine');
    expect(asking.getByLabelText<HTMLInputElement>(/Your name/).checked).toBe(true);
    await user.click(asking.getByRole('button', { name: 'Delete account' }));
    await user.type((await question()).getByLabelText('Current password'), 'correct horse{Enter}');
    await waitFor(() => expect(currentSignIn()).toBeNull());
  });

  it('shows no earlier question while the next one loads, which would lose what is typed', async () => {
    let load = () => {};
    let held = Promise.resolve();
    const lists = serveLists({});
    fakeServer(async (request) => {
      if (request.path === '/api/me/password/') return checkRequired;
      if (request.path !== '/api/me/check/') return lists(request);
      await held;
      return { status: 200, json: { methods: ['password'], expires_at: null } };
    });
    const user = await changePassword();
    await user.click((await question()).getByRole('button', { name: 'Cancel' }));
    held = new Promise<void>((resolve) => (load = resolve));
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    load();
    expect(await question()).toBeTruthy();
  });

  it('asks once for several concurrent calls', async () => {
    const received = serveChecks();
    const user = await openApp('/profile#password');
    await screen.findByLabelText('Current password');
    const body = { current_password: 'a', new_password: 'b' };
    const calls = Promise.all([1, 2, 3].map(() => call('POST /api/me/password/', { body })));
    await user.type((await question()).getByLabelText('Current password'), 'correct horse{Enter}');
    await calls;
    expect(changes(received)).toHaveLength(6);
    expect(received.filter(({ method, path }) => method === 'GET' && path === '/api/me/check/')).toHaveLength(
      // The page also asks whether there is a password.
      2,
    );
  });

  it('asks users without a password to sign in again', async () => {
    serveChecks({ methods: [] });
    const user = await openApp('/profile#password');
    const set = await screen.findByRole('button', { name: 'Set password' });
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await user.type(screen.getByLabelText('New password'), 'a much longer one');
    await user.type(screen.getByLabelText('Confirm new password'), 'a much longer one');
    await user.click(set);
    const dialog = await question();
    expect(dialog.getByText(/Your account has no password/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(currentSignIn()).toBeNull());
  });

  // As in this browser.
  it('does not ask for a passkey where passkeys do not work', async () => {
    serveChecks({ methods: ['passkey', 'provider'] });
    const user = await openApp('/profile#password');
    await user.type(await screen.findByLabelText('New password'), 'a much longer one');
    await user.type(screen.getByLabelText('Confirm new password'), 'a much longer one');
    await user.click(await screen.findByRole('button', { name: 'Set password' }));
    expect((await question()).getByRole('button', { name: 'Continue with Home ID' })).toBeTruthy();
    cleanup();
    serveChecks({ methods: ['password', 'passkey'] });
    prepareApp();
    await changePassword();
    const dialog = await question();
    expect(dialog.getByLabelText('Current password')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Use a passkey instead' })).toBeNull();
  });

  it('is dropped after a sign-out in another tab', async () => {
    serveChecks();
    await openApp('/profile#password');
    await screen.findByLabelText('Current password');
    const failed = call('POST /api/me/password/', { body: { new_password: 'b' } }).catch((error: unknown) => error);
    await question();
    clearSignIn('logout');
    expect(await failed).toMatchObject({ code: 'check_required' });
  });

  it('fails with its own error if the question cannot be loaded', async () => {
    const lists = serveLists({});
    fakeServer((request) => {
      if (request.path === '/api/me/check/') return 'no connection';
      return request.path === '/api/me/password/' ? checkRequired : lists(request);
    });
    await changePassword();
    expect((await screen.findByRole('alert')).textContent).toBe("Confirm that it's you, then try again.");
    expect(screen.getByText("Couldn't open this. Check your connection and try again.")).toBeTruthy();
  });
});
