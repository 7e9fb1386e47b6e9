import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../platform/http/query-client.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { LoginForm } from './login-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RegisterForm } from './register-form.tsx';

afterEach(cleanup);

const noop = () => undefined;

const mira = {
  id: 1,
  username: 'mira',
  email: 'mira@example.org',
  time_zone: 'UTC',
  email_notifications: true,
  language: null,
  usage_reminders: true,
  payment_details: { iban: null, link: null, text: null, methods: [] },
  email_change: null,
  email_confirmed: true,
  two_step: false,
  administrator: false,
};

const forms: [form: string, element: () => ReactElement, fields: Record<string, string>][] = [
  ['signing in', () => <LoginForm onDone={noop} />, { Password: 'current-password' }],
  [
    'registering',
    () => <RegisterForm onDone={noop} />,
    { Password: 'new-password', 'Confirm password': 'new-password' },
  ],
  [
    'changing a password',
    () => <PasswordForm username="mira" />,
    {
      'Current password': 'current-password',
      'New password': 'new-password',
      'Confirm new password': 'new-password',
    },
  ],
  ['changing the email address', () => <ProfileForm user={mira} />, { 'Current password': 'current-password' }],
];

const renderForm = (form: ReactElement) =>
  renderInRouter(<QueryClientProvider client={queryClient}>{form}</QueryClientProvider>);

describe.each(forms)('the password fields for %s', (_, element, fields) => {
  it('hide input, set autocomplete for password managers, and accept pasted text', async () => {
    await renderForm(element());
    const user = userEvent.setup();
    const email = screen.queryByLabelText('Email address');
    if (email) await user.type(email, '.net');
    for (const [label, purpose] of Object.entries(fields)) {
      const field = screen.getByLabelText<HTMLInputElement>(label);
      expect([field.type, field.autocomplete]).toEqual(['password', purpose]);
      await user.click(field);
      await user.paste('correct horse battery');
      expect(field.value).toBe('correct horse battery');
    }
  });

  it('come with a username field for password managers', async () => {
    await renderForm(element());
    // If passkeys may also be suggested, the attribute has another token.
    expect(document.querySelector('input[autocomplete~="username"]')).not.toBeNull();
  });
});
