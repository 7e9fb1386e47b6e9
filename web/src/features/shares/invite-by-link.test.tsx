import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry } from '../../testing/records.ts';
import { AccessList } from './access-list.tsx';
import { ShareForm, useShareForm } from './share-form.tsx';

const LINK = 'https://hours.example.org/invite/k7m2';
const asset = anAsset();
const made = {
  ...asset,
  invitation: { id: 9, link: LINK, expires_at: '2030-01-07T12:00:00.000Z', monthly_hours_allocated: 20 },
};

const Form = () => <ShareForm asset={asset} sharing={useShareForm(asset)} />;

function renderForm() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

async function invite(hours: string) {
  const user = renderForm();
  if (hours !== '') await user.type(screen.getByLabelText('Monthly Hours'), hours);
  await user.click(screen.getByRole('button', { name: 'Invite by link' }));
  return user;
}

afterEach(cleanup);

describe('inviting by link', () => {
  it('sends the hours and shows the link once, with its expiry', async () => {
    const received = fakeServer(() => ({ status: 201, json: made }));
    const user = await invite('20');
    const link = await screen.findByLabelText<HTMLInputElement>('Link for one person, 20 hours a month');
    expect(link.value).toBe(LINK);
    expect(received[0]).toMatchObject({
      path: '/api/assets/3/invitations/',
      body: { monthly_hours_allocated: 20 },
    });
    expect(screen.getByText(/^Expires .*2030/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByDisplayValue(LINK)).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Monthly Hours').value).toBe('');
  });

  it('copies the link, and says so', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const user = await invite('20');
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(LINK);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  });

  it('shows a QR code of the link', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const user = await invite('20');
    await screen.findByDisplayValue(LINK);
    await user.click(screen.getByText('Show QR code'));
    const code = await screen.findByRole('img', { name: 'QR code of the link' });
    expect(code.querySelector('path')?.getAttribute('d')).toMatch(/^M\d+ \d+h1v1h-1z/);
  });

  it('sends the link with the system, where there is a way', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue();
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const user = await invite('20');
    await user.click(await screen.findByRole('button', { name: 'Send link' }));
    expect(share).toHaveBeenCalledWith({ title: 'Invitation to Films', url: LINK });
    Reflect.deleteProperty(navigator, 'share');
  });

  it.each(['', '0', '745', '1.5'])('rejects %j hours', async (hours) => {
    const received = fakeServer(() => ({ status: 201, json: made }));
    await invite(hours);
    expect(await screen.findByText('Monthly hours must be a whole number from 1 to 744')).toBeTruthy();
    expect(received).toHaveLength(0);
  });

  it("shows the server's error", async () => {
    fakeServer(() => errorReply(400, 'too_many_invitations', 'This asset has too many open invitations.'));
    await invite('20');
    expect((await screen.findByRole('alert')).textContent).toBe('This asset has too many open invitations.');
  });

  it('takes the hours as typed after an unknown username', async () => {
    const received = fakeServer(({ path }) =>
      path.endsWith('/share/')
        ? errorReply(404, 'user_not_found', 'User "zoe" not found')
        : { status: 201, json: made },
    );
    const user = renderForm();
    await user.type(screen.getByLabelText('Username'), 'zoe');
    await user.type(screen.getByLabelText('Monthly Hours'), '20{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('User "zoe" not found');
    await user.click(screen.getByRole('button', { name: 'Invite by link' }));
    const link = await screen.findByDisplayValue(LINK);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(received[1]?.body).toEqual({ monthly_hours_allocated: 20 });
    await vi.waitFor(() => expect(document.activeElement?.contains(link)).toBe(true));
  });
});

describe('adding someone without an account', () => {
  const add = async (name: string, hours: string) => {
    const user = renderForm();
    if (name !== '') await user.type(screen.getByLabelText('Username'), name);
    await user.type(screen.getByLabelText('Monthly Hours'), hours);
    await user.click(screen.getByRole('button', { name: 'Add without an account' }));
  };

  it('sends the name and the hours, then resets', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    await add('Grandma Rose', '20');
    await vi.waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe(''));
    expect(received[0]).toMatchObject({
      path: '/api/assets/3/people/',
      body: { name: 'Grandma Rose', monthly_hours_allocated: 20 },
    });
  });

  it('needs a name', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    await add('', '20');
    await vi.waitFor(() => expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true'));
    expect(received).toHaveLength(0);
  });

  it("shows the server's errors where they belong", async () => {
    fakeServer(() =>
      errorReply(400, 'validation_failed', 'The request is invalid.', { name: ['This name is taken.'] }),
    );
    await add('Grandma', '20');
    expect(await screen.findByText('This name is taken.')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    cleanup();
    fakeServer(() => errorReply(409, 'already_shared', 'Already shared.'));
    await add('Grandma', '20');
    expect((await screen.findByRole('alert')).textContent).toBe('Someone with this name already has access.');
  });
});

it('a pending invitation shows its expiry, and can be revoked', async () => {
  const entry = { ...anEntry(9, null, null), invitation_id: 9, expires_at: '2030-01-07T12:00:00.000Z' };
  const received = fakeServer(() => ({ status: 200, json: asset }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessList asset={anAsset({ shared_with: [entry] })} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  expect(screen.getByText('Hours pending')).toBeTruthy();
  expect(screen.getByText(/^Invited by link\. Expires .*2030/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Revoke the link that expires/ }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]).toMatchObject({ method: 'DELETE', path: '/api/assets/3/invitations/9/' });
});
