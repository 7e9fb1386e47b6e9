import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '../../platform/i18n/language.ts';
import { loadMessages } from '../../platform/i18n/messages.ts';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { LoginForm } from './login-form.tsx';

const signedIn = { status: 200, json: { access: 'a', refresh: 'r', user: aUser } };
const onDone = vi.fn<() => void>();

async function show() {
  await renderInRouter(<LoginForm onDone={onDone} />);
  const user = userEvent.setup();
  return {
    user,
    username: screen.getByLabelText<HTMLInputElement>('Username'),
    password: screen.getByLabelText<HTMLInputElement>('Password'),
    send: () => user.click(screen.getByRole('button', { name: 'Sign in' })),
  };
}

const described = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

beforeEach(() => {
  localStorage.clear();
  onDone.mockReset();
});
afterEach(cleanup);
afterEach(() => setLanguage('en'));

describe('the login form', () => {
  it('requires both fields, describes each error and focuses the first', async () => {
    const received = fakeServer(() => signedIn);
    const { user, username, password, send } = await show();
    await user.type(username, '   ');
    await send();
    expect(described(username)).toBe('Username is required');
    expect(described(password)).toBe('Password is required');
    expect(document.activeElement).toBe(username);
    expect(received).toHaveLength(0);
  });

  it('rejects a short password and clears the error on edit', async () => {
    fakeServer(() => signedIn);
    const { user, username, password, send } = await show();
    await user.type(username, 'mira');
    await user.type(password, 'short');
    await send();
    expect(described(password)).toBe('Password must be at least 8 characters long');
    await user.type(password, '!');
    expect(described(password)).toBe('');
  });

  it('reports errors in the language of the page', async () => {
    setLanguage('de');
    await loadMessages('public');
    await renderInRouter(<LoginForm onDone={onDone} />);
    const user = userEvent.setup();
    const password = screen.getByLabelText('Passwort');
    await user.type(screen.getByLabelText('Benutzername'), 'mira');
    await user.type(password, 'short');
    await user.click(screen.getByRole('button', { name: 'Anmelden' }));
    expect(described(password)).toBe('Das Passwort muss mindestens 8 Zeichen lang sein');
  });

  it('signs in and stores the user', async () => {
    const received = fakeServer(() => signedIn);
    const { user, username, password, send } = await show();
    await user.type(username, ' mira ');
    await user.type(password, 'correct horse');
    await send();
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(received.map(({ body }) => body)).toEqual([{ username: 'mira', password: 'correct horse' }]);
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ id: aUser.id, username: aUser.username });
  });

  it('sends one request on a double click and shows a busy button', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const received = fakeServer(async () => {
      await held;
      return signedIn;
    });
    const { user, username, password } = await show();
    await user.type(username, 'mira');
    await user.type(password, 'correct horse');
    await user.dblClick(screen.getByRole('button', { name: 'Sign in' }));
    const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Signing in...' });
    expect(busy.disabled).toBe(true);
    answer();
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(received).toHaveLength(1);
  });

  it.each([
    [
      'the server’s error message',
      errorReply(401, 'invalid_credentials', 'Wrong username or password.'),
      'Wrong username or password.',
    ],
    [
      'whom to ask about a disabled account',
      errorReply(403, 'account_disabled', 'This account is disabled. Contact the administrator of this server.'),
      'This account is disabled. Contact the administrator of this server.',
    ],
    ['a fallback message', { status: 500 }, 'Failed to login. Please check your credentials and try again.'],
    ['a connection error', 'no connection' as const, "Can't reach the server. Check your connection and try again."],
  ])('shows %s in a banner', async (_, reply, sentence) => {
    fakeServer(() => reply);
    const { user, username, password, send } = await show();
    await user.type(username, 'mira');
    await user.type(password, 'correct horse');
    await send();
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    expect(onDone).not.toHaveBeenCalled();
  });
});

describe('a login in two steps', () => {
  const required = errorReply(401, 'second_step_required', 'Enter the code from your authenticator app.');
  const wrong = errorReply(401, 'second_step_wrong', 'That code is wrong or was already used', {
    code: ['That code is wrong or was already used'],
  });
  const serve = () =>
    fakeServer(({ body }) => {
      const { code } = body as { code?: string };
      if (code === undefined) return required;
      if (code === 'too many') return errorReply(429, 'rate_limited', 'Too many attempts.');
      return code === '123456' || code === 'abcd-efgh' ? signedIn : wrong;
    });
  const reachCode = async () => {
    const shown = await show();
    await shown.user.type(shown.username, 'mira');
    await shown.user.type(shown.password, 'correct horse');
    await shown.send();
    return { ...shown, code: await screen.findByLabelText<HTMLInputElement>('Code') };
  };

  it('asks for the code, with the focus in its field, and shows what is wrong there', async () => {
    const received = serve();
    const { user, code } = await reachCode();
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
    expect(document.activeElement).toBe(code);
    await user.keyboard('{Enter}');
    expect(described(code)).toContain('Code is required');
    await user.keyboard('000000{Enter}');
    await vi.waitFor(() => expect(described(code)).toContain('That code is wrong or was already used'));
    await user.clear(code);
    await user.keyboard('123456{Enter}');
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(received.map(({ body }) => body)).toEqual([
      { username: 'mira', password: 'correct horse' },
      { username: 'mira', password: 'correct horse', code: '000000' },
      { username: 'mira', password: 'correct horse', code: '123456' },
    ]);
  });

  it('accepts a recovery code instead', async () => {
    serve();
    const { user } = await reachCode();
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    const code = await screen.findByLabelText<HTMLInputElement>('Recovery code');
    expect(document.activeElement).toBe(code);
    await user.keyboard('abcd-efgh{Enter}');
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  });

  it('goes back and keeps what was typed', async () => {
    serve();
    const { user } = await reachCode();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('mira');
    expect(password.value).toBe('correct horse');
    expect(document.activeElement).toBe(password);
  });

  it('reports too many attempts', async () => {
    serve();
    const { user } = await reachCode();
    await user.keyboard('too many{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.');
  });
});
