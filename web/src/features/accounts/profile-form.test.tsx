import type { UpdateMeRequest } from '@hourshare/contract/accounts';
import type { PaymentMethod } from '@hourshare/contract/payment-methods';
import type { User } from '@hourshare/contract/users';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeStoredUser, clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { aUser, fakeServer, type Received } from '../../testing/fake-server.ts';
import { dismissAll, toasts } from '../../ui/toasts.ts';
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
  dismissAll();
});

function show(form: React.ReactNode, answer: (request: Received) => User = () => user) {
  const received = fakeServer((request) => ({ status: 200, json: answer(request) }));
  render(<QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>);
  return { typing: userEvent.setup(), bodies: () => received.flatMap(({ body }) => body ?? []) };
}

const paypal = { kind: 'paypal', value: 'mira', holder: null, town: null } as const;
const [link, iban] = user.payment_details.methods;

/** Serves the user with these methods, which another device may change. */
function showMethods(methods: PaymentMethod[]) {
  const saved = { methods };
  changeStoredUser({ payment_details: { ...user.payment_details, methods } });
  const Methods = () => <PaymentMethods user={useUser()!} />;
  const { typing, bodies } = show(<Methods />, ({ body }) => {
    const sent = (body as UpdateMeRequest | undefined)?.payment_details?.methods;
    if (sent) saved.methods = sent.map(({ holder = null, town = null, ...method }) => ({ ...method, holder, town }));
    return { ...user, payment_details: { ...user.payment_details, ...saved } };
  });
  return { typing, bodies, saved };
}

it('ways to be paid are checked and added, and the focus stays in the list', async () => {
  const { typing, bodies, saved } = showMethods([...user.payment_details.methods]);
  await typing.click(screen.getByRole('button', { name: 'Add a way to get paid' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Method'));
  await typing.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a way to get paid' })),
  );
  await typing.keyboard('{Enter}');
  await typing.selectOptions(screen.getByLabelText('Method'), 'PayPal');
  await typing.type(screen.getByLabelText('PayPal.Me name'), 'mir\u0430');
  await typing.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Enter a valid name, without spaces')).toBeTruthy();
  expect(bodies()).toEqual([]);
  await typing.clear(screen.getByLabelText('PayPal.Me name'));
  await typing.type(screen.getByLabelText('PayPal.Me name'), 'paypal.me/mira{Enter}');
  await waitFor(() => expect(screen.queryByLabelText('Method')).toBeNull());
  expect(saved.methods).toEqual([link, iban, paypal]);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a way to get paid' })),
  );
});

it('adding, removing, and undoing keep what another device has changed meanwhile', async () => {
  const { typing, saved } = showMethods([...user.payment_details.methods]);
  const note = { kind: 'note', value: 'Cash', holder: null, town: null } as const;
  saved.methods = [link!, note];
  await typing.click(screen.getByRole('button', { name: 'Add a way to get paid' }));
  await typing.selectOptions(screen.getByLabelText('Method'), 'PayPal');
  await typing.type(screen.getByLabelText('PayPal.Me name'), 'mira{Enter}');
  await screen.findByRole('button', { name: 'Remove Note Cash' });
  expect(saved.methods).toEqual([link, note, paypal]);
  const add = await screen.findByRole('button', { name: 'Add a way to get paid' });
  await waitFor(() => expect(document.activeElement).toBe(add));

  saved.methods = [link!, paypal, iban!];
  await typing.click(screen.getByRole('button', { name: 'Remove Link https://pay.example/mira' }));
  await waitFor(() => expect(saved.methods).toEqual([paypal, iban]));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove PayPal mira' })));

  saved.methods = [iban!];
  await waitFor(() => expect(toasts.get().at(-1)?.text).toBe('Removed.'));
  act(() => toasts.get().at(-1)?.undo?.());
  await waitFor(() => expect(saved.methods).toEqual([link, iban]));
});

it('removes one of two that are the same, and undoes that', async () => {
  const { typing, saved } = showMethods([iban!, link!, iban!]);
  await typing.click(screen.getAllByRole('button', { name: /^Remove Bank transfer/ })[0]!);
  await waitFor(() => expect(saved.methods).toEqual([link, iban]));
  await waitFor(() => expect(toasts.get().at(-1)?.text).toBe('Removed.'));
  act(() => toasts.get().at(-1)?.undo?.());
  await waitFor(() => expect(saved.methods).toEqual([iban, link, iban]));
});

it('nothing is removed while another change is being saved', async () => {
  const { typing, bodies, saved } = showMethods([...user.payment_details.methods]);
  await Promise.all(
    [/^Remove Link/, /^Remove Bank transfer/].map((name) => typing.click(screen.getByRole('button', { name }))),
  );
  await waitFor(() => expect(bodies()).toHaveLength(1));
  await waitFor(() => expect(toasts.get().map(({ text }) => text)).toEqual(['Removed.']));
  expect(saved.methods).toEqual([iban]);
});

it('says how many there may be', async () => {
  showMethods(Array.from({ length: 6 }, () => iban!));
  expect(await screen.findByText('You can add up to 6 ways to get paid')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a way to get paid' })).toBeNull();
});

it('the email address is sent only if edited', async () => {
  const form = (shown: User) => (
    <QueryClientProvider client={new QueryClient()}>
      <ProfileForm user={shown} />
    </QueryClientProvider>
  );
  const received = fakeServer(() => ({ status: 200, json: user }));
  const { rerender } = render(form(user));
  const typing = userEvent.setup();
  const zone = screen.getByRole('combobox', { name: 'Time zone' });
  await typing.clear(zone);
  await typing.paste('Tokyo');
  await typing.keyboard('{ArrowDown}{Enter}');
  // Another device confirms a new address.
  rerender(form({ ...user, email: 'new@example.org' }));
  await typing.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(received.flatMap(({ body }) => body ?? [])).toEqual([{ time_zone: 'Asia/Tokyo' }]));
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
