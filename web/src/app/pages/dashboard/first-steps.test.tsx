import type { OwnedAsset } from '@hourshare/contract/assets';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../platform/paths.ts';
import { queryClient } from '../../../platform/http/query-client.ts';
import { fakeServer } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, serveLists } from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';
import { router } from '../../router.tsx';

const unused = (change: Partial<OwnedAsset> = {}) => anAsset({ used: false, ...change });
const shared = unused({ shared_with: [anEntry(1, null, null), anEntry(2, 'ana', 40)] });

const steps = async () => within(await screen.findByRole('region', { name: 'Get started' }));
const current = async () => {
  const found = await steps();
  return found.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')?.textContent;
};

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the first steps', () => {
  it('lead from an asset to a shared one, with the focus where to type', async () => {
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      if (request.path !== '/api/assets/') assets = [{ ...shared, name: 'Spotify' }];
      else assets = [unused({ name: 'Spotify' })];
      return { status: 201, json: assets[0]! };
    });
    const user = await openApp('/dashboard');
    expect(await current()).toMatch(/^1Add/);
    await user.click((await steps()).getByRole('button', { name: 'Add Your First Asset' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Asset' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Asset Name')));
    await user.keyboard('Spotify');
    await user.type(dialog.getByLabelText('Monthly Subscription Cost ($)'), '16.99{Enter}');

    await screen.findByRole('heading', { name: 'Who uses it with you?' });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Monthly Hours')));
    expect(await current()).toMatch(/^2Share/);
    await user.keyboard('40{Tab}ana{Enter}');
    await screen.findByRole('heading', { name: "Waiting for ana's first session" });
    expect((await steps()).getByText('2 of 3 steps done')).toBeTruthy();
  });

  it('say how an asset is split that is not only split by use', async () => {
    fakeServer(serveLists({ assets: [unused({ base_percent: 30 })] }));
    await openApp('/dashboard');
    expect((await steps()).queryByText(/They only pay for the hours they use/)).toBeNull();
    expect((await steps()).getAllByText('30% of the price is split by allowance, the rest by use.')).toBeTruthy();
  });

  it('keep the link of an invitation until it has been passed on, and then wait', async () => {
    const invited = unused({ shared_with: [{ ...anEntry(9, null, null), invitation_id: 9 }] });
    const expires_at = '2030-01-07T12:00:00.000Z';
    const link = 'https://hours.example.org/invite/k7m2';
    let assets = [unused()];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets = [invited];
      return {
        status: 201,
        json: { ...invited, invitation: { id: 9, link, expires_at, monthly_hours_allocated: 20 } },
      };
    });
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Monthly Hours'), '20');
    await user.click(screen.getByRole('button', { name: 'Invite by link' }));
    expect(await screen.findByDisplayValue(link)).toBeTruthy();
    expect(await current()).toMatch(/^2Share/);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await screen.findByRole('heading', { name: 'Waiting for the first session' });
  });

  it('name no service before the user does, and no asset besides its card', async () => {
    fakeServer(serveLists({}));
    await openApp('/dashboard');
    await steps();
    expect(screen.queryByText(/Netflix|Spotify|Figma/)).toBeNull();
    cleanup();
    queryClient.clear();
    fakeServer(serveLists({ assets: [unused(), unused({ id: 4, name: 'Gym' })] }));
    await openApp('/dashboard');
    expect((await steps()).getByText(/allowance of your first asset/)).toBeTruthy();
    expect((await steps()).queryByText(/Films|Gym/)).toBeNull();
  });

  it('focus the form right after the first asset was added, and not when a dialog closes later', async () => {
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets = [unused()];
      return { status: 201, json: unused() };
    });
    const focus = vi.spyOn(HTMLInputElement.prototype, 'focus');
    const user = await openApp('/dashboard');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Add New Asset' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Asset' }));
    await user.type(await dialog.findByLabelText('Asset Name'), 'Films');
    await user.type(dialog.getByLabelText('Monthly Subscription Cost ($)'), '20{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Monthly Hours')));
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });

    const manage = screen.getByRole('button', { name: /^Manage/ });
    await user.click(manage);
    await screen.findByRole('dialog', { name: /^Manage Asset: Films/ });
    await user.click(screen.getByRole('button', { name: 'Close dialog' }));
    await screen.findByLabelText('Monthly Hours');
    await waitFor(() => expect(document.activeElement).toBe(manage));
  });

  it('leave the fields of an open dialog the only ones, and keep what was typed', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Monthly Hours'), '40');
    await user.type(screen.getByLabelText('Username'), 'ana');
    await user.click(screen.getByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Manage Asset: Films/ }));
    await waitFor(() => expect(screen.getAllByLabelText('Monthly Hours')).toHaveLength(1));
    expect(dialog.getByLabelText<HTMLInputElement>('Monthly Hours').value).toBe('');
    expect(dialog.queryByText(/unsaved/i)).toBeNull();

    // A reload or a link would lose what was typed below; closing the dialog, which has no edits, doesn't.
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    void router.navigate({ to: paths.costs });
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(window.location.pathname).toBe('/dashboard');
    await user.click(dialog.getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>('Monthly Hours').value).toBe('40');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ana');
  });

  it('ask before what was typed is lost', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Username'), 'ana');
    const question = async () => within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
    await user.click(screen.getByRole('link', { name: /^View all/ }));
    await user.click((await question()).getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ana');
    await user.click(screen.getByRole('button', { name: 'Skip for now' }));
    await user.click((await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
  });

  it('stay while something is typed, whatever others do', async () => {
    let lists: Parameters<typeof serveLists>[0] = { assets: [unused()] };
    fakeServer((request) => serveLists(lists)(request));
    const user = await openApp('/dashboard');
    const username = await screen.findByLabelText('Username');
    await user.type(username, 'ana');
    const section = screen.getByRole('region', { name: 'Your Assets' });
    lists = { assets: [shared], shares: [aShare()] };
    await act(() => queryClient.refetchQueries());
    expect(await screen.findByRole('listitem', { name: 'Figma' })).toBeTruthy();
    expect(document.activeElement).toBe(username);

    await user.clear(username);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
    // What is below stays as it was.
    expect(screen.getByRole('region', { name: 'Your Assets' })).toBe(section);
  });

  it('can be skipped', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Skip for now' }));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  it.each([
    ['whose asset was used once, and is shared with no one now', { assets: [unused(), anAsset({ id: 4 })] }],
    ['whose only used asset is archived', { assets: [anAsset({ archived: true })] }],
    ['who uses what others share', { assets: [unused()], shares: [aShare()] }],
  ])('are not shown to someone %s', async (_, lists) => {
    fakeServer(serveLists(lists));
    await openApp('/dashboard');
    await screen.findByRole('region', { name: 'Your Assets' });
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
