import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset } from '../../testing/records.ts';
import { ShareForm, useShareForm } from './share-form.tsx';

const asset = anAsset({ description: '', subscription_cost: 5, used: false });

const Form = () => <ShareForm asset={asset} form={useShareForm(asset)} />;

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
