import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry } from '../../testing/records.ts';
import { ReplayYear } from './replay-year.tsx';

afterEach(cleanup);

it('asks for the typed plan once it is complete, and shows what everyone would have paid', async () => {
  const people = [
    { username: 'mira', hue: 1, paid: 100, replayed: 60 },
    { username: 'ben', hue: 2, paid: 50, replayed: 65 },
  ];
  const total = { paid: 150, replayed: 125 };
  const received = fakeServer(() => ({
    status: 200,
    json: { currency: 'USD', months: [{ month: '2026-10', unfit_hours: 3, people }], people, total },
  }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ReplayYear of={anAsset({ shared_with: [anEntry(2, 'ben', 1), anEntry(3, 'ana', 1)] })} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Price of a month'), '10.5');
  await user.type(screen.getByLabelText('Hours included'), '20');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ price: 10.5, hours: 20 }));
  expect(await screen.findByRole('row', { name: /ben \$50\.00 \$65\.00/ })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'Total $150.00 $125.00 −$25.00' })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Total −$25.00');
  expect(screen.getByText("3 h wouldn't have fit.")).toBeTruthy();
  await user.type(screen.getByLabelText('Hours included'), 'x');
  expect(screen.getByText('Enter a whole number from 1 to 100000')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  // Where no hours are asked for, what was typed there doesn't matter.
  await user.selectOptions(screen.getByLabelText('Compare with'), 'Each on their own');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ price_alone: 10.5 }));
  // One seat fewer may be cheaper, but needn't be.
  await user.selectOptions(screen.getByLabelText('Compare with'), 'One seat fewer');
  await user.selectOptions(screen.getByLabelText('Without'), 'ana');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ without: 'ana', price: 10.5 }));
  await user.clear(screen.getByLabelText('Price of a month (optional)'));
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ without: 'ana' }));
  await user.selectOptions(screen.getByLabelText('Compare with'), 'Another method');
  await user.selectOptions(screen.getByLabelText('Method'), 'Evenly');
  await waitFor(() => expect(received.at(-1)?.body).toEqual({ split_method: 'equal' }));
});

it('asks for a member by their share, who leaves no one out', async () => {
  const people = [{ username: 'ben', hue: 2, paid: 50, replayed: 108 }];
  const received = fakeServer(() => ({
    status: 200,
    json: { currency: 'USD', months: [{ month: '2026-10', unfit_hours: 0, people }], people, total: null },
  }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ReplayYear of={{ shareId: 7, currency: 'USD', measured: false }} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Another plan',
    'Each on their own',
  ]);
  await user.selectOptions(screen.getByLabelText('Compare with'), 'Each on their own');
  await user.type(screen.getByLabelText('Price of a month'), '9');
  await waitFor(() =>
    expect(received.at(-1)).toMatchObject({ path: '/api/shared-assets/7/replay/', body: { price_alone: 9 } }),
  );
  expect(await screen.findByRole('row', { name: /ben \$50\.00 \$108\.00/ })).toBeTruthy();
  expect(screen.queryByText('Total')).toBeNull();
});
