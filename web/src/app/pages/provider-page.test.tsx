import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

const UNKNOWN = { signed_in: null, code_required: false, email: 'mira@example.org', username: null };

/** A server to which a provider redirects someone. */
function serveAnswer(answer: object) {
  const lists = serveLists({});
  return fakeServer((request) =>
    request.path === '/api/providers/finish/'
      ? { status: 200, json: { ...UNKNOWN, ...answer } }
      : request.path === '/api/me/identities/' && request.method === 'POST'
        ? { status: 201, json: { id: 1, provider: 'oidc', label: 'Home ID', name: null, available: true } }
        : lists(request),
  );
}

/** Returns to this tab from a provider, after a sign-in that was started on the costs page. */
function comeBack(answer: string, options: { signedIn: boolean }, plan: object = {}) {
  sessionStorage.setItem(
    'provider_plan',
    JSON.stringify({ provider: 'oidc', purpose: 'sign-in', from: '/costs', ...plan }),
  );
  return openApp(`/sign-in/oidc#${answer}`, options);
}

const signInElsewhere = () => act(() => storeSignIn({ access: 'a', refresh: 'r', user: aUser }));
const isAt = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path));

beforeEach(prepareApp);
afterEach(cleanup);

describe('someone who is signed in by another tab when the provider sends them back', () => {
  it.each([
    ['is unknown', 'one', { ticket: 'a' }],
    ['needs a code', 'two', { ticket: 'b', code_required: true, email: null }],
  ])('continues where they were going when the account there %s', async (_, answer, answered) => {
    const received = serveAnswer(answered);
    await comeBack(answer, { signedIn: true });
    await isAt('/costs');
    expect(received.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/providers/finish/',
    ]);
  });

  it('continues if that happens after the page asked for a username', async () => {
    serveAnswer({ ticket: 'c' });
    await comeBack('three', { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'Choose a username' })).toBeTruthy();
    signInElsewhere();
    await isAt('/costs');
  });
});

it('someone who connects a provider returns to the row of the profile where they began', async () => {
  serveAnswer({ ticket: 'e' });
  await comeBack('five', { signedIn: true }, { purpose: 'link', from: '/profile#providers' });
  await isAt('/profile');
  expect(window.location.hash).toBe('#providers');
});

it('creating an account after a failed sign-in connects nothing', async () => {
  const received = serveAnswer({ ticket: 'd' });
  const user = await comeBack('four', { signedIn: false });
  await user.click(await screen.findByRole('button', { name: 'I already have an account' }));
  await user.type(screen.getByLabelText('Username'), 'mira');
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await screen.findByRole('alert');
  await user.click(screen.getByRole('button', { name: 'Create a new account instead' }));
  signInElsewhere();
  await isAt('/costs');
  expect(received.map(({ path }) => path)).not.toContain('/api/me/identities/');
});
