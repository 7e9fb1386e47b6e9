import type { OwnedAsset } from '@hourshare/contract/assets';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry } from '../../testing/records.ts';
import { ShareForm, useShareForm } from './share-form.tsx';

const asset = anAsset({ description: '', subscription_cost: 5, used: false });

const Form = () => <ShareForm asset={asset} sharing={useShareForm(asset)} />;

async function share(username: string, hours: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  if (username) await user.type(screen.getByLabelText('Username'), username);
  if (hours) await user.type(screen.getByLabelText('Monthly Hours'), hours);
  await user.click(screen.getByRole('button', { name: 'Share Asset' }));
}

afterEach(cleanup);

describe('the share form', () => {
  it('requires both fields with one banner', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    await share('ben', '');
    expect((await screen.findByRole('alert')).textContent).toBe('Username and monthly hours are required');
    expect(received).toHaveLength(0);
  });

  it('shows an error under hours outside the limits', async () => {
    await share('ben', '745');
    expect(await screen.findByText('Monthly hours must be a whole number from 1 to 744')).toBeTruthy();
    expect(screen.getByLabelText('Monthly Hours').getAttribute('aria-invalid')).toBe('true');
  });

  it('sends the trimmed username and hours, then resets', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    await share(' ben ', '20');
    await vi.waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe(''));
    expect(received[0]?.path).toBe('/api/assets/3/share/');
    expect(received[0]?.body).toEqual({ username: 'ben', monthly_hours_allocated: 20 });
  });

  it("shows the server's error and keeps the typed text", async () => {
    fakeServer(() => errorReply(404, 'user_not_found', 'User "zoe" not found'));
    await share('zoe', '20');
    expect((await screen.findByRole('alert')).textContent).toBe('User "zoe" not found');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('zoe');
  });
});

it("shows the owner's own part before and after, not to a co-manager", async () => {
  fakeServer(() => ({ status: 201, json: asset }));
  const Forms = ({ yourRole }: { yourRole: OwnedAsset['your_role'] }) => {
    const shown = anAsset({ subscription_cost: 20, owner_hours: 10, your_role: yourRole });
    return <ShareForm asset={shown} sharing={useShareForm(shown)} />;
  };
  const { rerender } = render(<Forms yourRole="owner" />, {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  });
  expect(screen.getByText('Your part: $20.00 a month')).toBeTruthy();
  await userEvent.setup().type(screen.getByLabelText('Monthly Hours'), '10');
  expect(screen.getByText('Your part if everyone uses all their hours: $20.00 → $10.00 a month')).toBeTruthy();
  rerender(<Forms yourRole="manager" />);
  expect(screen.queryByText(/^Your part/)).toBeNull();
});

describe('sharing for the first time', () => {
  const saved = (change: Partial<OwnedAsset>) => ({ status: 200, json: { ...asset, ...change } });

  function renderFirst(first: OwnedAsset) {
    const First = () => <ShareForm asset={first} sharing={useShareForm(first)} />;
    render(
      <QueryClientProvider client={new QueryClient()}>
        <First />
      </QueryClientProvider>,
    );
    return userEvent.setup();
  }
  const question = () => screen.queryByRole('group', { name: 'Is it yours, or do you share all of it?' });

  it('asks whose it is, and saves each answer at once', async () => {
    const received = fakeServer(() => saved({}));
    const user = renderFirst(asset);
    expect(screen.getByRole('radio', { name: "It's mine", checked: true })).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ method: 'PATCH', path: '/api/assets/3/', body: { owner_takes_part: true } });
    await user.click(screen.getByRole('radio', { name: 'We share all of it' }));
    await vi.waitFor(() => expect(received[1]?.body).toEqual({ split_method: 'equal' }));
  });

  it('measures the owner, too, where all share the price by use', async () => {
    const received = fakeServer(() => saved({}));
    const user = renderFirst(anAsset({ split_method: 'equal' }));
    await user.click(screen.getByRole('radio', { name: 'Share of use' }));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toEqual({ split_method: 'share_of_use', owner_takes_part: true });
  });

  it('reserves the hours for an owner who uses it, too, in the same request', async () => {
    const received = fakeServer(() => saved({}));
    const user = renderFirst(anAsset({ owner_takes_part: true }));
    await user.type(screen.getByLabelText('Username'), 'ben');
    await user.type(screen.getByLabelText('Monthly Hours'), '20{Enter}');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toEqual({ username: 'ben', monthly_hours_allocated: 20, terms: { owner_hours: 20 } });
  });

  it.each([
    ['counts the new hours in the usual limit', false, { terms: { max_price_per_hour: 0.5 } }],
    ['keeps a limit that was chosen', true, {}],
  ])('%s', async (_, isChosen, expected) => {
    const received = fakeServer(() => saved({}));
    const terms = { split_method: 'share_of_use', owner_takes_part: true, max_price_chosen: isChosen } as const;
    const user = renderFirst(anAsset({ ...terms, subscription_cost: 10 }));
    await user.type(screen.getByLabelText('Username'), 'ben');
    await user.type(screen.getByLabelText('Monthly Hours'), '20{Enter}');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toEqual({ username: 'ben', monthly_hours_allocated: 20, ...expected });
  });

  it('asks neither later, nor a co-manager, nor about what is not measured', () => {
    for (const other of [
      anAsset({ shared_with: [anEntry(1, 'ana', 10)] }),
      anAsset({ your_role: 'manager' }),
      anAsset({ measured: false, split_method: 'equal' }),
    ]) {
      renderFirst(other);
      expect(question()).toBeNull();
      cleanup();
    }
  });
});
