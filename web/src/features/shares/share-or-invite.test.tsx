import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry } from '../../testing/records.ts';
import { AccessList } from './access-list.tsx';
import { ShareOrInvite, useShareOrInvite } from './share-or-invite.tsx';

const LINK = 'https://hours.example.org/invite/k7m2';
const asset = anAsset();
const made = {
  ...asset,
  invitation: { id: 9, link: LINK, expires_at: '2030-01-07T12:00:00.000Z', monthly_hours_allocated: 20 },
};

const Forms = () => <ShareOrInvite asset={asset} forms={useShareOrInvite(asset)} />;

function renderForms() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Forms />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

afterEach(cleanup);

describe('inviting by link', () => {
  it('sends the hours and shows the link once, with its expiry', async () => {
    const received = fakeServer(() => ({ status: 201, json: made }));
    const user = renderForms();
    await user.type(screen.getByLabelText('Hours per month for the link'), '20{Enter}');
    const link = await screen.findByLabelText<HTMLInputElement>('Link for one person, 20 hours a month');
    expect(link.value).toBe(LINK);
    expect(received[0]).toMatchObject({
      path: '/api/assets/3/invitations/',
      body: { monthly_hours_allocated: 20 },
    });
    expect(screen.getByText(/^Expires .*2030/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByDisplayValue(LINK)).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Hours per month for the link').value).toBe('');
  });

  it('copies the link, and says so', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const user = renderForms();
    await user.type(screen.getByLabelText('Hours per month for the link'), '20{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(LINK);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  });

  it('shows a QR code of the link', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const user = renderForms();
    await user.type(screen.getByLabelText('Hours per month for the link'), '20{Enter}');
    await screen.findByDisplayValue(LINK);
    await user.click(screen.getByText('Show QR code'));
    const code = await screen.findByRole('img', { name: 'QR code of the link' });
    expect(code.querySelector('path')?.getAttribute('d')).toMatch(/^M\d+ \d+h1v1h-1z/);
  });

  it('sends the link with the system, where there is a way', async () => {
    fakeServer(() => ({ status: 201, json: made }));
    const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue();
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const user = renderForms();
    await user.type(screen.getByLabelText('Hours per month for the link'), '20{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Send link' }));
    expect(share).toHaveBeenCalledWith({ title: 'Invitation to Films', url: LINK });
    Reflect.deleteProperty(navigator, 'share');
  });

  it.each(['', '0', '745', '1.5'])('rejects %j hours', async (hours) => {
    const received = fakeServer(() => ({ status: 201, json: made }));
    const user = renderForms();
    const field = screen.getByLabelText('Hours per month for the link');
    await user.type(field, `${hours}{Enter}`);
    expect(await screen.findByText('Monthly hours must be a whole number from 1 to 744')).toBeTruthy();
    expect(received).toHaveLength(0);
  });

  it("shows the server's error", async () => {
    fakeServer(() => errorReply(400, 'too_many_invitations', 'This asset has too many open invitations.'));
    const user = renderForms();
    await user.type(screen.getByLabelText('Hours per month for the link'), '20{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('This asset has too many open invitations.');
  });

  it('is suggested for an unknown username, with the hours as typed', async () => {
    fakeServer(() => errorReply(404, 'user_not_found', 'User "zoe" not found'));
    const user = renderForms();
    await user.type(screen.getByLabelText('Username'), 'zoe');
    await user.type(screen.getByLabelText('Monthly Hours'), '20{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('User "zoe" not found');
    await user.click(screen.getByRole('button', { name: 'Invite by link' }));
    const field = screen.getByLabelText<HTMLInputElement>('Hours per month for the link');
    expect(field.value).toBe('20');
    await vi.waitFor(() => expect(document.activeElement).toBe(field));
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
