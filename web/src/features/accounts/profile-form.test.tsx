import type { User } from '@hourshare/contract/users';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, fakeServer } from '../../testing/fake-server.ts';
import { PaymentMethods } from './payment-methods.tsx';
import { ProfileForm } from './profile-form.tsx';

// What other devices have changed meanwhile isn't known here, and mustn't be reverted.

const user: User = {
  ...aUser,
  payment_details: {
    iban: 'DE89370400440532013000',
    link: 'https://pay.example/mira',
    text: null,
    methods: [
      { kind: 'link', value: 'https://pay.example/mira', holder: null, town: null },
      { kind: 'iban', value: 'DE89370400440532013000', holder: 'Mira Lind', town: null },
    ],
  },
};

beforeEach(() => storeSignIn({ access: 'a', refresh: 'r', user }));
afterEach(() => {
  cleanup();
  clearSignIn('logout');
});

function show(form: React.ReactNode) {
  const received = fakeServer(() => ({ status: 200, json: user }));
  render(<QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>);
  return { typing: userEvent.setup(), bodies: () => received.flatMap(({ body }) => body ?? []) };
}

it('ways to be paid are added to the others, checked, and removed', async () => {
  const { typing, bodies } = show(<PaymentMethods user={user} />);
  await typing.click(screen.getByRole('button', { name: 'Add a way to get paid' }));
  await typing.selectOptions(screen.getByLabelText('Kind'), 'PayPal');
  await typing.type(screen.getByLabelText('PayPal.Me name'), 'mir\u0430');
  await typing.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Enter a valid name, without spaces')).toBeTruthy();
  expect(bodies()).toEqual([]);
  await typing.clear(screen.getByLabelText('PayPal.Me name'));
  await typing.type(screen.getByLabelText('PayPal.Me name'), 'paypal.me/mira{Enter}');
  await waitFor(() => expect(screen.queryByLabelText('Kind')).toBeNull());
  await typing.click(screen.getByRole('button', { name: 'Remove Link' }));
  const [link, iban] = user.payment_details.methods;
  await waitFor(() =>
    expect(bodies()).toEqual([
      {
        payment_details: { methods: [link, iban, { kind: 'paypal', value: 'mira' }] },
      },
      { payment_details: { methods: [iban] } },
    ]),
  );
});

it('the time zone is sent only if edited', async () => {
  const { typing, bodies } = show(<ProfileForm user={user} />);
  const email = screen.getByLabelText('Email address');
  await typing.clear(email);
  await typing.type(email, 'new@example.org');
  await typing.type(screen.getByLabelText('Current password'), 'secret');
  await typing.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(bodies()).toEqual([{ email: 'new@example.org', current_password: 'secret' }]));
});
