import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry, list } from '../../testing/records.ts';
import { AccessList } from './access-list.tsx';

afterEach(cleanup);

const showAs = (your_role: 'owner' | 'manager', ...entries: ReturnType<typeof anEntry>[]) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessList asset={anAsset({ shared_with: entries, your_role })} />
    </QueryClientProvider>,
  );
const show = (...entries: ReturnType<typeof anEntry>[]) => showAs('owner', ...entries);

describe('the access list', () => {
  it('shows each user with an initial, a name and monthly hours', () => {
    show(anEntry(1, 'ana', 40), anEntry(2, 'ben', 1));
    const members = within(screen.getByRole('region', { name: 'Users With Access' })).getAllByRole('listitem');
    expect(members).toHaveLength(2);
    expect(members[0]?.textContent).toMatch(/^Aana/);
    expect(within(members[0] ?? document.body).getByText('40 hours/month')).toBeTruthy();
    expect(members[1]?.textContent).toMatch(/^Bben/);
    expect(within(members[1] ?? document.body).getByText('1 hour/month')).toBeTruthy();
  });

  it('shows a placeholder for a pending entry', () => {
    show(anEntry(1, null, null));
    expect(screen.getByText('User')).toBeTruthy();
    expect(screen.getByText('Hours pending')).toBeTruthy();
    expect(screen.queryByText(/hours\/month/)).toBeNull();
  });

  it('shows a message when no one has access', () => {
    show();
    expect(screen.getByText('No users have access to this asset yet.')).toBeTruthy();
  });

  const manager = { ...anEntry(1, 'ana', 40), manager: true };
  const person = { ...anEntry(3, 'Grandma (mira)', 5), person: true };
  const buttonsOf = (index: number) =>
    within(screen.getAllByRole('listitem')[index] ?? document.body)
      .queryAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);

  const optionsOf = async (name: string) => {
    const user = userEvent.setup();
    const button = screen.queryByRole('button', { name: `Options for ${name}` });
    if (!button) return [];
    await user.click(button);
    const options = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    await user.keyboard('{Escape}');
    return options;
  };

  it('lets the owner choose co-managers among accepted members with an account', async () => {
    show(manager, anEntry(2, 'ben', 1), person, { ...anEntry(4, 'kim', 5), pending: true });
    expect(await optionsOf('ana')).toEqual(['Remove ana as co-manager', 'Remove access for ana']);
    expect(await optionsOf('ben')).toEqual(['Make co-manager (ben)', 'Remove access for ben']);
    expect(await optionsOf('Grandma (mira)')).toEqual(['Remove access for Grandma (mira)']);
    expect(await optionsOf('kim')).toEqual([]);
    expect(screen.getAllByText('Co-manager')).toHaveLength(1);
  });

  it('shows a co-manager no buttons that are reserved for the owner', async () => {
    showAs('manager', manager, anEntry(2, 'ben', 1), person);
    expect(buttonsOf(0)).toEqual([]);
    expect(buttonsOf(1)).toEqual(["Change ben's hours", 'Options for ben']);
    expect(await optionsOf('ben')).toEqual(['Remove access for ben']);
    expect(buttonsOf(2)).toEqual([]);
  });

  it('asks before access is removed, and returns the focus', async () => {
    fakeServer(() => list());
    show(anEntry(2, 'ben', 1));
    const user = userEvent.setup();
    const options = screen.getByRole('button', { name: 'Options for ben' });
    await user.click(options);
    await user.click(await screen.findByRole('menuitem', { name: 'Remove access for ben' }));
    const question = await screen.findByRole('alertdialog', { name: "Remove ben's access?" });
    await waitFor(() => expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' })));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(options));
  });

  it('lets the owner, and no co-manager, confirm what a co-manager added', async () => {
    const received = fakeServer(() => ({ status: 200, json: anAsset() }));
    const added = { ...anEntry(2, 'ben', 1), unconfirmed: true };
    show(added);
    expect(screen.getByText("Added by a co-manager. Doesn't affect prices until you confirm it.")).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm what was added for ben' }));
    await waitFor(() => expect(received[0]).toMatchObject({ method: 'POST', path: '/api/assets/3/share/2/confirm/' }));
    cleanup();
    showAs('manager', added);
    expect(screen.queryByRole('button', { name: /^Confirm/ })).toBeNull();
    cleanup();
    fakeServer(() => errorReply(409, 'conflict', 'Not now.'));
    show(added);
    await userEvent.click(screen.getByRole('button', { name: /^Confirm/ }));
    expect((await screen.findByRole('alert')).textContent).toBe('Not now.');
  });

  it('says who was asked to agree', () => {
    show({ ...anEntry(2, 'ben', 1), asked: true });
    expect(screen.getByText('Asked to agree to the new terms. Until then, you cover the difference.')).toBeTruthy();
    cleanup();
    // Someone without an account can't be asked.
    const person = { ...anEntry(3, 'Grandma (mira)', 5), person: true, asked: true };
    show(person);
    expect(screen.getByText('Pays the price from when you added them; you cover the difference.')).toBeTruthy();
    cleanup();
    showAs('manager', person);
    expect(screen.queryByText(/cover the difference/)).toBeNull();
  });
});
