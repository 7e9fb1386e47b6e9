import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, fakeServer } from '../../testing/fake-server.ts';
import { PaymentDetails } from './payment-details-form.tsx';
import { ProfileForm } from './profile-form.tsx';

// What other devices have changed meanwhile isn't known here, and mustn't be reverted.

const user = { ...aUser, payment_details: { iban: null, link: 'https://pay.example/mira', text: 'or by phone' } };

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

it('payment details are sent only if edited', async () => {
  const { typing, bodies } = show(<PaymentDetails user={user} />);
  await typing.type(screen.getByLabelText('Note'), '!');
  await typing.click(screen.getByRole('button', { name: 'Save payment details' }));
  await waitFor(() => expect(bodies()).toEqual([{ payment_details: { text: 'or by phone!' } }]));
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
