import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { anAsset } from '../../testing/records.ts';
import { ReplayYear } from './replay-year.tsx';

afterEach(cleanup);

it('asks for the typed plan once it is complete, and shows what everyone would have paid', async () => {
  const people = [
    { username: 'mira', paid: 100, replayed: 60 },
    { username: 'ben', paid: 50, replayed: 65 },
  ];
  const received = fakeServer(() => ({
    status: 200,
    json: { currency: 'USD', months: [{ month: '2026-10', unfit_hours: 3, people }], people },
  }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ReplayYear asset={anAsset()} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Price of a month'), '10.5');
  await user.type(screen.getByLabelText('Hours included'), '20');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ price: 10.5, hours: 20 }));
  expect(await screen.findByRole('row', { name: /ben \$50\.00 \$65\.00/ })).toBeTruthy();
  expect(screen.getByText("3 h wouldn't have fit.")).toBeTruthy();
  await user.type(screen.getByLabelText('Hours included'), 'x');
  expect(screen.getByText('Enter a whole number from 1 to 100000')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  // Where no hours are asked for, what was typed there doesn't matter.
  await user.selectOptions(screen.getByLabelText('Compare with'), 'Each on their own');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ price_alone: 10.5 }));
});
