import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { RegisterForm } from './register-form.tsx';

const labels = ['Username', 'Email address', 'Password', 'Confirm password'];
const missing = ['Username is required', 'Email address is required', 'Password is required', 'Confirm your password'];
const onDone = vi.fn<() => void>();

async function fillIn(values: string[]) {
  render(<RegisterForm onDone={onDone} />);
  const user = userEvent.setup();
  for (const [index, value] of values.entries()) {
    if (value !== '') await user.type(screen.getByLabelText(labels[index] ?? ''), value);
  }
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  return user;
}

beforeEach(() => {
  localStorage.clear();
  onDone.mockReset();
});
afterEach(cleanup);

describe('the registration form', () => {
  it('requires all four fields', async () => {
    await fillIn(['', '', '', '']);
    for (const text of missing) expect(await screen.findByText(text)).toBeTruthy();
  });

  it('clears an error when its field is edited', async () => {
    const user = await fillIn(['', '', '', '']);
    for (const [index, label] of labels.entries()) {
      await user.type(screen.getByLabelText(label), 'x');
      expect(screen.queryByText(String(missing[index]))).toBeNull();
    }
  });

  it('shows a password mismatch until the confirmation is edited', async () => {
    const user = await fillIn(['mira', 'mira@example.org', 'secret', 'secrets']);
    expect(await screen.findByText('Passwords do not match')).toBeTruthy();
    await user.type(screen.getByLabelText('Confirm password'), '!');
    expect(screen.queryByText('Passwords do not match')).toBeNull();
  });

  it('sends the browser time zone and leaves password rules to the server', async () => {
    const received = fakeServer(() => ({ status: 201, json: { access: 'a', refresh: 'r', user: aUser } }));
    await fillIn(['mira', 'mira@example.org', 'short', 'short']);
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(received.find(({ method }) => method === 'POST')?.body).toEqual({
      username: 'mira',
      email: 'mira@example.org',
      password: 'short',
      language: 'en',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  it('is accepted with UTC by a server that does not know the zone of the browser', async () => {
    const zoneOf = ({ body }: { body: unknown }) => (body as { time_zone?: string } | undefined)?.time_zone;
    const received = fakeServer((request) =>
      zoneOf(request) === 'UTC'
        ? { status: 201, json: { access: 'a', refresh: 'r', user: aUser } }
        : errorReply(400, 'validation_failed', 'Unknown time zone', { time_zone: ['Unknown time zone'] }),
    );
    const options = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone: 'Mars/Base' });
    await fillIn(['mira', 'mira@example.org', 'secret-1', 'secret-1']);
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(received.map(zoneOf).filter((zone) => zone !== undefined)).toEqual(['Mars/Base', 'UTC']);
  });

  it("shows the server's field errors under their fields, without a banner", async () => {
    fakeServer(() =>
      errorReply(400, 'validation_failed', 'Check the highlighted fields.', {
        username: ['This username is already taken'],
        password: ['Password must be at least 8 characters long'],
      }),
    );
    await fillIn(['mira', 'mira@example.org', 'short', 'short']);
    expect(await screen.findByText('This username is already taken')).toBeTruthy();
    expect(screen.getByText('Password must be at least 8 characters long')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  });

  it.each([errorReply(429, 'rate_limited', 'Too many attempts.'), { status: 500 }, 'no connection' as const])(
    'shows a generic error for any other failure',
    async (reply) => {
      fakeServer(() => reply);
      await fillIn(['mira', 'mira@example.org', 'secret-1', 'secret-1']);
      expect((await screen.findByRole('alert')).textContent).toBe('Failed to create account. Please try again.');
    },
  );
});
